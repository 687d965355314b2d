// The recorded writes of built-in kinds, played against their strategies: what was accepted must
// come out the same, with the same fields owned, and what was refused must be refused for the same
// reasons.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "kinds/builtin_strategy.h"
#include "kinds/resource.h"
#include "meta/object_meta.h"
#include "patch/managed_fields.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "resource/settle.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kCreated = "2024-01-01T00:00:00Z";

// What a path names. The resource is null when it is none of ours.
struct Target {
  const Resource* resource = nullptr;
  std::string namespace_name;
  std::string name;
  std::string subresource;
};

Target target_of(std::string_view path) {
  std::vector<std::string> parts;
  path = path.substr(0, path.find('?'));
  for (std::size_t at = 1; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  Target target;
  std::size_t i = parts[0] == "api" ? 2 : 3;
  const std::string group = parts[0] == "api" ? "" : parts.size() > 1 ? parts[1] : "";
  if (parts.size() > i + 2 && parts[i] == "namespaces") {
    target.namespace_name = parts[i + 1];
    i += 2;
  }
  if (parts.size() <= i) return target;
  for (const ResourcePtr& one : builtin_resources()) {
    if (one->group == group && one->plural == parts[i]) target.resource = one.get();
  }
  if (parts.size() > i + 1) target.name = parts[i + 1];
  if (parts.size() > i + 2) target.subresource = parts[i + 2];
  return target;
}

std::string sorted_causes(const Value& details) {
  std::vector<std::string> causes;
  if (const Value* list = details.find("causes")) {
    for (const Value& one : list->items())
      causes.push_back(fmt::format("{} {} {}", text_of(one, "field"), text_of(one, "reason"),
                                   text_of(one, "message")));
  }
  std::sort(causes.begin(), causes.end());
  return fmt::format("{}", fmt::join(causes, "\n"));
}

std::string sorted_causes(const FieldErrors& errors) {
  std::vector<std::string> causes;
  for (const value::FieldError& one : errors)
    causes.push_back(fmt::format("{} {} {}", one.field(), one.reason(), one.body()));
  std::sort(causes.begin(), causes.end());
  causes.erase(std::unique(causes.begin(), causes.end()), causes.end());
  return fmt::format("{}", fmt::join(causes, "\n"));
}

// Everything but what only a server knows.
std::string comparable(const Value& object) {
  Document copy;
  copy.root() = value::deep_copy(object, copy.arena());
  if (Value* metadata = copy.root().find("metadata")) {
    for (const std::string_view key : {"creationTimestamp", "uid", "resourceVersion", "generation"})
      metadata->remove(key);
    if (Value* entries = metadata->find("managedFields")) {
      for (Value& entry : entries->mutable_items()) entry.remove("time");
    }
  }
  return value::to_json(copy.root());
}

class Player {
 public:
  // Plays a step; false when it is not one that a strategy alone can answer.
  bool play(const Value& step) {
    const Value* expect = step.find("expect");
    const Value* body = step.find("body");
    if (expect == nullptr || body == nullptr || step.find("only") != nullptr) return false;
    if (const Value* headers = step.find("headers");
        headers != nullptr && headers->find("Impersonate-User") != nullptr) {
      return false;
    }
    const Target target = target_of(text_of(step, "path"));
    const std::string_view method = text_of(step, "method");
    if (target.resource == nullptr || target.resource->strategy == nullptr ||
        !target.subresource.empty()) {
      return false;
    }
    const std::int64_t code = expect->find("code")->as_int();
    // The answer to a review comes from elsewhere.
    if (!target.resource->stored() && code != 422) return false;
    if (method == "POST" && (code == 201 || code == 422 || code == 400)) {
      create(step, target, *body, *expect, code);
      return true;
    }
    if (method == "PATCH" && (code == 200 || code == 422)) {
      patch(step, target, *body, *expect, code);
      return true;
    }
    return false;
  }

 private:
  std::string key(const Target& target, std::string_view name) const {
    return fmt::format("{}/{}/{}", target.resource->plural, target.namespace_name, name);
  }

  void create(const Value& step, const Target& target, const Value& body, const Value& expect,
              std::int64_t code) {
    const BuiltinStrategy& strategy = *target.resource->strategy;
    Document document;
    document.root() = value::deep_copy(body, document.arena());
    if (const auto read = meta::read_shape(document.root(), strategy.shape(), document.arena());
        !read) {
      EXPECT_EQ(code, 400) << text_of(step, "id");
      EXPECT_EQ(
          text_of(*expect.find("body"), "message"),
          resource::decode_failure({"", "v1", target.resource->kind}, read.error().message()));
      return;
    }
    Value& metadata = *document.root().find("metadata");
    if (!target.namespace_name.empty())
      metadata.set("namespace", Value::string(target.namespace_name), document.arena());
    if (target.resource->stored())
      metadata.set("creationTimestamp", Value::string(kCreated), document.arena());
    strategy.apply_defaults(document.root(), document.arena());
    own(target, document, nullptr);
    const WriteRequest request{.resource = *target.resource,
                               .version = target.resource->versions.front()};
    strategy.prepare_create(document.root(), document.arena(), request);
    const FieldErrors errors = strategy.check_create(document.root(), request)->errors;
    settle(step, target, std::move(document), errors, expect, code, 201);
  }

  void patch(const Value& step, const Target& target, const Value& body, const Value& expect,
             std::int64_t code) {
    const auto stored = stored_.find(key(target, target.name));
    ASSERT_NE(stored, stored_.end()) << text_of(step, "id");
    const BuiltinStrategy& strategy = *target.resource->strategy;
    const Value& old = stored->second.root();
    Document document;
    const std::string_view type = text_of(*step.find("headers"), "Content-Type");
    if (type == "application/strategic-merge-patch+json") {
      auto patched = patch::apply_strategic_merge(old, body, strategy.strategic_merge()->fields,
                                                  document.arena());
      ASSERT_TRUE(patched) << patched.error().message();
      document.root() = value::deep_copy(*patched, document.arena());
    } else {
      document.root() =
          value::deep_copy(patch::apply_merge_patch(old, body, document.arena()), document.arena());
    }
    ASSERT_TRUE(meta::read_shape(document.root(), strategy.shape(), document.arena()));
    strategy.apply_defaults(document.root(), document.arena());
    own(target, document, &old);
    const WriteRequest request{.resource = *target.resource,
                               .version = target.resource->versions.front()};
    strategy.prepare_update(document.root(), old, document.arena(), request);
    const FieldErrors errors = strategy.validate_update(document.root(), old, request);
    settle(step, target, std::move(document), errors, expect, code, 200);
  }

  void own(const Target& target, Document& document, const Value* old) {
    const ServedVersion& version = target.resource->versions[0];
    if (old == nullptr) old = target.resource->strategy->zero();
    patch::WriteContext context{.manager = "Python-urllib",
                                .api_version = text_of(document.root(), "apiVersion"),
                                .subresource = "",
                                .time = kCreated};
    for (const std::string& one : version.resets) context.reset.push_back(one);
    patch::update_managed_fields(document.root(), old, (*version.kind())->schema.get(), context,
                                 document.arena());
  }

  void settle(const Value& step, const Target& target, Document document, const FieldErrors& errors,
              const Value& expect, std::int64_t code, std::int64_t accepted) {
    const Value& answer = *expect.find("body");
    if (code == 422) {
      EXPECT_EQ(sorted_causes(errors), sorted_causes(*answer.find("details")))
          << text_of(step, "id");
      return;
    }
    EXPECT_EQ(code, accepted) << text_of(step, "id");
    EXPECT_EQ(sorted_causes(errors), "") << text_of(step, "id");
    EXPECT_EQ(comparable(document.root()), comparable(answer)) << text_of(step, "id");
    const std::string name(meta::ObjectMeta::of(document.root()).name());
    stored_.insert_or_assign(key(target, name), std::move(document));
  }

  std::map<std::string, Document> stored_;
};

// Steps that need an expression to be compiled.
bool needs_cel(std::string_view id) { return id == "bad-expr" || id == "non-bool"; }

TEST(BuiltinKinds, AnswerAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  std::size_t played = 0;
  for (const char* file :
       {"http_core.json", "http_rbac.json", "http_policy.json", "http_apiservices.json"}) {
    const auto recording = value::read_json(strake::testing::read_file(folder / file));
    ASSERT_TRUE(recording) << file;
    SCOPED_TRACE(file);
    Player player;
    for (const Value& step : recording->root().find("steps")->items()) {
      if (!needs_cel(text_of(step, "id")) && player.play(step)) ++played;
    }
  }
  // So that a change in the recordings' form cannot make this pass by playing nothing.
  EXPECT_GE(played, strake::testing::count_in(folder, 38u, 15u));
}

}  // namespace
}  // namespace strake::kinds

#include "kinds/workloads/test_verdicts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "base/lines.h"
#include "kinds/fields.h"
#include "kinds/workloads/workload_resources.h"
#include "meta/object_meta.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::kinds::testing {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kUid = "00000000-0000-4000-8000-000000000000";
constexpr std::string_view kSuffix = "zzzzz";

bool is_of_template(std::string_view field) {
  // What a controller asks of a template itself.
  if (field.ends_with(".template.metadata.labels") || field.ends_with("emplate")) return false;
  return field.contains(".template.") || field.contains(".volumeClaimTemplates[");
}

void drop_templates(Value& object) {
  Value* spec = object.find("spec");
  if (spec == nullptr) return;
  spec->remove("template");
  spec->remove("volumeClaimTemplates");
  Value* job = spec->find("jobTemplate");
  if (job != nullptr && job->find("spec") != nullptr) drop_templates(*job);
}

std::string scrubbed(const std::string& text, std::string_view replacement) {
  static const std::regex& uid = *new std::regex(R"([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})");
  return std::regex_replace(text, uid, std::string(replacement));
}

std::string shown(const Document& object) {
  return scrubbed(value::to_json(object.root()), R"(\u003cuid\u003e)");
}

std::string refusal(const std::set<std::string>& faults) {
  return fmt::format("422: {}", fmt::join(faults, "; "));
}

std::string answer(const Resource& resource, Document& document) {
  const BuiltinStrategy& strategy = *resource.strategy;
  Value& object = document.root();
  if (!meta::read_shape(object, strategy.shape(), document.arena(), {.from_text = true}))
    return "400";
  strategy.apply_defaults(object, document.arena());
  give_identity(object, document.arena());
  const WriteRequest request{.resource = resource, .version = resource.versions.front()};
  strategy.prepare_create(object, document.arena(), request);
  std::set<std::string> faults;
  for (const value::FieldError& fault : strategy.check_create(object, request)->errors) {
    if (!is_of_template(fault.field())) faults.insert(scrubbed(fault.to_string(), "<uid>"));
  }
  if (!faults.empty()) return refusal(faults);
  strategy.after_accept(object, document.arena());
  drop_templates(object);
  if (Value* metadata = object.find("metadata")) {
    metadata->remove("uid");
    metadata->remove("generation");
  }
  std::string out = shown(document);
  if (const std::size_t at = out.find(kSuffix); at != std::string::npos)
    out.replace(at, kSuffix.size(), R"(\u003csfx\u003e)");
  return out;
}

// The recorded answer, as answer() gives it; empty when only a template is at fault.
std::string recorded(Document& verdict) {
  Value& root = verdict.root();
  if (root.get("code").as_int() == 201) {
    Document object;
    object.root() = value::deep_copy(root.get("object"), object.arena());
    drop_templates(object.root());
    return value::to_json(object.root());
  }
  std::set<std::string> faults;
  for (const Value& one : root.get("status").get("details").get("causes").items()) {
    const std::string_view field = value::text_of(one, "field");
    if (!is_of_template(field))
      faults.insert(fmt::format("{}: {}", field, value::text_of(one, "message")));
  }
  return faults.empty() ? std::string() : refusal(faults);
}

}  // namespace

const Resource& workload(std::string_view group, std::string_view version,
                         std::string_view plural) {
  for (const ResourcePtr& one : workload_resources()) {
    if (one->group == group && one->plural == plural && one->versions.front().name == version)
      return *one;
  }
  std::abort();
}

std::string part(const std::string& answer, std::string_view path) {
  if (!answer.starts_with('{')) return answer;
  const auto read = value::read_json(answer);
  FieldPath at;
  if (!read || !FieldPath::parse_dotted(path, at)) std::abort();
  const Value* found = read->at(at);
  return found != nullptr ? value::to_json(*found) : "none";
}

void give_identity(Value& object, Arena& arena) {
  Value& metadata = object.object_at("metadata", arena);
  metadata.set("uid", Value::string(kUid), arena);
  const std::string_view prefix = value::text_of(metadata, "generateName");
  if (prefix.empty() || value::text_of(metadata, "name") != "x") return;
  metadata.set("name", Value::string(arena.copy(fmt::format("{}{}", prefix, kSuffix))), arena);
}

void expect_verdicts_but_templates(const std::filesystem::path& folder, std::string_view kind,
                                   const Resource& resource, std::size_t least) {
  std::size_t played = 0;
  const std::string verdicts = strake::testing::read_file(folder / "verdicts.jsonl");
  for (std::string_view rest = verdicts; !rest.empty();) {
    auto verdict = value::read_json(take_line(rest));
    ASSERT_TRUE(verdict);
    const std::string_view file = value::text_of(verdict->root(), "file");
    const std::int64_t code = verdict->root().get("code").as_int();
    if (file.substr(0, file.find('/')) != kind || (code != 201 && code != 422)) continue;
    auto manifest = value::read_yaml(strake::testing::read_file(folder / "manifests" / file));
    ASSERT_TRUE(manifest) << file;
    Value& metadata = manifest->root().object_at("metadata", manifest->arena());
    for (const std::string_view key :
         {"managedFields", "creationTimestamp", "uid", "resourceVersion", "namespace", "selfLink"})
      metadata.remove(key);
    metadata.set("namespace", Value::string("default"), manifest->arena());
    if (value::text_of(metadata, "name").empty())
      metadata.set("name", Value::string("x"), manifest->arena());
    // As a request it would be JSON text.
    auto sent = value::read_json(value::to_json(manifest->root()));
    ASSERT_TRUE(sent) << file;
    const std::string want = recorded(*verdict);
    const std::string got = answer(resource, *sent);
    ++played;
    if (want.empty()) {
      EXPECT_FALSE(got.starts_with('4')) << file << ": " << got;
    } else {
      EXPECT_EQ(got, want) << file;
    }
  }
  EXPECT_GE(played, strake::testing::count_in<std::size_t>(folder, least, 0));
}

}  // namespace strake::kinds::testing

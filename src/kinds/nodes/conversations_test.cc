// The recorded conversations about nodes, classes and networking, as far as strategies and the pure
// parts of admission can answer them alone: creates, updates and patches of objects and their
// status, tables, and deletions that are refused.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <regex>

#include "kinds/fields.h"
#include "kinds/networking/default_ingress_class.h"
#include "kinds/nodes/not_ready_taint.h"
#include "kinds/test_requests.h"
#include "kinds/workloads/workload_resources.h"
#include "meta/object_meta.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::Value;

struct Target {
  const Resource* resource;
  std::string space;
  std::string name;
  std::string subresource;
  std::string key() const { return fmt::format("{}/{}/{}", resource->plural, space, name); }
};

// Nothing for resources that are not of these folders.
std::optional<Target> target_of(const std::string& path) {
  static const std::regex& form = *new std::regex(
      R"(/(?:api|apis/([^/]+))/v1(?:/namespaces/([^/]+))?/([^/?]+)(?:/([^/?]+))?(?:/([^/?]+))?(?:\?.*)?)");
  std::smatch found;
  if (!std::regex_match(path, found, form)) return std::nullopt;
  for (const ResourcePtr& one : workload_resources()) {
    const bool ours = one->plural == "nodes" || one->group == "networking.k8s.io" ||
                      one->group == "node.k8s.io" || one->group == "scheduling.k8s.io";
    if (ours && one->group == found[1].str() && one->plural == found[3].str())
      return Target{one.get(), found[2], found[4], found[5]};
  }
  return std::nullopt;
}

// Objects as they can be compared: without what only a server gives them.
std::string comparable(const Value& object) {
  static const std::regex& time =
      *new std::regex(R"re("(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ|\\u003ctime\\u003e)")re");
  Document copy;
  copy.root() = value::deep_copy(object, copy.arena());
  if (Value* metadata = copy.root().find("metadata")) {
    for (const std::string_view key :
         {"managedFields", "creationTimestamp", "resourceVersion", "uid", "generation"})
      metadata->remove(key);
  }
  return std::regex_replace(value::to_json(copy.root()), time, "T");
}

// The value at "spec.taints.0"; null where there is none.
const Value& at_path(const Value& object, std::string_view path) {
  static const Value kNone;
  const Value* at = &object;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string_view step = path.substr(0, dot);
    path.remove_prefix(std::min(dot + 1, path.size()));
    std::size_t index = 0;
    std::from_chars(step.data(), step.data() + step.size(), index);
    at = !at->is_array() ? &at->get(step) : index < at->size() ? &at->items()[index] : &kNone;
  }
  return *at;
}

std::string refusal_of(const Value& status) {
  std::vector<std::string> causes;
  for (const Value& one : items(status.get("details"), "causes"))
    causes.push_back(
        fmt::format("{}: {}", value::text_of(one, "field"), value::text_of(one, "message")));
  std::ranges::sort(causes);
  causes.erase(std::unique(causes.begin(), causes.end()), causes.end());
  return fmt::format("422: {}", fmt::join(causes, "; "));
}

class Player {
 public:
  // False for what is not answered here.
  bool play(const Value& step) {
    const auto target = target_of(std::string(value::text_of(step, "path")));
    if (!target) return false;
    const std::string_view method = value::text_of(step, "method");
    if (method == "GET") return get(*target, step);
    if (method == "DELETE") return remove(*target, step);
    const auto answer = write(method, *target, step);
    if (!answer) return false;
    if (answer->starts_with('{') && target->name.empty()) {
      Target made = *target;
      made.name = text_of(value::read_json(*answer)->root(), {"metadata", "name"});
      stored_[made.key()] = *answer;
    } else if (answer->starts_with('{')) {
      stored_[target->key()] = *answer;
    }
    return value::flag_of(step, "ignore") || compare(*answer, step);
  }

 private:
  std::optional<std::string> write(std::string_view method, const Target& target,
                                   const Value& step) {
    Document body;
    body.root() = value::deep_copy(step.get("body"), body.arena());
    if (method == "POST") {
      Value& metadata = body.root().object_at("metadata", body.arena());
      if (target.resource->namespaced)
        metadata.set("namespace", Value::string(target.space), body.arena());
      // Each is newer than those before it.
      metadata.set("creationTimestamp",
                   Value::string(body.arena().copy(fmt::format("2024-01-01T00:{:02}:00Z", ++now_))),
                   body.arena());
      return testing::create(*target.resource, value::to_json(body.root()),
                             [&](Value& object, Arena& arena) { admit(target, object, arena); });
    }
    const auto old = stored_.find(target.key());
    if (old == stored_.end()) return std::nullopt;
    const Document before = *value::read_json(old->second);
    if (method == "PATCH") {
      const std::string_view type = text_of(step, {"headers", "Content-Type"});
      if (type == "application/merge-patch+json") {
        body.root() = patch::apply_merge_patch(before.root(), body.root(), body.arena());
      } else if (type == "application/strategic-merge-patch+json") {
        body.root() = *patch::apply_strategic_merge(
            before.root(), body.root(), target.resource->strategy->strategic_merge()->fields,
            body.arena());
      } else {
        return std::nullopt;
      }
    } else {
      body.root()
          .object_at("metadata", body.arena())
          .set("namespace", before.root().get("metadata").get("namespace"), body.arena());
    }
    const std::string json = value::to_json(body.root());
    return target.subresource.empty()
               ? testing::update(*target.resource, old->second, json)
               : testing::update_status(*target.resource, target.subresource, old->second, json);
  }

  void admit(const Target& target, Value& object, Arena& arena) const {
    if (target.resource->plural == "nodes") add_not_ready_taint(object, arena);
    if (target.resource->plural != "ingresses") return;
    std::vector<Document> classes;
    std::vector<DefaultIngressClass> defaults;
    for (const auto& [key, json] : stored_) {
      if (key.starts_with("ingressclasses/")) classes.push_back(*value::read_json(json));
    }
    for (const Document& one : classes) {
      const meta::ObjectMeta metadata = meta::ObjectMeta::of(one.root());
      if (is_default_ingress_class(one.root()))
        defaults.push_back({.name = metadata.name(), .created = metadata.creation_timestamp()});
    }
    set_default_ingress_class(object, defaults, arena);
  }

  bool get(const Target& target, const Value& step) {
    if (target.name.empty() || stored_.count(target.key()) == 0) return false;
    const std::string& stored = stored_[target.key()];
    if (!text_of(step, {"headers", "Accept"}).contains("as=Table")) return compare(stored, step);
    const Document cells =
        *value::read_json(testing::row(*target.resource, stored, "2024-01-02T00:00:00Z"));
    constexpr std::string_view kCells = "rows.0.cells.";
    for (const Value& path : items(step, "only")) {
      const std::string_view text = value::text_of(path);
      if (!text.starts_with(kCells)) continue;
      EXPECT_EQ(value::to_json(at_path(cells.root(), text.substr(kCells.size()))),
                value::to_json(step.get("expect").get("body").get(text)))
          << text;
    }
    return true;
  }

  bool remove(const Target& target, const Value& step) {
    const Value* code = member(step, {"expect", "code"});
    if (code == nullptr || code->as_int() != 403) return stored_.erase(target.key()) > 0;
    Document object =
        *value::read_json(fmt::format(R"({{"metadata":{{"name":"{}"}}}})", target.name));
    const WriteRequest request{.resource = *target.resource,
                               .version = target.resource->versions.front()};
    EXPECT_EQ(fmt::format("{}.{} \"{}\" is forbidden: {}", target.resource->plural,
                          target.resource->group, target.name,
                          target.resource->strategy
                              ->prepare_delete(object.root(), false, object.arena(), request)
                              .refused),
              text_of(step, {"expect", "body", "message"}));
    return true;
  }

  // Against the answer as it was recorded, or the members of it that were.
  static bool compare(const std::string& answer, const Value& step) {
    const std::int64_t code = step.get("expect").get("code").as_int();
    const Value& expected = step.get("expect").get("body");
    if (code == 422) {
      EXPECT_EQ(answer, refusal_of(expected));
      return true;
    }
    if (code != 200 && code != 201) return false;
    const auto read = value::read_json(answer);
    if (!read) {
      ADD_FAILURE() << answer;
      return true;
    }
    const auto only = items(step, "only");
    if (only.empty()) {
      // What was sent without them is answered with them.
      Document whole = read->fork();
      static_cast<void>(whole.set(FieldPath() / "kind", expected.get("kind")));
      static_cast<void>(whole.set(FieldPath() / "apiVersion", expected.get("apiVersion")));
      EXPECT_EQ(comparable(whole.root()), comparable(expected));
    }
    for (const Value& path : only) {
      const std::string_view text = value::text_of(path);
      if (text == "kind" || text == "metadata.generation") continue;
      EXPECT_EQ(comparable(at_path(read->root(), text)), comparable(expected.get(text))) << text;
    }
    return true;
  }

  std::map<std::string, std::string> stored_;
  int now_ = 0;
};

// Plays what can be played, which must be so many steps. The corpus has none of these files.
void expect_recorded_answers(const std::filesystem::path& folder, std::string_view name,
                             std::size_t steps) {
  if (strake::testing::is_corpus(folder)) return;
  const auto conversation = value::read_json(strake::testing::read_file(folder / name));
  ASSERT_TRUE(conversation) << name;
  Player player;
  std::size_t played = 0;
  for (const Value& step : items(conversation->root(), "steps")) {
    SCOPED_TRACE(fmt::format("{}: {}", name, value::text_of(step, "id")));
    played += player.play(step) ? 1 : 0;
  }
  EXPECT_GE(played, steps) << name;
}

TEST(NodeKinds, AnswerConversationsAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "apiserver");
  expect_recorded_answers(folder, "builtin_nodes.json", 25);
  expect_recorded_answers(folder, "builtin_priority_and_runtime_classes.json", 20);
  expect_recorded_answers(folder, "builtin_ingresses.json", 29);
  expect_recorded_answers(folder, "builtin_networkpolicies.json", 14);
}

}  // namespace
}  // namespace strake::kinds

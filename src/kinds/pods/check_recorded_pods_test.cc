// The recorded pods, and the templates of what makes pods: what was refused of a spec, and what was
// warned of.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/lines.h"
#include "base/quote.h"
#include "kinds/builtin_strategy.h"
#include "kinds/derive.h"
#include "kinds/fields.h"
#include "kinds/pods/check_test_pods.h"
#include "kinds/pods/pod_spec.h"
#include "meta/shape.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::FieldErrors;
using value::Value;

// Where the template stands in objects of a kind, and how the kind is declared.
struct Place {
  std::string_view type;
  std::vector<std::string_view> path;
};
const std::map<std::string_view, Place>& places() {
  static const auto& all = *new std::map<std::string_view, Place>{
      {"core.pod", {"io.k8s.api.core.v1.Pod", {}}},
      {"core.podtemplate", {"io.k8s.api.core.v1.PodTemplate", {"template"}}},
      {"core.replicationcontroller",
       {"io.k8s.api.core.v1.ReplicationController", {"spec", "template"}}},
      {"apps.daemonset", {"io.k8s.api.apps.v1.DaemonSet", {"spec", "template"}}},
      {"apps.deployment", {"io.k8s.api.apps.v1.Deployment", {"spec", "template"}}},
      {"apps.replicaset", {"io.k8s.api.apps.v1.ReplicaSet", {"spec", "template"}}},
      {"apps.statefulset", {"io.k8s.api.apps.v1.StatefulSet", {"spec", "template"}}},
      {"batch.job", {"io.k8s.api.batch.v1.Job", {"spec", "template"}}},
      {"batch.cronjob",
       {"io.k8s.api.batch.v1.CronJob", {"spec", "jobTemplate", "spec", "template"}}}};
  return all;
}

// A stateful set's claims are volumes of its pods: kube-apiserver 1.36 puts them before the others.
void add_claim_volumes(const Value& object, Value& spec, Arena& arena) {
  std::set<std::string_view> names;
  Value list = Value::array({});
  for (const Value& claim : items(object.get("spec"), "volumeClaimTemplates")) {
    const std::string_view name = text_of(claim, {"metadata", "name"});
    names.insert(name);
    Value source = Value::object({});
    source.set("claimName", Value::string(name), arena);
    Value volume = Value::object({});
    volume.set("name", Value::string(name), arena);
    volume.set("persistentVolumeClaim", source, arena);
    list.append(volume, arena);
  }
  for (const Value& volume : items(spec, "volumes")) {
    if (!names.contains(value::text_of(volume, "name"))) list.append(volume, arena);
  }
  spec.set("volumes", list, arena);
}

// All that the checks say, "field: message" each once.
std::set<std::string> found_in(const Place& place, Value& object, Arena& arena) {
  Value* holder = &object;
  FieldPath at;
  for (const std::string_view key : place.path) {
    holder = &holder->object_at(key, arena);
    at.push_field(key);
  }
  Value& spec = holder->object_at("spec", arena);
  apply_pod_template_defaults(*holder, arena);
  testing::complete_pod_spec(spec, arena);
  if (place.type.ends_with("StatefulSet")) add_claim_volumes(object, spec, arena);
  FieldErrors errors;
  if (place.path.empty()) {
    check_pod_spec(spec, holder->get("metadata"), {}, FieldPath() / "spec", errors);
  } else {
    check_pod_template(*holder, {}, at, errors);
  }
  std::set<std::string> out;
  for (const value::FieldError& error : errors) {
    // Recordings have these words in labels, where good values were.
    const std::string text = error.to_string();
    if (!text.contains("<uid>") && !text.contains("<sfx>")) out.insert(text);
  }
  return out;
}

// What the kinds say themselves, not the template: of its labels and restart policy, and of fields
// that their pods may not have, or not from the start.
bool is_of_kind(std::string_view text) {
  for (const std::string_view mark :
       {"`selector` does not match", "valid values: \"OnFailure\", \"Never\"",
        "supported values: \"OnFailure\", \"Never\"", "is not Supported", "must be '<uid>'",
        "only \"Never\" is supported", "process-item-$ITEM", "cannot be set on create",
        "until all schedulingGates have been cleared"}) {
    if (text.contains(mark)) return true;
  }
  return text.ends_with("supported values: \"Always\"");
}

std::set<std::string> recorded_in(const Place& place, const Value& status) {
  std::string prefix;
  for (const std::string_view key : place.path) prefix += fmt::format("{}.", key);
  std::set<std::string> out;
  for (const Value& cause : status.get("details").get("causes").items()) {
    const std::string text =
        fmt::format("{}: {}", value::text_of(cause, "field"), value::text_of(cause, "message"));
    if (text == "spec.template: Required value") out.insert(text);
    if (!text.starts_with(prefix) || is_of_kind(text)) continue;
    const std::string_view rest = std::string_view(text).substr(prefix.size());
    // The metadata of pods follows the rules of all objects; the annotations are ours.
    if (place.path.empty() && rest.starts_with("metadata.") &&
        !rest.starts_with("metadata.annotations")) {
      continue;
    }
    out.insert(text);
  }
  return out;
}

// Whether it is a matter of a template at all: a replication controller may lack one, and claims
// have checks of their own.
bool is_about_template(const std::set<std::string>& recorded) {
  return !recorded.contains("spec.template: Required value") &&
         std::ranges::none_of(recorded, [](const std::string& text) {
           return text.contains(".volumeClaimTemplate.");
         });
}

std::set<std::string> warnings_in(const Place& place, const Value& object) {
  const Value* holder = &object;
  FieldPath at;
  for (const std::string_view key : place.path) {
    holder = &holder->get(key);
    at.push_field(key);
  }
  std::set<std::string> out;
  for (const std::string& text : pod_template_warnings(*holder, nullptr, at))
    out.insert(fmt::format("299 - {}", quote(text)));
  return out;
}

// What the strategies of pods and stateful sets warn of themselves.
bool is_warning_of_kind(std::string_view text) {
  return text.contains("this is used in the Pod's hostname") ||
         text.contains("spec.revisionHistoryLimit");
}

std::string joined(const std::set<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "\n"));
}

// Calls for each verdict with that code about a kind that has a pod spec.
template <typename Visit>
std::size_t visit_verdicts(const std::filesystem::path& folder, std::int64_t code, Visit visit) {
  std::size_t count = 0;
  const std::string verdicts = strake::testing::read_file(folder / "verdicts.jsonl");
  for (std::string_view rest = verdicts; !rest.empty();) {
    auto verdict = value::read_json(take_line(rest));
    if (!verdict || verdict->root().get("code").as_int() != code) continue;
    const std::string file(value::text_of(verdict->root(), "file"));
    const auto place = places().find(std::string_view(file).substr(0, file.find('/')));
    if (place == places().end()) continue;
    visit(place->second, file, *verdict);
    ++count;
  }
  return count;
}

TEST(RecordedPods, HaveNothingWrongWhenTheyWereAccepted) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  const std::size_t count = visit_verdicts(
      folder, 201, [](const Place& place, const std::string& file, Document& verdict) {
        Value& object = *verdict.root().find("object");
        EXPECT_EQ(joined(found_in(place, object, verdict.arena())), "") << file;
      });
  EXPECT_GE(count, strake::testing::count_in<std::size_t>(folder, 549, 0));
}

TEST(RecordedPods, AreWarnedOfWordForWord) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  std::size_t warned = 0;
  visit_verdicts(folder, 201, [&](const Place& place, const std::string& file, Document& verdict) {
    std::set<std::string> recorded;
    for (const Value& one : items(verdict.root(), "warnings")) {
      const std::string_view text = value::text_of(one);
      if (!is_warning_of_kind(text)) recorded.emplace(text);
    }
    warned += recorded.size();
    EXPECT_EQ(joined(warnings_in(place, verdict.root().get("object"))), joined(recorded)) << file;
  });
  EXPECT_GE(warned, strake::testing::count_in<std::size_t>(folder, 44, 0));
}

TEST(RecordedPods, AreRefusedForTheSameReasons) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  std::size_t causes = 0;
  const std::size_t count = visit_verdicts(
      folder, 422, [&](const Place& place, const std::string& file, Document& verdict) {
        auto manifest = value::read_yaml(strake::testing::read_file(folder / "manifests" / file));
        ASSERT_TRUE(manifest) << file;
        ASSERT_TRUE(meta::read_shape(manifest->root(), shape_of(described_type(place.type)),
                                     manifest->arena(), {.from_text = true}))
            << file;
        const auto recorded = recorded_in(place, verdict.root().get("status"));
        if (!is_about_template(recorded)) return;
        causes += recorded.size();
        EXPECT_EQ(joined(found_in(place, manifest->root(), manifest->arena())), joined(recorded))
            << file;
      });
  EXPECT_GE(count, strake::testing::count_in<std::size_t>(folder, 294, 0));
  EXPECT_GE(causes, strake::testing::count_in<std::size_t>(folder, 275, 0));
}

}  // namespace
}  // namespace strake::kinds

// Pods and their templates as kube-apiserver 1.36 answers to the recorded manifests.
#include <gtest/gtest.h>

#include <string>

#include "base/lines.h"
#include "kinds/pods/edit_members.h"
#include "kinds/pods/pod_priority.h"
#include "kinds/pods/pod_spec.h"
#include "kinds/pods/pod_tolerations.h"
#include "kinds/test_requests.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::kinds {
namespace {

using testing::expect_recorded_verdicts;
using value::Document;
using value::Value;

const Resource& pods() { return testing::builtin("", "pods"); }

// The classes that every server has.
PriorityClasses system_classes() {
  static const Document& both = *new Document(*value::read_json(
      R"([{"metadata":{"name":"system-cluster-critical"},"value":2000000000,
           "preemptionPolicy":"PreemptLowerPriority"},
          {"metadata":{"name":"system-node-critical"},"value":2000001000,
           "preemptionPolicy":"PreemptLowerPriority"}])"));
  return {.find = [](std::string_view name) -> const Value* {
            for (const Value& one : both.root().items()) {
              if (value::text_of(one.get("metadata"), "name") == name) return &one;
            }
            return nullptr;
          },
          .global_default = [] { return nullptr; }};
}

std::string admit(Value& pod, Arena& arena) {
  add_default_tolerations(pod, arena);
  return set_pod_priority(pod, system_classes(), arena);
}

TEST(PodVerdicts, AreAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  expect_recorded_verdicts(folder, "core.pod", pods(), 202,
                           [](Value& pod, Arena& arena) { EXPECT_EQ(admit(pod, arena), ""); });
}

TEST(PodTemplateVerdicts, AreAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  expect_recorded_verdicts(folder, "core.podtemplate", testing::builtin("", "podtemplates"), 18);
}

TEST(PodVerdicts, ForbidWhatPriorityForbids) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  const std::string verdicts = strake::testing::read_file(folder / "verdicts.jsonl");
  std::size_t played = 0;
  for (std::string_view rest = verdicts; !rest.empty();) {
    const auto verdict = value::read_json(take_line(rest));
    ASSERT_TRUE(verdict);
    const std::string_view file = value::text_of(verdict->root(), "file");
    const std::string_view message = value::text_of(verdict->root().get("status"), "message");
    if (!file.starts_with("core.pod/") || verdict->root().get("code").as_int() != 403 ||
        message.contains("RuntimeClass")) {
      continue;
    }
    auto manifest = value::read_yaml(strake::testing::read_file(folder / "manifests" / file));
    ASSERT_TRUE(manifest) << file;
    EXPECT_EQ(admit(manifest->root(), manifest->arena()),
              message.substr(message.find("forbidden: ") + 11))
        << file;
    ++played;
  }
  EXPECT_GE(played, strake::testing::count_in<std::size_t>(folder, 6, 0));
}

}  // namespace
}  // namespace strake::kinds

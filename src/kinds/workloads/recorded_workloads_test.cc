// What kube-apiserver 1.36 has said of published manifests.
#include <gtest/gtest.h>

#include <ostream>

#include "kinds/workloads/test_verdicts.h"
#include "support/vectors.h"

namespace strake::kinds {
namespace {

struct RecordedKind {
  std::string_view folder;
  std::string_view group;
  std::string_view version;
  std::string_view plural;
  std::size_t verdicts;

  friend void PrintTo(const RecordedKind& kind, std::ostream* out) { *out << kind.folder; }
};

class RecordedWorkload : public ::testing::TestWithParam<RecordedKind> {};

TEST_P(RecordedWorkload, IsJudgedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  const RecordedKind& kind = GetParam();
  testing::expect_verdicts_but_templates(
      folder, kind.folder, testing::workload(kind.group, kind.version, kind.plural), kind.verdicts);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, RecordedWorkload,
    ::testing::Values(
        RecordedKind{"apps.deployment", "apps", "v1", "deployments", 166},
        RecordedKind{"apps.replicaset", "apps", "v1", "replicasets", 43},
        RecordedKind{"apps.statefulset", "apps", "v1", "statefulsets", 81},
        RecordedKind{"apps.daemonset", "apps", "v1", "daemonsets", 89},
        RecordedKind{"apps.controllerrevision", "apps", "v1", "controllerrevisions", 20},
        RecordedKind{"core.replicationcontroller", "", "v1", "replicationcontrollers", 54},
        RecordedKind{"batch.job", "batch", "v1", "jobs", 105},
        RecordedKind{"batch.cronjob", "batch", "v1", "cronjobs", 85},
        RecordedKind{"policy.poddisruptionbudget", "policy", "v1", "poddisruptionbudgets", 70},
        RecordedKind{"autoscaling.horizontalpodautoscaler", "autoscaling", "v2",
                     "horizontalpodautoscalers", 55},
        RecordedKind{"autoscaling.horizontalpodautoscaler-v1", "autoscaling", "v1",
                     "horizontalpodautoscalers", 32}),
    [](const auto& test) {
      return std::string(test.param.version) + std::string(test.param.plural);
    });

}  // namespace
}  // namespace strake::kinds

// PersistentVolumeClaims as they are created, written through "status", and shown.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/storage/claim_spec.h"
#include "kinds/storage/in_use_protection.h"
#include "kinds/test_requests.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using testing::row;
using testing::update_status;
using value::Document;

const Resource& claims() { return builtin("", "persistentvolumeclaims"); }

std::string claim(std::string_view spec, std::string_view status = "{}") {
  return fmt::format(R"({{"metadata":{{"name":"c"}},"spec":{},"status":{}}})", spec, status);
}

// A spec that is taken, with more members.
std::string spec(std::string_view more = "") {
  return fmt::format(
      R"({{"accessModes":["ReadWriteOnce"],"resources":{{"requests":{{"storage":"1Gi"}}}}{}}})",
      more);
}

struct Case {
  std::string spec;
  std::string_view want;
};

TEST(PersistentVolumeClaim, IsPendingAndHasAFileSystemUnlessItSaysOtherwise) {
  EXPECT_EQ(create(claims(), claim(spec(), R"({"phase":"Bound"})")),
            R"({"metadata":{"name":"c","namespace":"ns"},"spec":{"accessModes":["ReadWriteOnce"],)"
            R"("resources":{"requests":{"storage":"1Gi"}},"volumeMode":"Filesystem"},)"
            R"("status":{"phase":"Pending"}})");
}

TEST(PersistentVolumeClaim, IsRefusedWithoutStorageOrModes) {
  const Case cases[] = {
      {"{}",
       "422: spec.accessModes: Required value: at least 1 access mode is required; "
       "spec.resources[storage]: Required value"},
      {R"({"accessModes":["Bogus"],"resources":{"requests":{"storage":"0"}},"volumeMode":"Net"})",
       R"(422: spec.accessModes: Unsupported value: "Bogus": supported values: "ReadOnlyMany", )"
       R"("ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"; )"
       R"(spec.resources[storage]: Invalid value: "0": must be greater than zero; )"
       R"(spec.volumeMode: Unsupported value: "Net": supported values: "Block", "Filesystem")"},
      {R"({"accessModes":["ReadWriteOncePod","ReadOnlyMany"],"resources":{"requests":{"storage":"1"}}})",
       "422: spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"},
      {spec(R"(,"volumeMode":"<x>")"),
       R"(422: spec.volumeMode: Unsupported value: "\u003cx\u003e": supported values: "Block", "Filesystem")"},
      // A mode that is not known is none that the other could not be used with.
      {R"({"accessModes":["ReadWriteOncePod","x"],"resources":{"requests":{"storage":"1"}}})",
       R"(422: spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", )"
       R"("ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")"},
  };
  for (const Case& one : cases) EXPECT_EQ(create(claims(), claim(one.spec)), one.want) << one.spec;
}

TEST(PersistentVolumeClaim, SaysWhereItsDataComesFromInBothFields) {
  const auto sources = [](std::string_view given) {
    const std::string made = create(claims(), claim(spec(given)));
    const std::size_t begin = made.find(R"("dataSource")");
    return begin == std::string::npos ? ""
                                      : made.substr(begin, made.find(R"(,"resources")") - begin);
  };
  EXPECT_EQ(sources(R"(,"dataSource":{"kind":"PersistentVolumeClaim","name":"a"})"),
            R"("dataSource":{"apiGroup":null,"kind":"PersistentVolumeClaim","name":"a"},)"
            R"("dataSourceRef":{"apiGroup":null,"kind":"PersistentVolumeClaim","name":"a"})");
  EXPECT_EQ(sources(R"(,"dataSourceRef":{"apiGroup":"g.io","kind":"Any","name":"s"})"),
            R"("dataSource":{"apiGroup":"g.io","kind":"Any","name":"s"},)"
            R"("dataSourceRef":{"apiGroup":"g.io","kind":"Any","name":"s"})");
  // The older field never took other kinds.
  EXPECT_EQ(sources(R"(,"dataSource":{"kind":"ConfigMap","name":"s"})"), "");
  // Sources in other namespaces are behind a feature that is off.
  EXPECT_EQ(
      sources(R"(,"dataSourceRef":{"kind":"PersistentVolumeClaim","name":"s","namespace":"n"})"),
      "");
}

TEST(PersistentVolumeClaim, IsRefusedWithSourcesThatAreNoneOrDiffer) {
  const Case cases[] = {
      {spec(R"(,"dataSource":{"kind":"PersistentVolumeClaim","name":"a"},)"
            R"("dataSourceRef":{"kind":"PersistentVolumeClaim","name":"b"})"),
       "422: spec: Invalid value: {}: must match dataSourceRef"},
      {spec(R"(,"dataSourceRef":{"kind":"","name":""})"),
       "422: spec.dataSource.kind: Required value; spec.dataSource.name: Required value; "
       R"(spec.dataSource: Invalid value: "": must be 'PersistentVolumeClaim' when referencing the default apiGroup; )"
       "spec.dataSourceRef.kind: Required value; spec.dataSourceRef.name: Required value; "
       R"(spec.dataSourceRef: Invalid value: "": must be 'PersistentVolumeClaim' when referencing the default apiGroup)"},
  };
  for (const Case& one : cases) EXPECT_EQ(create(claims(), claim(one.spec)), one.want) << one.spec;
}

TEST(PersistentVolumeClaim, GetsNothingButItsStatusThroughStatus) {
  const std::string stored = claim(spec(R"(,"volumeName":"pv1")"));
  EXPECT_EQ(update_status(claims(), "status", stored,
                          claim(spec(R"(,"volumeName":"zzz")"),
                                R"({"phase":"Bound","capacity":{"storage":"1024Mi"}})")),
            R"({"metadata":{"name":"c","namespace":"ns"},"spec":{"accessModes":["ReadWriteOnce"],)"
            R"("resources":{"requests":{"storage":"1Gi"}},"volumeMode":"Filesystem",)"
            R"("volumeName":"pv1"},"status":{"capacity":{"storage":"1Gi"},"phase":"Bound"}})");
}

TEST(PersistentVolumeClaim, IsRefusedWithAStatusThatMakesNoSense) {
  struct StatusCase {
    std::string_view status;
    std::string_view want;
  };
  const StatusCase cases[] = {
      {R"({"capacity":{"storage":"-1"}})",
       "422: status.capacity[storage]: Invalid value: -1: must be a valid resource quantity"},
      {R"({"allocatedResourceStatuses":{"storage":"x","cpu":"NodeResizePending"}})",
       R"(422: status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage"; )"
       R"(status.allocatedResourceStatuses: Unsupported value: "storage": supported values: )"
       R"("ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", )"
       R"("NodeResizeInfeasible", "NodeResizePending")"},
      {R"({"allocatedResources":{"hugepages-2Mi":"1","a.io/b":"-1"}})",
       R"(422: status.allocatedResources: Unsupported value: "hugepages-2Mi": supported values: "storage"; )"
       "status.allocatedResources[a.io/b]: Invalid value: -1: must be a valid resource quantity"},
  };
  for (const StatusCase& one : cases) {
    EXPECT_EQ(update_status(claims(), "status", claim(spec()), claim(spec(), one.status)), one.want)
        << one.status;
  }
}

TEST(PersistentVolumeClaim, ShowsTheVolumeOnceItIsBound) {
  constexpr std::string_view kNow = "2024-01-02T00:00:00Z";
  const std::string bound_spec =
      spec(R"(,"volumeName":"pv1","storageClassName":"fast","volumeAttributesClassName":"gold")");
  const std::string_view status =
      R"({"phase":"Bound","capacity":{"storage":"1Gi"},"accessModes":["ReadWriteMany","ReadWriteOnce","ReadWriteOnce"]})";
  EXPECT_EQ(row(claims(), claim(spec(), status), kNow),
            R"(["c","Bound","","","","","\u003cunset\u003e","\u003cunknown\u003e","Filesystem"])");
  EXPECT_EQ(
      row(claims(), claim(bound_spec, status), kNow),
      R"(["c","Bound","pv1","1Gi","RWO,RWX","fast","gold","\u003cunknown\u003e","Filesystem"])");
  EXPECT_EQ(row(claims(),
                R"({"metadata":{"name":"c","deletionTimestamp":"2024-01-01T00:00:00Z",)"
                R"("creationTimestamp":"2024-01-01T00:00:00Z",)"
                R"("annotations":{"volume.beta.kubernetes.io/storage-class":"old"}},"spec":)" +
                    spec(R"(,"volumeName":"p","storageClassName":"new")") + "}",
                kNow),
            R"(["c","Terminating","p","0","","old","\u003cunset\u003e","24h","Filesystem"])");
}

TEST(PersistentVolumeClaim, WarnsOfFractionsOfBytesAndOfTheOldAnnotation) {
  const auto warnings = [](std::string_view json) {
    const Document document = *value::read_json(json);
    return claims().strategy->warnings(document.root(), nullptr);
  };
  EXPECT_EQ(
      warnings(
          R"({"metadata":{"annotations":{"volume.beta.kubernetes.io/storage-class":"x"}},"spec":)"
          R"({"resources":{"requests":{"storage":"1500m"},"limits":{"storage":"1m"}}}})"),
      (std::vector<std::string>{
          R"(metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead)",
          R"(spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer)",
          R"(spec.resources.limits[storage]: fractional byte value "1m" is invalid, must be an integer)"}));
  EXPECT_TRUE(warnings(claim(spec())).empty());
}

TEST(ClaimTemplate, HasLabelsAndAnnotationsAndNothingElse) {
  const Document document = *value::read_json(
      R"({"metadata":{"name":"a","uid":"u","labels":{"a":"b"},"finalizers":["a/b"]},"spec":)" +
      spec() + "}");
  value::FieldErrors errors;
  check_claim_template(document.root(), FieldPath() / "t", errors);
  EXPECT_EQ(value::aggregate(errors),
            "[t.metadata.name: Forbidden: cannot be set, t.metadata.uID: Forbidden: cannot be set, "
            "t.metadata.finalizers: Forbidden: cannot be set]");
}

TEST(PersistentVolumeClaim, IsAcceptedAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  testing::expect_recorded_verdicts(folder, "core.persistentvolumeclaim", claims(), 73,
                                    admit_claim_protection);
}

}  // namespace
}  // namespace strake::kinds

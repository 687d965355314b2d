#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/storage/in_use_protection.h"
#include "kinds/test_requests.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using testing::row;
using testing::update;
using testing::update_status;
using value::Document;

const Resource& volumes() { return builtin("", "persistentvolumes"); }

std::string volume(std::string_view spec, std::string_view status = "{}",
                   std::string_view metadata = "") {
  return fmt::format(R"({{"metadata":{{"name":"v"{}}},"spec":{},"status":{}}})", metadata, spec,
                     status);
}
// A spec that is taken, with a source.
std::string spec(std::string_view source) {
  return fmt::format(R"({{"accessModes":["ReadWriteOnce"],"capacity":{{"storage":"1Gi"}},{}}})",
                     source);
}
constexpr std::string_view kHostPath = R"("hostPath":{"path":"/data"})";

std::string refused(const std::string& answer) { return answer.starts_with('{') ? "" : answer; }

TEST(PersistentVolume, IsPendingSinceItWasMade) {
  EXPECT_EQ(create(volumes(), volume(spec(kHostPath), R"({"phase":"Bound","reason":"R"})")),
            R"({"metadata":{"name":"v"},"spec":{"accessModes":["ReadWriteOnce"],)"
            R"("capacity":{"storage":"1Gi"},"hostPath":{"path":"/data","type":""},)"
            R"("persistentVolumeReclaimPolicy":"Retain","volumeMode":"Filesystem"},)"
            R"("status":{"lastPhaseTransitionTime":"2001-02-03T04:05:06Z","phase":"Pending"}})");
}

TEST(PersistentVolume, IsRefusedWithoutWhatAVolumeIs) {
  struct Case {
    std::string spec;
    std::string_view want;
  };
  const Case cases[] = {
      {"{}",
       "422: spec.accessModes: Required value; spec.capacity: Required value; "
       R"(spec.capacity: Unsupported value: null: supported values: "storage"; )"
       "spec: Required value: must specify a volume type"},
      {spec(R"("local":{"path":"/x"})"),
       "422: spec.nodeAffinity: Required value: Local volume requires node affinity"},
      {spec(R"("local":{"path":"/x"},"nodeAffinity":{})"),
       "422: spec.nodeAffinity.required: Required value: must specify required node constraints"},
      {spec(R"("hostPath":{"path":"/"},"persistentVolumeReclaimPolicy":"Recycle")"),
       "422: spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath "
       "mount of '/'"},
      {spec(R"("hostPath":{"path":"/a/"},"persistentVolumeReclaimPolicy":"Recycle")"), ""},
      {spec(R"("hostPath":{"path":"//./"},"persistentVolumeReclaimPolicy":"Recycle")"),
       "422: spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath "
       "mount of '/'"},
      {spec(R"("hostPath":{"path":"/a"},"volumeAttributesClassName":"")"),
       "422: spec.csi: Required value: has to be specified when using volumeAttributesClassName; "
       "spec.volumeAttributesClassName: Required value: an empty string is disallowed"},
      {spec(R"("hostPath":{"path":"/a"},"cephfs":{"monitors":["m"]},"flexVolume":{})"),
       "422: spec.cephFS: Forbidden: may not specify more than 1 volume type; "
       "spec.flexVolume.driver: Required value"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(refused(create(volumes(), volume(one.spec))), one.want) << one.spec;
}

TEST(PersistentVolume, TakesTheOldMountOptionsForSomeSources) {
  constexpr std::string_view kAnnotation =
      R"(,"annotations":{"volume.beta.kubernetes.io/mount-options":"ro"})";
  EXPECT_EQ(refused(create(volumes(),
                           volume(spec(R"("nfs":{"server":"s","path":"/p"})"), "{}", kAnnotation))),
            "");
  EXPECT_EQ(create(volumes(), volume(spec(kHostPath), "{}", kAnnotation)),
            "422: metadata.annotations.volume.beta.kubernetes.io/mount-options: Forbidden: may not "
            "specify mount options for this volume type");
}

TEST(PersistentVolume, KeepsItsSourceItsModeAndItsAffinity) {
  const std::string stored = volume(spec(kHostPath));
  const auto change = [&](const std::string& changed) {
    return refused(update(volumes(), stored, volume(changed)));
  };
  EXPECT_EQ(change(spec(R"("hostPath":{"path":"/data"},"storageClassName":"fast")")), "");
  EXPECT_EQ(change(spec(R"("hostPath":{"path":"/other"})")),
            "422: spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable "
            "after creation");
  EXPECT_EQ(change(spec(R"("hostPath":{"path":"/data"},"volumeMode":"Block")")),
            R"(422: volumeMode: Invalid value: "Block": field is immutable)");
  const std::string_view affinity =
      R"("hostPath":{{"path":"/data"}},"nodeAffinity":{{"required":{{"nodeSelectorTerms":[{{"matchExpressions":[{{"key":"{}","operator":"In","values":["{}"]}}]}}]}}}})";
  const auto with_affinity = [&](std::string_view key, std::string_view zone) {
    return volume(spec(fmt::format(fmt::runtime(affinity), key, zone)));
  };
  constexpr std::string_view kBeta = "failure-domain.beta.kubernetes.io/zone";
  const std::string bound = with_affinity(kBeta, "b");
  EXPECT_EQ(refused(update(volumes(), stored, bound)), "");
  EXPECT_EQ(refused(update(volumes(), bound, bound)), "");
  // A label may take the name that it has now.
  EXPECT_EQ(refused(update(volumes(), bound, with_affinity("topology.kubernetes.io/zone", "b"))),
            "");
  EXPECT_EQ(refused(update(volumes(), bound, with_affinity(kBeta, "c"))),
            R"(422: nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{)"
            R"("MatchExpressions":[{"Key":"failure-domain.beta.kubernetes.io/zone",)"
            R"("Operator":"In","Values":["c"]}],"MatchFields":null}]}}: )"
            "field is immutable, except for updating from beta label to GA");
  EXPECT_EQ(refused(update(volumes(), bound, stored)),
            "422: nodeAffinity: Invalid value: null: field is immutable, except for updating from "
            "beta label to GA");
}

// What an older server took stays.
TEST(PersistentVolume, KeepsAnAffinityThatANewVolumeCouldNotHave) {
  const std::string odd = volume(spec(
      R"("hostPath":{"path":"/a"},"nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"a","operator":"In","values":["-"]}]}]}})"));
  EXPECT_NE(refused(create(volumes(), odd)), "");
  EXPECT_EQ(refused(update(volumes(), odd, odd)), "");
}

// kube-apiserver 1.36 says what is wrong twice: once for itself, once for the update.
TEST(PersistentVolume, IsRefusedASecondSourceTwice) {
  const Document stored = *value::read_json(volume(spec(kHostPath)));
  const Document changed = *value::read_json(
      volume(spec(R"("hostPath":{"path":"/data"},"nfs":{"server":"s","path":"/p"})")));
  const WriteRequest request{.resource = volumes(), .version = volumes().versions.front()};
  const value::FieldErrors errors =
      volumes().strategy->validate_update(changed.root(), stored.root(), request);
  ASSERT_EQ(errors.size(), 3u);
  EXPECT_EQ(errors[0].field(), "spec.nfs");
  EXPECT_EQ(errors[1].field(), "spec.nfs");
}

TEST(PersistentVolume, MayGetTheSecretToExpandItsVolumeWith) {
  const auto csi = [](std::string_view more) {
    return volume(spec(fmt::format(R"("csi":{{"driver":"d","volumeHandle":"h"{}}})", more)));
  };
  const std::string with_secret =
      csi(R"(,"controllerExpandSecretRef":{"name":"s","namespace":"n"})");
  EXPECT_EQ(refused(update(volumes(), csi(""), with_secret)), "");
  EXPECT_NE(refused(update(volumes(), with_secret, csi(""))), "");
  EXPECT_NE(refused(update(volumes(), csi(""), csi(R"(,"fsType":"xfs")"))), "");
  EXPECT_NE(refused(update(volumes(), csi(R"(,"fsType":"xfs")"), csi(""))), "");
}

TEST(PersistentVolume, MayNotLoseItsAttributesClass) {
  const auto csi = [](std::string_view more) {
    return volume(spec(fmt::format(R"("csi":{{"driver":"d","volumeHandle":"h"}}{})", more)));
  };
  const std::string gold = csi(R"(,"volumeAttributesClassName":"gold")");
  EXPECT_EQ(refused(update(volumes(), gold, csi(R"(,"volumeAttributesClassName":"silver")"))), "");
  EXPECT_EQ(refused(update(volumes(), gold, csi(""))),
            "422: spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is "
            "forbidden");
}

TEST(PersistentVolume, SaysSinceWhenItIsInItsPhase) {
  const auto status = [](std::string_view old, std::string_view given) {
    const std::string answer = update_status(volumes(), "status", volume(spec(kHostPath), old),
                                             volume(spec(R"("hostPath":{"path":"/z"})"), given));
    EXPECT_TRUE(answer.contains(R"("path":"/data")")) << answer;
    return answer.substr(answer.find(R"("status":)") + 9);
  };
  constexpr std::string_view kOld =
      R"({"phase":"Pending","lastPhaseTransitionTime":"2000-01-01T00:00:00Z"})";
  EXPECT_EQ(status(kOld, R"({"phase":"Available"})"),
            R"({"lastPhaseTransitionTime":"2001-02-03T04:05:06Z","phase":"Available"}})");
  EXPECT_EQ(
      status(kOld, R"({"phase":"Pending","reason":"R"})"),
      R"({"lastPhaseTransitionTime":"2000-01-01T00:00:00Z","phase":"Pending","reason":"R"}})");
  EXPECT_EQ(status(kOld, R"({"phase":"Bound","lastPhaseTransitionTime":"2000-01-01T00:00:00Z"})"),
            R"({"lastPhaseTransitionTime":"2001-02-03T04:05:06Z","phase":"Bound"}})");
  EXPECT_EQ(status(kOld, R"({"phase":"Bound","lastPhaseTransitionTime":"2000-01-02T00:00:00Z"})"),
            R"({"lastPhaseTransitionTime":"2000-01-02T00:00:00Z","phase":"Bound"}})");
}

TEST(PersistentVolume, ShowsTheClaimThatItIsBoundTo) {
  const std::string bound = spec(
      R"("csi":{"driver":"d","volumeHandle":"h"},"claimRef":{"namespace":"default","name":"c"},"storageClassName":"s")");
  EXPECT_EQ(
      row(volumes(),
          volume(bound, R"({"phase":"Bound","reason":"R"})",
                 R"(,"creationTimestamp":"2024-01-01T00:00:00Z")"),
          "2024-01-02T00:00:00Z"),
      R"(["v","1Gi","RWO","Retain","Bound","default/c","s","\u003cunset\u003e","R","24h","Filesystem"])");
  EXPECT_EQ(
      row(volumes(),
          volume(spec(kHostPath), "{}", R"(,"deletionTimestamp":"2024-01-01T00:00:00Z")"),
          "2024-01-02T00:00:00Z"),
      R"(["v","1Gi","RWO","Retain","Terminating","","","\u003cunset\u003e","","\u003cunknown\u003e","Filesystem"])");
}

TEST(PersistentVolume, WarnsOfWhatWorksNoMore) {
  const Document document = *value::read_json(
      volume(spec(R"("storageos":{},"scaleIO":{},"persistentVolumeReclaimPolicy":"Recycle")"), "{}",
             R"(,"annotations":{"volume.beta.kubernetes.io/mount-options":"ro"})"));
  EXPECT_EQ(
      volumes().strategy->warnings(document.root(), nullptr),
      (std::vector<std::string>{
          R"(metadata.annotations[volume.beta.kubernetes.io/mount-options]: deprecated since v1.31; use "mountOptions" attribute instead)",
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, "
          "the recommended approach is to use dynamic provisioning.",
          "spec.scaleIO: deprecated in v1.16, non-functional in v1.22+",
          "spec.storageOS: deprecated in v1.22, non-functional in v1.25+"}));
  EXPECT_TRUE(volumes().strategy->status_warnings(document.root(), document.root()).empty());
}

TEST(PersistentVolume, IsAcceptedAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  testing::expect_recorded_verdicts(folder, "core.persistentvolume", volumes(), 69,
                                    admit_volume_protection);
}

}  // namespace
}  // namespace strake::kinds

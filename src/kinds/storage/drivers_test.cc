// What drivers register: CSIDrivers, CSINodes, CSIStorageCapacities; and VolumeAttachments.
#include <fmt/format.h>
#include <gtest/gtest.h>

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

constexpr std::string_view kNow = "2024-01-02T00:00:00Z";

const Resource& drivers() { return builtin("storage.k8s.io", "csidrivers"); }
const Resource& nodes() { return builtin("storage.k8s.io", "csinodes"); }
const Resource& capacities() { return builtin("storage.k8s.io", "csistoragecapacities"); }
const Resource& attachments() { return builtin("storage.k8s.io", "volumeattachments"); }

std::string with_spec(std::string_view spec, std::string_view status = "") {
  return fmt::format(R"({{"metadata":{{"name":"x"}},"spec":{}{}{}}})", spec,
                     status.empty() ? "" : R"(,"status":)", status);
}
std::string refused(const std::string& answer) { return answer.starts_with('{') ? "" : answer; }

TEST(CsiDriver, HasDefaults) {
  EXPECT_EQ(create(drivers(), R"({"metadata":{"name":"x"}})"),
            R"({"metadata":{"name":"x"},"spec":{"attachRequired":true,)"
            R"("fsGroupPolicy":"ReadWriteOnceWithFSType","podInfoOnMount":false,)"
            R"("requiresRepublish":false,"seLinuxMount":false,"storageCapacity":false,)"
            R"("volumeLifecycleModes":["Persistent"]}})");
  // The feature behind it is off.
  EXPECT_FALSE(create(drivers(), with_spec(R"({"preventPodSchedulingIfMissing":true})"))
                   .contains("preventPodSchedulingIfMissing"));
}

TEST(CsiDriver, IsRefusedWithWhatMakesNoSense) {
  EXPECT_EQ(
      create(drivers(),
             with_spec(
                 R"({"fsGroupPolicy":"x","volumeLifecycleModes":["y"],)"
                 R"("nodeAllocatableUpdatePeriodSeconds":9,"tokenRequests":[{"audience":"a"},)"
                 R"({"audience":"a","expirationSeconds":1},{"audience":"b","expirationSeconds":1},)"
                 R"({"audience":"c","expirationSeconds":4294967297}]})")),
      R"(422: spec.fsGroupPolicy: Unsupported value: "x": supported values: "File", "None", "ReadWriteOnceWithFSType"; )"
      "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to "
      "10 seconds; "
      R"(spec.tokenRequests[1].audience: Duplicate value: "a"; )"
      "spec.tokenRequests[2].expirationSeconds: Invalid value: 1: may not specify a duration less "
      "than 10 minutes; "
      "spec.tokenRequests[3].expirationSeconds: Invalid value: 4294967297: may not specify a "
      "duration larger than 2^32 seconds; "
      R"(spec.volumeLifecycleModes: Unsupported value: "y": supported values: "Persistent", "Ephemeral")");
}

TEST(CsiDriver, KeepsHowItMakesVolumesAndCountsOtherChanges) {
  EXPECT_EQ(update(drivers(), with_spec("{}"),
                   with_spec(R"({"attachRequired":false,"volumeLifecycleModes":["Ephemeral"]})")),
            "422: spec.attachedRequired: Invalid value: false: field is immutable; "
            R"(spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable)");
  // A new driver has no generation.
  EXPECT_FALSE(update(drivers(), with_spec("{}"), with_spec("{}")).contains("generation"));
  EXPECT_TRUE(update(drivers(), with_spec("{}"), with_spec(R"({"storageCapacity":true})"))
                  .contains(R"("generation":1)"));
}

TEST(CsiDriver, WarnsOfTokensThatMayBeLogged) {
  const Document with_tokens =
      *value::read_json(with_spec(R"({"tokenRequests":[{"audience":"a"}]})"));
  const Document without = *value::read_json(with_spec("{}"));
  const auto count = [](const Document& now, const Document* old) {
    return drivers().strategy->warnings(now.root(), old != nullptr ? &old->root() : nullptr).size();
  };
  EXPECT_EQ(count(with_tokens, nullptr), 1u);
  EXPECT_EQ(count(with_tokens, &without), 1u);
  EXPECT_EQ(count(with_tokens, &with_tokens), 0u);
  EXPECT_EQ(count(without, nullptr), 0u);
}

TEST(CsiDriver, ShowsItsTokensAndModes) {
  EXPECT_EQ(
      row(drivers(), with_spec("{}"), kNow),
      R"(["x",true,false,false,"\u003cunset\u003e",false,"Persistent","\u003cunknown\u003e"])");
  EXPECT_EQ(
      row(drivers(),
          with_spec(
              R"({"tokenRequests":[{"audience":""},{"audience":"b"}],"volumeLifecycleModes":["Ephemeral","Persistent"]})"),
          kNow),
      R"(["x",true,false,false,",b",false,"Ephemeral,Persistent","\u003cunknown\u003e"])");
}

TEST(CsiNode, IsRefusedWithDriversThatMakeNoSense) {
  EXPECT_EQ(
      create(nodes(), with_spec(R"({"drivers":[{"name":"a","nodeID":"n","topologyKeys":["k","k"]},)"
                                R"({"name":"a","nodeID":"","allocatable":{"count":-1}}]})")),
      R"(422: spec.drivers[0]: Duplicate value: "k"; )"
      "spec.drivers[1].allocatable.count: Invalid value: -1: must be greater than or equal to "
      R"(0; spec.drivers[1].name: Duplicate value: "a"; spec.drivers[1].nodeID: Required value)");
}

TEST(CsiNode, KeepsDriversButForWhatTheyCanHold) {
  const std::string stored = with_spec(
      R"({"drivers":[{"name":"a","nodeID":"x","topologyKeys":["zone"],"allocatable":{"count":5}}]})");
  const auto change = [&](std::string_view driver) {
    return refused(
        update(nodes(), stored, with_spec(fmt::format(R"({{"drivers":[{}]}})", driver))));
  };
  EXPECT_EQ(
      change(R"({"name":"a","nodeID":"x","topologyKeys":["zone"],"allocatable":{"count":9}})"), "");
  EXPECT_EQ(change(R"({"name":"b","nodeID":"y"})"), "");
  EXPECT_EQ(
      change(R"({"name":"a","nodeID":"z","topologyKeys":["zone"],"allocatable":{"count":9}})"),
      R"(422: spec.drivers: Invalid value: {"Name":"a","NodeID":"z","TopologyKeys":["zone"],"Allocatable":null}: field is immutable)");
  EXPECT_EQ(
      change(R"({"name":"a","nodeID":"x"})"),
      R"(422: spec.drivers: Invalid value: {"Name":"a","NodeID":"x","TopologyKeys":null,"Allocatable":null}: field is immutable)");
  // No keys and an empty list of keys are the same.
  EXPECT_EQ(
      refused(update(nodes(), with_spec(R"({"drivers":[{"name":"a","nodeID":"x"}]})"),
                     with_spec(R"({"drivers":[{"name":"a","nodeID":"x","topologyKeys":[]}]})"))),
      "");
  EXPECT_EQ(row(nodes(), stored, kNow), R"(["x",1,"\u003cunknown\u003e"])");
}

TEST(CsiStorageCapacity, IsOfAClassAndATopologyThatStay) {
  const auto capacity = [](std::string_view more) {
    return fmt::format(R"({{"metadata":{{"name":"c"}}{}}})", more);
  };
  const std::string stored = capacity(
      R"(,"storageClassName":"s","capacity":"1Gi","nodeTopology":{"matchLabels":{"beta.kubernetes.io/os":"linux"}})");
  EXPECT_EQ(refused(create(capacities(), stored)), "");
  EXPECT_EQ(refused(update(capacities(), stored, stored)), "");
  const std::string bad =
      create(capacities(), capacity(R"(,"storageClassName":"s","capacity":"-1")"));
  EXPECT_EQ(bad, R"(422: capacity: Invalid value: "-1": must be greater than or equal to 0)");
  EXPECT_EQ(refused(update(capacities(), stored, capacity(R"(,"storageClassName":"t")"))),
            "422: nodeTopology: Invalid value: null: field is immutable; "
            R"(storageClassName: Invalid value: "t": field is immutable)");
  EXPECT_EQ(row(capacities(), stored, kNow), R"(["c","s","1Gi"])");
  EXPECT_EQ(row(capacities(), capacity(R"(,"storageClassName":"s")"), kNow),
            R"(["c","s","\u003cunset\u003e"])");
  const Document document = *value::read_json(stored);
  EXPECT_EQ(
      capacities().strategy->warnings(document.root(), nullptr),
      std::vector<std::string>{
          R"(nodeTopology.matchLabels.beta.kubernetes.io/os: deprecated since v1.14; use "kubernetes.io/os" instead)"});
}

// What an older server took stays.
TEST(CsiStorageCapacity, KeepsATopologyThatANewOneCouldNotHave) {
  constexpr std::string_view kOdd =
      R"({"metadata":{"name":"c"},"storageClassName":"s","nodeTopology":{"matchExpressions":[{"key":"a","operator":"In","values":["-"]}]}})";
  EXPECT_NE(refused(create(capacities(), kOdd)), "");
  EXPECT_EQ(refused(update(capacities(), kOdd, kOdd)), "");
}

constexpr std::string_view kAttachment =
    R"({"attacher":"a.io","nodeName":"n1","source":{"persistentVolumeName":"pv"}})";

TEST(VolumeAttachment, IsNotAttachedWhenItIsMade) {
  EXPECT_EQ(create(attachments(), with_spec(kAttachment, R"({"attached":true})")),
            R"({"metadata":{"name":"x"},"spec":{"attacher":"a.io","nodeName":"n1",)"
            R"("source":{"persistentVolumeName":"pv"}},"status":{"attached":false}})");
}

TEST(VolumeAttachment, HasOneSource) {
  const auto source = [](std::string_view one) {
    return refused(
        create(attachments(),
               with_spec(fmt::format(R"({{"attacher":"a.io","nodeName":"n","source":{}}})", one))));
  };
  constexpr std::string_view kOne =
      "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  EXPECT_EQ(source("{}"), fmt::format("422: spec.source: Required value: {}", kOne));
  EXPECT_EQ(source(R"({"persistentVolumeName":"p","inlineVolumeSpec":{}})"),
            fmt::format("422: spec.source: Forbidden: {}", kOne));
  EXPECT_EQ(
      source(
          R"({"inlineVolumeSpec":{"accessModes":["ReadWriteOnce"],"csi":{"driver":"d","volumeHandle":"h"}}})"),
      "");
  EXPECT_EQ(
      source(
          R"({"inlineVolumeSpec":{"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/"},"claimRef":{},"storageClassName":"s",)"
          R"("capacity":{"storage":"1"},"nodeAffinity":{},"persistentVolumeReclaimPolicy":"Delete","volumeMode":"Block"}})"),
      "422: spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context "
      "of inline volumes; "
      "spec.source.inlineVolumeSpec.claimRef: Forbidden: may not be specified in the context of "
      "inline volumes; "
      "spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of "
      "inline volumes; "
      "spec.source.inlineVolumeSpec.nodeAffinity: Forbidden: may not be specified in the context "
      "of inline volumes; "
      "spec.source.inlineVolumeSpec.persistentVolumeReclaimPolicy: Forbidden: may only be Retain "
      "in the context of inline volumes; "
      "spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the "
      "context of inline volumes; "
      "spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than "
      "Filesystem in the context of inline volumes");
}

TEST(VolumeAttachment, KeepsItsSpec) {
  EXPECT_EQ(
      update(attachments(), with_spec(kAttachment, R"({"attached":true})"),
             with_spec(
                 R"({"attacher":"a.io","nodeName":"n2","source":{"persistentVolumeName":"pv"}})")),
      R"(422: spec: Invalid value: {"Attacher":"a.io","Source":{"PersistentVolumeName":"pv",)"
      R"("InlineVolumeSpec":null},"NodeName":"n2"}: field is immutable)");
}

TEST(VolumeAttachment, IsWrittenThroughStatusWithoutItsMetadata) {
  const std::string stored = with_spec(kAttachment, R"({"attached":false})");
  EXPECT_EQ(
      update_status(
          attachments(), "status", stored,
          R"({"metadata":{"name":"x","labels":{"a":"b"}},"status":{"attached":true,"attachmentMetadata":{"k":"v"}}})"),
      R"({"metadata":{"name":"x"},"spec":{"attacher":"a.io","nodeName":"n1",)"
      R"("source":{"persistentVolumeName":"pv"}},)"
      R"("status":{"attached":true,"attachmentMetadata":{"k":"v"}}})");
  EXPECT_EQ(
      update_status(
          attachments(), "status", stored,
          with_spec(
              kAttachment,
              fmt::format(
                  R"({{"attached":true,"attachError":{{"errorCode":-1}},"detachError":{{"message":"{}"}}}})",
                  std::string(1025, 'm')))),
      "422: status.attachError.errorCode: Invalid value: -1: must be between 0 and "
      "2147483647, inclusive; status.detachError.message: Too long: may not be more than 1024 "
      "bytes");
}

TEST(VolumeAttachment, ShowsWhatIsAttachedToWhat) {
  EXPECT_EQ(row(attachments(), with_spec(kAttachment, R"({"attached":true})"), kNow),
            R"(["x","a.io","pv","n1",true,"\u003cunknown\u003e"])");
}

TEST(DriverKinds, AreAcceptedAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  testing::expect_recorded_verdicts(folder, "storage.k8s.io.csidriver", drivers(), 52);
  testing::expect_recorded_verdicts(folder, "storage.k8s.io.csinode", nodes(), 10);
  testing::expect_recorded_verdicts(folder, "storage.k8s.io.volumeattachment", attachments(), 24);
}

}  // namespace
}  // namespace strake::kinds

#include "kinds/storage/claim_changes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/test_requests.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::update;

const Resource& claims() { return builtin("", "persistentvolumeclaims"); }

constexpr std::string_view kImmutable =
    "422: spec: Forbidden: spec is immutable after creation except resources.requests and "
    "volumeAttributesClassName for bound claims";

struct Claim {
  std::string storage = "1Gi";
  std::string more;  // of the spec
  std::string status = "{}";
  std::string annotation;

  std::string json() const {
    const std::string annotations =
        annotation.empty()
            ? ""
            : fmt::format(R"(,"annotations":{{"volume.beta.kubernetes.io/storage-class":"{}"}})",
                          annotation);
    return fmt::format(
        R"({{"metadata":{{"name":"c"{}}},"spec":{{"accessModes":["ReadWriteOnce"],"resources":{{"requests":{{"storage":"{}"}}}}{}}},"status":{}}})",
        annotations, storage, more, status);
  }
};

// What an update says: nothing when it is taken.
std::string refused(const Claim& old, const Claim& claim) {
  const std::string answer = update(claims(), old.json(), claim.json());
  return answer.starts_with('{') ? "" : answer;
}

std::string bound(std::string_view more = "") {
  return fmt::format(R"({{"phase":"Bound","capacity":{{"storage":"1Gi"}}{}}})", more);
}

TEST(ClaimChanges, AreForbiddenBeforeTheClaimIsBound) {
  EXPECT_EQ(refused({}, {}), "");
  EXPECT_EQ(refused({}, {.storage = "2Gi"}), kImmutable);
  EXPECT_EQ(refused({}, {.more = R"(,"selector":{"matchLabels":{"a":"b"}})"}), kImmutable);
  EXPECT_EQ(refused({}, {.more = R"(,"volumeAttributesClassName":"gold")"}), kImmutable);
}

TEST(ClaimChanges, AreNoneWhenAmountsAreWrittenDifferently) {
  EXPECT_EQ(refused({.storage = "1024"}, {.storage = "1Ki"}), "");
}

TEST(ClaimChanges, MayNameTheVolumeOnce) {
  const Claim named{.more = R"(,"volumeName":"a")"};
  EXPECT_EQ(refused({}, named), "");
  EXPECT_EQ(refused(named, {.more = R"(,"volumeName":"b")"}), kImmutable);
}

TEST(ClaimChanges, MayNameAClassWhereThereIsNone) {
  const Claim fast{.more = R"(,"storageClassName":"fast")"};
  EXPECT_EQ(refused({}, fast), "");
  EXPECT_EQ(refused(fast, {.more = R"(,"storageClassName":"other")"}), kImmutable);
  EXPECT_EQ(refused(fast, {}), kImmutable);
  // No class is a class too.
  EXPECT_EQ(refused({.more = R"(,"storageClassName":"")"}, fast), kImmutable);
}

TEST(ClaimChanges, MayMoveTheClassFromTheAnnotationToTheField) {
  const Claim old{.annotation = "fast"};
  const std::string_view changed =
      R"(422: metadata.annotations.volume.beta.kubernetes.io/storage-class: Invalid value: "": field is immutable)";
  EXPECT_EQ(refused(old, {.more = R"(,"storageClassName":"fast")"}), "");
  EXPECT_EQ(refused(old, {.more = R"(,"storageClassName":"fast")", .annotation = "fast"}), "");
  EXPECT_EQ(refused(old, {}), changed);
  EXPECT_EQ(refused(old, {.more = R"(,"storageClassName":"other")"}),
            std::string(changed) + "; " + std::string(kImmutable.substr(5)));
}

TEST(ClaimChanges, MayAskForMoreStorageOfAVolumeAndForLessAgain) {
  const Claim old{.storage = "4Gi", .status = bound()};
  EXPECT_EQ(refused(old, {.storage = "5Gi"}), "");
  EXPECT_EQ(refused(old, {.storage = "2Gi"}), "");
  EXPECT_EQ(refused(old, {.storage = "1Gi"}),
            "422: spec.resources.requests.storage: Forbidden: field can not be less than "
            "status.capacity");
}

TEST(ClaimChanges, MayChangeTheAttributesOfAVolumeButNotTakeThemAway) {
  const Claim gold{.more = R"(,"volumeAttributesClassName":"gold")",
                   .status = bound(R"(,"currentVolumeAttributesClassName":"gold")")};
  EXPECT_EQ(refused(gold, {.more = R"(,"volumeAttributesClassName":"silver")"}), "");
  EXPECT_EQ(refused(gold, {}),
            "422: spec.volumeAttributesClassName: Forbidden: update to nil is forbidden when "
            "status.currentVolumeAttributesClassName is not nil");
  EXPECT_EQ(refused(gold, {.more = R"(,"volumeAttributesClassName":"")"}),
            "422: spec.volumeAttributesClassName: Forbidden: update to empty string is forbidden "
            "when status.currentVolumeAttributesClassName is not nil");
}

TEST(ClaimChanges, MayNotChangeTheMode) {
  EXPECT_EQ(
      refused({}, {.more = R"(,"volumeMode":"Block")"}),
      std::string(kImmutable) + R"(; volumeMode: Invalid value: "Block": field is immutable)");
}

// What an older server took stays.
TEST(ClaimChanges, KeepWhatANewClaimCouldNotHave) {
  const Claim old{
      .more = R"(,"selector":{"matchExpressions":[{"key":"a","operator":"In","values":["-"]}]},)"
              R"("dataSource":{"apiGroup":"Bad_","kind":"K","name":"n"},)"
              R"("dataSourceRef":{"apiGroup":"Bad_","kind":"K","name":"n"})"};
  EXPECT_EQ(refused(old, old), "");
  // A client that does not know the newer field leaves it out, whatever the source is.
  for (const std::string_view source : {R"({"kind":"PersistentVolumeClaim","name":"n"})",
                                        R"({"apiGroup":"g.io","kind":"Other","name":"n"})"}) {
    EXPECT_EQ(refused({.more = fmt::format(R"(,"dataSource":{0},"dataSourceRef":{0})", source)},
                      {.more = fmt::format(R"(,"dataSource":{})", source)}),
              "")
        << source;
  }
}

}  // namespace
}  // namespace strake::kinds

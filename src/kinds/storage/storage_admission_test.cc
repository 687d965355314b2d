// What admission plugins do about storage.
#include <gtest/gtest.h>

#include "kinds/storage/claim_resize.h"
#include "kinds/storage/default_storage_class.h"
#include "kinds/storage/in_use_protection.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::Document;
using value::Value;

Document parsed(std::string_view json) { return *value::read_json(json); }

TEST(InUseProtection, AddsItsFinalizerOnce) {
  Document claim = parsed(R"({"metadata":{"finalizers":["a/b"]}})");
  admit_claim_protection(claim.root(), claim.arena());
  admit_claim_protection(claim.root(), claim.arena());
  EXPECT_EQ(value::to_json(claim.root()),
            R"({"metadata":{"finalizers":["a/b","kubernetes.io/pvc-protection"]}})");
  Document volume = parsed("{}");
  admit_volume_protection(volume.root(), volume.arena());
  EXPECT_EQ(value::to_json(volume.root()),
            R"({"metadata":{"finalizers":["kubernetes.io/pv-protection"]}})");
  Document attributes = parsed("{}");
  admit_attributes_class_protection(attributes.root(), attributes.arena());
  EXPECT_EQ(value::to_json(attributes.root()),
            R"({"metadata":{"finalizers":["kubernetes.io/vac-protection"]}})");
}

TEST(DefaultStorageClass, IsTheNewestAndThenTheFirstByName) {
  const auto marked = [](std::string_view name, std::string_view time, std::string_view value) {
    return parsed(R"({"metadata":{"name":")" + std::string(name) + R"(","creationTimestamp":")" +
                  std::string(time) +
                  R"(","annotations":{"storageclass.kubernetes.io/is-default-class":")" +
                  std::string(value) + R"("}}})");
  };
  const Document old = marked("a", "2020-01-01T00:00:00Z", "true");
  const Document c = marked("c", "2021-01-01T00:00:00Z", "true");
  const Document b = marked("b", "2021-01-01T00:00:00Z", "true");
  const Document no = marked("d", "2022-01-01T00:00:00Z", "false");
  const std::vector<const Value*> classes = {&no.root(), &c.root(), &old.root(), &b.root()};
  EXPECT_EQ(default_storage_class(classes), &b.root());
  EXPECT_EQ(default_storage_class(std::span(classes).first(1)), nullptr);
  EXPECT_TRUE(is_default_storage_class(
      parsed(
          R"({"metadata":{"annotations":{"storageclass.beta.kubernetes.io/is-default-class":"true"}}})")
          .root()));
}

TEST(DefaultStorageClass, IsGivenToClaimsThatNameNone) {
  const auto admitted = [](std::string_view json, std::string_view name) {
    Document claim = parsed(json);
    admit_default_storage_class(claim.root(), name, claim.arena());
    return value::to_json(claim.root());
  };
  EXPECT_EQ(admitted(R"({"spec":{}})", "d"), R"({"spec":{"storageClassName":"d"}})");
  EXPECT_EQ(admitted(R"({"spec":{}})", ""), R"({"spec":{}})");
  for (const std::string_view kept :
       {R"({"spec":{"storageClassName":""}})",
        R"({"metadata":{"annotations":{"volume.beta.kubernetes.io/storage-class":""}},"spec":{}})"})
    EXPECT_EQ(admitted(kept, "d"), kept);
}

std::string claim(std::string_view storage, std::string_view phase, std::string_view name) {
  return R"({"spec":{"resources":{"requests":{"storage":")" + std::string(storage) +
         R"("}},"storageClassName":")" + std::string(name) + R"("},"status":{"phase":")" +
         std::string(phase) + R"("}})";
}

TEST(ClaimResize, NeedsAVolumeAndAClassThatAllowsIt) {
  const AllowsExpansion allows = [](std::string_view name) { return name == "fast"; };
  constexpr std::string_view kNoClass =
      "only dynamically provisioned pvc can be resized and the storageclass that provisions the "
      "pvc must support resize";
  struct Case {
    std::string old;
    std::string now;
    std::string_view want;
  };
  const Case cases[] = {
      {claim("1Gi", "Bound", "fast"), claim("2Gi", "Bound", "fast"), ""},
      {claim("1Gi", "Bound", "slow"), claim("2Gi", "Bound", "slow"), kNoClass},
      {claim("1Gi", "Bound", ""), claim("2Gi", "Bound", ""), kNoClass},
      {claim("1Gi", "Bound", "slow"), claim("2Gi", "Bound", "fast"), kNoClass},
      {claim("1Gi", "Pending", "fast"), claim("2Gi", "Pending", "fast"),
       "Only bound persistent volume claims can be expanded"},
      {claim("1Gi", "Pending", "slow"), claim("1024Mi", "Pending", "slow"), ""},
      {claim("2Gi", "Pending", "slow"), claim("1Gi", "Pending", "slow"), ""},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(refused_resize(parsed(one.now).root(), parsed(one.old).root(), allows), one.want)
        << one.now;
  }
  EXPECT_TRUE(allows_expansion(parsed(R"({"allowVolumeExpansion":true})").root()));
  EXPECT_FALSE(allows_expansion(parsed("{}").root()));
}

}  // namespace
}  // namespace strake::kinds

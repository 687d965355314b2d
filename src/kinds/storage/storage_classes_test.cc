// StorageClasses and VolumeAttributesClasses.
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
using value::Document;

const Resource& classes() { return builtin("storage.k8s.io", "storageclasses"); }
const Resource& attributes_classes() {
  return builtin("storage.k8s.io", "volumeattributesclasses");
}

std::string storage_class(std::string_view more, std::string_view provisioner = "p.io/x") {
  return fmt::format(R"({{"metadata":{{"name":"s"}},"provisioner":"{}"{}}})", provisioner, more);
}
std::string attributes_class(std::string_view parameters, std::string_view driver = "d.io") {
  return fmt::format(R"({{"metadata":{{"name":"a"}},"driverName":"{}","parameters":{}}})", driver,
                     parameters);
}
std::string refused(const std::string& answer) { return answer.starts_with('{') ? "" : answer; }

TEST(StorageClass, DeletesVolumesAndBindsThemAtOnceUnlessItSaysOtherwise) {
  EXPECT_EQ(create(classes(), storage_class("")),
            R"({"metadata":{"name":"s"},"provisioner":"p.io/x","reclaimPolicy":"Delete",)"
            R"("volumeBindingMode":"Immediate"})");
}

TEST(StorageClass, IsRefusedWithWhatNoDriverKnows) {
  std::string many;
  for (int i = 0; i < 513; ++i) many += fmt::format(R"({}"k{}":"v")", i == 0 ? "" : ",", i);
  struct Case {
    std::string json;
    std::string_view want;
  };
  const Case cases[] = {
      {storage_class(R"(,"reclaimPolicy":"Recycle","volumeBindingMode":"X")", ""),
       R"(422: provisioner: Required value; reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"; )"
       R"(volumeBindingMode: Unsupported value: "X": supported values: "Immediate", "WaitForFirstConsumer")"},
      {storage_class("", "P.IO/X"), ""},
      {storage_class(R"(,"parameters":{"":"x"})"),
       R"(422: parameters: Invalid value: "": field can not be empty.)"},
      {storage_class(R"(,"parameters":{)" + many + "}"),
       "422: parameters: Too long: may not be more than 512 bytes"},
      {storage_class(R"(,"parameters":{"a":")" + std::string(256 << 10, 'x') + R"("})"),
       "422: parameters: Too long: may not be more than 262144 bytes"},
      {storage_class(
           R"(,"allowedTopologies":[{"matchLabelExpressions":[{"key":"a","values":["x","x"]},{"key":"a"}]}])"),
       R"(422: allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "x"; )"
       R"(allowedTopologies[0].matchLabelExpressions[1].key: Duplicate value: "a"; )"
       "allowedTopologies[0].matchLabelExpressions[1].values: Required value"},
      {storage_class(
           R"(,"allowedTopologies":[{"matchLabelExpressions":[{"key":"a","values":["x","y"]}]},{"matchLabelExpressions":[{"key":"a","values":["y","x"]}]}])"),
       R"(422: allowedTopologies[1].matchLabelExpressions: Duplicate value: "")"},
      // An empty term is always taken for a repeated one.
      {storage_class(R"(,"allowedTopologies":[{}])"),
       R"(422: allowedTopologies[0].matchLabelExpressions: Duplicate value: "")"},
  };
  for (const Case& one : cases) EXPECT_EQ(refused(create(classes(), one.json)), one.want);
}

TEST(StorageClass, IsRefusedWithAnyNumberOfEmptyTopologies) {
  std::string terms;
  for (int i = 0; i < 100'000; ++i) terms += i == 0 ? "{}" : ",{}";
  const std::string answer =
      create(classes(), storage_class(R"(,"allowedTopologies":[)" + terms + "]"));
  EXPECT_TRUE(answer.starts_with("422: allowedTopologies[0]")) << answer.substr(0, 100);
  EXPECT_LT(answer.size(), 8u << 20);
}

TEST(StorageClass, KeepsWhatVolumesWereMadeWith) {
  const std::string stored = storage_class(R"(,"parameters":{"type":"ssd"})");
  EXPECT_EQ(
      refused(update(
          classes(), stored,
          storage_class(
              R"(,"parameters":{"type":"ssd"},"allowVolumeExpansion":true,"mountOptions":["ro"])"))),
      "");
  EXPECT_EQ(
      refused(update(
          classes(), stored,
          storage_class(R"(,"reclaimPolicy":"Retain","volumeBindingMode":"WaitForFirstConsumer")",
                        "other"))),
      R"(422: parameters: Invalid value: null: field is immutable; )"
      R"(provisioner: Invalid value: "other": field is immutable; )"
      R"(reclaimPolicy: Invalid value: "Retain": field is immutable; )"
      R"(volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable)");
}

TEST(StorageClass, ShowsWhetherItIsTheDefault) {
  constexpr std::string_view kNow = "2024-01-02T00:00:00Z";
  EXPECT_EQ(row(classes(), storage_class(""), kNow),
            R"(["s","p.io/x","Delete","Immediate",false,"\u003cunknown\u003e"])");
  EXPECT_EQ(
      row(classes(),
          R"({"metadata":{"name":"s","annotations":{"storageclass.kubernetes.io/is-default-class":"true"}},)"
          R"("provisioner":"p","allowVolumeExpansion":true})",
          kNow),
      R"row(["s (default)","p","Delete","Immediate",true,"\u003cunknown\u003e"])row");
}

TEST(StorageClass, WarnsOfDeprecatedLabels) {
  const Document document = *value::read_json(storage_class(
      R"(,"allowedTopologies":[{"matchLabelExpressions":[{"key":"failure-domain.beta.kubernetes.io/zone","values":["a"]}]}])"));
  EXPECT_EQ(
      classes().strategy->warnings(document.root(), nullptr),
      std::vector<std::string>{
          R"(allowedTopologies[0].matchLabelExpressions[0].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead)"});
}

TEST(StorageClass, IsAcceptedAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  testing::expect_recorded_verdicts(folder, "storage.k8s.io.storageclass", classes(), 65);
}

TEST(VolumeAttributesClass, HasParametersThatStay) {
  const std::string stored = attributes_class(R"({"a":"b"})");
  EXPECT_EQ(create(attributes_classes(), stored),
            R"({"driverName":"d.io","metadata":{"name":"a"},"parameters":{"a":"b"}})");
  EXPECT_EQ(create(attributes_classes(), attributes_class("{}", "")),
            "422: driverName: Required value; parameters: Required value: must contain at least "
            "one key/value pair");
  EXPECT_EQ(update(attributes_classes(), stored, attributes_class(R"({"a":"c"})", "e.io")),
            "422: driverName: Forbidden: updates to driverName are forbidden.; parameters: "
            "Forbidden: updates to parameters are forbidden.");
  EXPECT_EQ(row(attributes_classes(), stored, "2024-01-02T00:00:00Z"),
            R"(["a","d.io","\u003cunknown\u003e"])");
}

}  // namespace
}  // namespace strake::kinds

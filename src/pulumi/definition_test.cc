#include "pulumi/definition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crd/check.h"
#include "pulumi/test_convert.h"
#include "value/yaml_reader.h"

namespace strake::pulumi {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr std::string_view kPackage = R"({"name":"pkg","version":"2.0.0","resources":{
    "pkg:index:Thing":{"isComponent":true,
      "inputProperties":{"alpha":{"type":"number","default":1.5},"size":{"type":"integer"}},
      "requiredInputs":["alpha"],
      "properties":{"url":{"type":"string"}},"required":["url"]}}})";

crd::Crd read_crd(const std::string& text) {
  auto document = value::read_yaml(text);
  EXPECT_TRUE(document);
  auto crd = crd::Crd::read(std::move(*document));
  EXPECT_TRUE(crd);
  crd->prepare_for_create();
  return *std::move(crd);
}

std::string crd_text(std::string_view package, const ConvertOptions& options = {}) {
  const auto read = Package::read(std::string(package));
  const auto made = convert_component(*read, "pkg:index:Thing", options);
  EXPECT_TRUE(made) << made.error().message();
  return made->crd;
}

TEST(Definition, LooksAsTheContractShowsIt) {
  EXPECT_EQ(crd_text(kPackage), R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: "things.pkg.components.platform"
spec:
  group: pkg.components.platform
  names:
    kind: Thing
    listKind: ThingList
    plural: things
    singular: thing
  scope: Namespaced
  versions:
  - name: v2
    schema:
      openAPIV3Schema:
        properties:
          spec:
            properties:
              alpha:
                default: 1.5
                type: number
              size:
                type: integer
            required:
            - "alpha"
            type: object
        type: object
    served: true
    storage: true
)");
}

TEST(Definition, HasAStatusThatNeedsNothing) {
  const std::string text = crd_text(kPackage, {.status = true});
  EXPECT_THAT(text, HasSubstr("          status:\n            properties:\n              url:\n"
                              "                type: string\n            type: object\n"));
  EXPECT_THAT(text, HasSubstr("    subresources:\n      status: {}\n"));
}

TEST(Definition, KeepsWhatThePreviousOneServes) {
  std::string before = crd_text(R"({"name":"pkg","version":"1.0.0","resources":{
      "pkg:index:Thing":{"isComponent":true,"inputProperties":{
        "alpha":{"type":"string"},"gone":{"type":"string"}}}}})");
  before.insert(before.find("    plural:"), "    shortNames:\n    - th\n");
  const crd::Crd previous = read_crd(before);
  const Identity identity{"pkg.components.platform", "v2", "Thing", "things", "thing"};
  ASSERT_TRUE(check_previous(identity, previous));

  const auto package = Package::read(std::string(kPackage));
  Arena arena;
  Skips skips;
  const auto spec = translate_inputs(*package, "pkg:index:Thing", {}, arena, skips);
  std::string text;
  write_crd_yaml(make_definition(identity, {.spec = *spec, .previous = &previous}, arena), text);
  crd::Crd next = read_crd(text);
  next.prepare_for_update(previous);
  for (const value::FieldError& error : crd::check_update(next, previous)) {
    // Files have no resource version.
    EXPECT_EQ(error.field(), "metadata.resourceVersion") << error.to_string();
  }
  EXPECT_EQ(next.names().short_names.size(), 1U);
  ASSERT_EQ(next.versions().size(), 2U);
  EXPECT_TRUE(next.versions()[0].storage());
  EXPECT_EQ(next.versions()[1].name(), "v1");
  EXPECT_TRUE(next.versions()[1].served());
  EXPECT_FALSE(next.versions()[1].storage());

  const auto changes = compatibility(previous, next, "v2");
  EXPECT_THAT(changes,
              Contains(::testing::AllOf(Field(&crd::Change::field, HasSubstr(".spec.gone")),
                                        Field(&crd::Change::version, "v1 to v2"),
                                        Field(&crd::Change::impact, crd::Impact::kBreaking))));
}

TEST(Definition, RefusesAPreviousOneOfSomethingElse) {
  const crd::Crd previous = read_crd(crd_text(kPackage));
  const Identity good{"pkg.components.platform", "v3", "Thing", "things", "thing"};
  EXPECT_TRUE(check_previous(good, previous));
  Identity other = good;
  other.kind = "Other";
  EXPECT_EQ(check_previous(other, previous).error().message(),
            "the previous CRD is of another kind: \"Thing\", not \"Other\"");
}

}  // namespace
}  // namespace strake::pulumi

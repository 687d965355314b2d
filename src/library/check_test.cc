#include "strake/check.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace strake::check {
namespace {

constexpr std::string_view kCrd = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: webs, singular: web, kind: Web, listKind: WebList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [image]
            properties:
              image: {type: string}
              replicas: {type: integer, minimum: 0, default: 1}
              max: {type: integer}
            x-kubernetes-validations:
            - {rule: "!has(self.max) || self.replicas <= self.max", message: too many}
            - {rule: "self.image == oldSelf.image", message: image is fixed}
)";

std::string web(std::string_view spec) {
  return "apiVersion: example.com/v1\nkind: Web\nmetadata: {name: shop}\nspec: " +
         std::string(spec) + "\n";
}

Schemas with_crd(const Options& options = {}) {
  Schemas schemas(options);
  EXPECT_EQ(schemas.add(kCrd, "crd.yaml"), 1u);
  return schemas;
}

TEST(Library, FindsWhatTheServerWouldRefuseAndWhere) {
  const Report report = with_crd().check(web("{image: x, replicas: -1}"), "web.yaml");
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.code, "too_small");
  EXPECT_EQ(finding.pointer, "/spec/replicas");
  EXPECT_EQ(finding.text(),
            "web.yaml:4:28: spec.replicas: Invalid value: -1: spec.replicas in body should be "
            "greater than or equal to 0");
  EXPECT_FALSE(report.ok());
}

TEST(Library, RunsRules) {
  const Schemas schemas = with_crd();
  EXPECT_TRUE(schemas.check(web("{image: x, max: 3}")).ok());
  const Report report = schemas.check(web("{image: x, replicas: 5, max: 3}"));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message, "Invalid value: too many");
}

TEST(Library, RunsTransitionRulesOnUpdates) {
  const Schemas schemas = with_crd();
  EXPECT_TRUE(schemas.check_update(web("{image: x}"), web("{image: x}")).ok());
  EXPECT_FALSE(schemas.check_update(web("{image: y}"), web("{image: x}")).ok());
}

TEST(Library, HandsOutTheObjectAsItWouldBeStored) {
  const Report report = with_crd({.keep_output = true}).check(web("{image: x, junk: 1}"));
  ASSERT_EQ(report.objects.size(), 1u);
  EXPECT_EQ(
      report.objects[0].output,
      R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"shop"},"spec":{"image":"x","replicas":1}})");
  EXPECT_TRUE(report.ok()) << "an unknown field is a warning by default";
}

TEST(Library, SaysWhyASchemaCannotBeRead) {
  Schemas schemas;
  const auto added = schemas.add("kind: CustomResourceDefinition\n\tx: [", "bad.yaml");
  ASSERT_FALSE(added);
  EXPECT_TRUE(added.error().starts_with("bad.yaml:")) << added.error();
}

TEST(Library, ChecksFromManyThreads) {
  const Schemas schemas = with_crd();
  std::vector<std::jthread> workers;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&, i] {
      for (int n = 0; n < 50; ++n) {
        const bool good = (n + i) % 2 == 0;
        wrong += schemas.check(web(good ? "{image: x}" : "{replicas: 1}")).ok() != good;
      }
    });
  }
  workers.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace strake::check

#include "crd/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/files.h"
#include "support/vectors.h"
#include "value/yaml_reader.h"

namespace strake::crd {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Crd read_crd(std::string_view yaml) {
  auto document = value::read_yaml(yaml);
  EXPECT_TRUE(document) << document.error().to_string();
  auto crd = Crd::read(std::move(*document));
  EXPECT_TRUE(crd) << crd.error().to_string();
  crd->prepare_for_create();
  return *std::move(crd);
}

std::string crd_text(std::string_view versions,
                     std::string_view names = "{plural: things, kind: Thing}",
                     std::string_view scope = "Namespaced") {
  return fmt::format(R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: things.example.com}}
spec:
  group: example.com
  scope: {}
  names: {}
  versions: [{}]
)",
                     scope, names, versions);
}

std::vector<std::string> changes(const std::string& old, const std::string& next) {
  std::vector<std::string> out;
  for (const Change& one : diff(read_crd(old), read_crd(next))) {
    out.push_back(fmt::format("{} {}{}{}: {}", to_string(one.impact), one.code,
                              one.version.empty() ? "" : " " + one.version,
                              one.field.empty() ? "" : " " + one.field, one.message));
  }
  return out;
}

std::string version(std::string_view schema, std::string_view more = "") {
  return fmt::format("{{name: v1, served: true, storage: true{}, schema: {{openAPIV3Schema: {}}}}}",
                     more, schema);
}

// Of a property f.
std::vector<std::string> of_field(std::string_view old, std::string_view next) {
  const auto text = [](std::string_view schema) {
    return crd_text(version(fmt::format("{{type: object, properties: {{f: {}}}}}", schema)));
  };
  return changes(text(old), text(next));
}

TEST(CrdDiff, FindsNothingInProse) {
  EXPECT_THAT(of_field("{type: string, description: a}", "{type: string, description: b}"),
              IsEmpty());
}

TEST(CrdDiff, FindsNothingBetweenEqualDefinitionsEvenFaultyOnes) {
  const std::string twice = crd_text(
      "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}, "
      "{name: v1, served: true, storage: false, deprecated: true, schema: {openAPIV3Schema: "
      "{type: object, properties: {a: {type: string}}}}}");
  EXPECT_THAT(diff(read_crd(twice), read_crd(twice)), IsEmpty());
}

TEST(CrdDiff, JudgesTypes) {
  EXPECT_THAT(of_field("{type: string}", "{type: integer}"),
              ElementsAre("breaking type-changed v1 .f: type changed from string to integer"));
  EXPECT_THAT(of_field("{type: integer}", "{type: number}"),
              ElementsAre("safe type-widened v1 .f: type changed from integer to number"));
  EXPECT_THAT(of_field("{type: number}", "{type: integer}"),
              ElementsAre("ratcheted type-narrowed v1 .f: type changed from number to integer"));
  EXPECT_THAT(
      of_field("{type: integer}", "{x-kubernetes-int-or-string: true}"),
      ElementsAre("safe type-widened v1 .f: type changed from integer to integer or string"));
  EXPECT_THAT(
      of_field("{x-kubernetes-int-or-string: true}", "{type: integer}"),
      ElementsAre("breaking type-changed v1 .f: type changed from integer or string to integer"));
  EXPECT_THAT(of_field("{type: string}", "{type: string, nullable: true}"),
              ElementsAre("safe nullable-added v1 .f: may be null now"));
  EXPECT_THAT(of_field("{type: string, nullable: true}", "{type: string}"),
              ElementsAre("ratcheted nullable-removed v1 .f: may not be null any more"));
}

TEST(CrdDiff, JudgesProperties) {
  EXPECT_THAT(of_field("{type: object, properties: {a: {type: string}}}",
                       "{type: object, properties: {b: {type: string}}}"),
              ElementsAre("breaking property-removed v1 .f.a: removed: its data is pruned",
                          "safe property-added v1 .f.b: added"));
  EXPECT_THAT(of_field("{type: object, x-kubernetes-preserve-unknown-fields: true}",
                       "{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {b: "
                       "{type: string}}}"),
              ElementsAre("ratcheted property-added v1 .f.b: added where any value could stand"));
  EXPECT_THAT(of_field("{type: object, properties: {a: {type: string}, b: {type: string, default: "
                       "x}, c: {type: string}}, required: [c]}",
                       "{type: object, properties: {a: {type: string}, b: {type: string, default: "
                       "x}, c: {type: string}}, required: [a, b]}"),
              ElementsAre("breaking required-added v1 .f: a is required now",
                          "safe required-added v1 .f: b is required now, but its default fills it "
                          "in",
                          "safe required-removed v1 .f: c is not required any more"));
}

TEST(CrdDiff, JudgesEnums) {
  EXPECT_THAT(of_field("{type: string, enum: [a, b]}", "{type: string, enum: [b, c]}"),
              ElementsAre("ratcheted enum-narrowed v1 .f: no longer allowed: \"a\"",
                          "safe enum-widened v1 .f: newly allowed: \"c\""));
  EXPECT_THAT(of_field("{type: string, enum: [a, b]}", "{type: string, enum: [b, a]}"), IsEmpty());
  EXPECT_THAT(of_field("{type: string}", "{type: string, enum: [a]}"),
              ElementsAre("ratcheted enum-added v1 .f: an enum lists the allowed values now"));
  EXPECT_THAT(of_field("{type: string, enum: [a]}", "{type: string}"),
              ElementsAre("safe enum-removed v1 .f: any value is allowed now"));
}

TEST(CrdDiff, JudgesBounds) {
  EXPECT_THAT(of_field("{type: integer, minimum: 1, maximum: 10}",
                       "{type: integer, minimum: 0, maximum: 5}"),
              ElementsAre("safe bound-loosened v1 .f: minimum changed from 1 to 0",
                          "ratcheted bound-tightened v1 .f: maximum changed from 10 to 5"));
  EXPECT_THAT(of_field("{type: string, maxLength: 5}", "{type: string, minLength: 1}"),
              ElementsAre("ratcheted bound-tightened v1 .f: minLength 1 added",
                          "safe bound-loosened v1 .f: maxLength 5 removed"));
  EXPECT_THAT(of_field("{type: integer, maximum: 10}",
                       "{type: integer, maximum: 10, exclusiveMaximum: true}"),
              ElementsAre("ratcheted bound-tightened v1 .f: maximum changed from 10 to 10 "
                          "(exclusive)"));
  EXPECT_THAT(of_field("{type: integer, multipleOf: 6}", "{type: integer, multipleOf: 3}"),
              ElementsAre("safe bound-loosened v1 .f: multipleOf 3 replaces 6"));
  EXPECT_THAT(of_field("{type: integer, multipleOf: 3}", "{type: integer, multipleOf: 6}"),
              ElementsAre("ratcheted bound-tightened v1 .f: multipleOf 6 replaces 3"));
  EXPECT_THAT(of_field("{type: array, items: {type: string, maxLength: 3}}",
                       "{type: array, maxItems: 2, items: {type: string, maxLength: 2}}"),
              ElementsAre("ratcheted bound-tightened v1 .f: maxItems 2 added",
                          "ratcheted bound-tightened v1 .f[]: maxLength changed from 3 to 2"));
}

TEST(CrdDiff, JudgesPatternsAndFormats) {
  EXPECT_THAT(of_field("{type: string, pattern: a}", "{type: string, pattern: b}"),
              ElementsAre("ratcheted pattern-changed v1 .f: pattern changed from \"a\" to \"b\""));
  EXPECT_THAT(of_field("{type: string, pattern: a}", "{type: string}"),
              ElementsAre("safe pattern-removed v1 .f: pattern \"a\" removed"));
  EXPECT_THAT(of_field("{type: string}", "{type: string, format: date-time}"),
              ElementsAre("ratcheted format-tightened v1 .f: format changed from none to "
                          "\"date-time\""));
  EXPECT_THAT(of_field("{type: string}", "{type: string, format: telephone}"),
              ElementsAre("safe format-loosened v1 .f: format changed from none to \"telephone\""));
  EXPECT_THAT(
      of_field("{type: integer, format: int32}", "{type: integer, format: int64}"),
      ElementsAre("safe format-loosened v1 .f: format changed from \"int32\" to \"int64\""));
}

TEST(CrdDiff, JudgesMapsAndUnknownFields) {
  EXPECT_THAT(of_field("{type: object, additionalProperties: {type: string}}", "{type: object}"),
              ElementsAre("breaking additional-removed v1 .f: undeclared members are pruned now"));
  EXPECT_THAT(of_field("{type: object, additionalProperties: {type: string}}",
                       "{type: object, additionalProperties: {type: string, maxLength: 3}}"),
              ElementsAre("ratcheted bound-tightened v1 .f[*]: maxLength 3 added"));
  EXPECT_THAT(
      of_field("{type: object, x-kubernetes-preserve-unknown-fields: true}", "{type: object}"),
      ElementsAre("breaking unknown-fields-pruned v1 .f: unknown fields are pruned now: "
                  "their data is lost"));
  EXPECT_THAT(of_field("{type: object}",
                       "{type: object, x-kubernetes-embedded-resource: true, "
                       "x-kubernetes-preserve-unknown-fields: true}"),
              ElementsAre("safe unknown-fields-kept v1 .f: unknown fields are kept now",
                          "breaking embedded-added v1 .f: must be a whole resource now, with "
                          "apiVersion, kind and valid metadata"));
}

TEST(CrdDiff, JudgesListAndMapTypes) {
  const std::string list =
      "{{type: array, {} items: {{type: object, required: [a, b], properties: {{a: {{type: "
      "string}}, "
      "b: {{type: string}}}}}}}}";
  const auto with = [&](std::string_view type) { return fmt::format(fmt::runtime(list), type); };
  EXPECT_THAT(of_field(with(""), with("x-kubernetes-list-type: atomic,")), IsEmpty());
  EXPECT_THAT(
      of_field(with(""), with("x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a],")),
      ElementsAre("breaking list-type-changed v1 .f: list type changed from atomic to map: lists "
                  "with equal items are refused, stored ones too"));
  EXPECT_THAT(of_field(with("x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a],"),
                       with("x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b],")),
              ElementsAre("breaking map-keys-changed v1 .f: the keys of items changed from [\"a\"] "
                          "to [\"a\",\"b\"]"));
  EXPECT_THAT(of_field("{type: object}", "{type: object, x-kubernetes-map-type: atomic}"),
              ElementsAre("breaking map-type-changed v1 .f: map type changed from granular to "
                          "atomic: ownership of its fields is lost"));
}

TEST(CrdDiff, JudgesDefaults) {
  EXPECT_THAT(of_field("{type: integer}", "{type: integer, default: 1}"),
              ElementsAre("safe default-added v1 .f: default 1 added: objects without the field "
                          "show it"));
  EXPECT_THAT(of_field("{type: integer, default: 1}", "{type: integer, default: 2}"),
              ElementsAre("breaking default-changed v1 .f: default changed from 1 to 2: objects "
                          "that left it out mean something else"));
  EXPECT_THAT(of_field("{type: integer, default: 1}", "{type: integer}"),
              ElementsAre("breaking default-removed v1 .f: default 1 removed"));
}

TEST(CrdDiff, JudgesRules) {
  EXPECT_THAT(
      of_field("{type: integer, x-kubernetes-validations: [{rule: self > 0}]}",
               "{type: integer, x-kubernetes-validations: [{rule: self > 1}, {rule: self >= "
               "oldSelf}]}"),
      ElementsAre("ratcheted rule-added v1 .f: rule added: self > 1",
                  "breaking rule-added v1 .f: rule added, which ratcheting does not soften: self "
                  ">= oldSelf",
                  "safe rule-removed v1 .f: rule removed: self > 0"));
  EXPECT_THAT(of_field("{type: integer, x-kubernetes-validations: [{rule: self > 0, message: a}]}",
                       "{type: integer, x-kubernetes-validations: [{rule: self > 0, message: b}]}"),
              IsEmpty());
}

TEST(CrdDiff, TakesComposedSchemasAsAWhole) {
  EXPECT_THAT(of_field("{type: integer, not: {enum: [1]}}", "{type: integer, not: {enum: [2]}}"),
              ElementsAre("breaking composition-changed v1 .f: not changed"));
  EXPECT_THAT(of_field("{type: integer}", "{type: integer, anyOf: [{minimum: 1}]}"),
              ElementsAre("breaking composition-added v1 .f: anyOf added"));
  EXPECT_THAT(of_field("{type: integer, anyOf: [{minimum: 1}]}", "{type: integer}"),
              ElementsAre("safe composition-removed v1 .f: anyOf removed"));
}

TEST(CrdDiff, JudgesVersions) {
  const std::string v1 =
      "{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}";
  const std::string v1_old =
      "{name: v1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}";
  const std::string v2 =
      "{name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}";
  const std::string v2_stored =
      "{name: v2, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}";
  EXPECT_THAT(changes(crd_text(v1), crd_text(v1 + ", " + v2)),
              ElementsAre("safe version-added: version v2 added"));
  EXPECT_THAT(
      changes(crd_text(v1 + ", " + v2), crd_text(v2_stored)),
      ElementsAre("safe storage-moved v2: objects are stored in it from their next write on",
                  "breaking version-removed: version v1 removed, in which objects are "
                  "stored"));
  EXPECT_THAT(changes(crd_text(v1 + ", " + v2), crd_text(v1_old + ", " + v2_stored)),
              ElementsAre("breaking version-unserved v1: is not served any more",
                          "safe storage-moved v2: objects are stored in it from their next write "
                          "on"));
}

TEST(CrdDiff, JudgesNamesAndScope) {
  const std::string v1 = version("{type: object}");
  EXPECT_THAT(changes(crd_text(v1, "{plural: things, kind: Thing, shortNames: [t]}"),
                      crd_text(v1, "{plural: things, kind: Thing, shortNames: [th]}", "Cluster")),
              ElementsAre("breaking scope-changed: scope changed from Namespaced to Cluster",
                          "breaking name-removed: short name t removed",
                          "safe name-added: short name th added"));
}

// So many that looking each up among all others would take seconds.
TEST(CrdDiff, ComparesAnyNumberOfNames) {
  constexpr int kCount = 40'000;
  std::string old_names;
  std::string new_names;
  for (int i = 0; i < kCount; ++i) {
    const char* comma = i == 0 ? "" : ", ";
    old_names += fmt::format("{}a-rather-long-name-{}", comma, i);
    new_names += fmt::format("{}a-rather-long-name-{}", comma, i + 1);
  }
  const std::string v1 = version("{type: object}");
  const auto named = [&](const std::string& names) {
    return crd_text(v1, "{plural: things, kind: Thing, shortNames: [" + names + "]}");
  };
  EXPECT_THAT(changes(named(old_names), named(new_names)),
              ElementsAre("breaking name-removed: short name a-rather-long-name-0 removed",
                          "safe name-added: short name a-rather-long-name-40000 added"));
}

TEST(CrdDiff, JudgesSubresources) {
  const auto with = [](std::string_view more) { return crd_text(version("{type: object}", more)); };
  EXPECT_THAT(changes(with(""), with(", subresources: {status: {}}")),
              ElementsAre("breaking status-added v1: status subresource added: status in ordinary "
                          "writes is ignored from now on"));
  EXPECT_THAT(changes(with(", subresources: {scale: {specReplicasPath: .spec.a, "
                           "statusReplicasPath: .status.a}}"),
                      with("")),
              ElementsAre("breaking scale-removed v1: scale subresource removed"));
}

TEST(CrdDiff, PointsToThePlaceOfTheChange) {
  const std::string old = crd_text(version("{type: object, properties: {a: {type: string}}}"));
  const std::string next =
      crd_text(version("{type: object, properties: {b: {type: string, default: x}}}"));
  const auto found = diff(read_crd(old), read_crd(next));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].in_old);
  EXPECT_EQ(found[0].path.to_k8s(), "spec.versions[0].schema.openAPIV3Schema.properties[a]");
  EXPECT_FALSE(found[1].in_old);
  EXPECT_EQ(found[1].path.to_k8s(), "spec.versions[0].schema.openAPIV3Schema.properties[b]");
}

TEST(CrdDiff, FindsNothingBetweenARealCrdAndItself) {
  STRAKE_REQUIRE_VECTORS(folder, "crds");
  int files = 0;
  for (const auto& path : testing::files_in(folder, ".yaml")) {
    const std::string text = testing::read_file(path);
    EXPECT_THAT(changes(text, text), IsEmpty()) << path;
    ++files;
  }
  EXPECT_GE(files, testing::count_in(folder, 200, 2));
}

}  // namespace
}  // namespace strake::crd

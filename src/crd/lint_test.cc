#include "crd/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <map>

#include "crd/source_path.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/yaml_reader.h"

namespace strake::crd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string crd_text(std::string_view schema, std::string_view more = "") {
  return fmt::format(R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: things.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: things, kind: Thing}}
  versions:
  - name: v1
    served: true
    storage: true
    {}
    schema:
      openAPIV3Schema: {}
)",
                     more, schema);
}

std::vector<Lint> lint_text(const std::string& text, const LintOptions& options = {}) {
  auto document = value::read_yaml(text);
  EXPECT_TRUE(document) << document.error().to_string();
  std::vector<std::string> unknown;
  auto crd = Crd::read(std::move(*document), &unknown);
  EXPECT_TRUE(crd) << crd.error().to_string();
  crd->prepare_for_create();
  return lint(*crd, unknown, options);
}

// "code at path: message", for a schema of the property f.
std::vector<std::string> of_field(std::string_view schema) {
  std::vector<std::string> out;
  const std::string root = "spec.versions[0].schema.openAPIV3Schema.properties[f]";
  for (const Lint& one :
       lint_text(crd_text(fmt::format("{{type: object, properties: {{f: {}}}}}", schema)))) {
    std::string at = one.path.to_k8s();
    EXPECT_THAT(at, StartsWith(root));
    out.push_back(fmt::format("{} {}: {}", one.code->code,
                              at.substr(std::min(root.size(), at.size())), one.message));
  }
  return out;
}

TEST(Lint, SaysNothingAboutAGoodCrd) {
  EXPECT_THAT(of_field("{type: string, maxLength: 3, pattern: '^[a-c]+$', enum: [a, bc]}"),
              IsEmpty());
}

TEST(Lint, HasItsCodesSorted) {
  EXPECT_TRUE(std::ranges::is_sorted(lint_codes(), {}, &LintCode::code));
  EXPECT_EQ(find_lint_code("nope"), nullptr);
  EXPECT_EQ(find_lint_code("crd-invalid")->code, "crd-invalid");
}

TEST(Lint, GivesTheServersWordsWithThePlaceAsWritten) {
  EXPECT_THAT(of_field("{type: strng}"),
              ElementsAre("crd-invalid .type: Unsupported value: "
                          "\"strng\": supported values: \"array\", \"boolean\", \"integer\", "
                          "\"number\", \"object\", \"string\""));
}

TEST(Lint, LeadsHoistedPathsIntoTheFirstVersion) {
  const auto mapped = [](const FieldPath& path) { return source_path(path).to_k8s(); };
  const FieldPath spec = FieldPath() / "spec";
  EXPECT_EQ(mapped(spec / "validation" / "openAPIV3Schema" / "type"),
            "spec.versions[0].schema.openAPIV3Schema.type");
  EXPECT_EQ(mapped(spec / "version"), "spec.versions[0].name");
  EXPECT_EQ(mapped(spec / "additionalPrinterColumns" / 1 / "JSONPath"),
            "spec.versions[0].additionalPrinterColumns[1].jsonPath");
  EXPECT_EQ(mapped(spec / "versions" / 1 / "schema"), "spec.versions[1].schema");
  EXPECT_EQ(mapped(FieldPath() / "metadata" / "name"), "metadata.name");
}

TEST(Lint, FindsBoundsThatExcludeEachOther) {
  EXPECT_THAT(of_field("{type: string, minLength: 5, maxLength: 4}"),
              ElementsAre("bounds-unreachable .minLength: no value can be valid: minLength is 5 "
                          "and maxLength is 4"));
  EXPECT_THAT(of_field("{type: number, minimum: 1, maximum: 1, exclusiveMaximum: true}"),
              ElementsAre(HasSubstr("one of them exclusive")));
  EXPECT_THAT(of_field("{type: number, minimum: 1, maximum: 1}"), IsEmpty());
  EXPECT_THAT(of_field("{type: integer, format: int32, maximum: 3000000000}"),
              ElementsAre("bounds-unreachable .maximum: maximum 3000000000 lies outside of format "
                          "int32"));
}

TEST(Lint, FindsPatternsThatNoTextMatches) {
  EXPECT_THAT(
      of_field("{type: string, pattern: '^[a-z]{5}$', maxLength: 4}"),
      ElementsAre("pattern-unreachable .pattern: no allowed text matches: the pattern needs "
                  "5 characters, maxLength is 4"));
  EXPECT_THAT(of_field("{type: string, pattern: '^[a-z]?$', minLength: 2}"),
              ElementsAre(HasSubstr("takes at most 1 characters, minLength is 2")));
  EXPECT_THAT(of_field("{type: string, pattern: 'a^b'}"),
              ElementsAre(HasSubstr("no text matches")));
}

TEST(Lint, FindsPatternsThatHoldForAPartOnly) {
  EXPECT_THAT(of_field("{type: string, pattern: '[a-z]+'}"),
              ElementsAre("pattern-unanchored .pattern: without ^ and $, a match anywhere in the "
                          "text is enough"));
  EXPECT_THAT(of_field("{type: string, pattern: '^a|b$'}"),
              ElementsAre(HasSubstr("^ holds for the first alternative only")));
  EXPECT_THAT(of_field("{type: string, pattern: '^a'}"), IsEmpty());
}

TEST(Lint, FindsEnumValuesThatCannotBeUsed) {
  EXPECT_THAT(
      of_field("{type: string, pattern: '^[a-z]+$', maxLength: 3, enum: [a, abcd, A, 1]}"),
      ElementsAre("enum-unreachable .enum[1]: \"abcd\" can never be used: maxLength is 3",
                  "enum-unreachable .enum[2]: \"A\" can never be used: the pattern \"^[a-z]+$\" "
                  "does not match",
                  "enum-unreachable .enum[3]: 1 can never be used: the type is string"));
  EXPECT_THAT(of_field("{type: integer, minimum: 2, enum: [1, 2.0, 2.5]}"),
              ElementsAre(HasSubstr("minimum is 2"), HasSubstr("the type is integer")));
}

TEST(Lint, FindsFormatsThatAreNotEnforced) {
  EXPECT_THAT(of_field("{type: string, format: telephone}"),
              ElementsAre("format-unrecognized .format: unrecognized format \"telephone\""));
  EXPECT_THAT(of_field("{type: number, format: int32}"),
              ElementsAre("format-type-mismatch .format: format \"int32\" says nothing about type "
                          "number: it is not enforced"));
}

TEST(Lint, WantsListsOfObjectsToSayHowTheyMerge) {
  EXPECT_THAT(of_field("{type: array, items: {type: object, properties: {a: {type: string}}}}"),
              ElementsAre(StartsWith("list-type-missing : the list is atomic")));
  EXPECT_THAT(of_field("{type: array, items: {type: string}}"), IsEmpty());
}

TEST(Lint, TellsAllListsOfACrdThatDoNotSayHowTheyMergeAtOnce) {
  const std::string list = "{type: array, items: {type: object, properties: {x: {type: string}}}}";
  const std::string nested = "{type: array, items: {type: object, properties: {in: " + list + "}}}";
  EXPECT_THAT(
      of_field(
          fmt::format("{{type: object, properties: {{a: {}, b: {}, c: {}}}}}", list, nested, list)),
      ElementsAre(
          "list-type-missing .properties[a]: 4 lists of objects are atomic: whoever "
          "applies one item takes over the whole list: v1 f.a, v1 f.b, v1 f.b[].in and 1 more"));
}

TEST(Lint, LooksAtRequiredNames) {
  EXPECT_THAT(of_field("{type: object, required: [a, a, b, c], properties: {a: {type: string}, b: "
                       "{type: string, default: x}}}"),
              ElementsAre("duplicate-required .required[1]: \"a\" is required twice",
                          "default-on-required .required[2]: \"b\" is required and has a default: "
                          "it can always be left out",
                          "required-undeclared .required[3]: \"c\" is required, but it is not "
                          "declared and always pruned: no object can be valid"));
  EXPECT_THAT(of_field("{type: object, required: [a], additionalProperties: {type: string}}"),
              IsEmpty());
}

TEST(Lint, MissesTheStatusSubresource) {
  const std::string schema = "{type: object, properties: {status: {type: object}}}";
  const auto found = lint_text(crd_text(schema));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code->code, "no-status-subresource");
  EXPECT_EQ(found[0].path.to_k8s(), "spec.versions[0].schema.openAPIV3Schema.properties[status]");
  EXPECT_THAT(lint_text(crd_text(schema, "subresources: {status: {}}")), IsEmpty());
}

TEST(Lint, NamesUnknownFields) {
  const auto found = lint_text(crd_text("{type: object}", "colour: red"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code->code, "unknown-field");
  EXPECT_EQ(found[0].message, "unknown field \"spec.versions[0].colour\"");
  EXPECT_EQ(found[0].path.to_k8s(), "spec.versions[0].colour");
}

TEST(Lint, FindsARootThatKeepsEverything) {
  const auto found =
      lint_text(crd_text("{type: object, x-kubernetes-preserve-unknown-fields: true}"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code->code, "preserve-unknown-root");
}

TEST(Lint, LooksForWhatIsWantedOnly) {
  const std::string text =
      crd_text("{type: object, properties: {f: {type: string, pattern: a, enum: [1]}}}");
  const auto codes = [&](std::function<bool(const LintCode&)> wanted) {
    std::vector<std::string> out;
    for (const Lint& one : lint_text(text, {.wanted = std::move(wanted)}))
      out.emplace_back(one.code->code);
    return out;
  };
  EXPECT_THAT(codes({}), ElementsAre("pattern-unanchored", "enum-unreachable"));
  EXPECT_THAT(codes([](const LintCode& one) { return one.code == "enum-unreachable"; }),
              ElementsAre("enum-unreachable"));
  EXPECT_THAT(codes([](const LintCode& one) { return !one.by_default; }),
              ElementsAre("description-missing"));
}

TEST(Lint, LooksAtAnEqualSchemaOnce) {
  std::string text = crd_text("{type: object, properties: {f: {type: string, pattern: a}}}");
  text +=
      "  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object, "
      "properties: {f: {type: string, pattern: a}}}}}\n";
  EXPECT_EQ(lint_text(text).size(), 1u);
}

TEST(Lint, RefusesNoRealCrd) {
  STRAKE_REQUIRE_VECTORS(folder, "crds");
  std::map<std::string, int> counts;
  int files = 0;
  for (const auto& path : testing::files_in(folder, ".yaml")) {
    ++files;
    for (const Lint& one : lint_text(testing::read_file(path))) {
      EXPECT_FALSE(one.code->refused) << path << ": " << one.message;
      ++counts[std::string(one.code->code)];
    }
  }
  std::cout << files << " real CRDs:";
  for (const auto& [code, count] : counts) std::cout << ' ' << code << ' ' << count;
  std::cout << '\n';
  EXPECT_GE(files, testing::count_in(folder, 200, 2));
}

}  // namespace
}  // namespace strake::crd

// A document for each row of the table of issue codes (docs/validate.md).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "validate/checker.h"
#include "validate/messages.h"
#include "validate/schema_set.h"

namespace strake::validate {
namespace {

using ::testing::IsSupersetOf;

struct Row {
  std::string_view code;
  Profile profile;
  std::string_view schema;  // of the document; a whole CRD when it has a kind
  std::string_view text;
  std::vector<std::string> params;
  std::string_view schema_path = "";
  std::string_view rule = "";
};

constexpr Profile kStrict = Profile::kStructural;
constexpr Profile kLoose = Profile::kLoose;

// gtest would print the bytes otherwise.
void PrintTo(const Row& row, std::ostream* out) { *out << row.code << " " << row.text; }

FileResult check(const Row& row) {
  const rules::Engine engine;
  rules::CrdRules compiler;
  JudgeOptions judge{.unknown = UnknownFields::kStrict, .profile = row.profile};
  judge.rules = &engine;
  judge.rule_compiler = &compiler;
  if (row.profile == kLoose) judge.loose = {.formats = schema::loose::FormatMode::kEnforce};
  SchemaSet schemas(judge);
  if (!row.schema.empty()) {
    const auto added = schemas.add("schema.yaml", std::make_shared<const std::string>(row.schema));
    EXPECT_TRUE(added) << added.error().to_string();
  }
  const Checker checker(schemas.catalog(), nullptr,
                        {.duplicates = DuplicateKeys::kError,
                         .max_depth = 20,
                         .max_bytes = 2000,
                         .max_issues = 3,
                         .any = schemas.any()});
  return checker.check(row.text.starts_with("{\"") ? "a.json" : "a.yaml", row.text);
}

class IssueCodes : public ::testing::TestWithParam<Row> {};

TEST_P(IssueCodes, AreToldWithTheirParams) {
  const Row& row = GetParam();
  const FileResult result = check(row);
  std::vector<std::string> seen;
  for (const DocumentResult& document : result.documents) {
    for (const Finding& finding : document.findings) {
      seen.push_back(fmt::format("{} {}", to_string(finding.fault.issue), finding.fault.message));
      if (to_string(finding.fault.issue) != row.code) continue;
      std::vector<std::string> names;
      for (const Param& param : finding.fault.params) names.push_back(param.name);
      EXPECT_THAT(names, IsSupersetOf(row.params)) << seen.back();
      EXPECT_EQ(finding.fault.schema_path, row.schema_path) << seen.back();
      EXPECT_EQ(finding.fault.rule, row.rule);
      EXPECT_FALSE(finding.fault.message.empty());
      EXPECT_FALSE(message_of(finding.fault, Locale::kJapanese).empty());
      return;
    }
  }
  FAIL() << "no " << row.code << " among " << ::testing::PrintToString(seen);
}

// A CRD that rules are refused in, or whose schema is not structural.
constexpr std::string_view kCrd = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: gardens.example.dev}}
spec:
  group: example.dev
  names: {{kind: Garden, listKind: GardenList, plural: gardens, singular: garden}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {})";
std::string crd(std::string_view spec) { return fmt::format(kCrd, spec); }

const std::string kBadRule = crd("{type: string, x-kubernetes-validations: [{rule: self.x}]}");
const std::string kDearRule =
    crd("{type: array, items: {type: string, x-kubernetes-validations: "
        "[{rule: \"self.contains(self)\"}]}}");
const std::string kPatterns = crd("{type: object, patternProperties: {a: {type: string}}}");

// Whether the text has words of Japanese.
bool is_japanese(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c & 0x80) != 0; });
}

constexpr std::string_view kTwoBranches = "{oneOf: [{type: integer}, {minimum: 3}]}";
constexpr std::string_view kPets = R"(openapi: 3.0.0
info: {title: x, version: "1"}
paths: {}
components:
  schemas:
    Cat: {type: object}
    Pet:
      type: object
      oneOf: [{$ref: '#/components/schemas/Cat'}]
      discriminator: {propertyName: sort}
      x-kubernetes-group-version-kind: [{group: a, version: v1, kind: Pet}]
)";

const Row kRows[] = {
    {"invalid_type", kStrict, "{type: integer}", "x", {"expected", "got"}, "/type"},
    {"required",
     kStrict,
     "{type: object, required: [a], properties: {a: {type: string}}}",
     "{}",
     {"property"},
     "/required"},
    {"unknown_key", kStrict, "{type: object, properties: {a: {type: string}}}", "{b: 1}", {"key"}},
    {"duplicate_key",
     kStrict,
     "{type: object, properties: {a: {type: integer}}}",
     "{a: 1, a: 2}",
     {"key", "first"}},
    {"duplicate_item",
     kStrict,
     "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: "
     "object, required: [id], properties: {id: {type: string}}}}",
     "[{id: a}, {id: a}]",
     {"firstIndex", "index", "keys"},
     "/x-kubernetes-list-map-keys"},
    {"too_small",
     kStrict,
     "{type: integer, minimum: 3}",
     "2",
     {"minimum", "exclusive", "got"},
     "/minimum"},
    {"too_big",
     kStrict,
     "{type: integer, maximum: 3}",
     "4",
     {"maximum", "exclusive", "got"},
     "/maximum"},
    {"not_multiple",
     kStrict,
     "{type: integer, multipleOf: 3}",
     "4",
     {"multipleOf", "got"},
     "/multipleOf"},
    {"too_short", kStrict, "{type: string, minLength: 3}", "ab", {"unit", "min"}, "/minLength"},
    {"too_long",
     kStrict,
     "{type: array, maxItems: 1, items: {type: integer}}",
     "[1, 2]",
     {"unit", "max", "got"},
     "/maxItems"},
    {"pattern", kStrict, "{type: string, pattern: ^a}", "b", {"pattern"}, "/pattern"},
    {"invalid_enum", kStrict, "{type: string, enum: [a, b]}", "c", {"allowed", "got"}, "/enum"},
    {"invalid_format", kStrict, "{type: string, format: ipv4}", "x", {"format"}, "/format"},
    {"union_ambiguous", kLoose, kTwoBranches, "4", {"matched"}, "/oneOf"},
    {"no_match", kLoose, kTwoBranches, "1.5", {"branch"}, "/oneOf"},
    {"not_allowed", kLoose, "{not: {type: integer}}", "1", {}, "/not"},
    {"discriminator_missing",
     kLoose,
     kPets,
     "{apiVersion: a/v1, kind: Pet}",
     {"property"},
     "/components/schemas/Pet/discriminator"},
    {"discriminator_unknown",
     kLoose,
     kPets,
     "{apiVersion: a/v1, kind: Pet, sort: Dog}",
     {"property", "allowed"},
     "/components/schemas/Pet/discriminator"},
    {"cel_violation",
     kStrict,
     "{type: integer, x-kubernetes-validations: [{rule: self > 3, message: too few}]}",
     "1",
     {},
     "/x-kubernetes-validations/0",
     "self > 3"},
    {"cel_error",
     kStrict,
     "{type: object, properties: {a: {type: array, maxItems: 2, items: {type: integer}}}, "
     "x-kubernetes-validations: [{rule: 'self.a[5] > 3'}]}",
     "{a: [1]}",
     {},
     "/x-kubernetes-validations/0",
     "self.a[5] > 3"},
    {"cel_budget", kStrict, "", kDearRule, {"limit", "cost"}},
    {"cel_compile", kStrict, "", kBadRule, {}},
    {"parse_error", kStrict, "{type: object}", "{a: [}", {"at"}},
    {"overflow", kStrict, "{type: number}", "{\"a\": 1e999}", {"at"}},
    {"truncated",
     kStrict,
     "{type: array, items: {type: integer}}",
     "[a, b, c, d]",
     {"limit", "total"}},
    {"schema_invalid", kLoose, "{properties: {a: {$ref: '#', default: {}}}}", "{}", {"keyword"}},
    {"schema_unsupported", kStrict, "", kPatterns, {"keyword"}},
    {"schema_missing", kStrict, "", "{apiVersion: a/v1, kind: B, metadata: {name: c}}", {}},
};

TEST_P(IssueCodes, AreToldInJapaneseWithTheirHints) {
  for (const DocumentResult& document : check(GetParam()).documents) {
    for (const Finding& finding : document.findings) {
      const Fault& fault = finding.fault;
      EXPECT_TRUE(is_japanese(message_of(fault, Locale::kJapanese))) << fault.message;
      // The hint of a rule is the rule.
      if (fault.hint.empty() || !fault.rule.empty()) continue;
      EXPECT_TRUE(is_japanese(hint_of(fault, Locale::kJapanese))) << fault.hint;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, IssueCodes, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::string(row.param.code); });

// Codes that a document alone cannot bring about: of files, of documents that are not held, and
// those kept for a caller's own checks.
constexpr std::string_view kElsewhere[] = {
    "buffer_exceeded",  // stream_check_test.cc
    "unreadable",      "domain_range", "aggregate_violation",    "uniqueness",
    "business_rule",   "conflict",     "dependency_unavailable", "custom"};

TEST(IssueCodes, AllHaveATestAWordingAndTheirName) {
  for (const Issue code : schema::all_issue_codes()) {
    EXPECT_EQ(schema::issue_code(to_string(code)), code);
    const bool tested =
        std::ranges::find(kElsewhere, to_string(code)) != std::end(kElsewhere) ||
        std::ranges::any_of(kRows, [&](const Row& row) { return row.code == to_string(code); });
    EXPECT_TRUE(tested) << to_string(code);
    const std::string japanese = message_of({.issue = code, .message = "words"}, Locale::kJapanese);
    const bool own = std::ranges::any_of(japanese, [](char c) { return (c & 0x80) != 0; });
    EXPECT_EQ(own, code != Issue::kCustom) << japanese;
  }
  EXPECT_EQ(schema::issue_code("no_such_code"), std::nullopt);
}

TEST(IssueCodes, SayThatAFileCannotBeRead) {
  const FileResult result = unreadable_file("a.yaml", Error(Code::kIo, "cannot open"));
  EXPECT_EQ(to_string(result.documents.at(0).findings.at(0).fault.issue), "unreadable");
}

}  // namespace
}  // namespace strake::validate

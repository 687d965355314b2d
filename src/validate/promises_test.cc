// What the options promise, over one schema and both profiles.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validate/checker.h"
#include "validate/schema_set.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

using ::testing::ElementsAre;

struct Asked {
  std::string schema;
  JudgeOptions judge = {};
  CheckOptions check = {};
};

FileResult check(std::string_view text, Asked asked, const std::string& name = "a.yaml") {
  SchemaSet schemas(asked.judge);
  const auto added = schemas.add("s.yaml", std::make_shared<const std::string>(asked.schema));
  EXPECT_TRUE(added) << added.error().to_string();
  asked.check.any = schemas.any();
  return Checker(schemas.catalog(), nullptr, asked.check).check(name, text);
}

// "code path" of each finding.
std::vector<std::string> found(const FileResult& result) {
  std::vector<std::string> out;
  for (const DocumentResult& document : result.documents) {
    for (const Finding& finding : document.findings)
      out.push_back(
          fmt::format("{} {}", to_string(finding.fault.issue), finding.path.to_pointer()));
  }
  return out;
}

std::vector<std::string> found(std::string_view text, const Asked& asked) {
  return found(check(text, asked));
}

std::string output(std::string_view text, Asked asked) {
  asked.check.output = Output::kStored;
  const FileResult result = check(text, asked);
  const auto& kept = result.documents.at(0).output;
  return kept ? value::to_json(kept->root()) : "none";
}

constexpr Profile kProfiles[] = {Profile::kStructural, Profile::kLoose};

TEST(UnknownModes, DifferOverTheSameTree) {
  const std::string schema =
      "{type: object, properties: {a: {type: object, properties: {b: {type: integer}}}, k: {type: "
      "object, x-kubernetes-preserve-unknown-fields: true, properties: {c: {type: object, "
      "properties: {d: {type: integer}}}}}, m: {type: object, additionalProperties: {type: "
      "integer}}}}";
  constexpr std::string_view kText =
      "{a: {b: 1, x: 2}, k: {z: {deep: 1}, c: {d: 1, w: 2}}, m: {any: 1}, v: 1}";
  constexpr std::string_view kPruned =
      R"({"a":{"b":1},"k":{"c":{"d":1},"z":{"deep":1}},"m":{"any":1}})";
  for (const Profile profile : kProfiles) {
    const auto with = [&](UnknownFields unknown) {
      return Asked{schema, {.unknown = unknown, .profile = profile}};
    };
    EXPECT_THAT(found(kText, with(UnknownFields::kStrict)),
                ElementsAre("unknown_key /a/x", "unknown_key /k/c/w", "unknown_key /v"));
    EXPECT_EQ(output(kText, with(UnknownFields::kStrict)), "none");
    EXPECT_THAT(found(kText, with(UnknownFields::kPrune)), ElementsAre());
    EXPECT_EQ(output(kText, with(UnknownFields::kPrune)), kPruned);
    EXPECT_EQ(output(kText, with(UnknownFields::kWarn)), kPruned);
    EXPECT_THAT(found(kText, with(UnknownFields::kPreserve)), ElementsAre());
    EXPECT_EQ(output(kText, with(UnknownFields::kPreserve)),
              R"({"a":{"b":1,"x":2},"k":{"c":{"d":1,"w":2},"z":{"deep":1}},"m":{"any":1},"v":1})");
  }
}

TEST(ListSets, ClashByTypedValueAndOnceForEach) {
  const Asked asked{
      "{type: array, x-kubernetes-list-type: set, items: {x-kubernetes-preserve-"
      "unknown-fields: true}}"};
  const auto clashes = [&](std::string_view text) { return found(text, asked); };
  EXPECT_THAT(clashes("[1, 2, 1, 1]"), ElementsAre("duplicate_item /2"));
  EXPECT_THAT(clashes(R"([1, 1.0, "1", true, "true"])"), ElementsAre());
  EXPECT_THAT(clashes("[{a: 1, b: 2}, {b: 2, a: 1}]"), ElementsAre("duplicate_item /1"));
  EXPECT_THAT(clashes("[{a: 1}, {a: 1.0}]"), ElementsAre("duplicate_item /1"));
  EXPECT_THAT(clashes("[[1, 2], [2, 1]]"), ElementsAre());
  EXPECT_THAT(clashes("[b, a, b, a]"), ElementsAre("duplicate_item /2", "duplicate_item /3"));
}

TEST(ListMaps, ClashByTheirKeysAlsoByThoseThatAreAbsent) {
  const Asked asked{
      "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b], items: "
      "{type: object, required: [a], properties: {a: {type: string}, b: {type: integer, default: "
      "7}, c: {type: integer}}}}",
      {.defaults = DefaultMode::kApply}};
  const auto clashes = [&](std::string_view text) { return found(text, asked); };
  EXPECT_THAT(clashes("[{a: x, b: 1, c: 1}, {b: 1, a: x, c: 2}]"),
              ElementsAre("duplicate_item /1"));
  EXPECT_THAT(clashes("[{a: x, b: 1}, {a: x, b: 2}]"), ElementsAre());
  // Defaults count, and so do nulls that take one.
  EXPECT_THAT(clashes("[{a: x}, {a: x, b: 7}]"), ElementsAre("duplicate_item /1"));
  EXPECT_THAT(clashes("[{a: x, b: null}, {a: x}]"), ElementsAre("duplicate_item /1"));
  // The lists are looked at although an element is wrong in itself.
  EXPECT_THAT(clashes("[{b: 1}, {b: 1}]"),
              ElementsAre("required /0/a", "duplicate_item /1", "required /1/a"));
}

TEST(IntOrString, TakesBothAndNothingElse) {
  const std::string schema = "{x-kubernetes-int-or-string: true}";
  for (const Profile profile : kProfiles) {
    const Asked asked{schema, {.profile = profile}};
    for (const std::string_view good : {"8080", "http", "'50%'", "''", "-1"})
      EXPECT_THAT(found(good, asked), ElementsAre()) << good;
    for (const std::string_view bad : {"1.5", "true", "[1]", "{}"})
      EXPECT_THAT(found(bad, asked), ElementsAre("invalid_type ")) << bad;
  }
}

TEST(Ambiguities, GiveTheSameOutputOnEveryRun) {
  const std::string schema =
      "{oneOf: [{required: [a], properties: {a: {type: integer}, x: {default: 1}}}, {required: "
      "[b], properties: {b: {type: integer}, x: {default: 2}}}, {required: [a, b], properties: {x: "
      "{default: 3}}}]}";
  using schema::loose::Ambiguity;
  for (const Ambiguity ambiguity :
       {Ambiguity::kError, Ambiguity::kFirstMatch, Ambiguity::kScoreBest}) {
    std::vector<std::string> seen;
    for (int i = 0; i < 10; ++i) {
      Asked asked{schema, {.unknown = UnknownFields::kPreserve, .profile = Profile::kLoose}};
      asked.judge.loose.ambiguity = ambiguity;
      // The order of members makes no difference either.
      const std::string_view text = i % 2 == 0 ? "{a: 1, b: 2}" : "{b: 2, a: 1}";
      seen.push_back(fmt::format("{} {}", fmt::join(found(text, asked), ","), output(text, asked)));
    }
    for (const std::string& one : seen) EXPECT_EQ(one, seen[0]);
    EXPECT_EQ(seen[0].starts_with("union_ambiguous"), ambiguity == Ambiguity::kError) << seen[0];
  }
}

TEST(DuplicateKeys, AreFoundInEveryNotation) {
  const std::string schema = "{type: object, x-kubernetes-preserve-unknown-fields: true}";
  const Asked asked{schema, {}, {.duplicates = DuplicateKeys::kError}};
  const auto in = [&](std::string_view text, const std::string& name) {
    return found(check(text, asked, name));
  };
  const auto once = ElementsAre("duplicate_key /a");
  EXPECT_THAT(in(R"({"a":1,"a":2})", "x.json"), once);
  EXPECT_THAT(in(R"({"a":1,"\u0061":2})", "x.json"), once);
  EXPECT_THAT(in("{a: 1, a: 2}", "x.yaml"), once);
  EXPECT_THAT(in("a: 1\na: 2\n", "x.yaml"), once);
  EXPECT_THAT(in("a: 1\n\"\\x61\": 2\n", "x.yaml"), once);
  EXPECT_THAT(in("b: [{c: {d: 1, d: 2}}]\n", "x.yaml"), ElementsAre("duplicate_key /b/0/c/d"));
  EXPECT_THAT(in("1: a\n'1': b\n", "x.yaml"), ElementsAre("duplicate_key /1"));
  EXPECT_THAT(in("y: a\n'true': b\n", "x.yaml"), ElementsAre("duplicate_key /true"));
  // A merge is no second key, whichever comes first.
  EXPECT_THAT(in("b: &b {a: 1}\nc: {<<: *b, a: 2}\nd: {a: 2, <<: *b}\n", "x.yaml"), ElementsAre());
}

TEST(Depth, OfTenThousandIsNoDanger) {
  std::string objects;
  std::string arrays;
  for (int i = 0; i < 9'999; ++i) objects += "{\"a\":";
  objects += "1" + std::string(9'999, '}');
  arrays = std::string(9'999, '[') + std::string(9'999, ']');
  const std::string schema = "{x-kubernetes-preserve-unknown-fields: true, type: object}";
  for (const Profile profile : kProfiles) {
    Asked asked{schema, {.profile = profile}};
    asked.judge.loose.max_depth = 10'000;
    EXPECT_THAT(found(objects, asked), ElementsAre());
    EXPECT_THAT(found(arrays, asked), ElementsAre("invalid_type "));
    EXPECT_THAT(found("{\"a\":[" + objects + "]}", asked), ElementsAre("parse_error "));
  }
  // A schema that refers to itself goes as deep as the value.
  Asked recursive{"{properties: {a: {$ref: '#'}}, required: [a]}", {.profile = Profile::kLoose}};
  recursive.judge.loose.max_depth = 10'000;
  EXPECT_THAT(found(objects, recursive), ElementsAre());
}

}  // namespace
}  // namespace strake::validate

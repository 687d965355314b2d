#include "validate/checker.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validate/document_stream.h"
#include "validate/test_crd.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

using ::testing::HasSubstr;

struct Setup {
  JudgeOptions judge;
  CheckOptions check;
  std::string old;
  std::string crd = std::string(kGardenCrd);
};

// One line a finding: place, severity, issue, path, message, hint.
std::string lines(const FileResult& result) {
  std::string out;
  for (const DocumentResult& document : result.documents) {
    for (const Finding& f : document.findings) {
      const Position at = f.position.value_or(Position{.offset = 0, .line = 0, .column = 0});
      out += fmt::format("{}:{} {} {} {} {}{}{}\n", at.line, at.column, to_string(f.fault.severity),
                         to_string(f.fault.issue), f.path.to_pointer(), f.fault.message,
                         f.fault.hint.empty() ? "" : " = ", f.fault.hint);
    }
  }
  return out;
}

// The same and everything else that is told of each document.
std::string all_of(const FileResult& result) {
  std::string out = fmt::format("{} {} {}\n", result.unreadable, result.ignored,
                                static_cast<int>(result.passed_over));
  for (const DocumentResult& one : result.documents) {
    out += fmt::format("{} {} {} {} {} {}\n", one.document, fmt::join(one.items, ","), one.kind,
                       one.name, to_string(one.status), one.truncated);
    if (one.output) out += value::to_json(one.output->root()) + "\n";
    for (const Finding& f : one.findings) out += f.source_line + "|" + f.fragment + "\n";
  }
  return out + lines(result);
}

// Whoever parses the text, and whether it is known to have faults, the result is the same.
FileResult check(std::string_view text, const Setup& setup = {}) {
  Catalog catalog(setup.judge);
  EXPECT_TRUE(catalog.add("crd.yaml", std::make_shared<const std::string>(setup.crd)));
  OldObjects old;
  EXPECT_TRUE(old.add(setup.old, read_options("old.yaml", setup.check, false)));
  const Checker checker(catalog, setup.old.empty() ? nullptr : &old, setup.check);
  FileResult out = checker.check("a.yaml", text);
  const std::uint64_t parses = parses_begun();
  EXPECT_EQ(all_of(checker.check(parse_file("a.yaml", std::make_shared<const std::string>(text),
                                            read_options("a.yaml", setup.check, true)))),
            all_of(out));
  if (!setup.check.yaml_core) EXPECT_EQ(parses_begun() - parses, 1U);
  EXPECT_EQ(all_of(checker.check_faulty("a.yaml", text)), all_of(out));
  return out;
}

std::string garden(std::string_view spec) {
  return fmt::format("apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: a\nspec:\n{}",
                     spec);
}

TEST(Checker, FindsNothingInWhatIsRight) {
  const FileResult result = check(garden("  beds: 3\n"));
  EXPECT_EQ(lines(result), "");
  ASSERT_EQ(result.documents.size(), 1u);
  EXPECT_EQ(result.documents[0].status, Status::kValid);
  EXPECT_EQ(result.documents[0].kind, "Garden");
  EXPECT_EQ(result.documents[0].name, "a");
}

TEST(Checker, PointsAtTheValueThatIsWrong) {
  EXPECT_EQ(lines(check(garden("  beds: 101\n"))),
            "6:9 error too_big /spec/beds Invalid value: 101: spec.beds in body should be less "
            "than or equal to 100\n");
}

TEST(Checker, PointsAtTheObjectThatLacksAField) {
  EXPECT_EQ(lines(check(garden("  plants:\n  - water: little\n"))),
            "7:5 error required /spec/plants/0/name Required value\n");
  EXPECT_EQ(lines(check("apiVersion: example.dev/v1\nkind: Garden\nmetadata: {name: a}\n")),
            "1:1 error required /spec Required value\n");
}

TEST(Checker, PointsAtTheKeyThatIsUnknown) {
  EXPECT_EQ(
      lines(check(garden("  badz: 1\n  ownr: me\n"))),
      "6:3 warning unknown_key /spec/badz unknown field \"spec.badz\"\n"
      "7:3 warning unknown_key /spec/ownr unknown field \"spec.ownr\" = did you mean \"owner\"?\n");
}

TEST(Checker, TreatsUnknownFieldsAsItIsTold) {
  const std::string text = garden("  extra: 1\n");
  EXPECT_EQ(lines(check(text, {.judge = {.unknown = UnknownFields::kPrune}})), "");
  EXPECT_EQ(lines(check(text, {.judge = {.unknown = UnknownFields::kPreserve}})), "");
  EXPECT_THAT(lines(check(text, {.judge = {.unknown = UnknownFields::kStrict}})),
              HasSubstr("error unknown_key"));
  const auto output = [&](UnknownFields unknown) {
    const FileResult result =
        check(text, {.judge = {.unknown = unknown}, .check = {.output = Output::kStored}});
    return value::to_json(*result.documents.at(0).output->root().find("spec"));
  };
  EXPECT_EQ(output(UnknownFields::kPrune), R"({"beds":1})");
  EXPECT_EQ(output(UnknownFields::kPreserve), R"({"beds":1,"extra":1})");
}

TEST(Checker, TreatsDuplicateKeysAsItIsTold) {
  const std::string text = garden("  beds: 1\n  beds: 200\n");
  EXPECT_EQ(lines(check(text, {.check = {.duplicates = DuplicateKeys::kError}})),
            "7:3 error duplicate_key /spec/beds duplicate field \"spec.beds\" = first at 6:3\n"
            "7:9 error too_big /spec/beds Invalid value: 200: spec.beds in body should be less "
            "than or equal to 100\n");
  EXPECT_THAT(lines(check(text)), HasSubstr("7:3 warning duplicate_key"));
  EXPECT_THAT(lines(check(text, {.check = {.duplicates = DuplicateKeys::kLastWins}})),
              testing::StartsWith("7:9 error too_big"));
  EXPECT_EQ(lines(check(text, {.check = {.duplicates = DuplicateKeys::kFirstWins}})), "");
}

TEST(Checker, FindsDuplicatesThroughEscapesInJson) {
  EXPECT_THAT(
      lines(check(R"({"apiVersion":"example.dev/v1","kind":"Garden","metadata":{"name":"a"},)"
                  "\n"
                  R"("spec":{"beds":1,"\u0062eds":2}})")),
      HasSubstr(
          "2:18 warning duplicate_key /spec/beds duplicate field \"spec.beds\" = first at 2:9"));
}

TEST(Checker, SaysWhereTheFirstOfTwoItemsIs) {
  EXPECT_EQ(lines(check(garden("  plants:\n  - name: a\n  - name: b\n  - name: a\n"))),
            "9:5 error duplicate_item /spec/plants/2 Duplicate value: {\"name\":\"a\"} = first at "
            "/spec/plants/0\n");
}

TEST(Checker, GuessesTheWordOfAnEnumeration) {
  EXPECT_THAT(lines(check(garden("  plants:\n  - name: a\n    water: plentty\n"))),
              HasSubstr("= did you mean \"plenty\"?"));
}

TEST(Checker, SortsFindingsByPath) {
  const FileResult result = check(garden("  owner: far too long\n  plants:\n  - {}\n  beds: x\n"));
  std::vector<std::string> paths;
  for (const Finding& f : result.documents[0].findings) paths.push_back(f.path.to_pointer());
  EXPECT_THAT(paths, testing::ElementsAre("/spec/beds", "/spec/owner", "/spec/plants/0/name"));
}

TEST(Checker, WantsANameButNoNamespace) {
  EXPECT_EQ(lines(check("apiVersion: example.dev/v1\nkind: Garden\nspec: {}\n")),
            "1:1 error required /metadata/name Required value: name or generateName is required\n");
  EXPECT_EQ(
      lines(check(
          "apiVersion: example.dev/v1\nkind: Garden\nmetadata: {generateName: a-}\nspec: {}\n")),
      "");
  EXPECT_EQ(lines(check("apiVersion: example.dev/v1\nkind: Garden\nmetadata: {name: a, namespace: "
                        "'%s'}\nspec: {}\n")),
            "");
}

TEST(Checker, SaysWhatMetadataCannotBe) {
  EXPECT_EQ(lines(check("apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: a\n  labels: "
                        "3\nspec: {}\n")),
            "5:11 error invalid_type /metadata/labels Garden in version \"v1\" cannot be handled "
            "as a Garden: json: cannot "
            "unmarshal number into Go struct field ObjectMeta.labels of type map[string]string\n");
}

TEST(Checker, NeedsAKindAndAVersion) {
  EXPECT_EQ(
      lines(check("metadata: {name: a}\n")),
      "1:1 error required /apiVersion apiVersion not set\n1:1 error required /kind kind not set\n");
  EXPECT_EQ(lines(check("apiVersion: a/b/c\nkind: Garden\n")),
            "1:13 error invalid_format /apiVersion unexpected GroupVersion string: a/b/c\n");
  EXPECT_EQ(lines(check("apiVersion: 1\nkind: Garden\n")),
            "1:13 error invalid_type /apiVersion apiVersion must be a string, got integer\n");
  EXPECT_EQ(lines(check("- 1\n")),
            "1:1 error invalid_type  expected an object with apiVersion and kind, got an array\n");
}

TEST(Checker, NeedsASchemaUnlessToldOtherwise) {
  const std::string text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n";
  const FileResult result = check(text);
  EXPECT_EQ(
      lines(result),
      "2:7 error schema_missing /kind no schema for kind \"Deployment\" in version \"apps/v1\"\n");
  EXPECT_EQ(result.documents[0].status, Status::kError);
  const FileResult ignored = check(text, {.check = {.ignore_missing_schemas = true}});
  EXPECT_EQ(lines(ignored), "");
  EXPECT_EQ(ignored.documents[0].status, Status::kSkipped);
}

TEST(Checker, ChecksEveryDocumentOfAFile) {
  const FileResult result = check(garden("  beds: 1\n") + "---\n\n---\n" + garden("  beds: x\n"));
  ASSERT_EQ(result.documents.size(), 2u);
  EXPECT_EQ(result.documents[1].document, 2u);
  EXPECT_THAT(lines(result), testing::StartsWith("15:9 error invalid_type /spec/beds"));
}

TEST(Checker, TakesListsApart) {
  const FileResult result = check(
      "apiVersion: v1\nkind: List\nitems:\n"
      "- apiVersion: example.dev/v1\n  kind: Garden\n  metadata: {name: a}\n  spec: {beds: 1}\n"
      "- apiVersion: example.dev/v1\n  kind: Garden\n  metadata: {name: b}\n  spec: {beds: 200, "
      "beds: 300}\n");
  ASSERT_EQ(result.documents.size(), 2u);
  EXPECT_EQ(result.documents[1].name, "b");
  EXPECT_THAT(result.documents[1].items, testing::ElementsAre(1u));
  EXPECT_EQ(lines(result),
            "11:21 warning duplicate_key /items/1/spec/beds duplicate field \"spec.beds\" = first "
            "at 11:10\n"
            "11:27 error too_big /items/1/spec/beds Invalid value: 300: spec.beds in body should "
            "be less than or equal to 100\n");
}

TEST(Checker, FillsInWhatAListSaysForItsItems) {
  const FileResult result = check(
      R"({"apiVersion":"example.dev/v1","kind":"GardenList","items":[{"metadata":{"name":"a"},"spec":{"beds":-1}}]})");
  EXPECT_EQ(result.documents[0].kind, "Garden");
  EXPECT_THAT(lines(result), HasSubstr("error too_small /items/0/spec/beds"));
}

TEST(Checker, EndsForListsInLists) {
  std::string text = "[]";
  for (int i = 0; i < 500; ++i)
    text = fmt::format(R"([{{"apiVersion":"v1","kind":"List","items":{}}}])", text);
  const FileResult result =
      check(fmt::format(R"({{"apiVersion":"v1","kind":"List","items":{}}})", text));
  EXPECT_THAT(lines(result), HasSubstr("lists are nested too deeply"));
}

TEST(Checker, ChecksCrdsByTheirOwnRules) {
  std::string broken(kGardenCrd);
  broken.replace(broken.find("maximum: 100"), 12, "maximum: xyz");
  EXPECT_THAT(lines(check(broken)), HasSubstr("CustomResourceDefinition"));
  std::string misnamed(kGardenCrd);
  misnamed.replace(misnamed.find("gardens.example.dev"), 7, "gardenz");
  EXPECT_THAT(
      lines(check(misnamed)),
      HasSubstr("4:9 error invalid_format /metadata/name Invalid value: \"gardenz.example.dev\""));
  EXPECT_EQ(lines(check(kGardenCrd)), "");
}

TEST(Checker, WarnsOfADeprecatedVersion) {
  EXPECT_EQ(lines(check("apiVersion: example.dev/v1beta1\nkind: Garden\nmetadata: {name: a}\n")),
            "1:13 warning custom /apiVersion example.dev/v1beta1 Garden is deprecated\n");
}

TEST(Checker, HoldsUpdatesToTheOldObject) {
  const std::string old = garden("  owner: far too long\n");
  EXPECT_EQ(lines(check(old, {.old = old})), "")
      << "what was wrong before and did not change is forgiven";
  EXPECT_THAT(lines(check(garden("  owner: longer than ever\n"), {.old = old})),
              HasSubstr("error too_long /spec/owner"));
  const std::string other = garden("  owner: far too long\n  beds: 2\n");
  EXPECT_EQ(lines(check(other, {.old = old})), "");
  EXPECT_THAT(lines(check(old)), HasSubstr("error too_long /spec/owner"));
}

constexpr std::string_view kLive =
    "apiVersion: example.dev/v1\nkind: Garden\nmetadata: {name: a, namespace: south, uid: u7, "
    "resourceVersion: '41', generation: 3, creationTimestamp: '2024-01-01T00:00:00Z'}\n"
    "spec: {beds: 2}\n";

TEST(Checker, LetsUpdatesLeaveOutWhatTheServerKeeps) {
  struct Setup setup{.old = std::string(kLive)};
  setup.check.output = Output::kStored;
  const FileResult changed = check(garden("  beds: 3\n"), setup);
  EXPECT_EQ(lines(changed), "") << "no generation, no resourceVersion, no namespace";
  EXPECT_EQ(value::to_json(changed.documents.at(0).output->root()),
            R"({"apiVersion":"example.dev/v1","kind":"Garden","metadata":{"creationTimestamp":)"
            R"("2024-01-01T00:00:00Z","generation":4,"name":"a","uid":"u7"},"spec":{"beds":3}})");
  const FileResult same = check(garden("  beds: 2\n"), setup);
  EXPECT_THAT(value::to_json(same.documents.at(0).output->root()), HasSubstr("\"generation\":3"));
  EXPECT_EQ(lines(check(kLive, setup)), "") << "nor does what was read come back as a fault";
}

TEST(Checker, FindsTheOldObjectInAnyVersionAndInTheOnlyNamespaceThereIs) {
  const std::string beta = "apiVersion: example.dev/v1beta1\nkind: Garden\nmetadata: {name: a}\n";
  EXPECT_EQ(lines(check(garden("  beds: 2\n"), {.old = beta})), "");
  const std::string two = std::string(kLive) + "---\n" +
                          "apiVersion: example.dev/v1\nkind: Garden\n"
                          "metadata: {name: a, namespace: north}\nspec: {beds: 2}\n";
  EXPECT_THAT(lines(check(garden("  beds: 2\n"), {.old = two})),
              HasSubstr("4:9 warning custom /metadata/name nothing of this kind and name"));
}

TEST(Checker, DropsWhatOnlyTheServerSets) {
  struct Setup setup;
  setup.check.output = Output::kStored;
  const FileResult result = check(
      "apiVersion: example.dev/v1\nkind: Garden\nmetadata: {name: a, uid: u, selfLink: /x, "
      "generation: 7, creationTimestamp: '2024-01-01T00:00:00Z', resourceVersion: '5'}\n"
      "spec: {beds: 2}\n",
      setup);
  EXPECT_THAT(lines(result),
              HasSubstr("warning not_allowed /metadata/resourceVersion "
                        "resourceVersion should not be set on objects to be created"));
  EXPECT_EQ(value::to_json(result.documents.at(0).output->root()),
            R"({"apiVersion":"example.dev/v1","kind":"Garden","metadata":{"name":"a",)"
            R"("resourceVersion":"5"},"spec":{"beds":2}})");
}

TEST(Checker, ChecksUpdatesOfCrdsAgainstTheOldOne) {
  struct Setup setup{.old = std::string(kGardenCrd)};
  EXPECT_EQ(lines(check(kGardenCrd, setup)), "");
  std::string moved(kGardenCrd);
  moved.replace(moved.find("scope: Namespaced"), 17, "scope: Cluster");
  EXPECT_THAT(lines(check(moved, setup)), HasSubstr("/spec/scope Invalid value"));
}

TEST(Checker, DropsNullsAlsoWhereUnknownFieldsAreKept) {
  struct Setup setup;
  setup.judge.unknown = UnknownFields::kPreserve;
  setup.check.output = Output::kStored;
  const FileResult result = check(garden("  owner: null\n  extra: 1\n"), setup);
  EXPECT_EQ(lines(result), "");
  EXPECT_THAT(value::to_json(result.documents.at(0).output->root()),
              HasSubstr(R"("spec":{"beds":1,"extra":1})"));
}

TEST(Checker, ReadsYamlByTheCoreRulesAndSaysWhereAServerDoesNot) {
  struct Setup setup;
  setup.check.yaml_core = true;
  EXPECT_EQ(lines(check(garden("  owner: yes\n  beds: 010\n"), setup)),
            "7:9 warning custom /spec/beds YAML 1.2 core reads integer 10, a server integer 8\n"
            "6:10 warning custom /spec/owner YAML 1.2 core reads string \"yes\", a server boolean "
            "true\n");
  EXPECT_THAT(lines(check(garden("  owner: yes\n"))), HasSubstr("error invalid_type /spec/owner"));
  EXPECT_THAT(lines(check(garden("  y: 1\n"), setup)),
              HasSubstr("6:3 warning custom /spec/y YAML 1.2 core has this key"));
  EXPECT_EQ(lines(check(garden("  owner: 'yes'\n"), setup)), "");
}

TEST(Checker, KeepsWhatTheServerWouldStore) {
  const FileResult result = check(
      "apiVersion: example.dev/v1\nkind: Garden\nmetadata: {name: a, namespace: b}\nspec: {x: "
      "1}\nstatus: {phase: y}\n",
      {.check = {.output = Output::kStored}});
  EXPECT_EQ(
      value::to_json(result.documents.at(0).output->root()),
      R"({"apiVersion":"example.dev/v1","kind":"Garden","metadata":{"name":"a","namespace":"b"},"spec":{"beds":1}})");
}

TEST(Checker, StopsCountingAtTheLimitOfFindings) {
  std::string spec;
  for (int i = 0; i < 10; ++i) spec += fmt::format("  x{}: 1\n", i);
  const FileResult result = check(garden(spec), {.check = {.max_issues = 3}});
  ASSERT_EQ(result.documents[0].findings.size(), 4u);
  EXPECT_TRUE(result.documents[0].truncated);
  EXPECT_EQ(result.documents[0].findings[3].fault.message, "7 more findings are not shown");
  EXPECT_EQ(result.documents[0].findings[3].fault.severity, Severity::kWarning);
}

TEST(Checker, RefusesWhatTheServerWouldNotEvenRead) {
  const std::string large = garden("  owner: " + std::string(500, 'x') + "\n");
  EXPECT_THAT(lines(check(large, {.check = {.max_bytes = 500}})),
              HasSubstr("error truncated  Request entity too large: limit is 500"));
  EXPECT_THAT(lines(check(large, {.check = {.max_bytes = 1000}})), Not(HasSubstr("truncated")));
  const FileResult deep =
      check("apiVersion: example.dev/v1\nkind: Garden\nspec: {a: {b: {c: {}}}}\n",
            {.check = {.max_depth = 3}});
  EXPECT_TRUE(deep.unreadable);
  EXPECT_THAT(lines(deep), HasSubstr("error parse_error"));
}

TEST(Checker, ReportsWhatStandsBeforeAParseError) {
  const FileResult result = check(garden("  beds: x\n") + "---\na: [\n");
  EXPECT_TRUE(result.unreadable);
  ASSERT_EQ(result.documents.size(), 2u);
  EXPECT_EQ(result.documents[0].findings[0].fault.issue, Issue::kInvalidType);
  EXPECT_EQ(result.documents[1].findings[0].fault.issue, Issue::kParseError);
  EXPECT_TRUE(result.documents[1].findings[0].position);
}

TEST(Checker, ShowsTheSourceOfAFinding) {
  const FileResult result = check(garden("  beds: 101  # many\n"));
  const Finding& finding = result.documents[0].findings[0];
  EXPECT_EQ(finding.source_line, "  beds: 101  # many");
  EXPECT_EQ(finding.fragment, "101");
  EXPECT_EQ(finding.position->offset, 74u);
}

TEST(Checker, GoesOnBehindABrokenDocument) {
  const FileResult result =
      check(garden("  beds: 101\n") + "---\na: [\n---\n" + garden("  beds: 102\n"));
  EXPECT_TRUE(result.unreadable);
  ASSERT_EQ(result.documents.size(), 3u);
  EXPECT_EQ(result.documents[1].document, 1u);
  EXPECT_EQ(result.documents[2].document, 2u);
  EXPECT_THAT(lines(result), HasSubstr("6:9 error too_big /spec/beds Invalid value: 101"));
  EXPECT_THAT(lines(result), HasSubstr("9:1 error parse_error"));
  EXPECT_THAT(lines(result), HasSubstr("15:9 error too_big /spec/beds Invalid value: 102"));
}

TEST(Checker, GivesUpAFileWithTooManyBrokenDocuments) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "a: [\n---\n";
  EXPECT_EQ(check(text).documents.size(), 100u);
}

TEST(Checker, TellsAKeyThatStandsThreeTimesOnce) {
  EXPECT_EQ(lines(check(garden("  beds: 1\n  beds: 2\n  beds: 3\n"))),
            "7:3 warning duplicate_key /spec/beds duplicate field \"spec.beds\" = first at 6:3\n");
}

TEST(Checker, PointsAtTheLabelThatIsMeant) {
  const std::string text =
      "apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: a\n  labels:\n"
      "    fine: fine\n    \"a b\": c\n    e: \"c d\"\n  annotations:\n    fine: \"x y\"\n"
      "    \"Q Q\": z\nspec: {}\n";
  const FileResult result = check(text);
  EXPECT_THAT(lines(result), HasSubstr("7:5 error invalid_format /metadata/labels/a b Invalid"));
  EXPECT_THAT(lines(result), HasSubstr("8:8 error invalid_format /metadata/labels/e Invalid"));
  EXPECT_THAT(lines(result), HasSubstr("11:5 error invalid_format /metadata/annotations/Q Q"));
  for (const Finding& finding : result.documents.at(0).findings)
    EXPECT_THAT(finding.fault.field, ::testing::AnyOf("metadata.labels", "metadata.annotations"));
}

TEST(Checker, TakesANullForAnEmptyList) {
  EXPECT_EQ(lines(check("apiVersion: v1\nkind: List\nitems: null\n")), "");
  EXPECT_EQ(lines(check("apiVersion: example.dev/v1\nkind: GardenList\nitems: null\n")), "");
}

TEST(Checker, PassesOverKindsWithoutAnySchemaOnly) {
  const struct Setup lenient{.check = {.ignore_missing_schemas = true}};
  EXPECT_EQ(lines(check("apiVersion: example.dev/v1\nkind: Shed\n", lenient)), "");
  EXPECT_THAT(lines(check("apiVersion: example.dev/v2\nkind: Garden\n", lenient)),
              HasSubstr("no schema for kind \"Garden\" in version \"example.dev/v2\" = its CRD "
                        "serves v1, v1beta1"));
}

// Looking at all findings, or at all members, for each of them would take minutes here.
TEST(Checker, TakesManyUnknownFieldsAndManyFaults) {
  constexpr std::size_t kMany = 20'000;
  std::string unknown;
  std::string plants;
  for (std::size_t i = 0; i < kMany; ++i) {
    unknown += fmt::format("{}\"k{}\":1", i > 0 ? "," : "", i);
    plants += fmt::format("{}{{\"name\":{}}}", i > 0 ? "," : "", i);
  }
  struct Setup setup;
  setup.check.max_issues = 2;
  setup.check.max_bytes = 1 << 30;
  for (const std::string& spec : {unknown, fmt::format("\"plants\":[{}]", plants)}) {
    const FileResult result = check(
        fmt::format(R"({{"apiVersion":"example.dev/v1","kind":"Garden","metadata":{{"name":"a"}},)"
                    R"("spec":{{{}}}}})",
                    spec),
        setup);
    ASSERT_EQ(result.documents.size(), 1u);
    ASSERT_EQ(result.documents[0].findings.size(), 3u);
    EXPECT_THAT(result.documents[0].findings[2].fault.message,
                HasSubstr(fmt::format("{} more findings are not shown", kMany - 2)));
  }
}

}  // namespace
}  // namespace strake::validate

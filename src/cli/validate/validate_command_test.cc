#include <gmock/gmock.h>

#include "cli/validate/test_validate.h"
#include "validate/document_stream.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Validate, SaysOneLineWhenAllIsWell) {
  const Printed got = run({"-s", crd_, garden("a", "  beds: 1\n"), garden("b", "  beds: 2\n")});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_EQ(got.out, "2 files, 2 documents: all fine\n");
  EXPECT_EQ(got.err, "");
}

TEST_F(Validate, ShowsThePlaceTheMessageAndAHint) {
  const std::string file = garden("a", "  plants:\n  - name: x\n    water: plentty\n");
  const Printed got = run({"-s", crd_, file});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_EQ(got.out, file +
                         ":8:12: spec.plants[0].water: Unsupported value: \"plentty\": supported "
                         "values: \"little\", "
                         "\"plenty\" [invalid_enum]\n"
                         "    8 |     water: plentty\n"
                         "      |            ^\n"
                         "      = did you mean \"plenty\"?\n"
                         "1 file, 1 document: 1 error\n");
}

std::string with_a_wrong_name(std::string_view crd) {
  std::string out(crd);
  return out.replace(out.find("gardens.example.dev"), 7, "wrong.x");
}

TEST_F(Validate, ParsesAFaultyDefinitionAmongTheInputsOnce) {
  const std::string crd = folder_.write("bad.yaml", with_a_wrong_name(validate::kGardenCrd));
  const std::string file = garden("a", "  beds: 1\n");
  const std::uint64_t parses = validate::parses_begun();
  const Printed got = run({file, crd});
  EXPECT_EQ(validate::parses_begun() - parses, 2U) << "each file once";
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr(crd + ":4:9: metadata.name: Invalid value: "));
  EXPECT_THAT(got.out, HasSubstr("2 files, 2 documents: 1 error\n"));
}

// As `-s <(...)` of a shell: what a pipe held cannot be read again to show what is wrong with it.
TEST_F(Validate, ShowsWhatIsWrongWithASchemaFromAPipe) {
  const std::string file = garden("a", "  beds: 1\n");
  const std::string crd = with_a_wrong_name(validate::kGardenCrd);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], crd.data(), crd.size()), static_cast<ssize_t>(crd.size()));
  close(ends[1]);
  const std::uint64_t parses = validate::parses_begun();
  const Printed got = run({"-s", fmt::format("/dev/fd/{}", ends[0]), file});
  close(ends[0]);
  EXPECT_EQ(validate::parses_begun() - parses, 3U) << "the schema: to be used, and for its places";
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("4:9: metadata.name: Invalid value: "));
}

TEST_F(Validate, FindsSchemasInFoldersPatternsAndAmongTheInputs) {
  const std::string file = garden("a", "  beds: 1\n");
  EXPECT_EQ(run({"-s", folder_ / "crds", file}).code, ExitCode::kFine);
  EXPECT_EQ(run({"-s", folder_ / "crds/*.yaml", file}).code, ExitCode::kFine);
  EXPECT_EQ(run({file, crd_}).out, "2 files, 2 documents: all fine\n");
  EXPECT_THAT(run({file}).out,
              HasSubstr("no schema for kind \"Garden\" in version \"example.dev/v1\""));
  EXPECT_EQ(run({file}).code, ExitCode::kFindings);
  EXPECT_EQ(run({file, "--ignore-missing-schemas"}).out,
            "1 file, 1 document: all fine, 1 skipped\n");
}

constexpr std::string_view kDeclaredApp =
    "apiVersion: ops.kompox.dev/v1alpha1\nkind: App\nmetadata: {name: shop}\n"
    "spec:\n  deployment: {pool: a, pools: [b]}\n";

TEST_F(Validate, KnowsTheKindsThatPeopleDeclareForOperations) {
  const std::string file = folder_.write("app.yaml", kDeclaredApp);
  const Printed got = run({file});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, StartsWith(file + ":5:15: spec.deployment: Invalid value: deployment.pool "
                                         "and deployment.pools cannot be specified together"));
}

TEST_F(Validate, TakesDefinitionsThatAreGivenBeforeItsOwn) {
  const std::string file = folder_.write("app.yaml", kDeclaredApp);
  const std::string other = folder_.write(
      "other.yaml",
      "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
      "metadata: {name: apps.ops.kompox.dev}\nspec:\n  group: ops.kompox.dev\n"
      "  scope: Namespaced\n  names: {kind: App, plural: apps}\n  versions:\n"
      "  - name: v1alpha1\n    served: true\n    storage: true\n    schema:\n"
      "      openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}\n");
  EXPECT_EQ(run({"-s", other, file}).out, "1 file, 1 document: all fine\n");
  EXPECT_EQ(run({file, other}).out, "2 files, 2 documents: all fine\n");
}

TEST_F(Validate, WarnsOfUnknownAndDuplicateFieldsUnlessStrict) {
  const std::string file = garden("a", "  beds: 1\n  extra: 1\n  beds: 2\n");
  const Printed lenient = run({"-s", crd_, file});
  EXPECT_EQ(lenient.code, ExitCode::kFine);
  EXPECT_THAT(lenient.out, HasSubstr("warning: unknown field \"spec.extra\""));
  EXPECT_THAT(lenient.out, HasSubstr("warning: duplicate field \"spec.beds\""));
  const Printed strict = run({"-s", crd_, "--strict", file});
  EXPECT_EQ(strict.code, ExitCode::kFindings);
  EXPECT_THAT(strict.out, HasSubstr(":7:3: unknown field \"spec.extra\" [unknown_key]\n"));
  EXPECT_THAT(strict.out, HasSubstr(":8:3: duplicate field \"spec.beds\" [duplicate_key]\n"));
  EXPECT_EQ(run({"-s", crd_, "--unknown=prune", "--duplicates=last-wins", file}).out,
            "1 file, 1 document: all fine\n");
}

TEST_F(Validate, ReadsStandardInput) {
  const Printed got =
      run({"-s", crd_},
          "apiVersion: example.dev/v1\nkind: Garden\nmetadata: {name: a}\nspec: {beds: x}\n");
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, StartsWith("-:4:14: spec.beds: Invalid value: \"string\""));
}

TEST_F(Validate, PrintsWhatTheServerWouldStore) {
  const std::string file = garden("a", "  extra: 1\n");
  const Printed yaml = run({"-s", crd_, "--print", file});
  EXPECT_EQ(yaml.out,
            "apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: a\nspec:\n  beds: 1\n");
  EXPECT_THAT(yaml.err, HasSubstr("warning: unknown field"));
  const Printed json = run({"-s", crd_, "--print", "-o", "json", file, file});
  const auto list = value::read_json(json.out);
  ASSERT_TRUE(list) << json.out;
  EXPECT_EQ(list->root().find("kind")->as_string(), "List");
  EXPECT_EQ(list->root().find("items")->size(), 2u);
}

TEST_F(Validate, ReportsInEveryFormat) {
  const std::string file = garden("a", "  beds: 101\n");
  const auto json = value::read_json(run({"-s", crd_, "-o", "json", file}).out);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->root().find("summary")->find("invalid")->as_int(), 1);
  EXPECT_THAT(run({"-s", crd_, "-o", "yaml", file}).out, HasSubstr("  - code: too_big\n"));
  EXPECT_THAT(run({"-s", crd_, "-o", "sarif", file}).out, HasSubstr("\"ruleId\": \"too_big\""));
  EXPECT_THAT(run({"-s", crd_, "-o", "junit", file}).out, HasSubstr("<failure type=\"too_big\""));
  EXPECT_EQ(run({"-s", crd_, "-o", "github", file}).out,
            "::error file=" + file +
                ",line=6,col=9,title=too_big::spec.beds: Invalid value: 101: spec.beds in body "
                "should be less than or equal to "
                "100\n1 file, 1 document: 1 error\n");
}

TEST_F(Validate, RendersPathsAsAsked) {
  const std::string file = garden("a", "  beds: 101\n");
  EXPECT_THAT(run({"-s", crd_, "--path-render=pointer", file}).out,
              HasSubstr(": /spec/beds: Invalid value"));
  EXPECT_THAT(run({"-s", crd_, "--path-render=both", file}).out,
              HasSubstr(": spec.beds (/spec/beds): Invalid value"));
  EXPECT_THAT(run({"-s", crd_, "-o", "json", "--path-render=pointer", file}).out,
              Not(HasSubstr("fieldPath")));
}

TEST_F(Validate, ChecksUpdatesAgainstOldObjects) {
  const std::string old = garden("a", "  owner: far too long\n");
  EXPECT_EQ(run({"-s", crd_, old}).code, ExitCode::kFindings);
  EXPECT_EQ(run({"-s", crd_, "--old", old, old}).code, ExitCode::kFine);
}

TEST_F(Validate, SaysTheSameOnAnyNumberOfThreads) {
  std::vector<std::string> args = {"-s", crd_, folder_ / "many"};
  for (int i = 0; i < 100; ++i)
    garden(fmt::format("many/g{}", i), i % 3 == 0 ? "  beds: 1\n" : "  beds: x\n");
  args.push_back("-j1");
  const Printed one = run(args);
  args.back() = "-j8";
  EXPECT_EQ(run(args).out, one.out);
  args.push_back("--fail-fast");
  const Printed first = run(args);
  EXPECT_THAT(first.out, StartsWith(folder_ / "many/g1.yaml"));
  EXPECT_THAT(first.out, EndsWith("2 files, 2 documents: 1 error\n"));
}

TEST_F(Validate, ReportsASchemaThatTheServerWouldRefuse) {
  std::string broken(validate::kGardenCrd);
  broken.replace(broken.find("gardens.example.dev"), 7, "gardenz");
  const std::string schema = folder_.write("broken.yaml", broken);
  const Printed got = run({"-s", schema, garden("a", "  beds: 1\n")});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out,
              StartsWith(schema + ":4:9: metadata.name: Invalid value: \"gardenz.example.dev\""));
  EXPECT_EQ(run({"-s", schema, "--trust-schemas", garden("a", "  beds: 1\n")}).code,
            ExitCode::kFine);
}

TEST_F(Validate, EndsWithTwoWhenSomethingCannotBeRead) {
  const std::string bad = folder_.write("bad.yaml", "a: [\n");
  const Printed got = run({"-s", crd_, garden("a", "  beds: x\n"), bad});
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.out, HasSubstr("spec.beds: Invalid value"));
  EXPECT_THAT(got.out, HasSubstr(bad + ":"));
  const Printed none = run({"-s", crd_, "/nowhere"});
  EXPECT_EQ(none.code, ExitCode::kInput);
  EXPECT_EQ(none.out,
            "/nowhere: cannot open: No such file or directory [unreadable]\n"
            "1 file, 1 document: 1 error\n");
  const Printed schema = run({"-s", "/nowhere", crd_});
  EXPECT_EQ(schema.code, ExitCode::kInput);
  EXPECT_EQ(schema.err, "error: /nowhere: cannot open: No such file or directory\n");
  const Printed empty = run({"-s", garden("a", "  beds: 1\n"), crd_});
  EXPECT_EQ(empty.code, ExitCode::kInput);
  EXPECT_THAT(empty.err, HasSubstr("no CustomResourceDefinition in it"));
}

TEST_F(Validate, RefusesFlagsThatDoNotGoTogether) {
  EXPECT_THAT(run({"--strict", "--unknown=prune", crd_}).err,
              HasSubstr("--strict and --unknown cannot be combined"));
  EXPECT_THAT(run({"--print", "-o", "junit", crd_}).err, HasSubstr("--print needs yaml or json"));
  EXPECT_THAT(run({"--watch", "-"}).err, HasSubstr("--watch needs files"));
  EXPECT_THAT(run({"-s", "-", "-"}).err, HasSubstr("only once"));
  EXPECT_THAT(run({"--max-issues=0", crd_}).err, HasSubstr("--max-issues must be at least 1"));
  EXPECT_THAT(run({"--unknown=keep", crd_}).err,
              HasSubstr("--unknown must be warn, prune, strict or preserve"));
}

// --- Presence, defaults, output

TEST_F(Validate, TellsThePresenceOfFieldsInTheReport) {
  const std::string file = garden("a", "  owner: null\n  plants: [{name: x}]\n");
  const auto presence = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"-s", crd_, "-o", "json", "--presence", file};
    args.insert(args.end(), more.begin(), more.end());
    const Printed got = run(args);
    EXPECT_EQ(got.err, "");
    const auto report = value::read_json(got.out);
    return value::to_json(*report->root().find("results")->items()[0].find("presence"));
  };
  EXPECT_EQ(presence({"--presence-include", "/spec", "--presence-exclude", "/spec/plants/0"}),
            R"({"/spec":["seen"],"/spec/beds":["defaultApplied"],)"
            R"("/spec/owner":["seen","wasNull"],"/spec/plants":["seen"]})");
  EXPECT_THAT(presence({"--presence-exclude", "/metadata", "--presence-exclude", "/spec"}),
              R"({"":["seen"],"/apiVersion":["seen"],"/kind":["seen"]})");
  EXPECT_THAT(run({"-s", crd_, "-o", "json", file}).out, Not(HasSubstr("\"presence\"")));
}

TEST_F(Validate, NotesWhereDefaultsWouldApply) {
  const std::string file = garden("a", "  owner: me\n");
  const Printed text = run({"-s", crd_, "--defaults=annotate", file});
  EXPECT_EQ(text.out, file + ": Garden a: defaults at /spec/beds\n1 file, 1 document: all fine\n");
  EXPECT_THAT(run({"-s", crd_, "--defaults=annotate", "-o", "json", file}).out,
              HasSubstr("\"defaults\": [\n        \"/spec/beds\"\n      ]"));
  EXPECT_THAT(run({"-s", crd_, "--defaults=annotate", "--print", file}).out,
              Not(HasSubstr("beds")));
  EXPECT_THAT(run({"-s", crd_, "--defaults=ignore", "--print", file}).out, Not(HasSubstr("beds")));
  EXPECT_THAT(run({"-s", crd_, "--print", file}).out, HasSubstr("beds: 1"));
}

TEST_F(Validate, PrintsWhatWasSentWhenAskedTo) {
  const std::string file = garden("a", "  owner: null\n  junk: 1\n");
  EXPECT_EQ(run({"-s", crd_, "--print", "--preserving", file}).out,
            "apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: a\nspec:\n  owner: "
            "null\n");
}

TEST_F(Validate, SpeaksJapaneseWithTheServersWordsBeside) {
  const std::string file = garden("a", "  beds: 101\n");
  EXPECT_THAT(run({"-s", crd_, "--locale=ja", file}).out,
              HasSubstr("spec.beds: 100 以下の値でなければなりません (実際の値: 101)"));
  const Printed json = run({"-s", crd_, "--locale=ja_JP.UTF-8", "-o", "json", file});
  EXPECT_THAT(json.out, HasSubstr("\"message\": \"100 以下の値"));
  EXPECT_THAT(json.out, HasSubstr("\"detail\": \"Invalid value: 101: spec.beds in body should"));
  EXPECT_EQ(run({"-s", crd_, "--locale=fr", file}).out, run({"-s", crd_, file}).out);
}

TEST_F(Validate, SpeaksJapaneseInHintsAndTheSummaryToo) {
  const std::string file =
      garden("a", "  ownr: x\n  beds: many\n  plants:\n  - name: x\n    water: plentty\n");
  const std::string out = run({"-s", crd_, "--locale=ja", file}).out;
  EXPECT_THAT(out, HasSubstr("警告: 項目「spec.ownr」はスキーマにありません [unknown_key]"));
  EXPECT_THAT(out, HasSubstr("= 「owner」の間違いではありませんか"));
  EXPECT_THAT(out, HasSubstr("型が違います: 整数が必要です (実際の値: 文字列) [invalid_type]"));
  EXPECT_THAT(out, HasSubstr("= 「plenty」の間違いではありませんか"));
  EXPECT_THAT(out, EndsWith("1 ファイル、1 文書: エラー 2 件、警告 1 件\n"));
  EXPECT_THAT(run({"-s", crd_, "--locale=ja", "-o", "json", file}).out,
              HasSubstr("\"hint\": \"「plenty」の間違いではありませんか\""));
  EXPECT_EQ(run({"-s", crd_, "--locale=ja", garden("b", "  beds: 1\n")}).out,
            "1 ファイル、1 文書: 問題ありません\n");
  EXPECT_THAT(run({"-s", crd_, "--locale=ja", "--defaults=annotate", garden("c", "  {}\n")}).out,
              HasSubstr("Garden c: 既定値が入る場所: /spec/beds\n"));
}

TEST_F(Validate, PrintsTheNumbersThatItJudged) {
  const std::string schema = folder_.write("any.json", "{}");
  const std::string file = folder_.write("n.json", R"({"n": 9007199254740993})");
  const auto printed = [&](const char* mode) {
    return run({"--profile=loose", mode, "-s", schema, "--print", file}).out;
  };
  EXPECT_EQ(printed("--number-mode=json-number"), "\"n\": 9007199254740993\n");
  EXPECT_THAT(printed("--number-mode=float64"), HasSubstr("9007199254740992"));
  EXPECT_EQ(printed("--number-mode=k8s"), "\"n\": 9007199254740993\n");
}

TEST_F(Validate, LimitsTheFunctionsAndTheTimeOfRules) {
  std::string crd(validate::kGardenCrd);
  const std::string place = "              owner:\n                type: string\n";
  crd.insert(crd.find(place) + place.size(),
             "                x-kubernetes-validations: [{rule: \"self.startsWith('a')\"}]\n");
  const std::string ruled = folder_.write("ruled.yaml", crd);
  const std::string file = garden("a", "  owner: anne\n");
  EXPECT_EQ(run({"-s", ruled, file}).code, ExitCode::kFine);
  EXPECT_EQ(run({"-s", ruled, "--cel-functions=size,startsWith", file}).code, ExitCode::kFine);
  const Printed refused = run({"-s", ruled, "--cel-functions=size,matches", file});
  EXPECT_EQ(refused.code, ExitCode::kFindings);
  EXPECT_THAT(refused.out, HasSubstr("the function 'startsWith' is not allowed here"));
  EXPECT_EQ(run({"-s", ruled, "--cel-timeout=1h", file}).code, ExitCode::kFine);
  EXPECT_THAT(run({"-s", ruled, "--cel-timeout=soon", file}).err,
              HasSubstr("--cel-timeout must be a time above zero, such as 200ms, got \"soon\""));
  EXPECT_THAT(run({"-s", ruled, "--cel-functions=sise", file}).err,
              HasSubstr("--cel-functions: rules have no function \"sise\""));
  EXPECT_THAT(run({"-s", ruled, "--cel=off", "--cel-timeout=1s", file}).err,
              HasSubstr("--cel-timeout has no effect with --cel=off"));
}

// --- Options that make no sense

TEST_F(Validate, RefusesOptionsItDoesNotKnowOrThatDoNotGoTogether) {
  const std::string file = garden("a", "  beds: 1\n");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--profile=strict"}, "--profile must be structural-v1 or loose, got \"strict\""},
      {{"--unknown=drop"}, "--unknown must be warn, prune, strict or preserve"},
      {{"--duplicates=all"}, "--duplicates must be"},
      {{"--defaults=fill"}, "--defaults must be ignore, annotate or apply"},
      {{"--path-render=xpath"}, "--path-render must be"},
      {{"--strategy=lazy"}, "--strategy must be best-effort, fail-fast or full-buffer"},
      {{"--cel=maybe"}, "--cel must be off or on"},
      {{"--profile=loose", "--equal-mode=deep"}, "--equal-mode must be"},
      {{"--profile=loose", "--ambiguity=last"}, "--ambiguity must be"},
      {{"--profile=loose", "--number-mode=big"}, "--number-mode must be"},
      {{"--profile=loose", "--format-mode=off"}, "--format-mode must be"},
      {{"--ambiguity=error"}, "--ambiguity needs --profile=loose"},
      {{"--number-mode=k8s"}, "--number-mode needs --profile=loose"},
      {{"--presence"}, "--presence needs a report as json or yaml"},
      {{"-o", "json", "--presence-include=/a"}, "need --presence"},
      {{"-o", "json", "--presence", "--presence-include=a"}, "\"a\" is not a JSON pointer"},
      {{"--preserving"}, "--preserving needs --print"},
      {{"--stream", "--print"}, "--stream holds no document"},
      {{"--max-buffer=many"}, "--max-buffer must be a number of bytes"},
      {{"--max-issues=0"}, "--max-issues must be at least 1"},
      {{"--no-such-flag"}, "unknown flag"},
  };
  for (const auto& [flags, why] : cases) {
    std::vector<std::string> args = {"-s", crd_, file};
    args.insert(args.end(), flags.begin(), flags.end());
    const Printed got = run(args);
    EXPECT_EQ(got.code, ExitCode::kInput) << why;
    EXPECT_THAT(got.err, HasSubstr(why));
  }
}

// --- Schemas without a kind, and the loose profile

}  // namespace
}  // namespace strake::cli

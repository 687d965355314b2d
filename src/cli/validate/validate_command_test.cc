#include "cli/validate/validate_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/fake_io.h"
#include "validate/document_stream.h"
#include "validate/test_crd.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Printed {
  ExitCode code;
  std::string out;
  std::string err;
};

// A folder with the CRD of gardens, and the command run in it.
class Validate : public ::testing::Test {
 protected:
  Validate() : crd_(folder_.write("crds/gardens.yaml", validate::kGardenCrd)) {}

  std::string garden(std::string_view name, std::string_view spec) {
    const std::string_view last = name.substr(name.rfind('/') + 1);
    return folder_.write(
        fmt::format("{}.yaml", name),
        fmt::format("apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: {}\nspec:\n{}",
                    last, spec));
  }

  Printed run(std::vector<std::string> args, std::string input = "") {
    FakeWorld world(std::move(input));
    args.insert(args.begin(), "validate");
    const ExitCode code = world.run(args);
    return {code, world.out.text(), world.err.text()};
  }

  TemporaryFolder folder_;
  std::string crd_;
};

TEST_F(Validate, SaysOneLineWhenAllIsWell) {
  const Printed got = run({"-s", crd_, garden("a", "  beds: 1\n"), garden("b", "  beds: 2\n")});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_EQ(got.out, "2 files, 2 documents: all fine\n");
  EXPECT_EQ(got.err, "");
}

TEST_F(Validate, AsksAdmissionPoliciesWhereTheFieldStands) {
  const std::string file = garden("a", "  beds: 7\n");
  const std::string policies = folder_.write("policies/beds.yaml", R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: beds}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  validations:
  - expression: object.spec.beds <= int(params.data.most)
    messageExpression: "'at most ' + params.data.most + ' beds'"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec:
  policyName: beds
  validationActions: [Deny]
  paramRef: {name: limits, parameterNotFoundAction: Deny}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits}
data: {most: "5"}
)y");
  const Printed got = run({"-s", crd_, "--policies", policies, file});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr(file + ":6:9: "));
  EXPECT_THAT(got.out, HasSubstr("ValidatingAdmissionPolicy 'beds' with binding 'few' denied "
                                 "request: at most 5 beds"));
  EXPECT_EQ(run({"-s", crd_, "--policies", policies, garden("b", "  beds: 5\n")}).code,
            ExitCode::kFine);
}

constexpr std::string_view kTidyBeds = R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: b-tidy}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  matchConditions:
  - {name: not-kept, expression: "!has(object.metadata.labels) || !('kept' in object.metadata.labels)"}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: "Object{spec: Object.spec{beds: int(params.data.beds)}}"
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: all}
spec:
  policyName: b-tidy
  paramRef: {name: limits, parameterNotFoundAction: Deny}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a-few}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  validations:
  - expression: object.spec.beds <= 5
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits}
data: {beds: "BEDS"}
)y";

std::string tidy_beds(std::string_view beds) {
  std::string out(kTidyBeds);
  return out.replace(out.find("BEDS"), 4, beds);
}

TEST_F(Validate, ShowsPoliciesAnObjectAsOthersHaveChangedIt) {
  const std::string policies = folder_.write("policies/beds.yaml", tidy_beds("5"));
  EXPECT_EQ(run({"-s", crd_, "--policies", policies, garden("a", "  beds: 7\n")}).code,
            ExitCode::kFine);
  // What a policy leaves must be valid.
  const std::string many = folder_.write("many/beds.yaml", tidy_beds("5000"));
  const Printed got = run({"-s", crd_, "--policies", many, garden("a", "  beds: 7\n")});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("should be less than or equal to 100 (as MutatingAdmissionPolicy "
                                 "'b-tidy' leaves it)"));
  EXPECT_THAT(got.out, Not(HasSubstr("a-few")));
}

TEST_F(Validate, FindsNoFaultInWhatAPolicyMends) {
  const std::string policies = folder_.write("policies/beds.yaml", tidy_beds("5"));
  EXPECT_EQ(run({"-s", crd_, "--policies", policies, garden("a", "  beds: 700\n")}).code,
            ExitCode::kFine);
  // A server refuses unknown fields before it asks the policies.
  const Printed unknown = run({"-s", crd_, "--unknown=strict", "--policies", policies,
                               garden("a", "  beds: 700\n  bedz: 1\n")});
  EXPECT_EQ(unknown.code, ExitCode::kFindings);
  EXPECT_THAT(unknown.out, HasSubstr("bedz"));
  EXPECT_THAT(unknown.out, Not(HasSubstr("less than")));
}

TEST_F(Validate, SaysWhyAPolicyCannotChangeAnObject) {
  std::string text = tidy_beds("many");
  const std::string policies = folder_.write("policies/beds.yaml", text);
  const Printed got = run({"-s", crd_, "--policies", policies, garden("a", "  beds: 1\n")});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("policy 'b-tidy' with binding 'all' denied request: "));
  // Where it may fail, nothing is said.
  text.insert(text.find("  reinvocationPolicy"), "  failurePolicy: Ignore\n");
  const std::string ignored = folder_.write("ignored/beds.yaml", text);
  EXPECT_EQ(run({"-s", crd_, "--policies", ignored, garden("a", "  beds: 1\n")}).code,
            ExitCode::kFine);
}

TEST_F(Validate, ChangesNothingThatItPrintsButTheStoredForm) {
  const std::string policies = folder_.write("policies/beds.yaml", tidy_beds("5"));
  const std::string file = garden("a", "  beds: 7\n");
  EXPECT_THAT(run({"-s", crd_, "--policies", policies, "--print", file}).out, HasSubstr("beds: 5"));
  EXPECT_THAT(run({"-s", crd_, "--policies", policies, "--print", "--preserving", file}).out,
              HasSubstr("beds: 7"));
}

TEST_F(Validate, ShowsAnObjectAgainToAPolicyThatAsksForIt) {
  const std::string policies = folder_.write("policies/again.yaml", R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: a-second}
spec:
  reinvocationPolicy: IfNeeded
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: "object.spec.beds == 2 ? [JSONPatch{op: 'replace', path: '/spec/beds', value: 3}] : []"
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: b-first}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.dev], apiVersions: [v1], operations: [CREATE], resources: [gardens]}
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: "object.spec.beds == 1 ? [JSONPatch{op: 'replace', path: '/spec/beds', value: 2}] : []"
)y");
  EXPECT_THAT(run({"-s", crd_, "--policies", policies, "--print", garden("a", "  beds: 1\n")}).out,
              HasSubstr("beds: 3"));
}

TEST_F(Validate, RefusesPoliciesThatAServerWould) {
  const std::string policies = folder_.write("policies/bad.yaml", R"y(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: bad}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: ["*"]}
  validations:
  - expression: object.spec.beds >
)y");
  const Printed got = run({"-s", crd_, "--policies", policies, garden("a", "  beds: 1\n")});
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.err, HasSubstr("ValidatingAdmissionPolicy \"bad\" is invalid: "
                                 "spec.validations[0].expression: Invalid value"));
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

TEST_F(Validate, ChecksAnyDocumentByASchemaWithoutAKind) {
  const std::string schema = folder_.write(
      "schema.yaml", "{type: object, properties: {a: {type: integer, default: 3, maximum: 5}}}");
  const std::string good = folder_.write("good.yaml", "{}\n---\na: 4\n");
  const std::string bad = folder_.write("bad.yaml", "a: 7\nb: 1\n");
  EXPECT_EQ(run({"-s", schema, good}).out, "1 file, 2 documents: all fine\n");
  EXPECT_EQ(run({"-s", schema, "--print", good}).out, "a: 3\n---\na: 4\n");
  const Printed got = run({"-s", schema, bad});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("a: Invalid value: 7: a in body should be less than or equal"));
  EXPECT_THAT(got.out, HasSubstr("warning: unknown field \"b\""));
  // The server's rules for schemas hold here too.
  const std::string odd = folder_.write("odd.yaml", "{type: object, patternProperties: {a: {}}}");
  EXPECT_THAT(run({"-s", odd, good}).err, HasSubstr("the schema is not structural"));
  EXPECT_THAT(run({"-s", schema, "-s", odd, good}).err,
              HasSubstr("a second schema without a kind"));
}

TEST_F(Validate, TakesAnySchemaUnderTheLooseProfile) {
  const std::string schema = folder_.write(
      "schema.json",
      R"({"oneOf":[{"type":"integer"},{"minimum":3}],"$defs":{"port":{"maximum":9,"odd":1}}})");
  const auto checked = [&](std::string_view text, std::vector<std::string> more) {
    const std::string file = folder_.write("x.json", text);
    std::vector<std::string> args = {"--profile=loose", "-s", schema, file};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  };
  EXPECT_EQ(checked("2", {}).code, ExitCode::kFine);
  EXPECT_THAT(checked("4", {}).out, HasSubstr("must match exactly one branch of oneOf"));
  EXPECT_EQ(checked("4", {"--ambiguity=first-match"}).code, ExitCode::kFine);
  EXPECT_EQ(checked("4", {"--ambiguity=score-best"}).code, ExitCode::kFine);
  EXPECT_THAT(checked("10", {"--schema-root=port"}).out, HasSubstr("must be at most 9, got 10"));
  const Printed warned = checked("1", {"--schema-root=#/$defs/port"});
  EXPECT_EQ(warned.code, ExitCode::kFine);
  EXPECT_THAT(warned.out, HasSubstr("warning: /$defs/port/odd: unknown keyword, ignored"));
  EXPECT_EQ(checked("1", {"--schema-root=port", "--fail-on-schema-warnings"}).code,
            ExitCode::kInput);
}

TEST_F(Validate, ReadsNumbersAsTheNumberModeSays) {
  const std::string schema = folder_.write("n.json", R"({"maximum":9007199254740992})");
  const std::string file = folder_.write("x.json", "9007199254740993.0");
  const auto code = [&](std::string_view mode) {
    return run({"--profile=loose", "-s", schema, fmt::format("--number-mode={}", mode), file}).code;
  };
  EXPECT_EQ(code("json-number"), ExitCode::kFindings);
  EXPECT_EQ(code("float64"), ExitCode::kFine);
}

TEST_F(Validate, ChecksFormatsAndEqualityAsToldUnderTheLooseProfile) {
  const std::string formats = folder_.write("f.json", R"({"format":"ipv4"})");
  const std::string text = folder_.write("t.json", "\"x\"");
  EXPECT_EQ(run({"--profile=loose", "-s", formats, text}).code, ExitCode::kFine);
  EXPECT_EQ(run({"--profile=loose", "-s", formats, "--format-mode=enforce", text}).code,
            ExitCode::kFindings);
  const std::string unique =
      folder_.write("set.json", R"({"type":"array","x-kubernetes-list-type":"set"})");
  const std::string list = folder_.write("l.json", "[0.1,0.10000000000000000001]");
  EXPECT_EQ(run({"--profile=loose", "-s", unique, list}).code, ExitCode::kFine);
  EXPECT_EQ(run({"--profile=loose", "-s", unique, "--equal-mode=canonical-json", list}).code,
            ExitCode::kFindings);
}

TEST_F(Validate, ChecksCustomResourcesLooselyToo) {
  const std::string file = garden("a", "  beds: 101\n");
  const Printed got = run({"--profile=loose", "-s", crd_, "--strict", file});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("spec.beds: must be at most 100, got 101"));
  EXPECT_THAT(run({"--profile=loose", "-s", crd_, "--print", garden("b", "  owner: me\n")}).out,
              HasSubstr("beds: 1"));
}

TEST_F(Validate, RunsRulesUnlessToldNotTo) {
  const std::string schema = folder_.write(
      "r.yaml", "{type: integer, x-kubernetes-validations: [{rule: 'self > 3', message: few}]}");
  const std::string file = folder_.write("x.yaml", "1");
  EXPECT_THAT(run({"-s", schema, file}).out, HasSubstr("Invalid value: 1: few"));
  EXPECT_EQ(run({"-s", schema, "--cel=off", file}).code, ExitCode::kFine);
}

// --- Documents that are not held

TEST_F(Validate, ChecksLargeFilesAsTheyPass) {
  std::string text = R"({"apiVersion":"example.dev/v1","kind":"Garden","metadata":{"name":"a"},)"
                     R"("spec":{"plants":[)";
  for (int i = 0; text.size() < (4u << 20); ++i)
    text += fmt::format("{{\"name\":\"{:0400}\",\"water\":\"little\"}},\n", i);
  text += "{\"water\":\"plenty\"}]}}";
  const std::string file = folder_.write("big.json", text);
  const std::string fault = ".name: Required value [required]\n";
  const auto checked = [&](std::vector<std::string> more, std::string input = "") {
    std::vector<std::string> args = {"-s", crd_, "--max-bytes=1Gi"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args, std::move(input));
  };
  const Printed held = checked({file});
  EXPECT_THAT(held.out, HasSubstr(fault));
  EXPECT_EQ(checked({"--stream", file}).out, held.out);
  EXPECT_EQ(checked({"--stream-threshold=1Mi", file}).out, held.out);
  EXPECT_THAT(checked({"--stream", "-"}, text).out, HasSubstr(fault));
  EXPECT_THAT(run({"-s", crd_, "--stream", file}).out, HasSubstr("Request entity too large"));
}

TEST_F(Validate, DoesNotCallFineWhatItCouldNotJudge) {
  const std::string schema = folder_.write(
      "u.yaml", "{type: array, items: {type: integer}, anyOf: [{maxItems: 2}, {minItems: 3}]}");
  std::string text = "[1";
  while (text.size() < (4u << 20)) text += "," + std::string(100, ' ') + "1000000";
  const std::string file = folder_.write("big.json", text + "]");
  const auto checked = [&](std::vector<std::string> more) {
    std::vector<std::string> args = {"-s", schema, "--stream", "--max-bytes=1Gi", file};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  };
  const std::string small = "--max-buffer=64Ki";
  const Printed unknown = checked({"-o", "json", small});
  EXPECT_EQ(unknown.code, ExitCode::kFindings);
  EXPECT_THAT(unknown.out, HasSubstr("\"code\": \"buffer_exceeded\""));
  EXPECT_THAT(unknown.out, HasSubstr("\"status\": \"unknown\""));
  EXPECT_THAT(unknown.out, HasSubstr("\"unknown\": 1"));
  EXPECT_THAT(checked({small}).out, EndsWith("1 warning, 1 not judged in full\n"));
  EXPECT_THAT(checked({"--strategy=fail-fast", "-o", "json", small}).out,
              HasSubstr("\"code\": \"truncated\""));
  EXPECT_EQ(checked({"--strategy=full-buffer", small}).code, ExitCode::kFine);
  EXPECT_EQ(checked({"--max-buffer=1Gi"}).code, ExitCode::kFine);
}

TEST_F(Validate, ReadsManyDocumentsWithoutHoldingTheFile) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text += fmt::format(
        "{{\"apiVersion\":\"example.dev/v1\",\"kind\":\"Garden\",\"metadata\":{{"
        "\"name\":\"g{}\"}},\"spec\":{{\"beds\":{}}}}}\n",
        i, i == 30 ? 300 : 1);
  const std::string file = folder_.write("many.ndjson", text);
  const Printed got = run({"-s", crd_, "--stream", file});
  EXPECT_THAT(got.out, StartsWith(file + ":31:"));
  EXPECT_THAT(got.out, EndsWith("1 file, 50 documents: 1 error\n"));
}

TEST_F(Validate, StopsReadingAStreamAtTheFirstErrorWhenToldTo) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += fmt::format(
        "{{\"apiVersion\":\"example.dev/v1\",\"kind\":\"Garden\",\"metadata\":{{"
        "\"name\":\"g{}\"}},\"spec\":{{\"beds\":300}}}}\n",
        i);
  }
  const std::string file = folder_.write("many.ndjson", text);
  const Printed got = run({"-s", crd_, "--stream", "--fail-fast", file});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, EndsWith("1 file, 1 document: 1 error\n"));
}

TEST_F(Validate, ReadsCompressedStreams) {
  // A garden with 300 beds.
  const std::string packed(
      "\037\213\010\000\000\000\000\000\002\003\025\311\101\012\200\040\024\105\321\171\313\170\343"
      "\050\243\231\033\150\007\315\177\375\107\110\151\222\041\101\270\367\154\170\317\175\041\321"
      "\315\274\222\073\003\054\370\210\217\007\073\145\356\363\200\026\273\013\132\175\222\113\031"
      "\152\173\336\242\162\013\354\213\040\236\365\155\050\055\122\344\372\333\102\115\260\243\061"
      "\245\064\037\337\223\371\140\134\000\000\000",
      103);
  const std::string fault = "spec.beds: Invalid value: 300";
  EXPECT_THAT(run({"-s", crd_, "--stream", "-"}, packed).out, HasSubstr(fault));
  const std::string file = folder_.write("a.ndjson.gz", packed);
  EXPECT_THAT(run({"-s", crd_, "--stream", file}).out, HasSubstr("a.ndjson.gz:1:87: " + fault));
}

TEST_F(Validate, SaysThatYamlDoesNotStream) {
  const Printed got = run({"-s", crd_, "--stream", "-"}, "apiVersion: v1\nkind: Pod\n");
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.out, HasSubstr("only JSON can be checked as a stream"));
}

struct ReferringSchemas {
  ReferringSchemas() {
    folder.write("in/s.json", R"({"$schema":"https://json-schema.org/draft/2020-12/schema",
      "type":"object","properties":{"a":{"$ref":"parts/n.yaml#/$defs/num"}}})");
    folder.write("in/parts/n.yaml", "$defs: {num: {type: integer, minimum: 3}}\n");
    folder.write("in/out.json", R"({"type":"object","properties":{"a":{"$ref":"../far/n.json"}}})");
    folder.write("far/n.json", R"({"type":"integer","minimum":3})");
    object = folder.write("d.json", R"({"a":1})");
  }
  TemporaryFolder folder;
  std::string object;
};

TEST(ValidateCommand, FollowsReferencesToFilesBelowTheSchema) {
  const ReferringSchemas files;
  for (const std::string_view schema : {"in/s.json", "in/s*.json"}) {
    FakeWorld world;
    EXPECT_EQ(world.run({"validate", "--profile=loose", "-s", files.folder / schema, files.object}),
              ExitCode::kFindings)
        << world.err.text();
    EXPECT_THAT(world.out.text(), HasSubstr("d.json:1:6: a: "));
  }
}

TEST(ValidateCommand, FollowsReferencesElsewhereOnlyWhenTheFolderIsNamed) {
  const ReferringSchemas files;
  FakeWorld refused;
  EXPECT_EQ(refused.run(
                {"validate", "--profile=loose", "-s", files.folder / "in/out.json", files.object}),
            ExitCode::kInput);
  EXPECT_THAT(refused.err.text(), HasSubstr("outside the folders that may be read"));
  FakeWorld named;
  EXPECT_EQ(named.run({"validate", "--profile=loose", "-s", files.folder / "in/out.json",
                       "--schema-folder", files.folder / "far", files.object}),
            ExitCode::kFindings);
  EXPECT_THAT(named.out.text(), HasSubstr("d.json:1:6: a: "));
}

TEST(ValidateCommand, FollowsReferencesOfOpenApiDocumentsToFiles) {
  const TemporaryFolder folder;
  const std::string schema =
      folder.write("api.json",
                   R"({"openapi":"3.0.0","components":{"schemas":{"Boat":{"type":"object",
        "x-kubernetes-group-version-kind":[{"group":"m","version":"v1","kind":"Boat"}],
        "properties":{"spec":{"$ref":"spec.json"}}}}}})");
  folder.write("spec.json", R"({"type":"object","properties":{"length":{"type":"integer"}}})");
  const std::string boat = folder.write(
      "b.yaml", "apiVersion: m/v1\nkind: Boat\nmetadata: {name: a}\nspec: {length: x}\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"validate", "-s", schema, boat}), ExitCode::kFindings) << world.err.text();
  EXPECT_THAT(world.out.text(), HasSubstr("b.yaml:4:"));
}

TEST(ValidateCommand, RefusesWhatALooseSchemaForbidsWhateverTheOptionForUnknownFields) {
  const TemporaryFolder folder;
  const std::string object = folder.write("d.json", R"({"a":1,"b":2})");
  for (const std::string_view keyword : {"additionalProperties", "unevaluatedProperties"}) {
    const std::string schema = folder.write(
        "s.json", fmt::format(R"({{"$schema":"https://json-schema.org/draft/2020-12/schema",
          "type":"object","properties":{{"a":{{}}}},"{}":false}})",
                              keyword));
    for (const std::string_view unknown : {"warn", "prune", "strict", "preserve"}) {
      FakeWorld world;
      EXPECT_EQ(world.run({"validate", "--profile=loose", fmt::format("--unknown={}", unknown),
                           "-s", schema, object}),
                ExitCode::kFindings)
          << keyword << " " << unknown;
      EXPECT_THAT(world.out.text(), HasSubstr("d.json:1:8: "));
    }
  }
}

TEST(ValidateCommand, RunsTheRulesOfLooseSchemasAndSaysWhichItCannot) {
  const TemporaryFolder folder;
  const std::string object = folder.write("d.json", R"({"a":1})");
  const std::string schema =
      folder.write("s.json", R"({"type":"object","properties":{"a":{"type":"integer"}},
        "x-kubernetes-validations":[{"rule":"self.a > 1","message":"too small"}]})");
  FakeWorld world;
  EXPECT_EQ(world.run({"validate", "--profile=loose", "-s", schema, object}), ExitCode::kFindings);
  EXPECT_THAT(world.out.text(), HasSubstr("too small"));
  FakeWorld off;
  EXPECT_EQ(off.run({"validate", "--profile=loose", "--cel=off", "-s", schema, object}),
            ExitCode::kFine);
  // A schema that no server would read has rules that nobody can run.
  const std::string odd =
      folder.write("odd.json", R"({"type":["object","null"],"properties":{"a":{"$ref":"#/$defs/n"}},
        "$defs":{"n":{"type":"integer"}},
        "x-kubernetes-validations":[{"rule":"self.a > 1","message":"too small"}]})");
  FakeWorld told;
  EXPECT_EQ(
      told.run({"validate", "--profile=loose", "--fail-on-schema-warnings", "-s", odd, object}),
      ExitCode::kInput);
  EXPECT_THAT(told.out.text(), HasSubstr("its rules are not run"));
}

// --- What a report must not lose

constexpr std::string_view kRuledCrd = R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.ex.io}
spec:
  group: ex.io
  scope: Namespaced
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
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
            required: [size]
            x-kubernetes-validations:
            - rule: "!has(self.least) || self.least <= self.size"
              message: least must not exceed size
            properties: {size: {type: integer, maximum: 10}, least: {type: integer}}
)";

std::string thing(std::string_view spec, std::string_view version = "v1") {
  return fmt::format("apiVersion: ex.io/{}\nkind: Thing\nmetadata: {{name: a}}\nspec: {}\n",
                     version, spec);
}

class ValidateReports : public Validate {
 protected:
  std::string ruled_ = folder_.write("things.yaml", kRuledCrd);
};

TEST_F(ValidateReports, ShowsTheRealFaultsBeforeTheRemarkAboutRules) {
  const std::string file = folder_.write("a.yaml", thing("{least: x}"));
  const Printed got = run({"-s", ruled_, file});
  const std::size_t remark = got.out.find("some validation rules were not checked");
  ASSERT_NE(remark, std::string::npos);
  EXPECT_GT(remark, got.out.find("spec.size: Required value"));
  EXPECT_GT(remark, got.out.find("spec.least: Invalid value"));
  const Printed first = run({"-s", ruled_, "--fail-fast", file});
  EXPECT_THAT(first.out, HasSubstr("spec.least: Invalid value"));
  EXPECT_THAT(first.out, Not(HasSubstr("some validation rules")));
  EXPECT_THAT(run({"-s", ruled_, "--max-issues=2", file}).out,
              Not(HasSubstr("some validation rules")));
  EXPECT_THAT(run({"-s", ruled_, "--cel=off", file}).out, Not(HasSubstr("some validation rules")));
}

TEST_F(ValidateReports, ChecksTheRestWhenAnInputLeadsNowhere) {
  const std::string bad = garden("bad", "  beds: 101\n");
  std::filesystem::create_directories(folder_.path() / "empty");
  const std::vector<std::string> args = {"-s", crd_, folder_ / "nope.yaml", folder_ / "empty", bad};
  const Printed got = run(args);
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_EQ(got.err, "");
  EXPECT_THAT(got.out, StartsWith(folder_ / "nope.yaml: cannot open: No such file or directory "
                                            "[unreadable]\n"));
  EXPECT_THAT(got.out, HasSubstr(folder_ / "empty: no YAML or JSON files in this folder"));
  EXPECT_THAT(got.out, HasSubstr("spec.beds: Invalid value: 101"));
  for (const std::string_view form : {"json", "junit", "sarif", "github"}) {
    std::vector<std::string> formatted = args;
    formatted.insert(formatted.end(), {"-o", std::string(form)});
    EXPECT_THAT(run(formatted).out, HasSubstr("unreadable")) << form;
    EXPECT_THAT(run(formatted).out, HasSubstr("spec.beds")) << form;
  }
  EXPECT_THAT(run({"-s", crd_, "--fail-fast", folder_ / "nope.yaml", bad}).out,
              Not(HasSubstr("spec.beds")));
}

TEST_F(ValidateReports, TellsOfLinksInFoldersThatLeadNowhere) {
  garden("linked/a", "  beds: 1\n");
  std::filesystem::create_symlink("nowhere.yaml", folder_.path() / "linked/b.yaml");
  const Printed got = run({"-s", crd_, folder_ / "linked"});
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.out, HasSubstr("b.yaml: cannot open: No such file or directory"));
  EXPECT_THAT(got.out, HasSubstr("2 files, 2 documents: 1 error"));
  // Nobody knows what is in a schema that cannot be read, so it is not said that nothing is.
  std::filesystem::remove(folder_.path() / "linked/a.yaml");
  const Printed schema = run({"-s", folder_ / "linked", garden("a", "  beds: 1\n")});
  EXPECT_EQ(schema.code, ExitCode::kInput);
  EXPECT_EQ(schema.err, "");
  EXPECT_THAT(schema.out, HasSubstr("b.yaml: cannot open: No such file or directory"));
}

TEST_F(ValidateReports, PrintsMessagesOfSeveralLinesOnSeveralLines) {
  std::string broken(kRuledCrd);
  broken.replace(broken.find("self.size\""), 10, "self.siz\"");
  const std::string file = folder_.write("broken.yaml", broken);
  const std::string text = run({file}).out;
  EXPECT_THAT(text, HasSubstr("compilation failed: ERROR: <input>:1:39: undefined field 'siz' "
                              "[cel_compile]\n         | "));
  EXPECT_THAT(text, Not(HasSubstr("\xef\xbf\xbd")));
  const std::string github = run({"-o", "github", file}).out;
  EXPECT_THAT(github, HasSubstr("undefined field 'siz'%0A | "));
  EXPECT_THAT(github, Not(HasSubstr("\xef\xbf\xbd")));
}

TEST_F(ValidateReports, PutsForgivenRulesInTheirPlace) {
  const std::string file = folder_.write("a.yaml", thing("{size: 3, least: 5}"));
  const Printed got = run({"-s", ruled_, "--old", file, file});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.out, StartsWith(file + ":4:7: warning: spec: Invalid value: least must not "
                                         "exceed size [cel_violation]\n"));
  const std::string json = run({"-s", ruled_, "--old", file, "-o", "json", file}).out;
  EXPECT_THAT(json, HasSubstr("\"path\": \"/spec\""));
  EXPECT_THAT(json, HasSubstr("\"rule\": \"!has(self.least)"));
  EXPECT_THAT(json, HasSubstr("\"schemaPath\": \"/properties/spec/x-kubernetes-validations/0\""));
}

TEST_F(ValidateReports, WarnsOfADefinitionThatAnotherOneHides) {
  std::string other(kRuledCrd);
  other.replace(other.find("maximum: 10"), 11, "maximum: 20");
  const std::string second = folder_.write("second.yaml", other);
  const std::string file = folder_.write("a.yaml", thing("{size: 3}"));
  const Printed got = run({"-s", ruled_, "-s", second, file});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.out, StartsWith(second +
                                  ": warning: another CustomResourceDefinition of kind "
                                  "\"Thing\" in group \"ex.io\" is used instead, the one "
                                  "in " +
                                  ruled_ + " [schema_invalid]\n"));
  EXPECT_EQ(run({"-s", ruled_, "-s", ruled_, file}).out, "1 file, 1 document: all fine\n");
}

TEST_F(ValidateReports, SaysWhatASchemaFileHasInsteadOfSchemas) {
  const std::string file = folder_.write("a.yaml", thing("{size: 3}"));
  const std::string beta = folder_.write(
      "beta.yaml",
      "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n"
      "metadata: {name: things.ex.io}\nspec:\n  group: ex.io\n  version: v1\n"
      "  names: {kind: Thing, plural: things}\n  validation: {openAPIV3Schema: {type: object, "
      "properties: {spec: {type: object, properties: {size: {type: integer, maximum: 2}}}}}}\n");
  EXPECT_THAT(run({"-s", beta, file}).err,
              HasSubstr("no server has apiextensions.k8s.io/v1beta1 any more: write the definition "
                        "as apiextensions.k8s.io/v1"));
  EXPECT_THAT(run({"--profile=loose", "-s", beta, file}).out,
              HasSubstr("spec.size: must be at most 2, got 3"));
  const std::string one = folder_.write("one.json", R"({"openapi":"3.0.0","components":{"schemas":{
      "Pet":{"type":"object","properties":{"age":{"type":"integer"}}}}}})");
  EXPECT_THAT(run({"-s", one, file}).err, HasSubstr("none of its schemas names a kind"));
  const std::string pet = folder_.write("pet.json", R"({"age":"old"})");
  EXPECT_THAT(run({"--profile=loose", "-s", one, pet}).out, HasSubstr("age: "));
  const std::string two = folder_.write("two.json", R"({"openapi":"3.0.0","components":{"schemas":{
      "Pet":{"type":"object"},"Toy":{"type":"object"}}}})");
  EXPECT_THAT(run({"--profile=loose", "-s", two, pet}).err, HasSubstr("--schema-root=Pet, Toy"));
}

TEST_F(ValidateReports, ShowsWhyTheNearestBranchDoesNotMatch) {
  const std::string schema = folder_.write("s.json", R"({"type":"object","properties":{"u":{
      "oneOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}},
               {"type":"string"}]}}})");
  const std::string file = folder_.write("d.json", R"({"u":{"a":"x"}})");
  const std::string out = run({"--profile=loose", "-s", schema, file}).out;
  EXPECT_THAT(out, HasSubstr("u: matches no branch of oneOf [no_match]\n"));
  EXPECT_THAT(out, HasSubstr("= the nearest branch: u.a: "));
}

TEST_F(ValidateReports, MarksFilesInWhichEverythingWasPassedOver) {
  const std::string file = folder_.write("a.yaml", "apiVersion: other.io/v1\nkind: Other\n");
  EXPECT_THAT(run({"-s", crd_, "--ignore-missing-schemas", "-o", "junit", file}).out,
              HasSubstr("<skipped/>"));
  const std::string broken = folder_.write("b.yaml", "a: [\n");
  EXPECT_THAT(run({"-s", crd_, "-o", "junit", broken}).out,
              HasSubstr("<error type=\"parse_error\""));
}

TEST_F(ValidateReports, RefusesLimitsForWhatIsNotStreamed) {
  EXPECT_THAT(run({"-s", crd_, "--strategy=fail-fast", "-"}).err,
              HasSubstr("--strategy has no effect on documents that are held"));
  EXPECT_THAT(run({"-s", crd_, "--print", "--max-buffer=1Ki", crd_}).err,
              HasSubstr("--max-buffer has no effect"));
  EXPECT_EQ(run({"-s", crd_, "--strategy=fail-fast", crd_}).code, ExitCode::kFine);
}

TEST(ValidateLimits, AreSetByFlagsAndNameThemselves) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.yaml", "{}\n---\n{}\n");
  const std::string b = folder.write("b.yaml", "{}\n---\n{}\n");
  {
    FakeWorld world;
    EXPECT_EQ(world.run({"validate", "--no-config", "--max-documents=3", a, b}), ExitCode::kInput);
    EXPECT_THAT(
        world.out.text(),
        ::testing::HasSubstr("more than 3 documents: this one and all behind it are not "
                             "checked [truncated]\n      = --max-documents sets the limit"));
  }
  {
    FakeWorld world;
    EXPECT_EQ(world.run({"validate", "--no-config", "--max-findings=3", a, b}),
              ExitCode::kFindings);
    EXPECT_THAT(world.out.text(), ::testing::HasSubstr("--max-findings sets the limit"));
    EXPECT_THAT(world.out.text(), ::testing::EndsWith("3 errors, 1 warning, 5 more findings\n"));
  }
  {
    FakeWorld world;
    EXPECT_EQ(world.run({"validate", "--no-config", "--max-findings=3", "--write-baseline",
                         "--baseline", folder / "base.yaml", a, b}),
              ExitCode::kInput);
    EXPECT_THAT(world.err.text(), ::testing::HasSubstr("more findings than --max-findings"));
  }
  for (const char* flag : {"--max-documents=0", "--max-findings=0"}) {
    FakeWorld world;
    EXPECT_EQ(world.run({"validate", "--no-config", flag, a}), ExitCode::kInput);
  }
}

TEST(ValidateLimits, TellTheProgramHowMuchMemoryItMayUse) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.yaml", "apiVersion: v1\nkind: Namespace\n");
  std::vector<std::uint64_t> told;
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"validate", "--max-memory=1Mi", a},
        {"fmt", a},
        {"crd", "lint", a},
        {"build", "--max-memory=0", folder.path().string()},
        {"version"},
        {"store", "check", a}}) {
    FakeWorld world;
    world.io.limit_memory = [&](std::uint64_t bytes) { told.push_back(bytes); };
    static_cast<void>(world.run(args));
  }
  constexpr std::uint64_t kDefault = std::uint64_t{4} << 30;
  EXPECT_THAT(told, ::testing::ElementsAre(1 << 20, kDefault, kDefault, 0, kDefault));
}

}  // namespace
}  // namespace strake::cli

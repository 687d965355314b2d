#include "cli/pulumi/pulumi_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::string_view kThing = R"({"name":"pkg","resources":{"pkg:index:Thing":{
    "isComponent":true,"inputProperties":{"alpha":{"type":"number","default":1.5},
    "badTop":{"oneOf":[]},"also":{"type":"string","default":3}},"requiredInputs":["alpha","badTop"],
    "properties":{"url":{"type":"string"}}}}})";
constexpr std::string_view kTwo = R"({"name":"pkg","resources":{
    "pkg:index:B":{"isComponent":true,"inputProperties":{"x":{"type":"string"}}},
    "pkg:index:A":{"isComponent":true,"inputProperties":{"x":{"oneOf":[]}}}}})";

struct Told {
  ExitCode code;
  std::string out;
  std::string err;
};

Told from_pulumi(const std::vector<std::string>& args, std::string_view input = kThing,
                 std::string_view program = "pulumi-component-to-crd") {
  FakeWorld world{std::string(input)};
  const ExitCode code = world.run(args, program);
  return {code, world.out.text(), world.err.text()};
}

TEST(FromPulumi, WritesTheCrdAndNothingElse) {
  const Told got = from_pulumi({"--in", "-"});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.out, StartsWith("apiVersion: apiextensions.k8s.io/v1\n"));
  EXPECT_THAT(got.out, HasSubstr("            required:\n            - \"alpha\"\n"));
  EXPECT_EQ(got.err, "");
}

TEST(FromPulumi, IsTheSameUnderBothNames) {
  const Told alias = from_pulumi({"--in", "-"});
  FakeWorld world{std::string(kThing)};
  EXPECT_EQ(world.run({"crd", "from-pulumi", "--in", "-"}), ExitCode::kFine);
  EXPECT_EQ(world.out.text(), alias.out);
}

TEST(FromPulumi, TellsStagesAndSkipsOnlyWhenAsked) {
  const Told got = from_pulumi({"--in", "-", "--verbose"});
  EXPECT_EQ(got.out, from_pulumi({"--in", "-"}).out);
  EXPECT_EQ(got.err,
            "info: loading schema\n"
            "info: selecting component\n"
            "info: preflight validation\n"
            "info: deriving identity\n"
            "info: translating schema\n"
            "warn: component=\"pkg:index:Thing\" path=\"spec.also\" "
            "reason=\"default does not fit the schema\"\n"
            "warn: component=\"pkg:index:Thing\" path=\"spec.badTop\" "
            "reason=\"keyword \\\"oneOf\\\"\"\n"
            "info: rendering CRD\n");
}

TEST(FromPulumi, TellsSkipsAlsoWhenTranslationFails) {
  const Told got = from_pulumi({"--in", "-", "--verbose"}, R"({"resources":{"p:m:C":{
      "isComponent":true,"inputProperties":{"a":{"oneOf":[]},"b":{"$ref":"#/types/A"}}}},
      "types":{"A":{"$ref":"#/types/A"}}})");
  EXPECT_EQ(got.code, ExitCode::kUnsupported);
  EXPECT_THAT(got.err, HasSubstr("warn: component=\"p:m:C\" path=\"spec.a\" "));
  EXPECT_TRUE(
      got.err.ends_with("error: component \"p:m:C\" path \"spec.b\" unsupported construct: "
                        "cyclic local ref \"#/types/A\"\n"))
      << got.err;
}

struct Refusal {
  std::vector<std::string> args;
  std::string_view input;
  ExitCode code;
  std::string_view want;  // the start of the only line
};

TEST(FromPulumi, SaysInOneLineWhyItFails) {
  const ExitCode input = ExitCode::kInput;
  const Refusal cases[] = {
      {{}, kThing, input, "error: missing required flag: --in\n"},
      {{"--in", ""}, kThing, input, "error: missing required flag: --in\n"},
      {{"--in"}, kThing, input, "error: flag needs an argument: --in\n"},
      {{"--version"}, kThing, input, "error: flag needs an argument: --version\n"},
      {{"--in", "-", "--what"}, kThing, input, "error: unknown flag: --what\n"},
      {{"--in", "-", "--what=secret"}, kThing, input, "error: unknown flag: --what\n"},
      {{"--in", "-", "x", "--y"},
       kThing,
       input,
       "error: unexpected positional arguments: [x --y]\n"},
      {{"--in", "-", "--", "x"}, kThing, input, "error: unexpected positional arguments: [x]\n"},
      {{"--in", "-", "--verbose=perhaps"}, kThing, input, "error: invalid boolean value"},
      {{"--in", "/nowhere/schema.json"}, "", input, "error: read input schema file: /nowhere/"},
      {{"--in", "/"}, "", input, "error: read input schema file: "},
      {{"--in", "-"}, "{", input, "error: parse input schema as JSON: "},
      {{"--in", "-"}, "{}", input, "error: no component resources found in schema\n"},
      {{"--in", "-", "--component", "a:b:C"},
       kTwo,
       input,
       "error: component \"a:b:C\" not found; available components: pkg:index:A, pkg:index:B\n"},
      {{"--in", "-"},
       kTwo,
       input,
       "error: multiple components found; provide --component from: pkg:index:A, pkg:index:B\n"},
      {{"--in", "-"},
       R"({"resources":{"p:m:C":{"isComponent":true,"inputProperties":{"p":{"type":"array","items":7}}}}})",
       input,
       "error: schema preflight component \"p:m:C\": schema preflight path "
       "\"resources.p:m:C.inputProperties.p.items\": must be an object\n"},
      {{"--in", "-", "--group", "Bad"}, kThing, input, "error: invalid --group: \"Bad\": "},
      {{"--in", "-", "--version", "V1"}, kThing, input, "error: invalid --version: \"V1\": "},
      {{"--in", "-", "--component", "pkg:index:A"},
       kTwo,
       input,
       "error: no translatable spec fields remain after skipping unsupported schema paths for "
       "component \"pkg:index:A\"\n"},
      {{"--in", "-"},
       R"({"resources":{"p:m:C":{"isComponent":true,"inputProperties":{"n":{"type":"integer","enum":["x"]}}}}})",
       ExitCode::kUnsupported,
       "error: component \"p:m:C\" path \"spec.n\" unsupported construct: enum value \"x\" is not "
       "compatible with type \"integer\"\n"},
      {{"--in", "-", "--gate", "1.20"},
       kThing,
       input,
       "error: invalid --gate: \"1.20\" is none of"},
      {{"--in", "-", "--unions", "maybe"}, kThing, input, "error: invalid --unions: \"maybe\" "},
      {{"--in", "-", "--timeout", "0s"}, kThing, input, "error: invalid --timeout: "},
      {{"--in", "-", "--all", "--component", "x"}, kThing, input, "error: --all and --component"},
      {{"--in", "ftp://h/p"}, "", input, "error: read input schema file: "},
  };
  for (const Refusal& one : cases) {
    const Told got = from_pulumi(one.args, one.input);
    EXPECT_EQ(got.code, one.code) << one.want;
    EXPECT_EQ(got.out, "") << one.want;
    EXPECT_THAT(got.err, StartsWith(std::string(one.want)));
    EXPECT_EQ(std::ranges::count(got.err, '\n'), 1) << got.err;
  }
}

TEST(FromPulumi, EscapesWhatWouldBreakALine) {
  const Told got = from_pulumi({"--in", "-", "--component", "a\nb\x01\t\xff"});
  EXPECT_EQ(std::ranges::count(got.err, '\n'), 1) << got.err;
  EXPECT_EQ(got.err,
            "error: component \"a\\nb\\x01\\t\\xff\" not found; available components: "
            "pkg:index:Thing\n");
  EXPECT_EQ(from_pulumi({"a\nb\x01"}).err,
            "error: unexpected positional arguments: [a\\nb\\x01]\n");
}

TEST(FromPulumi, ReadsFlagsInEveryFormAndTakesTheLast) {
  const std::string want = from_pulumi({"--in", "-", "--kind", "Foo"}).out;
  EXPECT_THAT(want, HasSubstr("    kind: Foo\n    listKind: FooList\n    plural: things\n"));
  for (const auto& args : std::vector<std::vector<std::string>>{
           {"-in", "-", "-kind", "Foo"},
           {"-in=-", "--kind=Foo"},
           {"--kind", "Bar", "--in", "/nowhere", "--in=-", "-kind=Foo"},
           {"--in", "-", "--kind", "Foo", "--group", "", "--plural=", "--verbose=false"},
           {"--in", "-", "--kind", "Foo", "--"}}) {
    EXPECT_EQ(from_pulumi(args).out, want);
  }
}

TEST(FromPulumi, ShowsHelpWhateverElseIsWrong) {
  for (const auto& args : std::vector<std::vector<std::string>>{
           {"--help"}, {"-h"}, {"--nonsense", "x", "-h"}, {"--in", "--help"}}) {
    const Told got = from_pulumi(args);
    EXPECT_EQ(got.code, ExitCode::kFine);
    EXPECT_THAT(got.out, HasSubstr("usage: strake crd from-pulumi"));
    EXPECT_EQ(got.err, "");
  }
}

class FullOutput final : public Output {
 public:
  void write(std::string_view) override {}
  Result<> flush() override { return fail(Code::kIo, "cannot write: No space left on device"); }
  bool failed() const override { return true; }
};

TEST(FromPulumi, TellsOnceThatTheOutputFailed) {
  StringInput in{std::string(kThing)};
  FullOutput out;
  StringOutput err;
  Io io{.in = in, .out = out, .err = err};
  const std::vector<std::string> args = {"--in", "-"};
  EXPECT_EQ(run("pulumi-component-to-crd", args, io), ExitCode::kOutputFailed);
  EXPECT_EQ(err.text(), "error: write CRD output: cannot write: No space left on device\n");
}

TEST(FromPulumi, TriesThePathAgainstTheFolderOfTheShell) {
  const TemporaryFolder folder;
  folder.write("deep/schema.json", kThing);
  FakeWorld world;
  world.environment["PWD"] = folder / "deep";
  EXPECT_EQ(world.run({"--in", "schema.json"}, "pulumi-component-to-crd"), ExitCode::kFine);
  EXPECT_THAT(world.out.text(), StartsWith("apiVersion"));
}

TEST(FromPulumi, DoesNotDependOnTheOrderOfKeys) {
  const char* one = R"({"name":"p","resources":{"p:m:C":{"isComponent":true,
      "inputProperties":{"b":{"type":"string","description":"d"},"a":{"type":"integer"}},
      "requiredInputs":["b","a"]}}})";
  const char* other = R"({"resources":{"p:m:C":{"requiredInputs":["a","b","b"],
      "inputProperties":{"a":{"type":"integer"},"b":{"description":"d","type":"string"}},
      "isComponent":true}},"name":"p"})";
  EXPECT_EQ(from_pulumi({"--in", "-"}, one).out, from_pulumi({"--in", "-"}, other).out);
}

TEST(FromPulumi, WarnsOfGroupsThatNeedApproval) {
  const Told got = from_pulumi({"--in", "-", "--group", "x.k8s.io", "--verbose"});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.err,
              HasSubstr("warn: component=\"pkg:index:Thing\" path=\"metadata.annotations\" "
                        "reason=\"group \\\"x.k8s.io\\\" is protected"));
}

TEST(FromPulumi, WritesEveryComponentAndNamesThoseThatFail) {
  const Told got = from_pulumi({"--in", "-", "--all"}, kTwo);
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.out, HasSubstr("name: \"bs.pkg.components.platform\"\n"));
  EXPECT_EQ(got.err,
            "error: no translatable spec fields remain after skipping unsupported schema paths for "
            "component \"pkg:index:A\"\n");
  const Told both = from_pulumi({"--in", "-", "--all", "--unions=any"}, kTwo);
  EXPECT_EQ(both.code, ExitCode::kFine);
  EXPECT_THAT(both.out, HasSubstr("    storage: true\n---\napiVersion: "));
}

TEST(FromPulumi, TellsWhatAPreviousCrdLoses) {
  const TemporaryFolder folder;
  const std::string previous = folder.write("crd.yaml", from_pulumi({"--in", "-"}, R"({"name":"pkg",
      "resources":{"pkg:index:Thing":{"isComponent":true,"inputProperties":{
      "alpha":{"type":"string"},"gone":{"type":"string"}}}}})")
                                                            .out);
  const Told same = from_pulumi({"--in", "-", "--previous", previous});
  EXPECT_EQ(same.code, ExitCode::kFine) << same.err;
  EXPECT_THAT(same.err, HasSubstr("warn: breaking: v1alpha1: .spec.gone: "));
  const Told next = from_pulumi({"--in", "-", "--previous", previous, "--version", "v2"});
  EXPECT_EQ(next.code, ExitCode::kFine) << next.err;
  EXPECT_THAT(next.out, HasSubstr("  - name: v2\n"));
  EXPECT_THAT(next.out, HasSubstr("  - name: v1alpha1\n"));
  EXPECT_THAT(next.err, HasSubstr("warn: breaking: v1alpha1 to v2: .spec.gone: "));
  const Told other = from_pulumi({"--in", "-", "--previous", previous, "--kind", "Other"});
  EXPECT_EQ(other.code, ExitCode::kInput);
  EXPECT_EQ(other.err, "error: the previous CRD is of another kind: \"Thing\", not \"Other\"\n");
  EXPECT_THAT(from_pulumi({"--in", "-", "--previous", "/nowhere"}).err, StartsWith("error: "));
}

TEST(FromPulumi, AsksTheNamedVersionsOfKubernetes) {
  const Told fine = from_pulumi({"--in", "-", "--rules", "--gate", "all"},
                                R"({"name":"p","resources":{"p:m:C":{"isComponent":true,
      "inputProperties":{"a":{"type":"string","replaceOnChanges":true}}}}})");
  EXPECT_EQ(fine.code, ExitCode::kFine) << fine.err;
  EXPECT_THAT(fine.out, HasSubstr("rule: \"self == oldSelf\"\n"));

  const TemporaryFolder folder;
  std::string before = from_pulumi({"--in", "-"}).out;
  before.insert(before.find("                type: number\n"),
                "                x-kubernetes-validations:\n"
                "                - rule: isSemver('1.2.3')\n");
  const std::string previous = folder.write("crd.yaml", before);
  const std::vector<std::string> args = {"--in", "-", "--previous", previous, "--version", "v2"};
  std::vector<std::string> now = args;
  now.insert(now.end(), {"--gate", "1.36,1.34"});
  EXPECT_EQ(from_pulumi(now).code, ExitCode::kFine) << from_pulumi(now).err;
  std::vector<std::string> then = args;
  then.insert(then.end(), {"--gate", "1.33,1.36"});
  const Told old = from_pulumi(then);
  EXPECT_EQ(old.code, ExitCode::kUnsupported);
  EXPECT_EQ(old.out, "");
  EXPECT_THAT(old.err, StartsWith("error: component \"pkg:index:Thing\": Kubernetes 1.33 would "
                                  "refuse it: compilation failed: "));
}

TEST(FromPulumi, MakesASample) {
  const Told got = from_pulumi({"--in", "-", "--sample"});
  EXPECT_EQ(got.out,
            "apiVersion: pkg.components.platform/v1alpha1\nkind: Thing\nmetadata:\n"
            "  name: \"example\"\nspec:\n  alpha: 1.5\n");
}

}  // namespace
}  // namespace strake::cli

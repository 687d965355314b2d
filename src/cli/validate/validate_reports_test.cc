// What reports say of faulty schemas and inputs, and limits.
#include <gmock/gmock.h>

#include "cli/validate/test_validate.h"

namespace strake::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

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

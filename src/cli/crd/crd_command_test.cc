#include "cli/crd/crd_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"
#include "crd/lint.h"
#include "support/vectors.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string crd_yaml(std::string_view field, std::string_view name = "things") {
  return fmt::format(R"(apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: {0}.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: {0}, kind: Thing}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          f:
            {1}
)",
                     name, field);
}

struct Printed {
  ExitCode code;
  std::string out;
  std::string err;
};

Printed run_crd(std::vector<std::string> args, std::string input = "") {
  FakeWorld world(std::move(input));
  args.insert(args.begin(), "crd");
  const ExitCode code = world.run(args);
  return {code, world.out.text(), world.err.text()};
}

TEST(CrdLint, ShowsTheServersWordsAtThePlaceInTheFile) {
  const Printed got = run_crd({"lint", "-"}, crd_yaml("type: strng"));
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(
      got.out,
      HasSubstr("-:17:19: .spec.versions[0].schema.openAPIV3Schema.properties.f.type: Unsupported "
                "value: \"strng\": supported values: \"array\", \"boolean\", \"integer\", "
                "\"number\", \"object\", \"string\" [crd-invalid]\n"));
  EXPECT_THAT(got.out, HasSubstr("   17 |             type: strng\n"));
  EXPECT_THAT(
      got.out,
      HasSubstr("= the server names it spec.validation.openAPIV3Schema.properties[f].type"));
}

TEST(CrdLint, LeavesWarningsAtZeroUnlessTheyCountAsErrors) {
  const std::string text = crd_yaml("{type: string, pattern: a}");
  const Printed got = run_crd({"lint"}, text);
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.out, HasSubstr("warning: "));
  EXPECT_THAT(got.out, HasSubstr("[pattern-unanchored]"));
  EXPECT_EQ(run_crd({"lint", "--warnings-as-errors"}, text).code, ExitCode::kFindings);
  EXPECT_EQ(run_crd({"lint", "--warnings-as-errors", "--disable=pattern-unanchored"}, text).out,
            "1 file, 1 document: all fine\n");
  EXPECT_THAT(run_crd({"lint", "--enable", "description-missing"}, text).out,
              HasSubstr("\"f\" has no description"));
}

TEST(CrdLint, CompilesRulesAndWeighsThem) {
  const Printed wrong = run_crd(
      {"lint"}, crd_yaml("{type: integer, x-kubernetes-validations: [{rule: self.size() > 1}]}"));
  EXPECT_EQ(wrong.code, ExitCode::kFindings);
  EXPECT_THAT(wrong.out, HasSubstr("compilation failed"));
  const Printed costly =
      run_crd({"lint"}, crd_yaml("{type: array, items: {type: string}, x-kubernetes-validations: "
                                 "[{rule: \"self.all(x, x.startsWith('a'))\"}]}"));
  EXPECT_THAT(costly.out, HasSubstr("[unbounded-under-cel]"));
  EXPECT_THAT(costly.out, HasSubstr("no bound: .f (maxItems), .f[] (maxLength)"));
  const Printed bounded =
      run_crd({"lint"},
              crd_yaml("{type: array, maxItems: 10, items: {type: string, maxLength: 10}, "
                       "x-kubernetes-validations: [{rule: \"self.all(x, x.startsWith('a'))\"}]}"));
  EXPECT_EQ(bounded.out, "1 file, 1 document: all fine\n");
}

TEST(CrdLint, WritesCodesForMachines) {
  const std::string text = crd_yaml("{type: string, pattern: a}");
  const Printed json = run_crd({"lint", "-o", "json"}, text);
  EXPECT_THAT(json.out, HasSubstr("\"code\": \"pattern-unanchored\""));
  EXPECT_THAT(json.out, HasSubstr("\"line\": 17"));
  EXPECT_THAT(json.out, Not(HasSubstr("[pattern-unanchored]")));
  EXPECT_THAT(run_crd({"lint", "-o", "sarif"}, text).out,
              HasSubstr("\"ruleId\": \"pattern-unanchored\""));
  EXPECT_THAT(run_crd({"lint", "-o", "junit"}, text).out,
              HasSubstr("<testsuite name=\"strake crd lint\""));
  EXPECT_THAT(run_crd({"lint", "-o", "junit"}, text).out,
              HasSubstr("<testcase classname=\"-\" name=\"CustomResourceDefinition/"));
  EXPECT_THAT(run_crd({"lint", "-o", "github"}, text).out,
              HasSubstr("::warning file=-,line=17,col="));
}

TEST(CrdLint, LooksIntoListsAndPassesOverTheRest) {
  const std::string list =
      "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap}\n- apiVersion: "
      "apiextensions.k8s.io/v1\n  kind: CustomResourceDefinition\n  spec: {scope: Galaxy}\n";
  const Printed got = run_crd({"lint"}, list);
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("-:7:17: .items[1].spec.scope: Unsupported value: \"Galaxy\""));
}

TEST(CrdLint, CannotDoWithoutACrd) {
  const Printed none = run_crd({"lint"}, "kind: ConfigMap\n");
  EXPECT_EQ(none.code, ExitCode::kInput);
  EXPECT_THAT(none.err, HasSubstr("no CustomResourceDefinition among the inputs"));
  EXPECT_EQ(run_crd({"lint", "/no/such/file"}).code, ExitCode::kInput);
  EXPECT_EQ(run_crd({"lint"}, "a: [").code, ExitCode::kInput);
  const Printed old = run_crd(
      {"lint"}, "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n");
  EXPECT_EQ(old.code, ExitCode::kFindings);
  EXPECT_THAT(old.out, HasSubstr("no server has apiextensions.k8s.io/v1beta1 any more"));
  const Printed wrong = run_crd(
      {"lint"}, "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: 1\n");
  EXPECT_EQ(wrong.code, ExitCode::kFindings);
  EXPECT_THAT(wrong.out, HasSubstr("cannot be handled as a CustomResourceDefinition"));
}

TEST(CrdLint, KnowsItsCodes) {
  const Printed got = run_crd({"lint", "--disable", "patern-unanchored"}, "");
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.err, HasSubstr("did you mean \"pattern-unanchored\"?"));
  EXPECT_THAT(run_crd({"lint", "--codes"}).out, HasSubstr("description-missing    warning"));
}

TEST(CrdLint, HasASectionInTheDocumentsForEveryCode) {
  const auto source =
      std::filesystem::path(STRAKE_TESTDATA_DIR).parent_path().parent_path().parent_path();
  const std::string page = testing::read_file(source / "docs/crd-lint.md");
  for (const crd::LintCode& one : crd::lint_codes())
    EXPECT_THAT(page, HasSubstr(fmt::format("\n## {}\n", one.code)));
}

TEST(CrdLint, NamesThePageOfEachCode) {
  const std::string text = crd_yaml("{type: string, pattern: a}");
  EXPECT_THAT(run_crd({"lint", "-o", "json"}, text).out,
              HasSubstr("\"help\": \"docs/crd-lint.md#pattern-unanchored\""));
  EXPECT_THAT(run_crd({"lint", "-o", "sarif"}, text).out,
              HasSubstr("\"text\": \"see docs/crd-lint.md#pattern-unanchored\""));
  EXPECT_THAT(run_crd({"lint"},
                      "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n")
                  .out,
              HasSubstr("any more [crd-invalid]\n"));
}

TEST(CrdLint, LooksAtTheRestWhenAFileIsNotThere) {
  const TemporaryFolder folder;
  const std::string bad = folder.write("bad.yaml", crd_yaml("type: strng"));
  const Printed got = run_crd({"lint", folder / "nope.yaml", bad});
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.out, HasSubstr("nope.yaml: cannot open: No such file or directory"));
  EXPECT_THAT(got.out, HasSubstr("Unsupported value: \"strng\""));
}

TEST(CrdLint, ReadsCompressedFiles) {
  // A CRD without names, whose scope is Galaxy.
  constexpr std::string_view kPacked(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\x2c\xc8\x0c\x4b\x2d\x2a\xce\xcc\xcf\xb3\x52\x48"
      "\x2c"
      "\xc8\x4c\xad\x28\x49\xcd\x03\xf1\x8a\xf5\xb2\x2d\x8a\xf5\x32\xf3\xf5\xcb\x0c\xb9\xb2\x33\xf3"
      "\x52"
      "\xac\x14\x9c\x4b\x8b\x4b\xf2\x73\x83\x52\x8b\xf3\x4b\x8b\x92\x53\x5d\x52\xd3\x32\xf3\x32\x4b"
      "\x80"
      "\x2a\xb9\x8a\x0b\x52\x93\xad\x14\xaa\x8b\x93\xf3\x0b\x52\xad\x14\xdc\x13\x73\x12\x2b\x2a\x6b"
      "\xb9"
      "\x00\xbb\xa0\xa7\x90\x59\x00\x00\x00",
      105);
  const TemporaryFolder folder;
  const Printed got = run_crd({"lint", folder.write("crd.yaml.gz", kPacked)});
  EXPECT_THAT(got.out, HasSubstr(".spec.scope: Unsupported value: \"Galaxy\""));
}

TEST(CrdLint, TakesItemsOfAListOfDefinitionsThatLeaveOutTheirType) {
  const Printed got =
      run_crd({"lint"},
              "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n- "
              "spec: {scope: Galaxy}\n");
  EXPECT_THAT(got.out, HasSubstr(".items[0].spec.scope: Unsupported value: \"Galaxy\""));
}

TEST(CrdDiffCommand, FailsOnWhatItIsTold) {
  const TemporaryFolder folder;
  const std::string old = folder.write("old.yaml", crd_yaml("{type: integer, maximum: 10}"));
  const std::string tighter = folder.write("tighter.yaml", crd_yaml("{type: integer, maximum: 5}"));
  const std::string other = folder.write("other.yaml", crd_yaml("{type: string}"));
  const Printed got = run_crd({"diff", old, tighter});
  EXPECT_EQ(got.code, ExitCode::kFine);
  EXPECT_THAT(got.out, HasSubstr("tighter.yaml:17:38: warning: ratcheted: v1 .f: maximum changed "
                                 "from 10 to 5\n"));
  EXPECT_EQ(run_crd({"diff", "--fail-on=ratcheted", old, tighter}).code, ExitCode::kFindings);
  EXPECT_EQ(run_crd({"diff", old, other}).code, ExitCode::kFindings);
  EXPECT_EQ(run_crd({"diff", "--fail-on=never", old, other}).code, ExitCode::kFine);
  EXPECT_EQ(run_crd({"diff", old, old}).out, "2 files, 2 documents: all fine\n");
}

TEST(CrdDiffCommand, ShowsSafeChangesWhenAsked) {
  const TemporaryFolder folder;
  const std::string old = folder.write("old.yaml", crd_yaml("{type: integer, maximum: 5}"));
  const std::string wider = folder.write("wider.yaml", crd_yaml("{type: integer, maximum: 10}"));
  EXPECT_EQ(run_crd({"diff", old, wider}).out,
            "2 files, 2 documents: all fine\n1 safe change not shown; --verbose shows them\n");
  EXPECT_THAT(run_crd({"diff", "-v", old, wider}).out,
              HasSubstr("note: safe: v1 .f: maximum changed from 5 to 10"));
  EXPECT_THAT(
      run_crd({"diff", "-o", "json", old, wider}).out,
      HasSubstr("\"path\": \".spec.versions[0].schema.openAPIV3Schema.properties.f.maximum\""));
  EXPECT_THAT(run_crd({"diff", "-o", "github", old, wider}).out,
              HasSubstr("::notice file=" + wider + ",line=17,col=38,title="));
}

TEST(CrdDiffCommand, ComparesFoldersByName) {
  const TemporaryFolder folder;
  folder.write("old/a.yaml",
               crd_yaml("{type: integer}", "as") + "---\n" + crd_yaml("{type: integer}", "bs"));
  folder.write("new/b.yaml",
               crd_yaml("{type: integer}", "bs") + "---\n" + crd_yaml("{type: integer}", "cs"));
  const Printed got = run_crd({"diff", "-v", folder / "old", folder / "new"});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("breaking: as.example.com removed, with all its objects"));
  EXPECT_THAT(got.out, HasSubstr("safe: cs.example.com added"));
}

TEST(CrdDiffCommand, CannotCompareWhatItCannotRead) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.yaml", crd_yaml("{type: integer}"));
  const std::string none = folder.write("none.yaml", "kind: ConfigMap\n");
  const std::string bad = folder.write("bad.yaml", "a: [\n");
  EXPECT_EQ(run_crd({"diff", good, none}).code, ExitCode::kInput);
  EXPECT_EQ(run_crd({"diff", good, bad}).code, ExitCode::kInput);
  EXPECT_EQ(run_crd({"diff", good}).code, ExitCode::kInput);
}

TEST(CrdDiffCommand, CallsWhatTheServerWouldRefuseBreaking) {
  const TemporaryFolder folder;
  const std::string old = folder.write("old.yaml", crd_yaml("{type: string, default: a}"));
  const std::string list =
      folder.write("list.yaml", crd_yaml("{type: string, default: a}\n          g: {type: array}"));
  const Printed got = run_crd({"diff", old, list});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("breaking: the server would refuse it: "
                                 "spec.validation.openAPIV3Schema.properties[g].items: Required"));
  const std::string other =
      folder.write("enum.yaml", crd_yaml("{type: string, default: a, enum: [b]}"));
  EXPECT_EQ(run_crd({"diff", old, other}).code, ExitCode::kFindings);
  std::string renamed = crd_yaml("{type: string, default: a}");
  renamed.replace(renamed.find("name: things"), 12, "name: x");
  EXPECT_EQ(run_crd({"diff", old, folder.write("renamed.yaml", renamed)}).code,
            ExitCode::kFindings);
  // What the old one got away with may stay.
  const std::string set = folder.write(
      "set.yaml", crd_yaml("{type: array, x-kubernetes-list-type: set, items: {type: object}}"));
  EXPECT_EQ(run_crd({"lint", set}).code, ExitCode::kFindings);
  EXPECT_EQ(run_crd({"diff", set, set}).code, ExitCode::kFine);
}

TEST(CrdDiffCommand, ChecksDefinitionsThatAreNew) {
  const TemporaryFolder folder;
  folder.write("old/a.yaml", crd_yaml("{type: string}", "as"));
  folder.write("new/a.yaml", crd_yaml("{type: string}", "as"));
  folder.write("new/b.yaml", crd_yaml("{type: array}", "bs"));
  const Printed got = run_crd({"diff", folder / "old", folder / "new"});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.out, HasSubstr("b.yaml:"));
  EXPECT_THAT(got.out, HasSubstr("the server would refuse it"));
}

}  // namespace
}  // namespace strake::cli

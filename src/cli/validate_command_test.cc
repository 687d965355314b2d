#include "cli/validate_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"
#include "validate/test_crd.h"
#include "value/json_reader.h"

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

TEST_F(Validate, ShowsThePlaceTheMessageAndAHint) {
  const std::string file = garden("a", "  plants:\n  - name: x\n    water: plentty\n");
  const Printed got = run({"-s", crd_, file});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_EQ(got.out, file +
                         ":8:12: spec.plants[0].water: Unsupported value: \"plentty\": supported "
                         "values: \"little\", "
                         "\"plenty\"\n"
                         "    8 |     water: plentty\n"
                         "      |            ^\n"
                         "      = did you mean \"plenty\"?\n"
                         "1 file, 1 document: 1 error\n");
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
  EXPECT_THAT(strict.out, HasSubstr(":7:3: unknown field \"spec.extra\"\n"));
  EXPECT_THAT(strict.out, HasSubstr(":8:3: duplicate field \"spec.beds\"\n"));
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
  EXPECT_EQ(none.err, "error: /nowhere: cannot open: No such file or directory\n");
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

}  // namespace
}  // namespace strake::cli

#include "cli/schema_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string crd_yaml(std::string_view group) {
  return "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
         "metadata: {name: things." +
         std::string(group) + "}\nspec:\n  group: " + std::string(group) +
         "\n  scope: Cluster\n  names: {plural: things, kind: Thing, shortNames: [th]}\n"
         "  versions:\n"
         "  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: "
         "object, description: Old.}}}\n"
         "  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, "
         "properties: {spec: {type: object, description: Wanted., properties: {size: {type: "
         "integer}}}}}}}\n";
}

struct Printed {
  ExitCode code;
  std::string out;
  std::string err;
};

Printed explain_run(std::vector<std::string> args, std::string input) {
  FakeWorld world(std::move(input));
  args.insert(args.begin(), {"schema", "explain"});
  const ExitCode code = world.run(args);
  return {code, world.out.text(), world.err.text()};
}

TEST(SchemaExplain, FindsAKindByAnyOfItsNames) {
  for (const char* name : {"Thing", "thing", "things", "th", "things.example.com"}) {
    const Printed got =
        explain_run({std::string(name) + ".spec", "-s", "-"}, crd_yaml("example.com"));
    EXPECT_EQ(got.code, ExitCode::kFine) << got.err;
    EXPECT_EQ(got.out,
              "GROUP:      example.com\nKIND:       Thing\nVERSION:    v1\n\n"
              "FIELD: spec <Object>\n\n\nDESCRIPTION:\n    Wanted.\n    \nFIELDS:\n"
              "  size\t<integer>\n    <no description>\n\n\n")
        << name;
  }
}

TEST(SchemaExplain, ShowsTheVersionAskedFor) {
  const Printed got = explain_run({"thing", "-s", "-", "--api-version", "example.com/v1beta1"},
                                  crd_yaml("example.com"));
  EXPECT_THAT(got.out, HasSubstr("VERSION:    v1beta1\n\nDESCRIPTION:\n    Old.\n"));
  EXPECT_THAT(explain_run({"thing", "-s", "-", "--api-version=v2"}, crd_yaml("example.com")).err,
              HasSubstr("has no version \"v2\", only v1beta1, v1"));
}

TEST(SchemaExplain, WantsAGroupWhereSeveralHaveTheKind) {
  const std::string both = crd_yaml("a.com") + "---\n" + crd_yaml("b.com");
  const Printed got = explain_run({"thing", "-"}, both);
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_THAT(got.err, HasSubstr("is in several groups: say things.a.com or things.b.com"));
  EXPECT_THAT(explain_run({"thing.b.com", "-"}, both).out, StartsWith("GROUP:      b.com\n"));
  EXPECT_THAT(explain_run({"thing", "-", "--api-version=a.com/v1"}, both).out,
              StartsWith("GROUP:      a.com\n"));
}

TEST(SchemaExplain, SaysWhichFieldIsNotThere) {
  const Printed got = explain_run({"thing.spec.nope", "-"}, crd_yaml("example.com"));
  EXPECT_EQ(got.code, ExitCode::kInput);
  EXPECT_EQ(got.out, "GROUP:      example.com\nKIND:       Thing\nVERSION:    v1\n\n");
  EXPECT_EQ(got.err, "error: field \"nope\" does not exist\n");
}

TEST(SchemaExplain, GuessesAMistypedKind) {
  EXPECT_THAT(explain_run({"Thign", "-"}, crd_yaml("example.com")).err,
              HasSubstr("no kind \"Thign\" among the CRDs: did you mean \"Thing\"?"));
  EXPECT_EQ(explain_run({"Thing"}, "").code, ExitCode::kInput);
}

}  // namespace
}  // namespace strake::cli

#include "cli/schema/schema_command.h"

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
              HasSubstr("no kind \"Thign\" among the schemas: did you mean \"Thing\"?"));
  EXPECT_EQ(explain_run({"Thing"}, "").code, ExitCode::kInput);
}

constexpr std::string_view kDescription = R"({"openapi":"3.0.0","components":{"schemas":{
  "io.ex.v1.Foo":{"type":"object","description":"A foo.",
    "x-kubernetes-group-version-kind":[{"group":"ex.io","version":"v1","kind":"Foo"}],
    "properties":{"spec":{"$ref":"#/components/schemas/io.ex.v1.FooSpec"}}},
  "io.ex.v1beta1.Foo":{"type":"object",
    "x-kubernetes-group-version-kind":[{"group":"ex.io","version":"v1beta1","kind":"Foo"}]},
  "io.ex.v1.FooSpec":{"type":"object","required":["n"],"properties":{
    "n":{"type":"integer","description":"How many."},
    "more":{"type":"array","items":{"$ref":"#/components/schemas/io.ex.v1.FooSpec"}}}},
  "Pet":{"type":"object","properties":{"round":{"$ref":"#/components/schemas/Loop"}}},
  "Loop":{"$ref":"#/components/schemas/Loop"}}}})";

TEST(SchemaExplain, ReadsOpenApiDocuments) {
  const std::string text(kDescription);
  std::string swagger = text;
  swagger.replace(0, swagger.find("\"io.ex.v1.Foo\""), "{\"swagger\":\"2.0\",\"definitions\":{");
  swagger.pop_back();
  for (std::size_t at = swagger.find("components/schemas"); at != std::string::npos;
       at = swagger.find("components/schemas"))
    swagger.replace(at, 18, "definitions");
  for (const std::string& document : {text, swagger}) {
    EXPECT_EQ(explain_run({"foo.spec", "-s", "-"}, document).out,
              "GROUP:      ex.io\nKIND:       Foo\nVERSION:    v1\n\n"
              "FIELD: spec <FooSpec>\n\n\nDESCRIPTION:\n    <empty>\nFIELDS:\n"
              "  more\t<[]FooSpec>\n    <no description>\n\n"
              "  n\t<integer> -required-\n    How many.\n\n\n");
    EXPECT_THAT(explain_run({"foos.ex.io", "-s", "-", "--api-version=v1beta1"}, document).out,
                HasSubstr("VERSION:    v1beta1\n"));
  }
  EXPECT_THAT(explain_run({"foo", "-s", "-", "--api-version=v2"}, text).err,
              HasSubstr("foos.ex.io has no version \"v2\", only v1, v1beta1"));
  EXPECT_THAT(explain_run({"pet", "-s", "-"}, text).out, StartsWith("KIND:       Pet\n\n"));
}

TEST(SchemaExplain, ShowsATypeInsideOfItselfOnce) {
  const std::string text(kDescription);
  const Printed got = explain_run({"foo", "--recursive", "-s", "-"}, text);
  EXPECT_THAT(got.out, HasSubstr("  spec\t<FooSpec>\n    more\t<[]FooSpec>\n    n\t<integer>"));
  EXPECT_EQ(explain_run({"pet.round", "--recursive", "-s", "-"}, text).code, ExitCode::kFine);
}

Printed export_run(std::vector<std::string> args) {
  FakeWorld world(crd_yaml("example.com"));
  args.insert(args.begin(), {"schema", "export"});
  args.insert(args.end(), {"-s", "-"});
  const ExitCode code = world.run(args);
  return {code, world.out.text(), world.err.text()};
}

TEST(SchemaExport, PrintsTheSchemaOfAVersion) {
  const Printed old = export_run({"thing", "--api-version", "v1beta1"});
  EXPECT_EQ(old.code, ExitCode::kFine) << old.err;
  EXPECT_EQ(old.out, "{\n  \"description\": \"Old.\",\n  \"type\": \"object\"\n}\n");
  EXPECT_THAT(export_run({"thing"}).out, HasSubstr("\"size\""));
}

TEST(SchemaExport, MarksPresenceOnlyOnRequest) {
  EXPECT_THAT(export_run({"thing"}).out, ::testing::Not(HasSubstr("x-goskema")));
  EXPECT_THAT(export_run({"thing", "--presence-marker"}).out,
              HasSubstr("\n  \"x-goskema-presence\": true\n}"));
}

TEST(SchemaExport, SaysWhatItCannotExport) {
  const Printed field = export_run({"thing.spec"});
  EXPECT_EQ(field.code, ExitCode::kInput);
  EXPECT_THAT(field.err, HasSubstr("name the kind alone"));
  EXPECT_EQ(export_run({"other"}).code, ExitCode::kInput);
}

}  // namespace
}  // namespace strake::cli

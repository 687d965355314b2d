// Schemas without a kind, the loose profile, and references to other files.
#include <gmock/gmock.h>

#include "cli/validate/test_validate.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace strake::cli

#include "schema/loose/defaults.h"

#include <gtest/gtest.h>

#include "schema/loose/evaluate.h"
#include "schema/loose/import.h"
#include "schema/loose/stream_defaults.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::schema::loose {
namespace {

std::string filled(std::string_view schema_text, std::string_view text,
                   const Options& options = {}) {
  const auto document = value::read_json(schema_text);
  const auto imported = import_schema(document->root());
  EXPECT_TRUE(imported) << imported.error().to_string();
  auto value = value::read_json(text);
  const auto done = apply_defaults(value->root(), *imported->schema, *imported->schema->root(),
                                   options, value->arena());
  return done ? value::to_json(value->root()) : done.error().message();
}

TEST(LooseDefaults, FillMembersThatAreMissingAndNullsThatAreNotAdmitted) {
  constexpr std::string_view kSchema =
      R"({"properties":{"a":{"type":"integer","default":1},"b":{"type":["integer","null"],"default":2},)"
      R"("c":{"$ref":"#/$defs/c"},"d":{"properties":{"e":{"default":5}}}},)"
      R"("$defs":{"c":{"type":"object","default":{},"properties":{"x":{"default":"y"}}}}})";
  EXPECT_EQ(filled(kSchema, "{}"), R"({"a":1,"b":2,"c":{"x":"y"}})");
  EXPECT_EQ(filled(kSchema, R"({"a":null,"b":null,"d":{}})"),
            R"({"a":1,"b":null,"c":{"x":"y"},"d":{"e":5}})");
}

TEST(LooseDefaults, ReachElementsPatternsAndTheRest) {
  constexpr std::string_view kSchema =
      R"({"properties":{"l":{"prefixItems":[{}],"items":{"properties":{"a":{"default":1}}}}},)"
      R"("patternProperties":{"^p":{"properties":{"b":{"default":2}}}},)"
      R"("additionalProperties":{"properties":{"c":{"default":3}}}})";
  EXPECT_EQ(filled(kSchema, R"({"l":[{},{}],"p1":{},"q":{}})"),
            R"({"l":[{},{"a":1}],"p1":{"b":2},"q":{"c":3}})");
}

TEST(LooseDefaults, ComeFromTheBranchThatTheValueMatches) {
  constexpr std::string_view kSchema =
      R"({"oneOf":[{"required":["cat"],"properties":{"sound":{"default":"meow"}}},)"
      R"({"required":["dog"],"properties":{"sound":{"default":"woof"}}}],)"
      R"("if":{"required":["old"]},"then":{"properties":{"slow":{"default":true}}},)"
      R"("else":{"properties":{"slow":{"default":false}}}})";
  EXPECT_EQ(filled(kSchema, R"({"dog":1})"), R"({"dog":1,"slow":false,"sound":"woof"})");
  EXPECT_EQ(filled(kSchema, R"({"cat":1,"old":1})"),
            R"({"cat":1,"old":1,"slow":true,"sound":"meow"})");
  // Two match: nobody can say which, unless the first may win.
  EXPECT_EQ(filled(kSchema, R"({"cat":1,"dog":1})"), R"({"cat":1,"dog":1,"slow":false})");
  EXPECT_EQ(filled(kSchema, R"({"cat":1,"dog":1})", {.ambiguity = Ambiguity::kFirstMatch}),
            R"({"cat":1,"dog":1,"slow":false,"sound":"meow"})");
}

TEST(LooseDefaults, EndWhereTheyWouldGoOnForever) {
  EXPECT_EQ(filled(R"({"properties":{"a":{"$ref":"#","default":{}}}})", "{}"),
            "defaults are nested deeper than 512");
  EXPECT_EQ(
      filled(R"({"properties":{"a":{"$ref":"#","default":{}},"b":{"$ref":"#","default":{}}}})",
             "{}"),
      "defaults are nested deeper than 512");
}

std::vector<std::string> lines_of(const Report& report) {
  std::vector<std::string> out;
  for (const Issue& issue : report.issues) out.push_back(issue.to_json());
  return out;
}

// What is found in the value with its defaults, held or passing by.
void expect_same_over_events(std::string_view schema_text, std::string_view text) {
  const auto document = value::read_json(schema_text);
  const auto imported = import_schema(document->root());
  const LooseNode& root = *imported->schema->root();
  DefaultingEvaluator evaluator(*imported->schema, root, {}, true);
  value::play(value::read_json(text)->root(), evaluator);
  auto held = value::read_json(text);
  ASSERT_TRUE(apply_defaults(held->root(), *imported->schema, root, {}, held->arena()));
  EXPECT_EQ(lines_of(evaluator.take().value()),
            lines_of(evaluate(held->root(), *imported->schema, root, {})))
      << text;
}

TEST(LooseDefaults, AreJudgedInAStreamAsInMemory) {
  // Most defaults here break their own schema, so that it is seen where they go.
  constexpr std::string_view kSchema =
      R"({"properties":{"a":{"type":"integer","default":"x"},"n":{"type":["null"],"default":7},)"
      R"("r":{"$ref":"#/$defs/r"},"l":{"prefixItems":[{}],"items":{"properties":{"b":{"maximum":3,)"
      R"("default":5}}}}},"allOf":[{"properties":{"z":{"const":1,"default":2}},"maxProperties":5}],)"
      R"("patternProperties":{"^p":{"properties":{"c":{"not":{},"default":2}}}},)"
      R"("additionalProperties":{"properties":{"d":{"type":"string","default":3}}},)"
      R"("$defs":{"r":{"type":"object","default":{},"properties":{"y":{"enum":[1],"default":"y"}}}}})";
  for (const char* text :
       {"{}", "[]", "3", R"({"a":1,"n":null,"r":{"y":1},"z":1})", R"({"a":null,"n":null,"r":null})",
        R"({"l":[{},{},{"b":1},[],null,{}],"p1":{},"q":{"d":""},"q2":{},"q3":{}})",
        R"({"l":[[{}],{"q":{}}],"r":{"q":[{}]},"z":null})"}) {
    expect_same_over_events(kSchema, text);
  }
}

TEST(LooseDefaults, OfABranchLeaveTheVerdictOfAStreamOpen) {
  const auto document = value::read_json(
      R"({"oneOf":[{"required":["cat"],"properties":{"sound":{"default":"meow"}}},{"type":"null"}]})");
  const auto imported = import_schema(document->root());
  DefaultingEvaluator evaluator(*imported->schema, *imported->schema->root(), {}, true);
  value::play(value::read_json(R"({"cat":1})")->root(), evaluator);
  const Report report = evaluator.take().value();
  EXPECT_EQ(report.verdict, Verdict::kUnknown);
  ASSERT_EQ(report.issues.size(), 1u);
  EXPECT_EQ(report.issues[0].schema_path, "/oneOf/0");
}

TEST(LooseDefaults, EndInAStreamWhereTheyWouldGoOnForever) {
  const auto document = value::read_json(R"({"properties":{"a":{"$ref":"#","default":{}}}})");
  const auto imported = import_schema(document->root());
  DefaultingEvaluator evaluator(*imported->schema, *imported->schema->root(), {}, true);
  EXPECT_FALSE(value::play(value::read_json("{}")->root(), evaluator));
  EXPECT_EQ(evaluator.take().error().message(), "defaults are nested deeper than 512");
}

}  // namespace
}  // namespace strake::schema::loose

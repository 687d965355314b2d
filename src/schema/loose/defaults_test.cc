#include "schema/loose/defaults.h"

#include <gtest/gtest.h>

#include "schema/loose/import.h"
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

}  // namespace
}  // namespace strake::schema::loose

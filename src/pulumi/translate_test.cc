#include "pulumi/translate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/json_writer.h"

namespace strake::pulumi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The schema of the one property p, and what was told.
struct Done {
  std::string schema;  // as JSON; empty when p was left out
  std::string error;
  Code code = Code::kInternal;
  std::vector<std::string> told;  // "path: reason"
};

Done translate(std::string_view property, std::string_view types = "{}",
               const TranslateOptions& options = {}, std::string_view resources = "") {
  const auto package = Package::read(fmt::format(
      R"({{"resources":{{"p:m:C":{{"isComponent":true,"inputProperties":{{"p":{},
          "~":{{"type":"string"}}}}}}{}}},"types":{}}})",
      property, resources, types));
  Done out;
  if (!package) {
    out.error = package.error().message();
    return out;
  }
  Arena arena;
  Skips skips;
  const auto got = translate_inputs(*package, "p:m:C", options, arena, skips);
  for (const Skip& skip : skips.list) out.told.push_back(skip.path + ": " + skip.reason);
  if (!got) {
    out.error = got.error().message();
    out.code = got.error().code();
  } else if (const value::Value* p = got->find("properties")->find("p")) {
    out.schema = value::to_json(*p, {.escape_html = false});
  }
  return out;
}

struct Row {
  const char *property, *types, *want;
};

TEST(Translate, TurnsEachFormIntoItsStructuralOne) {
  const Row rows[] = {
      {R"({"type":"string"})", "{}", R"({"type":"string"})"},
      {R"({"type":"boolean","secret":true,"plain":true})", "{}", R"({"type":"boolean"})"},
      {R"({"type":"array","items":{"type":"integer"}})", "{}",
       R"({"items":{"type":"integer"},"type":"array"})"},
      {R"({"type":"object"})", "{}",
       R"({"additionalProperties":{"type":"string"},"type":"object"})"},
      {R"({"type":"object","additionalProperties":{"type":"number"}})", "{}",
       R"({"additionalProperties":{"type":"number"},"type":"object"})"},
      {R"({"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}},
           "required":["b","zz","b","a"]})",
       "{}",
       R"({"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"],"type":"object"})"},
      {R"({"$ref":"#/types/T","type":"string"})", R"({"T":{"type":"object"}})",
       R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})"},
      {R"({"$ref":"#/types/T"})", R"({"T":{"type":"object","properties":{}}})",
       R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})"},
      {R"({"$ref":"#/types/a%2Fb"})", R"({"a/b":{"type":"integer"}})", R"({"type":"integer"})"},
      {R"({"$ref":"#/types/T","description":"mine","default":"b"})",
       R"({"T":{"type":"string","description":"theirs","default":"a",
           "enum":[{"value":"a"},{"name":"B","value":"b"},"a"]}})",
       R"({"default":"b","description":"mine","enum":["a","b"],"type":"string"})"},
      {R"({"$ref":"aws.json#/types/x","description":"d","default":{"any":[1]}})", "{}",
       R"({"default":{"any":[1]},"description":"d","type":"object","x-kubernetes-preserve-unknown-fields":true})"},
      {R"({"$ref":"pulumi.json#/Any"})", "{}",
       R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})"},
      {R"({"$ref":"#/provider"})", "{}",
       R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})"},
      {R"({"type":"integer","default":1.0,"enum":[1,2.0,1.0]})", "{}",
       R"({"default":1,"enum":[1,2],"type":"integer"})"},
      {R"({"type":"number","default":1.5,"enum":[]})", "{}", R"({"default":1.5,"type":"number"})"},
      {R"({"type":"object","properties":{"bad":{"oneOf":[]}}})", "{}",
       R"({"properties":{},"type":"object","x-kubernetes-preserve-unknown-fields":true})"},
  };
  for (const Row& row : rows) {
    const Done got = translate(row.property, row.types);
    EXPECT_EQ(got.schema, row.want) << row.property << " " << got.error;
  }
}

TEST(Translate, PutsTheInputsOfAResourceInPlaceOfARefToIt) {
  const Done got = translate(R"({"$ref":"#/resources/p:m:R"})", "{}", {},
                             R"(,"p:m:R":{"description":"not copied","inputProperties":{
                                 "x":{"type":"string"}},"requiredInputs":["x","y"]})");
  EXPECT_EQ(got.schema,
            R"({"properties":{"x":{"type":"string"}},"required":["x"],"type":"object"})");
}

TEST(Translate, LeavesOutWhatItCannotSayAndTellsWhere) {
  const Row rows[] = {
      {R"({"oneOf":[]})", "{}", "spec.p: keyword \"oneOf\""},
      {R"({"const":1,"not":{}})", "{}", "spec.p: keyword \"not\""},
      {R"({"$ref":"#/types/none","discriminator":{}})", "{}", "spec.p: keyword \"discriminator\""},
      {R"({"type":"string","patternProperties":{}})", "{}",
       "spec.p: keyword \"patternProperties\""},
      {R"({"anyOf":[],"allOf":[]})", "{}", "spec.p: keyword \"anyOf\""},
      {R"({"allOf":[]})", "{}", "spec.p: keyword \"allOf\""},
      {R"({"type":"string","const":"x"})", "{}", "spec.p: keyword \"const\""},
      {R"({})", "{}", "spec.p: missing type"},
      {R"({"type":"date"})", "{}", "spec.p: unsupported type \"date\""},
      {R"({"type":["string"]})", "{}", "spec.p: type is not a string"},
      {R"({"type":"array"})", "{}", "spec.p: array without items"},
      {R"({"type":"array","items":{"oneOf":[]}})", "{}", "spec.p[]: keyword \"oneOf\""},
      {R"({"type":"object","additionalProperties":{"type":"array","items":{}}})", "{}",
       "spec.p.*[]: missing type"},
      {R"({"type":"object","properties":{},"additionalProperties":{"type":"string"}})", "{}",
       "spec.p: properties with additionalProperties"},
      {R"({"type":"string","description":5})", "{}", "spec.p: description is not a string"},
      {R"({"enum":["a"]})", "{}", "spec.p: missing type"},
      {R"({"type":"string","enum":"a"})", "{}", "spec.p: enum is not a list"},
      {R"({"type":"string","enum":[null]})", "{}",
       "spec.p: enum entry is neither a scalar nor an object with a value"},
      {R"({"type":"string","enum":[{"name":"a"}]})", "{}",
       "spec.p: enum entry is neither a scalar nor an object with a value"},
      {R"({"$ref":"#/types/T"})", R"({"T":{"type":"object","properties":{"a":{"type":"string"}},
           "required":"a"}})",
       "spec.p: required is not a list of strings"},
  };
  for (const Row& row : rows) {
    const Done got = translate(row.property, row.types);
    EXPECT_EQ(got.schema, "") << row.property;
    EXPECT_THAT(got.told, ElementsAre(row.want)) << row.property << got.error;
  }
}

TEST(Translate, RepairsRequiredWhenAMemberIsLeftOut) {
  const Done got = translate(R"({"type":"array","items":{"type":"object","properties":{
      "bad":{"not":{}},"good":{"type":"string"}},"required":["bad","good"]}})");
  EXPECT_EQ(
      got.schema,
      R"({"items":{"properties":{"good":{"type":"string"}},"required":["good"],"type":"object"},"type":"array"})");
  EXPECT_THAT(got.told, ElementsAre("spec.p[].bad: keyword \"not\""));
}

TEST(Translate, DropsDefaultsThatServersWouldRefuse) {
  for (const char* property :
       {R"({"type":"string","default":1})", R"({"type":"string","default":null})",
        R"({"type":"string","enum":["a"],"default":"b"})", R"({"type":"integer","default":1.5})",
        R"({"type":"array","items":{"type":"string"},"default":["a",1]})",
        R"({"type":"object","properties":{"a":{"type":"string"}},"default":{"b":1}})",
        R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"default":{}})",
        R"({"$ref":"x.json#/types/T","default":"text"})"}) {
    const Done got = translate(property);
    EXPECT_THAT(got.schema, ::testing::Not(HasSubstr("default"))) << property;
    EXPECT_NE(got.schema, "") << property;
    EXPECT_THAT(got.told, ElementsAre("spec.p: default does not fit the schema"));
  }
}

TEST(Translate, RefusesCyclesAndMisfits) {
  const Row rows[] = {
      {R"({"$ref":"#/types/A"})", R"({"A":{"$ref":"#/types/A"}})",
       R"(path "spec.p" unsupported construct: cyclic local ref "#/types/A")"},
      {R"({"$ref":"#/types/A"})",
       R"({"A":{"type":"object","properties":{"b":{"$ref":"#/types/B"}}},
           "B":{"type":"array","items":{"$ref":"#/types/A"}}})",
       R"(path "spec.p.b[]" unsupported construct: cyclic local ref "#/types/A")"},
      {R"({"$ref":"#/types/A"})",
       R"({"A":{"type":"object","additionalProperties":{"$ref":"#/types/A"}}})",
       R"(path "spec.p.*" unsupported construct: cyclic local ref "#/types/A")"},
      {R"({"$ref":"#/resources/p:m:C"})", "{}",
       R"(path "spec.p" unsupported construct: cyclic local ref "#/resources/p:m:C")"},
      {R"({"type":"integer","enum":["x"]})", "{}",
       R"(path "spec.p" unsupported construct: enum value "x" is not compatible with type "integer")"},
      {R"({"type":"integer","enum":[1.5]})", "{}",
       R"(path "spec.p" unsupported construct: enum value 1.5 is not compatible with type "integer")"},
      {R"({"type":"array","items":{"type":"string"},"enum":["x"]})", "{}",
       R"(path "spec.p" unsupported construct: enum value "x" is not compatible with type "array")"},
  };
  for (const Row& row : rows) {
    const Done got = translate(row.property, row.types);
    EXPECT_EQ(got.error, std::string("component \"p:m:C\" ") + row.want) << row.property;
    EXPECT_EQ(got.code, Code::kUnsupported);
  }
}

TEST(Translate, EndsSoonWhenASchemaGrowsWithoutBound) {
  // Twenty types that each name the next one ten times, down to something that is skipped, or not.
  for (const char* leaf : {R"({"type":"string"})", R"({"oneOf":[]})"}) {
    std::string types = fmt::format(R"({{"T20":{})", leaf);
    for (int i = 0; i < 20; ++i) {
      types += fmt::format(R"(,"T{}":{{"type":"object","properties":{{)", i);
      for (int j = 0; j < 10; ++j) {
        types += fmt::format(R"({}"p{}":{{"$ref":"#/types/T{}"}})", j > 0 ? "," : "", j, i + 1);
      }
      types += "}}";
    }
    const Done got = translate(R"({"$ref":"#/types/T0"})", types + "}");
    EXPECT_THAT(got.error, HasSubstr("unsupported construct: schema too large")) << leaf;
  }
  std::string deep = R"({"type":"string"})";
  for (int i = 0; i < 300; ++i) deep = fmt::format(R"({{"type":"array","items":{}}})", deep);
  EXPECT_THAT(translate(deep).error, HasSubstr("schema too large"));
  std::string chain = "{";
  for (int i = 0; i < 5'000; ++i)
    chain += fmt::format(R"("T{}":{{"$ref":"#/types/T{}"}},)", i, i + 1);
  EXPECT_THAT(translate(R"({"$ref":"#/types/T0"})", chain + R"("T5000":{"type":"string"}})").error,
              HasSubstr("schema too large"));
}

TEST(Translate, NeedsSomethingToBeLeft) {
  for (const char* inputs : {"{}", R"({"a":{"oneOf":[]}})"}) {
    const auto package = Package::read(fmt::format(
        R"({{"resources":{{"p:m:C":{{"isComponent":true,"inputProperties":{}}}}}}})", inputs));
    Arena arena;
    Skips skips;
    const auto got = translate_inputs(*package, "p:m:C", {}, arena, skips);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code(), Code::kInvalid);
    EXPECT_EQ(got.error().message(),
              "no translatable spec fields remain after skipping unsupported schema paths for "
              "component \"p:m:C\"");
  }
}

TEST(Translate, SaysUnionsOfScalarsInOneSchema) {
  const Row rows[] = {
      {R"({"oneOf":[{"type":"integer"},{"type":"string"}]})", "{}",
       R"({"x-kubernetes-int-or-string":true})"},
      {R"({"oneOf":[{"type":"string"},{"$ref":"#/types/E"}],"default":"c"})",
       R"({"E":{"type":"string","enum":["a"]}})", R"({"default":"c","type":"string"})"},
      {R"({"oneOf":[{"type":"string","enum":["a","b"]},{"type":"string","enum":["b","c"]}]})", "{}",
       R"({"enum":["a","b","c"],"type":"string"})"},
      {R"({"oneOf":[{"type":"integer"},{"type":"number"}]})", "{}", R"({"type":"number"})"},
      {R"({"oneOf":[{"type":"boolean"},{"type":"string"}]})", "{}", ""},
      {R"({"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]})", "{}", ""},
  };
  for (const Row& row : rows) {
    const Done got = translate(row.property, row.types, {.unions = Unions::kIntOrString});
    EXPECT_EQ(got.schema, row.want) << row.property << got.error;
    if (got.schema.empty()) EXPECT_THAT(got.told, ElementsAre("spec.p: keyword \"oneOf\""));
  }
  EXPECT_EQ(translate(R"({"oneOf":[7],"description":"d"})", "{}", {.unions = Unions::kAny}).schema,
            R"({"description":"d","x-kubernetes-preserve-unknown-fields":true})");
}

TEST(Translate, MergesUnionsOfObjectsUnderConditions) {
  const TranslateOptions options{.unions = Unions::kStructural, .const_as_enum = true};
  const char* types = R"({
      "Cat":{"type":"object","properties":{"kind":{"type":"string","const":"cat"},
             "lives":{"type":"integer"}},"required":["kind","lives"]},
      "Dog":{"type":"object","properties":{"kind":{"type":"string","const":"dog"},
             "tricks":{"type":"array","items":{"type":"string"}}},"required":["kind"]}})";
  EXPECT_EQ(
      translate(R"({"oneOf":[{"$ref":"#/types/Cat"},{"$ref":"#/types/Dog"}],
                    "discriminator":{"propertyName":"kind"}})",
                types, options)
          .schema,
      R"({"oneOf":[{"not":{"anyOf":[{"required":["tricks"]}]},"properties":{"kind":{"enum":["cat"]}},"required":["kind","lives"]},{"not":{"anyOf":[{"required":["lives"]}]},"properties":{"kind":{"enum":["dog"]}},"required":["kind"]}],"properties":{"kind":{"enum":["cat","dog"],"type":"string"},"lives":{"type":"integer"},"tricks":{"items":{"type":"string"},"type":"array"}},"required":["kind"],"type":"object"})");
  EXPECT_EQ(
      translate(R"({"oneOf":[{"$ref":"#/types/Cat"},{"$ref":"#/types/Dog"}]})", types, options)
          .schema,
      R"({"anyOf":[{"required":["kind","lives"]},{"required":["kind"]}],"properties":{"kind":{"enum":["cat","dog"],"type":"string"},"lives":{"type":"integer"},"tricks":{"items":{"type":"string"},"type":"array"}},"required":["kind"],"type":"object"})");
  EXPECT_THAT(translate(R"({"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},
                            {"type":"object","properties":{"a":{"type":"integer"}}}]})",
                        "{}", options)
                  .told,
              ElementsAre("spec.p: oneOf branches disagree on property \"a\""));
}

TEST(Translate, SaysConstantsAsEnumsOfOne) {
  const TranslateOptions options{.const_as_enum = true};
  EXPECT_EQ(translate(R"({"type":"string","const":"x","description":"d"})", "{}", options).schema,
            R"({"description":"d","enum":["x"],"type":"string"})");
  EXPECT_EQ(translate(R"({"const":2})", "{}", options).schema, R"({"enum":[2],"type":"integer"})");
  EXPECT_THAT(translate(R"({"type":"integer","const":"x"})", "{}", options).error,
              HasSubstr("const value \"x\" is not compatible with type \"integer\""));
  EXPECT_THAT(translate(R"({"const":[]})", "{}", options).told,
              ElementsAre("spec.p: const is not a scalar"));
}

TEST(Translate, HintsAtListTypesAndReplacements) {
  EXPECT_EQ(
      translate(R"({"type":"array","items":{"type":"object","properties":{
                "name":{"type":"string"}},"required":["name"]}})",
                "{}", {.list_types = true})
          .schema,
      R"({"items":{"properties":{"name":{"type":"string"}},"required":["name"],"type":"object"},"type":"array","x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map"})");
  EXPECT_EQ(
      translate(R"({"type":"array","items":{"type":"string","enum":["a"]}})", "{}",
                {.list_types = true})
          .schema,
      R"({"items":{"enum":["a"],"type":"string"},"type":"array","x-kubernetes-list-type":"set"})");
  EXPECT_EQ(
      translate(R"({"type":"string","replaceOnChanges":true})", "{}", {.transition_rules = true})
          .schema,
      R"({"type":"string","x-kubernetes-validations":[{"message":"cannot change: another value needs a new resource","rule":"self == oldSelf"}]})");
  EXPECT_EQ(
      translate(R"({"type":"object","additionalProperties":{"type":"object","properties":{
                "a":{"type":"string","willReplaceOnChanges":true}}}})",
                "{}", {.transition_rules = true})
          .schema,
      R"({"additionalProperties":{"properties":{"a":{"type":"string"}},"type":"object"},"type":"object"})");
}

}  // namespace
}  // namespace strake::pulumi

#include "policy/type_check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/compile.h"
#include "value/yaml_reader.h"

namespace strake::policy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

KnownKind kind(std::string_view name, std::string_view schema) {
  return {.kind = {"example.com", "v1", std::string(name)},
          .schema = schema::compile(value::read_yaml(schema).value().root()).value()};
}

std::vector<std::string> check(std::string_view spec, std::vector<KnownKind> kinds,
                               const std::optional<KnownKind>& params = {}) {
  const value::Document policy = value::read_yaml(fmt::format("spec: {}", spec)).value();
  std::vector<std::string> out;
  for (const ExpressionWarning& one : check_policy_types(policy.root(), kinds, params))
    out.push_back(one.field + " " + one.text);
  return out;
}

const KnownKind kSized =
    kind("Sized",
         "{type: object, properties: {data: {type: object, additionalProperties: {type: "
         "string}}, spec: {type: object, properties: {size: {type: integer}}}}}");

TEST(TypeCheck, SaysWhatDoesNotFitAKind) {
  EXPECT_THAT(check("{validations: [{expression: object.data.size > 3}, {expression: "
                    "object.nothing == 'x', messageExpression: string(object.bogus)}, {expression: "
                    "object.metadata.name != 'y'}]}",
                    {kSized}),
              ElementsAre("spec.validations[0].expression example.com/v1, Kind=Sized: ERROR: "
                          "<input>:1:18: found no matching overload for '_>_' applied to '(string, "
                          "int)'\n | object.data.size > 3\n | .................^\n",
                          "spec.validations[1].expression example.com/v1, Kind=Sized: ERROR: "
                          "<input>:1:7: undefined field 'nothing'\n | object.nothing == 'x'\n | "
                          "......^\n",
                          "spec.validations[1].messageExpression example.com/v1, Kind=Sized: "
                          "ERROR: <input>:1:14: undefined field 'bogus'\n | "
                          "string(object.bogus)\n | .............^\n"));
}

TEST(TypeCheck, KnowsMetadataVariablesAndParameters) {
  EXPECT_THAT(check("{paramKind: {apiVersion: example.com/v1, kind: Sized}, variables: [{name: "
                    "size, expression: object.spec.size}], validations: [{expression: "
                    "'variables.size < params.spec.size && object.metadata.labels.all(k, k != "
                    "string(object.metadata.generation)) && oldObject.metadata.creationTimestamp < "
                    "timestamp(\"2024-01-01T00:00:00Z\")'}]}",
                    {kSized}, kSized),
              IsEmpty());
  EXPECT_THAT(check("{variables: [{name: size, expression: object.spec.size}], validations: "
                    "[{expression: variables.size == 'x'}]}",
                    {kSized}),
              ElementsAre(::testing::HasSubstr("applied to '(int, string)'")));
}

TEST(TypeCheck, LooksAtEachKindByItself) {
  const KnownKind other = kind("Other", "{type: object, properties: {a: {type: string}}}");
  const auto said =
      check("{validations: [{expression: object.a == object.spec}]}", {kSized, other});
  ASSERT_EQ(said.size(), 1U);
  EXPECT_THAT(said[0], ::testing::HasSubstr("Kind=Sized: ERROR: <input>:1:7: undefined field 'a'"));
  EXPECT_THAT(said[0], ::testing::HasSubstr("^\n\nexample.com/v1, Kind=Other: ERROR: <input>:1:19: "
                                            "undefined field 'spec'"));
}

}  // namespace
}  // namespace strake::policy

#include "value/go_type.h"

#include <gtest/gtest.h>

namespace strake::value {
namespace {

TEST(GoType, IsWhatGoDecodesJsonInto) {
  EXPECT_EQ(go_type(Value()), "<nil>");
  EXPECT_EQ(go_type(Value::boolean(true)), "bool");
  EXPECT_EQ(go_type(Value::integer(-1)), "int64");
  EXPECT_EQ(go_type(Value::unsigned_integer(UINT64_MAX)), "uint64");
  EXPECT_EQ(go_type(Value::number(1.5)), "float64");
  EXPECT_EQ(go_type(Value::literal("1.5")), "float64");
  EXPECT_EQ(go_type(Value::string("")), "string");
  EXPECT_EQ(go_type(Value::array({})), "[]interface {}");
  EXPECT_EQ(go_type(Value::object({})), "map[string]interface {}");
}

TEST(GoJson, NamesValuesInItsMessages) {
  const std::pair<Value, std::string_view> cases[] = {{Value(), "null"},
                                                      {Value::boolean(true), "bool"},
                                                      {Value::integer(1), "number"},
                                                      {Value::number(1.5), "number"},
                                                      {Value::string("s"), "string"},
                                                      {Value::array({}), "array"},
                                                      {Value::object({}), "object"}};
  for (const auto& [v, kind] : cases) EXPECT_EQ(go_json_kind(v), kind);
}

TEST(GoJson, FindsFieldsByKeysInAnyCase) {
  EXPECT_TRUE(go_json_key_matches("NAMEPrefix", "namePrefix"));
  EXPECT_FALSE(go_json_key_matches("namePrefix ", "namePrefix"));
  EXPECT_FALSE(go_json_key_matches("name[", "name{")) << "only letters have a case";
}

}  // namespace
}  // namespace strake::value

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

}  // namespace
}  // namespace strake::value

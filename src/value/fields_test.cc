#include "value/fields.h"

#include <gtest/gtest.h>

#include "value/document.h"
#include "value/json_reader.h"

namespace strake::value {
namespace {

TEST(Fields, TextIsThatOfAStringAndEmptyForAllElse) {
  const Document document = read_json(R"({"a":"x","b":1,"c":null,"d":["x"]})").value();
  EXPECT_EQ(text_of(document.root(), "a"), "x");
  for (const char* key : {"b", "c", "d", "e"}) EXPECT_EQ(text_of(document.root(), key), "") << key;
}

TEST(Fields, TextOfNoObjectIsEmpty) {
  const Document list = read_json(R"(["a"])").value();
  EXPECT_EQ(text_of(list.root(), "a"), "");
  EXPECT_EQ(text_of(nullptr, "a"), "");
  EXPECT_EQ(text_of(&list.root().items()[0], "a"), "");
}

TEST(Fields, ANumberThatIsKeptAsItsTextIsNoText) {
  EXPECT_EQ(text_of(Value::literal("1e400")), "");
  EXPECT_EQ(text_of(Value::string("1e400")), "1e400");
}

TEST(Fields, AFlagIsTrueOnlyWhenTheMemberIs) {
  const Document document = read_json(R"({"a":true,"b":false,"c":1,"d":"true"})").value();
  EXPECT_TRUE(flag_of(document.root(), "a"));
  for (const char* key : {"b", "c", "d", "e"}) EXPECT_FALSE(flag_of(document.root(), key)) << key;
}

}  // namespace
}  // namespace strake::value

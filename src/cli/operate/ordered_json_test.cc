#include "cli/operate/ordered_json.h"

#include <gtest/gtest.h>

namespace strake::cli {
namespace {

TEST(OrderedJson, KeepsTheOrderAndIndentsByTwo) {
  OrderedJson json;
  json.open_object().text("b", "x").number("a", -1).flag("c", true).real("d", 1.5);
  json.texts("e", {"y", "z"}).map("f", {{"k", "v"}}).close();
  EXPECT_EQ(
      json.done(),
      "{\n  \"b\": \"x\",\n  \"a\": -1,\n  \"c\": true,\n  \"d\": 1.5,\n  \"e\": [\n    \"y\",\n"
      "    \"z\"\n  ],\n  \"f\": {\n    \"k\": \"v\"\n  }\n}\n");
}

TEST(OrderedJson, WritesNothingBetweenTheBracketsOfWhatIsEmpty) {
  EXPECT_EQ(OrderedJson().open_list().close().done(), "[]\n");
  EXPECT_EQ(
      OrderedJson().open_object().open_list("a").close().open_object("b").close().close().done(),
      "{\n  \"a\": [],\n  \"b\": {}\n}\n");
}

TEST(OrderedJson, SaysTheSameOnOneLine) {
  OrderedJson json;
  json.open_object().text("a", "x").texts("b", {"y", "z"}).close();
  EXPECT_EQ(json.line(), "{\"a\":\"x\",\"b\":[\"y\",\"z\"]}\n");
}

TEST(OrderedJson, TakesEmptyKeys) {
  OrderedJson json;
  json.open_object().map("m", {{"", "x"}}).close();
  EXPECT_EQ(json.line(), "{\"m\":{\"\":\"x\"}}\n");
}

TEST(OrderedJson, WritesEachTypeOfOption) {
  OrderedJson json;
  json.open_object()
      .options("o", {{"a", true}, {"b", std::int64_t{3}}, {"c", 0.5}, {"d", std::string("x")}})
      .close();
  EXPECT_EQ(json.line(), "{\"o\":{\"a\":true,\"b\":3,\"c\":0.5,\"d\":\"x\"}}\n");
}

TEST(OrderedJson, EscapesWhatCouldSteerATerminal) {
  EXPECT_EQ(OrderedJson().open_list().text({}, "\x1b[31m\u202e").close().line(),
            "[\"\\u001b[31m\\u202e\"]\n");
}

TEST(OrderedJson, WritesTimesInUtc) {
  EXPECT_EQ(OrderedJson().open_list().time({}, FakeClock().now()).close().line(),
            "[\"2024-01-01T00:00:00Z\"]\n");
}

}  // namespace
}  // namespace strake::cli

// Places in the text of an object, found without parsing it.
#include "api/cache/object_scan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::api {
namespace {

TEST(ObjectScan, FindsWhatTheCacheNeeds) {
  const std::string text =
      R"({"apiVersion":"g/v1","data":{"metadata":{"name":"no"}},"metadata":)"
      R"({"deletionTimestamp":"t","labels":{"a":"1"},"name":"n","ownerReferences":[],"uid":"u"}})";
  const auto places = find_places(text);
  ASSERT_TRUE(places);
  EXPECT_EQ(places->api_version, "g/v1");
  EXPECT_EQ(places->labels, R"({"a":"1"})");
  EXPECT_TRUE(places->owned);
  EXPECT_TRUE(places->being_deleted);
  EXPECT_FALSE(places->has_version);
  EXPECT_FALSE(places->version_last);
  EXPECT_TRUE(std::string_view(text).substr(places->version_place).starts_with(R"("uid")"));
}

TEST(ObjectScan, ReadsWhatOthersWrote) {
  const auto spaced = find_places(
      "{ \"metadata\" : { \"name\" : \"n\" , \"resourceVersion\" : \"3\" } ,\n"
      "  \"apiVersion\" : \"v1\" }");
  ASSERT_TRUE(spaced);
  EXPECT_EQ(spaced->api_version, "v1");
  EXPECT_TRUE(spaced->has_version);
  const auto escaped =
      find_places(R"({"apiVersion":"v1","data":{"k":"\\\"}{"},"metadata":{"name":"n"}})");
  ASSERT_TRUE(escaped);
  EXPECT_TRUE(escaped->version_last);
}

// Containers are passed over sixteen bytes at a time: whatever hides a quote or a bracket is put at
// every place of such a block.
TEST(ObjectScan, PassesOverStringsThatLookLikeStructure) {
  for (const std::string_view hidden : {R"(\"}])", R"(\\)", R"(\\\")", "}]{[", R"(\\\\)", ""}) {
    for (std::size_t before = 0; before < 40; ++before) {
      const std::string text = fmt::format(
          R"({{"apiVersion":"v1","kind":"C","metadata":{{"a":{{"{0}{1}":["{1}",{{}},[]]}},"uid":"u"}},"z":1}})",
          std::string(before, 'x'), hidden);
      const auto places = find_places(text);
      ASSERT_TRUE(places.has_value()) << text;
      EXPECT_EQ(places->version_place, text.find("\"uid\"")) << text;
      // Cut off anywhere, there is no end to be found.
      EXPECT_FALSE(find_places(std::string_view(text).substr(0, 60 + before)).has_value()) << text;
    }
  }
}

TEST(ObjectScan, NeverReadsBeyondTheText) {
  const std::string text =
      R"({"apiVersion":"v1","data":{"k":["x",1,null,{"y":"\"z"}]},"metadata":{"labels":{"a":"b"},"name":"n"}})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    // A copy of its own, so that a sanitizer sees a step too far.
    const std::string cut = text.substr(0, size);
    static_cast<void>(find_places(cut));
    static_cast<void>(parts_without_type(cut));
    static_cast<void>(member_text(cut, "none"));
  }
  EXPECT_TRUE(find_places(text));
}

TEST(ObjectScan, FindsAMember) {
  const std::string text =
      R"({"apiVersion":"v1","spec":{"status":"no","x":["}","\"status\":"]}, "status" : {"a":[1]},"z":1})";
  EXPECT_EQ(member_text(text, "status"), R"({"a":[1]})");
  EXPECT_EQ(member_text(text, "z"), "1");
  EXPECT_EQ(member_text(text, "a"), "");
  EXPECT_EQ(member_text("[]", "a"), "");
  EXPECT_EQ(member_text(R"({"a")", "a"), "");
}

TEST(ObjectScan, WalksFlatObjects) {
  std::string seen;
  for_each_string(R"({"a":"1","b":"","c.d/e":"x"})",
                  [&](std::string_view key, std::string_view text) {
                    seen += fmt::format("{}={};", key, text);
                  });
  EXPECT_EQ(seen, "a=1;b=;c.d/e=x;");
  for_each_string("{}", [](std::string_view, std::string_view) { FAIL(); });
}

}  // namespace
}  // namespace strake::api

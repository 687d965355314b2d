#include "provider/names/zones.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

TEST(Zones, AreConvertedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "zones.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  const std::string_view location = text_of(data->root(), "location");
  std::size_t cases = 0;
  for (const Value& one : data->root().get("toNative").items()) {
    EXPECT_EQ(native_zone(text_of(one, "zone")), text_of(one, "native"));
    ++cases;
  }
  for (const Value& one : data->root().get("fromNative").items()) {
    EXPECT_EQ(neutral_zone(location, text_of(one, "native")), text_of(one, "zone"));
    EXPECT_EQ(native_zone(text_of(one, "zone")), native_zone(text_of(one, "native")));
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 7U, 4U));
}

TEST(Zones, ThatAreNoIndexStayAsTheyAre) {
  for (const std::string_view zone : {"", "-1", "us-east-1a", "a-", "zone"})
    EXPECT_EQ(native_zone(zone), zone);
  EXPECT_EQ(neutral_zone("japaneast", ""), "");
  EXPECT_EQ(neutral_zone("", "1"), "1");
}

TEST(Zones, AreTheSameInEitherVocabularyAndAnyOrder) {
  const std::vector<std::string> one = {"japaneast-1", "japaneast-2"};
  EXPECT_TRUE(same_zones(one, std::vector<std::string>{"2", "1"}));
  EXPECT_FALSE(same_zones(one, std::vector<std::string>{"1"}));
  EXPECT_FALSE(same_zones(one, std::vector<std::string>{"1", "3"}));
}

TEST(Zones, AreValuesOfLabels) {
  for (const std::string_view zone : {"1", "japaneast-1", "us-east-1a"})
    EXPECT_TRUE(check_zone(zone)) << zone;
  const std::string most(63, 'z');
  EXPECT_TRUE(check_zone(most));
  for (const std::string& zone : {std::string(), most + "z", std::string("a b"), std::string("-a")})
    EXPECT_FALSE(check_zone(zone)) << zone;
}

}  // namespace
}  // namespace strake::provider

#include "provider/names/sizes.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

TEST(Sizes, AreReadAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "sizes.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("parse").items()) {
    const auto bytes = parse_size(text_of(one, "text"));
    ASSERT_TRUE(bytes) << bytes.error().message();
    EXPECT_EQ(*bytes, one.get("bytes").as_int()) << text_of(one, "text");
    ++cases;
  }
  for (const Value& one : data->root().get("parseErrors").items()) {
    const auto bytes = parse_size(text_of(one));
    ASSERT_FALSE(bytes) << text_of(one);
    EXPECT_EQ(bytes.error().error_class(), FailureClass::kValidation);
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 13U, 5U));
}

TEST(Sizes, AreConvertedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "sizes.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("convert").items()) {
    const std::int64_t bytes = one.get("bytes").as_int();
    EXPECT_EQ(managed_disk_gib(bytes), one.get("managedDiskGB").as_int()) << bytes;
    EXPECT_EQ(file_share_gib(bytes), one.get("fileShareGiB").as_int()) << bytes;
    EXPECT_EQ(size_quantity(bytes), text_of(one, "k8sQuantity")) << bytes;
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 11U, 4U));
}

TEST(Sizes, WithFractionsAreRoundedUp) {
  EXPECT_EQ(parse_size("1.5Gi").value(), 1610612736);
  EXPECT_EQ(parse_size("100Ti").value(), 109951162777600);
  EXPECT_EQ(parse_size("0.1").value(), 1);
  EXPECT_EQ(parse_size("500m").value(), 1);
  EXPECT_EQ(parse_size("0").value(), 0);
}

TEST(Sizes, AreRefusedBelowZeroAndBeyond64Bits) {
  EXPECT_EQ(parse_size("9223372036854775806").value(),
            std::numeric_limits<std::int64_t>::max() - 1);
  for (const std::string_view text :
       {"-1", "-1Gi", "9223372036854775807", "8Ei", "99Ei", "1e19", "99999999999999999999999999"}) {
    const auto bytes = parse_size(text);
    ASSERT_FALSE(bytes) << text << " is " << *bytes;
    EXPECT_EQ(bytes.error().error_class(), FailureClass::kValidation);
  }
}

TEST(Sizes, ConvertAtTheEnds) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(size_quantity(kMost), "8Ei");
  EXPECT_EQ(size_quantity(0), "0");
  EXPECT_EQ(managed_disk_gib(0), 1);
  EXPECT_EQ(file_share_gib(0), 1);
  EXPECT_EQ(file_share_gib(kMost), std::int64_t{1} << 33);
}

TEST(Sizes, GiveRoomForWhatWasAskedAndLessThanAMebibyteMore) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const auto bytes = static_cast<std::int64_t>(random() >> (random() % 60 + 3));
    const auto given = parse_size(size_quantity(bytes));
    ASSERT_TRUE(given) << size_quantity(bytes);
    EXPECT_GE(*given, bytes);
    EXPECT_LT(*given - bytes, 1 << 20);
    EXPECT_EQ(size_quantity(*given), size_quantity(bytes));
  }
}

}  // namespace
}  // namespace strake::provider

#include "provider/names/compact_id.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "provider/names/base36.h"
#include "provider/names/name_checks.h"
#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider {
namespace {

using value::text_of;
using value::Value;

TEST(CompactIds, AreThoseRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "provider");
  const auto data = value::read_json(testing::read_file(folder / "compact-id.json"));
  ASSERT_TRUE(data) << data.error().to_string();
  std::size_t cases = 0;
  for (const Value& one : data->root().get("cases").items()) {
    const std::int64_t seconds = one.get("unixSeconds").as_int();
    const auto number = std::stoul(std::string(text_of(one, "randomBytesHex")), nullptr, 16);
    const auto id = compact_id(
        seconds, {static_cast<std::uint8_t>(number >> 16), static_cast<std::uint8_t>(number >> 8),
                  static_cast<std::uint8_t>(number)});
    ASSERT_TRUE(id) << id.error().message();
    EXPECT_EQ(*id, text_of(one, "id"));
    EXPECT_EQ(compact_id_seconds(*id), seconds);
    ++cases;
  }
  for (const Value& one : data->root().get("errors").items()) {
    const auto id = compact_id(one.get("unixSeconds").as_int(), {});
    ASSERT_FALSE(id);
    EXPECT_EQ(id.error().error_class(), FailureClass::kInternal);
    ++cases;
  }
  EXPECT_GE(cases, testing::count_in(folder, 9U, 4U));
}

TEST(CompactIds, ComeFromTheClockAndTheSource) {
  FakeClock clock;
  clock.set_wall(WallTime(std::chrono::seconds(1758780260)));
  std::uint8_t next = 0xab;
  const RandomSource source = [&](std::span<std::uint8_t> out) -> Outcome<> {
    for (std::uint8_t& byte : out) {
      byte = next;
      next = static_cast<std::uint8_t>(next + 0x22);
    }
    return {};
  };
  EXPECT_EQ(compact_id(clock, source).value(), "0t34rj86pbsf");

  const auto broken = compact_id(clock, [](std::span<std::uint8_t>) -> Outcome<> {
    return refuse(FailureClass::kInternal, "no chance");
  });
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().message(), "no chance");
}

TEST(CompactIds, SortByTimeAndAreNamesOfDisks) {
  FakeClock clock;
  std::string before;
  for (int i = 0; i < 100; ++i) {
    const auto id = compact_id(clock);
    ASSERT_TRUE(id) << id.error().message();
    EXPECT_LT(before, *id);
    EXPECT_TRUE(check_disk_name(*id)) << *id;
    before = *id;
    clock.advance(std::chrono::seconds(1));
  }
}

TEST(CompactIds, DifferWithinASecond) {
  const FakeClock clock;
  std::vector<std::string> ids;
  for (int i = 0; i < 20; ++i) ids.push_back(compact_id(clock).value());
  std::ranges::sort(ids);
  // By chance all but a few do: twenty of 16 million.
  EXPECT_GE(std::ranges::unique(ids).begin() - ids.begin(), 18);
}

TEST(CompactIds, AreToldFromOtherTexts) {
  EXPECT_EQ(compact_id_seconds("000000100001"), 1);
  for (const std::string_view text :
       {"", "00000010000", "0000001000011", "00000010000-", "00000010000A", "0000001zzzzz"}) {
    EXPECT_FALSE(compact_id_seconds(text)) << text;
  }
}

TEST(Base36, GivesBackEveryNumber) {
  std::mt19937_64 random(36);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t number = random() >> (random() % 60 + 3);
    const std::string text = to_base36(number, 1);
    EXPECT_EQ(from_base36(text), number) << text;
    EXPECT_EQ(to_base36(number, 12), std::string(12 - text.size(), '0') + text);
  }
  EXPECT_EQ(to_base36(0, 1), "0");
  EXPECT_EQ(to_base36(35, 0), "z");
  EXPECT_EQ(from_base36("Z"), std::nullopt);
}

}  // namespace
}  // namespace strake::provider

#include "cel/value/time_zone.h"

#include <gtest/gtest.h>

#include "cel/value/time.h"

namespace strake::cel {
namespace {

std::int64_t seconds_of(std::string_view text) { return parse_timestamp(text)->seconds; }

TEST(CelTimeZones, KnowSummerTimePastAndFuture) {
  const TimeZone* zone = find_time_zone("America/New_York");
  if (zone == nullptr) GTEST_SKIP() << "no time zone database";
  EXPECT_EQ(zone->offset_at(seconds_of("2024-01-15T12:00:00Z")), -5 * 3600);
  EXPECT_EQ(zone->offset_at(seconds_of("2024-07-15T12:00:00Z")), -4 * 3600);
  EXPECT_EQ(zone->offset_at(seconds_of("2024-03-10T06:59:59Z")), -5 * 3600);
  EXPECT_EQ(zone->offset_at(seconds_of("2024-03-10T07:00:00Z")), -4 * 3600);
  EXPECT_EQ(zone->offset_at(seconds_of("2150-07-15T12:00:00Z")), -4 * 3600);
  const TimeZone* south = find_time_zone("Australia/Sydney");
  ASSERT_NE(south, nullptr);
  EXPECT_EQ(south->offset_at(seconds_of("2150-01-15T12:00:00Z")), 11 * 3600);
  EXPECT_EQ(south->offset_at(seconds_of("2150-07-15T12:00:00Z")), 10 * 3600);
}

TEST(CelTimeZones, RefuseNamesThatLeadElsewhere) {
  EXPECT_EQ(find_time_zone("../../../etc/passwd"), nullptr);
  EXPECT_EQ(find_time_zone("/etc/passwd"), nullptr);
  EXPECT_EQ(find_time_zone("Nowhere/Land"), nullptr);
  EXPECT_EQ(find_time_zone(""), nullptr);
}

TEST(CelTimeZones, RefuseDataThatIsNoTimeZone) {
  EXPECT_FALSE(TimeZone::parse("").has_value());
  EXPECT_FALSE(TimeZone::parse("TZif2" + std::string(39, '\xff')).has_value());
  EXPECT_FALSE(TimeZone::parse("TZif2" + std::string(200, '\xff')).has_value());
}

TEST(CelTimes, TakeOffsetsByNumber) {
  EXPECT_EQ(zone_offset("-02:30", 0), -9000);
  EXPECT_EQ(zone_offset("11:00", 0), 39600);
  EXPECT_EQ(zone_offset("UTC", 0), 0);
  EXPECT_FALSE(zone_offset("+25:00", 0).has_value());
  EXPECT_FALSE(zone_offset("+1:xx", 0).has_value());
}

TEST(CelTimes, KnowTheCalendar) {
  const Civil c = to_civil(seconds_of("2024-12-31T23:59:58Z"));
  EXPECT_EQ(c.year, 2024);
  EXPECT_EQ(c.day_of_year, 365);
  EXPECT_EQ(c.day_of_week, 2);
  EXPECT_EQ(c.second, 58);
  EXPECT_EQ(to_civil(-1).year, 1969);
  EXPECT_EQ(format_duration(INT64_MIN), "-9223372036.854775808s");
}

}  // namespace
}  // namespace strake::cel

#include "base/rfc3339.h"

#include <gtest/gtest.h>

#include <random>

namespace strake {
namespace {

struct Readable {
  std::string_view text;
  std::string_view nano;  // how it is written again
};

TEST(Rfc3339, ReadsWhatGoReads) {
  const Readable cases[] = {
      {"2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"},
      {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"},
      {"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
      {"9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999999999Z"},
      {"2024-02-29T12:30:45Z", "2024-02-29T12:30:45Z"},
      {"2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"},
      {"2024-01-01T00:00:00.5Z", "2024-01-01T00:00:00.5Z"},
      {"2024-01-01T00:00:00.000000001Z", "2024-01-01T00:00:00.000000001Z"},
      {"2024-01-01T00:00:00.1234567899999Z", "2024-01-01T00:00:00.123456789Z"},
      {"2024-01-01T00:00:00,25Z", "2024-01-01T00:00:00.25Z"},
      {"2024-01-01T02:00:00+02:00", "2024-01-01T00:00:00Z"},
      {"2023-12-31T19:00:00-05:00", "2024-01-01T00:00:00Z"},
      {"2024-01-01T05:30:00.5+05:30", "2024-01-01T00:00:00.5Z"},
      {"2024-01-01T5:30:00Z", "2024-01-01T05:30:00Z"},
      {"2024-01-02T00:00:00+24:00", "2024-01-01T00:00:00Z"},
      {"2024-01-02T01:00:00+24:60", "2024-01-01T00:00:00Z"},
      {"2024-01-01T00:00:00+00:00", "2024-01-01T00:00:00Z"},
      {"2024-01-01T00:00:00-00:00", "2024-01-01T00:00:00Z"},
      {"0000-01-01T00:00:00+01:00", "-0001-12-31T23:00:00Z"},
      {"9999-12-31T23:59:59-01:00", "10000-01-01T00:59:59Z"},
  };
  for (const Readable& c : cases) {
    const Result<Instant> time = parse_rfc3339(c.text);
    ASSERT_TRUE(time) << c.text << ": " << time.error().to_string();
    EXPECT_EQ(format_rfc3339_nano(*time), c.nano) << c.text;
  }
}

struct Unreadable {
  std::string_view text;
  std::string_view why;  // behind the text, quoted
};

TEST(Rfc3339, SaysWhatGoSaysOfTheRest) {
  constexpr std::string_view kAs = R"( as "2006-01-02T15:04:05Z07:00": cannot parse )";
  const std::pair<Unreadable, bool> cases[] = {
      // true: a part that does not fit the layout
      {{"", R"("" as "2006")"}, true},
      {{"now", R"("now" as "2006")"}, true},
      {{"24-01-01T00:00:00Z", R"("24-01-01T00:00:00Z" as "2006")"}, true},
      {{"-024-01-01T00:00:00Z", R"("-024-01-01T00:00:00Z" as "2006")"}, true},
      {{"20240101T000000Z", R"("0101T000000Z" as "-")"}, true},
      {{"2024-1-01T00:00:00Z", R"("1-01T00:00:00Z" as "01")"}, true},
      {{"2024-01-1T00:00:00Z", R"("1T00:00:00Z" as "02")"}, true},
      {{"2024-01-01", R"("" as "T")"}, true},
      {{"2024-01-01 00:00:00Z", R"(" 00:00:00Z" as "T")"}, true},
      {{"2024-01-01t00:00:00Z", R"("t00:00:00Z" as "T")"}, true},
      {{"2024-01-01T:00:00Z", R"(":00:00Z" as "15")"}, true},
      {{"2024-01-01T00:0:00Z", R"("0:00Z" as "04")"}, true},
      {{"2024-01-01T00:00Z", R"("Z" as ":")"}, true},
      {{"2024-01-01T00:00:0Z", R"("0Z" as "05")"}, true},
      {{"2024-01-01T00:00:00", R"("" as "Z07:00")"}, true},
      {{"2024-01-01T00:00:00z", R"("z" as "Z07:00")"}, true},
      {{"2024-01-01T00:00:00.Z", R"(".Z" as "Z07:00")"}, true},
      {{"2024-01-01T00:00:00+0200", R"("+0200" as "Z07:00")"}, true},
      {{"2024-01-01T00:00:00+02", R"("+02" as "Z07:00")"}, true},
      {{"2024-01-01T00:00:00*02:00", R"("*02:00" as "Z07:00")"}, true},
      {{"2024-01-01T00:00:00+a2:00", R"("+a2:00" as "Z07:00")"}, true},
      {{"2024-01-01T00:00:00+02:b0", R"("+02:b0" as "Z07:00")"}, true},
      // false: a part that is out of range, or too much
      {{"2024-13-01T00:00:00Z", ": month out of range"}, false},
      {{"2024-00-01T00:00:00Z", ": month out of range"}, false},
      {{"2024-01-00T00:00:00Z", ": day out of range"}, false},
      {{"2024-01-32T00:00:00Z", ": day out of range"}, false},
      {{"2023-02-29T00:00:00Z", ": day out of range"}, false},
      {{"1900-02-29T00:00:00Z", ": day out of range"}, false},
      {{"2024-04-31T00:00:00Z", ": day out of range"}, false},
      {{"2024-01-01T24:00:00Z", ": hour out of range"}, false},
      {{"2024-01-01T00:60:00Z", ": minute out of range"}, false},
      {{"2024-01-01T00:00:60Z", ": second out of range"}, false},
      {{"2024-01-01T00:00:00+25:00", ": time zone offset hour out of range"}, false},
      {{"2024-01-01T00:00:00+00:61", ": time zone offset minute out of range"}, false},
      {{"2024-01-01T00:00:00+25:61", ": time zone offset minute out of range"}, false},
      {{"2024-01-01T00:00:00*25:00", ": time zone offset hour out of range"}, false},
      {{"2024-01-01T00:00:00Zulu", R"(: extra text: "ulu")"}, false},
      {{"2024-01-32T00:00:00Z ", R"(: extra text: " ")"}, false},
  };
  for (const auto& [c, misfit] : cases) {
    const Result<Instant> time = parse_rfc3339(c.text);
    ASSERT_FALSE(time) << c.text;
    EXPECT_EQ(time.error().message(),
              fmt::format("parsing time \"{}\"{}{}", c.text, misfit ? kAs : "", c.why));
    EXPECT_EQ(time.error().code(), Code::kParse);
  }
}

TEST(Rfc3339, WantsSixDigitsOfAMicroTime) {
  EXPECT_EQ(format_rfc3339_micro(*parse_rfc3339_micro("2024-01-01T00:00:00.123456Z")),
            "2024-01-01T00:00:00.123456Z");
  EXPECT_EQ(format_rfc3339_micro(*parse_rfc3339_micro("2024-01-01T01:00:00.000000+01:00")),
            "2024-01-01T00:00:00.000000Z");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2024-01-01T00:00:00Z", R"("Z" as ".000000")"},
      {"2024-01-01T00:00:00.12345Z", R"(".12345Z" as ".000000")"},
      {"2024-01-01T00:00:00.1234567Z", R"("7Z" as "Z07:00")"},
  };
  for (const auto& [text, why] : cases) {
    EXPECT_EQ(
        parse_rfc3339_micro(text).error().message(),
        fmt::format(R"(parsing time "{}" as "2006-01-02T15:04:05.000000Z07:00": cannot parse {})",
                    text, why));
  }
  EXPECT_EQ(parse_rfc3339_micro("2024-01-01T00:00:00.-00001Z").error().message(),
            R"(parsing time "2024-01-01T00:00:00.-00001Z": fractional second out of range)");
}

TEST(Rfc3339, WritesSecondsMicrosecondsAndNanoseconds) {
  const Instant whole{1704067200, 0};
  EXPECT_EQ(format_rfc3339(whole), "2024-01-01T00:00:00Z");
  EXPECT_EQ(format_rfc3339_micro(whole), "2024-01-01T00:00:00.000000Z");
  EXPECT_EQ(format_rfc3339_nano(whole), "2024-01-01T00:00:00Z");
  const Instant part{1704067200, 123'456'700};
  EXPECT_EQ(format_rfc3339(part), "2024-01-01T00:00:00Z");
  EXPECT_EQ(format_rfc3339_micro(part), "2024-01-01T00:00:00.123456Z");
  EXPECT_EQ(format_rfc3339_nano(part), "2024-01-01T00:00:00.1234567Z");
  EXPECT_EQ(format_rfc3339_nano({-1, 999'999'999}), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(format_rfc3339({-62135596800, 0}), "0001-01-01T00:00:00Z");
}

TEST(Rfc3339, ReadsBackWhatItWrites) {
  std::mt19937_64 random(21);
  std::uniform_int_distribution<std::int64_t> seconds(-62167219200, 253402300799);
  for (int round = 0; round < 20000; ++round) {
    const Instant time{seconds(random), static_cast<std::uint32_t>(random() % 1'000'000'000)};
    ASSERT_EQ(*parse_rfc3339(format_rfc3339_nano(time)), time);
  }
}

TEST(Rfc3339, NeverReadsPastTheEnd) {
  const std::string_view good = "2024-01-01T00:00:00.123456+01:00";
  std::mt19937 random(22);
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(parse_rfc3339(good.substr(0, size)));
  for (int round = 0; round < 20000; ++round) {
    std::string text(good.substr(0, random() % (good.size() + 1)));
    for (char& c : text) {
      if (random() % 8 == 0) c = static_cast<char>(random());
    }
    (void)parse_rfc3339(text);
    (void)parse_rfc3339_micro(text);
  }
}

TEST(CivilDate, AgreesWithTheStandardCalendar) {
  for (std::int64_t days = -800000; days < 3000000; days += 7) {
    const std::chrono::year_month_day want{std::chrono::sys_days(std::chrono::days(days))};
    const CivilDate date = civil_from_days(days);
    if (date.year < -32767 || date.year > 32767) continue;
    ASSERT_EQ(date.year, static_cast<int>(want.year()));
    ASSERT_EQ(date.month, static_cast<unsigned>(want.month()));
    ASSERT_EQ(date.day, static_cast<unsigned>(want.day()));
    ASSERT_EQ(days_from_civil(date.year, date.month, date.day), days);
  }
}

}  // namespace
}  // namespace strake

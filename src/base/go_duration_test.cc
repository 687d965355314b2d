#include "base/go_duration.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace strake {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

TEST(GoDuration, ReadsWhatGoReads) {
  const std::pair<std::string_view, nanoseconds> cases[] = {
      {"0", 0s},
      {"-0", 0s},
      {"+0", 0s},
      {"5s", 5s},
      {"30s", 30s},
      {"1478s", 1478s},
      {"-5s", -5s},
      {"+5s", 5s},
      {"5.0s", 5s},
      {"5.6s", 5600ms},
      {"5.s", 5s},
      {".5s", 500ms},
      {"1.0s", 1s},
      {"1.004s", 1004ms},
      {"1.0040s", 1004ms},
      {"100.00100s", 100001ms},
      {"10ns", 10ns},
      {"11us", 11us},
      {"12\u00b5s", 12us},
      {"12\u03bcs", 12us},
      {"13ms", 13ms},
      {"15m", 15min},
      {"16h", 16h},
      {"3h30m", 3h + 30min},
      {"10.5s4m", 4min + 10500ms},
      {"-2m3.4s", -(2min + 3400ms)},
      {"1h2m3s4ms5us6ns", 1h + 2min + 3s + 4ms + 5us + 6ns},
      {"39h9m14.425s", 39h + 9min + 14425ms},
      {"52763797000ns", 52763797000ns},
      {"0.3333333333333333333h", 20min},
      {"0.100000000000000000000h", 6min},
      {"0.830103483285477580700h", 49min + 48s + 372539827ns},
      {"9007199254740993ns", 9007199254740993ns},
      {"9223372036854775807ns", nanoseconds::max()},
      {"9223372036854775.807us", nanoseconds::max()},
      {"9223372036s854ms775us807ns", nanoseconds::max()},
      {"-9223372036854775808ns", nanoseconds::min()},
      {"-9223372036854775.808us", nanoseconds::min()},
      {"-9223372036s854ms775us808ns", nanoseconds::min()},
      {"-2562047h47m16.854775808s", nanoseconds::min()},
  };
  for (const auto& [text, want] : cases) {
    const auto got = parse_go_duration(text);
    ASSERT_TRUE(got) << text << ": " << got.error().to_string();
    EXPECT_EQ(got->count(), want.count()) << text;
  }
}

TEST(GoDuration, SaysWhatGoSaysOfTheRest) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", R"(time: invalid duration "")"},
      {"3", R"(time: missing unit in duration "3")"},
      {"3.5", R"(time: missing unit in duration "3.5")"},
      {"-", R"(time: invalid duration "-")"},
      {"s", R"(time: invalid duration "s")"},
      {".", R"(time: invalid duration ".")"},
      {"-.", R"(time: invalid duration "-.")"},
      {".s", R"(time: invalid duration ".s")"},
      {"+.s", R"(time: invalid duration "+.s")"},
      {"1d", R"(time: unknown unit "d" in duration "1d")"},
      {"1h30", R"(time: missing unit in duration "1h30")"},
      {"1 h", R"(time: unknown unit " h" in duration "1 h")"},
      {"1h 30m", R"(time: unknown unit "h " in duration "1h 30m")"},
      {"1H", R"(time: unknown unit "H" in duration "1H")"},
      {"1-2h", R"(time: unknown unit "-" in duration "1-2h")"},
      {"\x85\x85", R"(time: invalid duration "\x85\x85")"},
      {"\xff"
       "ff",
       R"(time: invalid duration "\xffff")"},
      {"hello \xff"
       "ff world",
       R"(time: invalid duration "hello \xffff world")"},
      {"1\u00b5", R"(time: unknown unit "\xc2\xb5" in duration "1\xc2\xb5")"},
      {"9223372036854775810ns", R"(time: invalid duration "9223372036854775810ns")"},
      {"9223372036854775808ns", R"(time: invalid duration "9223372036854775808ns")"},
      {"-9223372036854775809ns", R"(time: invalid duration "-9223372036854775809ns")"},
      {"9223372036854776us", R"(time: invalid duration "9223372036854776us")"},
      {"3000000h", R"(time: invalid duration "3000000h")"},
      {"9223372036854775.808us", R"(time: invalid duration "9223372036854775.808us")"},
      {"9223372036854ms775us808ns", R"(time: invalid duration "9223372036854ms775us808ns")"},
      {"99999999999999999999999s", R"(time: invalid duration "99999999999999999999999s")"},
  };
  for (const auto& [text, want] : cases) {
    const auto got = parse_go_duration(text);
    ASSERT_FALSE(got) << text;
    EXPECT_EQ(got.error().message(), want);
    EXPECT_EQ(got.error().code(), Code::kParse);
  }
}

TEST(GoDuration, WritesAsGoDoes) {
  const std::pair<nanoseconds, std::string_view> cases[] = {
      {0s, "0s"},
      {1ns, "1ns"},
      {999ns, "999ns"},
      {1100ns, "1.1\u00b5s"},
      {2us, "2\u00b5s"},
      {2200us, "2.2ms"},
      {999999999ns, "999.999999ms"},
      {1s, "1s"},
      {3300ms, "3.3s"},
      {59s + 999999999ns, "59.999999999s"},
      {60s, "1m0s"},
      {4min + 5s, "4m5s"},
      {4min + 5001ms, "4m5.001s"},
      {5h + 6min + 7001ms, "5h6m7.001s"},
      {8min + 1ns, "8m0.000000001s"},
      {1h, "1h0m0s"},
      {-1500ms, "-1.5s"},
      {-1ns, "-1ns"},
      {nanoseconds::max(), "2562047h47m16.854775807s"},
      {nanoseconds::min(), "-2562047h47m16.854775808s"},
  };
  for (const auto& [duration, want] : cases) EXPECT_EQ(format_go_duration(duration), want);
}

TEST(GoDuration, ReadsBackWhatItWrites) {
  std::mt19937_64 random(31);
  for (int round = 0; round < 20000; ++round) {
    // digits here.
    const nanoseconds duration(static_cast<std::int64_t>(random() >> (random() % 64)));
    const auto read = parse_go_duration(format_go_duration(duration));
    ASSERT_TRUE(read) << format_go_duration(duration);
    ASSERT_EQ(read->count(), duration.count()) << format_go_duration(duration);
  }
}

TEST(GoDuration, NeverReadsPastTheEnd) {
  std::mt19937 random(32);
  for (int round = 0; round < 30000; ++round) {
    std::string text(random() % 10, '\0');
    for (char& c : text) c = "019.hmsnu\xc2\xb5-+"[random() % 13];
    (void)parse_go_duration(text);
  }
}

}  // namespace
}  // namespace strake

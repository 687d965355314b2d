#include "base/number_format.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

namespace strake {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(FormatGoG, TurnsToAnExponentFromAMillionOn) {
  const std::pair<double, std::string_view> cases[] = {
      {0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {-1, "-1"},
      {20, "20"},
      {1.5, "1.5"},
      {0.1, "0.1"},
      {-123.456, "-123.456"},
      {100000, "100000"},
      {200000, "200000"},
      {123456, "123456"},
      {123456.789, "123456.789"},
      {999999.5, "999999.5"},
      {1e6, "1e+06"},
      {2000000, "2e+06"},
      {1234567.5, "1.2345675e+06"},
      {1234567.8, "1.2345678e+06"},
      {123456789.0, "1.23456789e+08"},
      {1e10, "1e+10"},
      {108678236358137.625, "1.0867823635813762e+14"},
      {1e20, "1e+20"},
      {1e21, "1e+21"},
      {1e23, "1e+23"},
      {1e100, "1e+100"},
      {0.0001, "0.0001"},
      {0.00012, "0.00012"},
      {0.00001, "1e-05"},
      {0.000012, "1.2e-05"},
      {1e-7, "1e-07"},
      {5e-324, "5e-324"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {9007199254740993.0, "9.007199254740992e+15"},
      {kInfinity, "+Inf"},
      {-kInfinity, "-Inf"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
  };
  for (const auto& [number, want] : cases) {
    EXPECT_EQ(format_go_g(number), want);
    EXPECT_EQ(format_go_v(number), want);
  }
}

TEST(FormatJsonNumber, StaysPlainUpTo1e21) {
  const std::pair<double, std::string_view> cases[] = {
      {0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {-42, "-42"},
      {1.5, "1.5"},
      {100000, "100000"},
      {1e6, "1000000"},
      {1234567.5, "1234567.5"},
      {999999999999999, "999999999999999"},
      {1e15, "1000000000000000"},
      {-1e15, "-1000000000000000"},
      {1e20, "100000000000000000000"},
      {123456789012345680000.0, "123456789012345680000"},
      {999999999999999900000.0, "999999999999999900000"},
      {1e21, "1e+21"},
      {-1.5e21, "-1.5e+21"},
      {1e100, "1e+100"},
      {0.0001, "0.0001"},
      {0.00001, "0.00001"},
      {0.000001, "0.000001"},
      {0.0000012, "0.0000012"},
      {9.99e-7, "9.99e-7"},
      {1e-7, "1e-7"},
      {-1.25e-9, "-1.25e-9"},
      {1e-10, "1e-10"},
      {1e-100, "1e-100"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
  };
  for (const auto& [number, want] : cases) EXPECT_EQ(format_json_number(number), want);
}

TEST(FormatJsonNumber, AppendsBehindWhatIsThere) {
  std::string out = "[";
  append_json_number(out, 2.5);
  append_json_number(out, -7);
  EXPECT_EQ(out, "[2.5-7");
}

TEST(NumberFormat, ReadsBackAsTheSameNumber) {
  std::mt19937_64 random(41);
  for (int round = 0; round < 50000; ++round) {
    const double number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    for (const std::string& text : {format_go_g(number), format_json_number(number)}) {
      double read = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), read);
      ASSERT_EQ(error, std::errc()) << text;
      ASSERT_EQ(end, text.data() + text.size());
      ASSERT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(number)) << text;
    }
  }
}

}  // namespace
}  // namespace strake

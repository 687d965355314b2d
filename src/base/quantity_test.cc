#include "base/quantity.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace strake {
namespace {

using Format = Quantity::Format;
constexpr auto kSi = Format::kDecimalSi;
constexpr auto kBinary = Format::kBinarySi;
constexpr auto kExponent = Format::kDecimalExponent;
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

Quantity read(std::string_view text) {
  Result<Quantity> out = Quantity::parse(text);
  if (!out) ADD_FAILURE() << text << ": " << out.error().to_string();
  return out ? *out : Quantity();
}

struct Parsed {
  std::string_view text;
  std::int64_t value;
  int scale;
  Format format;
};

TEST(Quantity, ReadsNumbersWithEverySuffix) {
  const Parsed cases[] = {
      {"0", 0, 0, kSi},
      {"0n", 0, 0, kSi},
      {"0Ki", 0, 0, kBinary},
      {"0.0Ki", 0, 0, kBinary},
      {"0e-20", 0, 0, kExponent},
      {"1", 1, 0, kSi},
      {"1Ki", 1024, 0, kBinary},
      {"8Ki", 8 * 1024, 0, kBinary},
      {"7Mi", 7 << 20, 0, kBinary},
      {"6Gi", 6LL << 30, 0, kBinary},
      {"5Ti", 5LL << 40, 0, kBinary},
      {"4Pi", 4LL << 50, 0, kBinary},
      {"3Ei", 3LL << 60, 0, kBinary},
      {"100Ti", 100LL << 40, 0, kBinary},
      {"5n", 5, -9, kSi},
      {"4u", 4, -6, kSi},
      {"3m", 3, -3, kSi},
      {"8k", 8, 3, kSi},
      {"50k", 5, 4, kSi},
      {"7M", 7, 6, kSi},
      {"6G", 6, 9, kSi},
      {"300T", 3, 14, kSi},
      {"2P", 2, 15, kSi},
      {"1E", 1, 18, kSi},
      {"12E", 12, 18, kSi},
      {"1E-3", 1, -3, kExponent},
      {"1e3", 1, 3, kExponent},
      {"1E6", 1, 6, kExponent},
      {"1.3E+6", 13, 5, kExponent},
      {"1e14", 1, 14, kExponent},
      {"1e4294967297", 1, 1, kExponent},  // only the lower half of the exponent counts
      {"100.035k", 100035, 0, kSi},
      {"0.001", 1, -3, kSi},
      {"0.0005k", 5, -1, kSi},
      {"0.50000", 5, -1, kSi},
      {"0.5e-1", 5, -2, kExponent},
      {"9.01", 901, -2, kSi},
      {"7.123456M", 7123456, 0, kSi},
      {"6.987654321G", 6987654321, 0, kSi},
      {"1.01E", 101, 16, kSi},
      {"3.001n", 4, -9, kSi},
      {"1.1E-9", 2, -9, kExponent},
      {"0.0000000001", 1, -9, kSi},
      {"0.5e-9", 1, -9, kExponent},
      {"1e-100000", 1, -9, kExponent},
      {"0.00000012345", 124, -9, kSi},
      {"0.00000012354", 124, -9, kSi},
      {"9Ei", kMax, 0, kBinary},
      {"9223372036854775807Ki", kMax, 0, kBinary},
      {"99999999999999999999999Ei", kMax, 0, kBinary},
      {"100.035Ki", 10243584, -2, kBinary},
      {"0.5Mi", 1 << 19, 0, kBinary},
      {"0.05Gi", 536870912, -1, kBinary},
      {"0.025Ti", 274877906944, -1, kBinary},
      {"0.000000000001Ki", 2, -9, kSi},
      {".001", 1, -3, kSi},
      {".0001k", 100, -3, kSi},
      {"1.", 1, 0, kSi},
      {"1.G", 1, 9, kSi},
      {".", 0, 0, kSi},  // no digits at all is zero, as in apimachinery 1.36
      {"Ki", 0, 0, kBinary},
      {"m", 0, 0, kSi},
  };
  for (const Parsed& c : cases) {
    const Quantity quantity = read(c.text);
    EXPECT_EQ(quantity, Quantity(c.value, c.format, c.scale))
        << c.text << " is " << quantity.to_string();
    EXPECT_EQ(quantity.format(), c.format) << c.text;
    const Quantity negative = read("-" + std::string(c.text));
    EXPECT_EQ(negative, Quantity(-c.value, c.format, c.scale)) << c.text;
    EXPECT_EQ(negative.format(), c.format) << c.text;
    EXPECT_EQ(negative.sign(), -quantity.sign());
    EXPECT_EQ(read("+" + std::string(c.text)), quantity);
  }
}

TEST(Quantity, SaysWhyItCannotRead) {
  constexpr std::string_view kFormat =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  constexpr std::string_view kNumber = "unable to parse numeric part of quantity";
  constexpr std::string_view kSuffix = "unable to parse quantity's suffix";
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", kFormat},
      {" 1", kFormat},
      {"1 ", kFormat},
      {"1.1.M", kFormat},
      {"1+1.0M", kFormat},
      {"0.1am", kFormat},
      {"aoeu", kFormat},
      {"1e3x", kFormat},
      {"1Gib", kFormat},
      {"--1", kSuffix},
      {"1,5", kFormat},
      {"0x10", kFormat},
      {"1\xc2\xb5", kFormat},
      {"1e3.5", kFormat},
      {"0.1mi", kSuffix},
      {".5i", kSuffix},
      {"1i", kSuffix},
      {"-3.01i", kSuffix},
      {"-3.01e-", kSuffix},
      {"1e", kSuffix},
      {"e", kSuffix},
      {"1e+", kSuffix},
      {"1GG", kSuffix},
      {"1ki", kSuffix},
      {"1K", kSuffix},
      {"1+", kSuffix},
      {"1+5", kSuffix},
      {"1k5", kSuffix},
      {"1eE5", kSuffix},
      {"1mm", kSuffix},
      {"1e99999999999999999999", kSuffix},
      {"e-10", kNumber},
      {"-e-10", kNumber},
      {".e-10", kNumber},
  };
  for (const auto& [text, want] : cases) {
    const Result<Quantity> got = Quantity::parse(text);
    ASSERT_FALSE(got) << text;
    EXPECT_EQ(got.error().message(), want) << text;
    EXPECT_EQ(got.error().code(), Code::kParse);
  }
}

TEST(Quantity, RefusesWhatNeedsThousandsOfDigits) {
  EXPECT_EQ(Quantity::parse(std::string(5000, '9')).error().code(), Code::kLimit);
  EXPECT_EQ(Quantity::parse("1234567890123456789e2147483647").error().code(), Code::kLimit);
  Quantity far = read("1e2147483647");
  EXPECT_EQ(far.to_string(), "10e2147483646");
  EXPECT_GT(far, read("9223372036854775807"));
  EXPECT_EQ(far.add(read("1")).error().code(), Code::kLimit);
  EXPECT_EQ(far.to_string(), "10e2147483646");
  EXPECT_EQ(far.value(), 0);
  EXPECT_EQ(far.as_int64(), std::nullopt);
  EXPECT_EQ(far.as_approximate_double(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(read("1e-2147483648"), read("1n"));
}

TEST(Quantity, WritesTheCanonicalForm) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"0", "0"},
      {"0Ki", "0"},
      {"00", "0"},
      {"0e5", "0"},
      {"+", "0"},
      {"1Ki", "1Ki"},
      {"1024Mi", "1Gi"},
      {"307200Ki", "300Mi"},
      {"1025024Mi", "1001Gi"},
      {"1024Gi", "1Ti"},
      {"1.5Gi", "1536Mi"},
      {"0.5Ki", "512"},
      {"1.1Ki", "1126400m"},
      {"100.035Ki", "102435840m"},
      {"5000m", "5"},
      {"0.5", "500m"},
      {"1.5", "1500m"},
      {"1.08", "1080m"},
      {"1080000000n", "1080m"},
      {"1000M", "1G"},
      {"0.001T", "1G"},
      {"1000u", "1m"},
      {"1234567M", "1234567M"},
      {"1000", "1k"},
      {"10000", "10k"},
      {"1001", "1001"},
      {"0.001e0", "1e-3"},
      {".001e12", "1e9"},
      {"1000e-12", "1e-9"},
      {"1e1", "10"},
      {"12e4", "120e3"},
      {"0.1e1", "1"},
      {".001Ki", "1024m"},
      {".000001Ki", "1024u"},
      {".000000001Ki", "1024n"},
      {".000000000001Ki", "2n"},
      {"9Ei", "9223372036854775807"},
      {"8Ki", "8Ki"},
      {"1000E", "1000E"},
      {"123456789012345678901", "123456789012345678901"},
      {"1000000000000000000000", "1000E"},
      {"12345678901234567890.5", "12345678901234567890500m"},
  };
  for (const auto& [text, want] : cases) {
    EXPECT_EQ(read(text).to_string(), want) << text;
    if (want != "0") {
      EXPECT_EQ(read("-" + std::string(text)).to_string(), "-" + std::string(want)) << text;
    }
    EXPECT_EQ(read(want), read(text)) << text;
  }
}

TEST(Quantity, KeepsTheTextThatTheReferenceTakesForCanonical) {
  for (std::string_view text : {"100m", "1Gi", "1E3", "1e03", "+5", "1.500", "1.500k", "7.123456M",
                                "012", "01Ki", "1.234"}) {
    EXPECT_EQ(read(text).to_string(), text);
  }
}

TEST(Quantity, ComparesByValue) {
  EXPECT_EQ(read("0"), read("0Ki"));
  EXPECT_EQ(read("1000m"), read("1"));
  EXPECT_EQ(read("1Ki"), read("1024"));
  EXPECT_EQ(read("1e3"), read("1k"));
  EXPECT_GT(read("100m"), read("50m"));
  EXPECT_GT(read("10000T"), read("100Gi"));
  EXPECT_LT(read("-1"), read("-999m"));
  EXPECT_LT(read("123456789012345678901"), read("123456789012345678902"));
  EXPECT_GT(read("0.1"), read("0.099999999"));
  EXPECT_LT(Quantity(std::numeric_limits<std::int64_t>::min()), Quantity(0));
}

TEST(Quantity, AddsAndKeepsTheFirstFormat) {
  const struct {
    std::string_view a, b, sum, difference;
  } cases[] = {
      {"1", "1", "2", "0"},
      {"1", "500m", "1500m", "500m"},
      {"1Gi", "1Gi", "2Gi", "0"},
      {"1Gi", "1", "1073741825", "1073741823"},
      {"1Gi", "500m", "1073741824500m", "1073741823500m"},
      {"1k", "1Ki", "2024", "-24"},
      {"100m", "0", "100m", "100m"},
      {"1Gi", "0", "1Gi", "1Gi"},
      {"0", "1Gi", "1Gi", "-1Gi"},
      {"0", "100m", "100m", "-100m"},
      {"0Ki", "5e3", "5e3", "-5e3"},
      {"9223372036854775807", "1", "9223372036854775808", "9223372036854775806"},
      {"9E", "9E", "18E", "0"},
      {"8Ei", "8Ei", "18446744073709551614", "0"},
      {"9000P", "1n", "9000000000000000000000000001n", "8999999999999999999999999999n"},
      {"1.5", "0.0000000001", "1500000001n", "1499999999n"},
  };
  for (const auto& c : cases) {
    Quantity sum = read(c.a);
    ASSERT_TRUE(sum.add(read(c.b)));
    EXPECT_EQ(sum.to_string(), c.sum) << c.a << " + " << c.b;
    Quantity difference = read(c.a);
    ASSERT_TRUE(difference.subtract(read(c.b)));
    EXPECT_EQ(difference.to_string(), c.difference) << c.a << " - " << c.b;
  }
  Quantity negative = read("9.01");
  negative.negate();
  EXPECT_EQ(negative.to_string(), "-9010m");
  Quantity least(std::numeric_limits<std::int64_t>::min());
  least.negate();
  EXPECT_EQ(least.to_string(), "9223372036854775808");
}

TEST(Quantity, IsAnIntegerOnlyWhereTheReferenceSaysSo) {
  EXPECT_EQ(read("50k").as_int64(), 50000);
  EXPECT_EQ(read("1Gi").as_int64(), 1 << 30);
  EXPECT_EQ(read("9E").as_int64(), 9000000000000000000);
  EXPECT_EQ(read("-7").as_int64(), -7);
  EXPECT_TRUE(read("50000000G").is_integer());
  for (std::string_view text :
       {"10E", "1.0", "1000m", "0.5Ki", "1e19", "9999999999999999999999999G", "1Ei"}) {
    EXPECT_FALSE(read(text).is_integer()) << text;
  }
}

TEST(Quantity, RoundsItsValueUp) {
  const struct {
    std::string_view text;
    std::int64_t value, milli;
  } cases[] = {
      {"1", 1, 1000},
      {"1.5", 2, 1500},
      {"1m", 1, 1},
      {"1n", 1, 1},
      {"1500m", 2, 1500},
      {"-1.5", -2, -1500},
      {"-1n", -1, -1},
      {"1Ki", 1024, 1024000},
      {"0.5Ki", 512, 512000},
      {"1.0005Ki", 1025, 1024512},
      {"0", 0, 0},
      {"10E", 0, 0},
      {"1Ei", 1LL << 60, static_cast<std::int64_t>((1ULL << 60) * 1000)},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(read(c.text).value(), c.value) << c.text;
    EXPECT_EQ(read(c.text).milli_value(), c.milli) << c.text;
  }
  EXPECT_EQ(read("1500").scaled_value(3), 2);
  EXPECT_EQ(Quantity::milli(1500).value(), 2);
}

TEST(Quantity, GivesADouble) {
  EXPECT_EQ(read("0").as_approximate_double(), 0.0);
  EXPECT_EQ(read("100").as_approximate_double(), 100.0);
  EXPECT_EQ(read("1Ki").as_approximate_double(), 1024.0);
  EXPECT_EQ(read("12E").as_approximate_double(), 12e18);
  EXPECT_EQ(read("50M").as_approximate_double(), 50e6);
  EXPECT_EQ(read("-1Mi").as_approximate_double(), -1048576.0);
  EXPECT_EQ(read("0.5Ki").as_approximate_double(), 512000000000.0 * 1e-9);
  EXPECT_EQ(read("1m").as_approximate_double(), 1.0 * (1.0 / 1e3));
  EXPECT_EQ(read("1e300").as_approximate_double(), 1e288 * 1e12);
  EXPECT_EQ(read("9Ei").as_approximate_double(), 9223372036854775807.0);
}

TEST(Quantity, ReadsBackWhatItWrites) {
  std::mt19937_64 random(61);
  constexpr std::string_view kSuffixes[] = {"",   "n",  "u",  "m",   "k",  "M",  "G",
                                            "T",  "P",  "E",  "Ki",  "Mi", "Gi", "Ti",
                                            "Pi", "Ei", "e3", "E-2", "e7"};
  for (int round = 0; round < 20000; ++round) {
    std::string text = random() % 3 == 0 ? "-" : "";
    text += std::to_string(random() >> (random() % 64));
    if (random() % 2 == 0) text += "." + std::to_string(random() >> (random() % 64));
    text += kSuffixes[random() % std::size(kSuffixes)];
    const Quantity first = read(text);
    Quantity doubled = first;
    ASSERT_TRUE(doubled.add(first)) << text;
    // A binary quantity is capped when it is read, not when it is added to.
    if (first.format() == kBinary && (doubled > Quantity(kMax) || doubled < Quantity(-kMax)))
      continue;
    const Quantity again = read(doubled.to_string());
    ASSERT_EQ(again, doubled) << text << " " << doubled.to_string();
    ASSERT_EQ(again.to_string(), doubled.to_string());
    ASSERT_TRUE(doubled.subtract(first));
    ASSERT_EQ(doubled, first) << text;
  }
}

TEST(Quantity, NeverReadsPastTheEnd) {
  std::mt19937 random(62);
  for (int round = 0; round < 50000; ++round) {
    std::string text(random() % 9, '\0');
    for (char& c : text) c = "0199.eEinumkKMGTP+-\xff"[random() % 20];
    const Result<Quantity> got = Quantity::parse(text);
    if (got) {
      ASSERT_FALSE(got->to_string().empty());
      (void)got->value();
    }
  }
}

}  // namespace
}  // namespace strake

#include "base/base64.h"

#include <gtest/gtest.h>

#include <random>

namespace strake {
namespace {

constexpr Base64 kForms[] = {Base64::kStandard, Base64::kStandardRaw, Base64::kUrl,
                             Base64::kUrlRaw};

TEST(Base64, WritesTheExamplesOfTheRfc) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(*base64_decode(text), bytes);
    const std::string raw(text.substr(0, text.find('=')));
    EXPECT_EQ(base64_encode(bytes, Base64::kStandardRaw), raw);
    EXPECT_EQ(*base64_decode(raw, Base64::kStandardRaw), bytes);
  }
}

TEST(Base64, HasAnAlphabetForUrls) {
  EXPECT_EQ(base64_encode("\xfb\xff\xfe"), "+//+");
  EXPECT_EQ(base64_encode("\xfb\xff\xfe", Base64::kUrl), "-__-");
  EXPECT_EQ(*base64_decode("-__-", Base64::kUrlRaw), "\xfb\xff\xfe");
  EXPECT_FALSE(base64_decode("-__-"));
  EXPECT_FALSE(base64_decode("+//+", Base64::kUrl));
}

TEST(Base64, ReadsBackWhatItWrites) {
  std::mt19937 random(5);
  for (std::size_t size = 0; size < 200; ++size) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    for (const Base64 form : kForms) {
      const std::string text = base64_encode(bytes, form);
      ASSERT_EQ(*base64_decode(text, form), bytes);
      std::string broken_up;
      for (const char c : text) {
        broken_up += c;
        if (random() % 3 == 0) broken_up += "\r\n";
      }
      ASSERT_EQ(*base64_decode(broken_up, form), bytes) << broken_up;
    }
  }
}

struct Illegal {
  std::string_view text;
  int at;  // -1 when it is legal
};

TEST(Base64, NamesTheByteThatGoNames) {
  const Illegal cases[] = {
      {"", -1},       {"\n", -1},       {"AAA=\n", -1},     {"AAAA\n", -1},   {"!!!!", 0},
      {"====", 0},    {"x===", 1},      {"=AAA", 0},        {"A=AA", 1},      {"AA=A", 2},
      {"AA==A", 4},   {"AAA=AAAA", 4},  {"AAAAA", 4},       {"AAAAAA", 4},    {"A=", 1},
      {"A==", 1},     {"AA=", 3},       {"AA==", -1},       {"AAA=", -1},     {"AAAA", -1},
      {"AAAAA=", 5},  {"AAAAAA=", 7},   {"YWJjZA=====", 8}, {"A!\n", 1},      {"A=\n", 1},
      {"AA", 0},      {"AAA", 0},       {"AA\n", 1},        {"AA=\n", 4},     {"AA=\n=", -1},
      {"AA\n==", -1}, {"AA==\n\n", -1}, {"AA=\nA", 3},      {"Zm9v Zm9v", 4}, {"Zm9vYg", 4},
  };
  for (const Illegal& c : cases) {
    const Result<std::string> read = base64_decode(c.text);
    ASSERT_EQ(read.has_value(), c.at < 0) << c.text;
    if (c.at < 0) continue;
    EXPECT_EQ(read.error().message(), fmt::format("illegal base64 data at input byte {}", c.at))
        << c.text;
    EXPECT_EQ(read.error().code(), Code::kParse);
  }
}

TEST(Base64, TakesNoPaddingInTheRawForms) {
  EXPECT_EQ(base64_decode("AA==", Base64::kStandardRaw).error().message(),
            "illegal base64 data at input byte 2");
  EXPECT_EQ(base64_decode("A", Base64::kStandardRaw).error().message(),
            "illegal base64 data at input byte 0");
  EXPECT_EQ(base64_decode("AAAAA", Base64::kUrlRaw).error().message(),
            "illegal base64 data at input byte 4");
  EXPECT_EQ(*base64_decode("AAA", Base64::kUrlRaw), std::string_view("\0\0", 2));
}

TEST(Base64, LetsTheLastDigitHaveStrayBits) { EXPECT_EQ(*base64_decode("Zh=="), "f"); }

TEST(Base64, NeverReadsPastTheEnd) {
  std::mt19937 random(6);
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 14, '\0');
    for (char& c : text) c = "AZz9+/-_=\n\r!\xff"[random() % 13];
    for (const Base64 form : kForms) {
      const Result<std::string> read = base64_decode(text, form);
      if (read) {
        ASSERT_EQ(*base64_decode(base64_encode(*read, form), form), *read);
      }
    }
  }
}

}  // namespace
}  // namespace strake

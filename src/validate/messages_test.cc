#include "validate/messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "schema/loose/import.h"
#include "validate/phrases.h"
#include "value/json_reader.h"

namespace strake::validate {
namespace {

bool is_japanese(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c & 0x80) != 0; });
}

std::size_t gaps_of(std::string_view english) {
  std::size_t count = 0;
  for (std::size_t at = english.find("{}"); at != std::string_view::npos;
       at = english.find("{}", at + 2))
    ++count;
  return count;
}

// A sentence with A, B and so on in its gaps; fmt leaves alone what has no gap.
std::string filled(Phrase phrase) { return say(phrase, "A", "B", "C", "D", "E"); }

TEST(Phrases, AreAllThereInJapaneseWithEverythingThatIsFilledIn) {
  std::set<std::string_view> english;
  for (std::size_t i = 0; i < kPhraseCount; ++i) {
    const auto phrase = static_cast<Phrase>(i);
    const PhraseText& text = text_of(phrase);
    EXPECT_TRUE(english.insert(text.english).second) << "twice: " << text.english;
    EXPECT_TRUE(is_japanese(text.japanese)) << text.english;
    ASSERT_LE(gaps_of(text.english), 5u);
    const auto japanese = japanese_of(filled(phrase));
    ASSERT_TRUE(japanese.has_value()) << text.english;
    EXPECT_EQ(japanese->find('{'), std::string::npos) << *japanese;
    // Each is told by the sentence that it is, not by one that it resembles.
    const std::string_view start = text.japanese.substr(0, text.japanese.find('{'));
    EXPECT_TRUE(japanese->starts_with(start)) << text.english << "\n" << *japanese;
    // What the server shows of the value in front of its words is not repeated in every sentence.
    if (text.english.starts_with("Invalid value: ")) continue;
    for (std::size_t gap = 0; gap < gaps_of(text.english); ++gap) {
      const std::string letter(1, static_cast<char>('A' + gap));
      EXPECT_NE(japanese->find(letter), std::string::npos) << text.english << "\n" << *japanese;
    }
  }
}

TEST(Phrases, LeaveTheWordsOfOthersAlone) {
  EXPECT_EQ(japanese_of("the image is not set"), std::nullopt);
  EXPECT_EQ(japanese_of(""), std::nullopt);
  EXPECT_EQ(japanese_of("no further words"), std::nullopt);
  const Fault rule{.issue = Issue::kCelViolation, .message = "size not set"};
  EXPECT_EQ(message_of(rule, Locale::kJapanese), "検証規則に反しています: size not set");
}

TEST(Phrases, MayQuoteEachOther) {
  EXPECT_EQ(japanese_of(say(Phrase::kNotChecked, say(Phrase::kMoreBytes, 3))),
            "検査していません: 3 バイトを超えています");
  EXPECT_EQ(japanese_of(say(Phrase::kSetByAnd, "patches", say(Phrase::kDidYouMean, "image"))),
            "設定元: patches。「image」の間違いではありませんか");
}

TEST(Japanese, NamesTypes) {
  const auto told = [](std::string expected, std::string got) {
    return message_of({.issue = Issue::kInvalidType,
                       .params = {{"expected", std::move(expected)}, {"got", std::move(got)}}},
                      Locale::kJapanese);
  };
  EXPECT_EQ(told("\"integer\"", "\"string\""), "型が違います: 整数が必要です (実際の値: 文字列)");
  EXPECT_EQ(told(R"(["null","string"])", "\"object\""),
            "型が違います: nullまたは文字列が必要です (実際の値: オブジェクト)");
  EXPECT_EQ(told("\"integer,string\"", "1.5"),
            "型が違います: 整数または文字列が必要です (実際の値: 1.5)");
}

TEST(Japanese, TellsOfTheNearestBranch) {
  const Fault fault{
      .issue = Issue::kNoMatch,
      .message = "matches no branch of anyOf",
      .hint = "the nearest branch: a: expected integer, got string",
      .params = {
          {"branch",
           R"([{"code":"invalid_type","fieldPath":"a","message":"expected integer, got string",
                       "params":{"expected":["integer"],"got":"string"}}])"}}};
  EXPECT_EQ(hint_of(fault, Locale::kJapanese),
            "最も近い候補: a: 型が違います: 整数が必要です (実際の値: 文字列)");
  EXPECT_EQ(hint_of(fault, Locale::kEnglish), fault.hint);
}

// Everything that an import may say of a schema.
TEST(Japanese, HasAWordForEveryWarningOfAnImport) {
  std::size_t told = 0;
  for (
      const char* schema : {
          R"({"items":[{"type":"integer"}]})",
          R"({"properties":{"a":{"required":true}}})",
          R"({"openapi":"3.0.0","components":{"schemas":{"A":{"discriminator":{"propertyName":"x"}},
               "B":{"oneOf":[{"type":"object"}],"discriminator":{"propertyName":"x"}},
               "C":{"oneOf":[{"$ref":"#/components/schemas/A"}],
                    "discriminator":{"propertyName":"x","mapping":{"m":"B"}}}}}})",
          R"({"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a",
               "type":"object","definitions":{"a":{}}})",
          R"({"surprise":1})",
          R"({"$schema":"https://json-schema.org/draft/2020-12/schema","nullable":true})",
          R"({"x-kubernetes-validations":[{"rule":"true"}]})",
          R"j({"pattern":"(?i)abc"})j",
          R"j({"pattern":"^(?=x)"})j",
          R"j({"pattern":"(a)\\1"})j",
          R"j({"pattern":"(?<=a)b"})j",
          R"j({"pattern":"a{2000}"})j",
          R"({"format":"colour"})",
          R"({"$schema":"https://example.com/mine"})",
          R"({"anyOf":[{"type":"integer"},false]})",
          R"({"properties":{"a":{"type":"integer","default":"x"}}})",
      }) {
    const auto read = value::read_json(schema);
    ASSERT_TRUE(read.has_value()) << schema;
    const auto imported = schema::loose::import_schema(read->root());
    ASSERT_TRUE(imported.has_value()) << schema << imported.error().to_string();
    EXPECT_FALSE(imported->diagnostics.empty()) << schema;
    for (const schema::loose::Diagnostic& one : imported->diagnostics) {
      EXPECT_TRUE(japanese_of(one.message).has_value()) << one.message;
      ++told;
    }
  }
  EXPECT_GE(told, 12u);
}

}  // namespace
}  // namespace strake::validate

#include "recording/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recording/recording.h"

namespace strake::recording {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHead = "{\"recording\":\"strake/v1\"}\n";

std::string why(std::string_view text) {
  const auto read = Recording::read(text, "a.jsonl");
  return read ? "" : read.error().message();
}

TEST(RecordingLines, ReadAsTheyWereWritten) {
  const Line lines[] = {
      HeadLine{.started = "2026-01-01T00:00:00Z"},
      RequestLine{.id = 1,
                  .at = 0.25,
                  .connection = 2,
                  .agent = "kubectl \"x\"",
                  .method = "PATCH",
                  .path = "/a",
                  .query = "b=c",
                  .accept = "application/json",
                  .content_type = "application/merge-patch+json",
                  .if_none_match = "\"x\"",
                  .body = {.form = Body::Form::kJson, .text = R"({"a":[1,null]})"}},
      RequestLine{.id = 2, .at = 1, .method = "POST", .path = "/", .streamed = true},
      AnswerLine{.id = 1,
                 .at = 2,
                 .user = "jane",
                 .groups = {"a", "b"},
                 .status = 404,
                 .body = {.form = Body::Form::kText, .text = "not found\n"}},
      AnswerLine{.id = 2,
                 .at = 2,
                 .status = 200,
                 .goes_on = true,
                 .body = {.form = Body::Form::kBytes, .text = std::string("\0\xff", 2)}},
      EventLine{.id = 2,
                .at = 3.000001,
                .body = {.form = Body::Form::kDigest, .text = "ab", .bytes = 9, .version = "7"}},
      EndLine{.id = 2, .at = 4, .by_client = true},
      FullLine()};
  for (const Line& line : lines) {
    std::string text = write_line(line);
    ASSERT_TRUE(text.ends_with("}\n"));
    text.pop_back();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    const auto read = read_line(text);
    ASSERT_TRUE(read) << text << read.error().message();
    EXPECT_TRUE(*read == line) << text;
  }
}

TEST(RecordingLines, AreRefusedWithTheirNumber) {
  const std::string head(kHead);
  EXPECT_EQ(why(""), "a.jsonl: is empty, and no recording");
  EXPECT_THAT(why("{}\n"), HasSubstr("a.jsonl:1: must be a request"));
  EXPECT_THAT(why("{\"full\":true}\n"), HasSubstr("a.jsonl:1: must begin with"));
  EXPECT_EQ(why("{\"recording\":\"strake/v2\"}\n"),
            "a.jsonl:1: must be a recording of the form strake/v1, got strake/v2");
  EXPECT_EQ(why(head + "{\"request\":-1}\n"),
            "a.jsonl:2: \"request\" must be a whole number from 0 on");
  EXPECT_THAT(why(head + R"({"request":1,"at":-1,"connection":1})"
                         "\n"),
              HasSubstr("\"at\" must"));
  EXPECT_THAT(why(head + R"({"request":1,"at":0,"connection":1,"method":"GET","path":"x"})"
                         "\n"),
              HasSubstr("begins with a slash"));
  EXPECT_THAT(why(head + R"({"answer":1,"at":0,"status":99})"
                         "\n"),
              HasSubstr("from 100 to 999"));
  EXPECT_THAT(why(head + R"({"answer":1,"at":0,"status":200})"
                         "\n"),
              HasSubstr("a.jsonl:2: there is no request 1 before it"));
  const std::string request = R"({"request":1,"at":0,"connection":1,"method":"GET","path":"/"})"
                              "\n";
  EXPECT_THAT(why(head + request + request), HasSubstr("a.jsonl:3: request 1 is there already"));
}

TEST(RecordingLines, MayEndInTheMiddleOfOne) {
  const auto read = Recording::read(
      std::string(kHead) + R"({"request":1,"at":0,"connection":1,"method":"GET","path":"/"})"
                           "\n{\"answer\":1,\"at",
      "cut");
  ASSERT_TRUE(read) << read.error().message();
  ASSERT_EQ(read->exchanges.size(), 1u);
  EXPECT_FALSE(read->exchanges[0].answer);
}

TEST(RecordingLines, AreCollectedByTheirRequest) {
  const auto read = Recording::read(
      std::string(kHead) +
          R"({"request":1,"at":0,"connection":1,"method":"GET","path":"/w","query":"watch=1"})"
          "\n"
          R"({"request":2,"at":1,"connection":1,"method":"GET","path":"/b"})"
          "\n"
          R"({"answer":2,"at":1,"status":200,"body":1})"
          "\n"
          R"({"answer":1,"at":1,"status":200,"goesOn":true})"
          "\n"
          R"({"event":1,"at":2,"body":{}})"
          "\n"
          R"({"end":1,"at":3,"by":"server"})"
          "\n{\"full\":true}\n",
      "all");
  ASSERT_TRUE(read) << read.error().message();
  EXPECT_TRUE(read->full);
  ASSERT_EQ(read->exchanges.size(), 2u);
  EXPECT_EQ(read->exchanges[0].events.size(), 1u);
  EXPECT_FALSE(read->exchanges[0].end->by_client);
  EXPECT_EQ(read->exchanges[1].answer->body.text, "1");
}

}  // namespace
}  // namespace strake::recording

#include "http/h1_parser.h"

#include <gtest/gtest.h>

namespace strake::http {
namespace {

struct Outcome {
  Progress progress = Progress::kMore;
  RequestHead head;
  std::size_t size = 0;
  Refusal refusal;
};

Outcome parse(std::string_view text, std::size_t limit = 4096) {
  Outcome outcome;
  HeadParser parser(limit);
  outcome.progress = parser.parse(text, outcome.head);
  outcome.size = parser.size();
  outcome.refusal = parser.refusal();
  return outcome;
}

TEST(HeadParser, ReadsARequest) {
  const Outcome outcome = parse(
      "PATCH /apis/x?dryRun=All&a=%20 HTTP/1.1\r\nHost: a\r\nX-Empty:\r\nX-Space: \t b c \t\r\n"
      "Content-Length: 12\r\n\r\nbody");
  ASSERT_EQ(outcome.progress, Progress::kDone);
  const Request& request = outcome.head.request;
  EXPECT_EQ(request.method, "PATCH");
  EXPECT_EQ(request.path, "/apis/x");
  EXPECT_EQ(request.query, "dryRun=All&a=%20");
  EXPECT_EQ(request.version, 11);
  EXPECT_TRUE(request.headers.has("x-empty"));
  EXPECT_EQ(request.headers.get("X-SPACE"), "b c");
  EXPECT_EQ(outcome.head.framing, Framing::kLength);
  EXPECT_EQ(outcome.head.length, 12u);
  EXPECT_TRUE(outcome.head.keep_alive);
}

TEST(HeadParser, GivesTheSameHoweverTheBytesCome) {
  const std::string text =
      "\r\nGET /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\nrest";
  HeadParser parser(4096);
  RequestHead head;
  for (std::size_t size = 0; size < text.size() - 4; ++size) {
    ASSERT_EQ(parser.parse(std::string_view(text).substr(0, size), head), Progress::kMore) << size;
  }
  ASSERT_EQ(parser.parse(text, head), Progress::kDone);
  EXPECT_EQ(parser.size(), text.size() - 4);
  EXPECT_EQ(head.framing, Framing::kChunked);
}

TEST(HeadParser, IsReadyForTheNextRequest) {
  HeadParser parser(4096);
  RequestHead first;
  RequestHead second;
  const std::string_view text = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.0\r\n\r\n";
  ASSERT_EQ(parser.parse(text, first), Progress::kDone);
  ASSERT_EQ(parser.parse(text.substr(parser.size()), second), Progress::kDone);
  EXPECT_EQ(second.request.path, "/2");
  EXPECT_EQ(second.request.version, 10);
}

struct Target {
  std::string_view sent;
  std::string_view path;
  std::string_view query;
};

TEST(HeadParser, TakesTheFormsOfATarget) {
  for (const Target& target : std::vector<Target>{
           {"/", "/", ""},
           {"/a/b?", "/a/b", ""},
           {"/a?b?c", "/a", "b?c"},
           {"http://host:80/a?b", "/a", "b"},
           {"https://host", "/", ""},
           {"http://host?x=1", "/", "x=1"},
           {"/caf\xc3\xa9", "/caf\xc3\xa9", ""},
       }) {
    const Outcome outcome = parse(fmt::format("GET {} HTTP/1.1\r\nHost: a\r\n\r\n", target.sent));
    ASSERT_EQ(outcome.progress, Progress::kDone) << target.sent;
    EXPECT_EQ(outcome.head.request.path, target.path) << target.sent;
    EXPECT_EQ(outcome.head.request.query, target.query) << target.sent;
  }
}

struct Bad {
  std::string_view text;
  int status = 400;
};

TEST(HeadParser, RefusesWhatCouldBeReadInTwoWays) {
  using namespace std::string_view_literals;
  for (
      const Bad& bad : std::vector<Bad>{
          // Lines
          {"GET / HTTP/1.1\nHost: a\n\n"},
          {"GET / HTTP/1.1\r\nHost: a\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\n\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\r\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\n\tfolded\r\n\r\n"},
          {"GET / HTTP/1.1\r\n Host: a\r\n\r\n"},
          {"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"},
          // The request line
          {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"GET /  HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"GET / HTTP/1.1 \r\nHost: a\r\n\r\n"},
          {" GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"GET /\r\nHost: a\r\n\r\n"},
          {"GET / http/1.1\r\nHost: a\r\n\r\n"},
          {"GET / HTTP/1.10\r\nHost: a\r\n\r\n"},
          {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
          {"GET / HTTP/0.9\r\nHost: a\r\n\r\n", 505},
          {"G=T / HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"GET a HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"GET * HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"GET /a\x7f HTTP/1.1\r\nHost: a\r\n\r\n"},
          {"GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"sv},
          {"\x16\x03\x01"sv},
          // Headers
          {"GET / HTTP/1.1\r\nHost : a\r\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\nX Y: a\r\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n"sv},
          {"GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n"},
          {"GET / HTTP/1.1\r\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},
          {"GET / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", 417},
          // Lengths
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1 1\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775808\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 18446744073709551617\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
           "Transfer-Encoding: chunked\r\n\r\n"},
          {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
          {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n", 501},
          {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", 501},
          {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \x0b"
           "chunked\r\n\r\n"},
          {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n"},
      }) {
    const Outcome outcome = parse(bad.text);
    EXPECT_EQ(outcome.progress, Progress::kRefused) << bad.text;
    EXPECT_EQ(outcome.refusal.status, bad.status) << bad.text;
    EXPECT_FALSE(outcome.refusal.reason.empty()) << bad.text;
  }
}

TEST(HeadParser, HoldsItsLimitAtTheByte) {
  const std::string text = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  EXPECT_EQ(parse(text, text.size()).progress, Progress::kDone);
  EXPECT_EQ(parse(text, text.size() - 1).refusal.status, 431);
  // Without an end in sight too.
  EXPECT_EQ(parse("GET /" + std::string(100, 'a'), 105).progress, Progress::kMore);
  EXPECT_EQ(parse("GET /" + std::string(100, 'a'), 104).refusal.status, 431);
}

TEST(HeadParser, HoldsTheNumberOfHeaders) {
  std::string text = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 999; ++i) text += "a: b\r\n";
  EXPECT_EQ(parse(text + "\r\n", 1 << 20).progress, Progress::kDone);
  EXPECT_EQ(parse(text + "a: b\r\n\r\n", 1 << 20).refusal.status, 431);
}

struct Keep {
  std::string_view version;
  std::string_view connection;
  bool keep_alive;
};

TEST(HeadParser, KnowsWhatBecomesOfTheConnection) {
  for (const Keep& keep : std::vector<Keep>{
           {"1.1", "", true},
           {"1.1", "Connection: close\r\n", false},
           {"1.1", "Connection: Upgrade, CLOSE\r\n", false},
           {"1.1", "Connection: keep-alive\r\nConnection: close\r\n", false},
           {"1.1", "Connection: closed\r\n", true},
           {"1.0", "", false},
           {"1.0", "Connection: Keep-Alive\r\n", true},
           {"1.0", "Connection: keep-alive, close\r\n", false},
       }) {
    const Outcome outcome =
        parse(fmt::format("GET / HTTP/{}\r\nHost: a\r\n{}\r\n", keep.version, keep.connection));
    ASSERT_EQ(outcome.progress, Progress::kDone);
    EXPECT_EQ(outcome.head.keep_alive, keep.keep_alive) << keep.version << keep.connection;
  }
}

// ---- Chunks

TEST(ChunkDecoder, GivesTheSameHoweverTheBytesCome) {
  const std::string_view text =
      "5\r\nhello\r\n00a;name=\"v\"\r\n0123456789\r\n0\r\nX: y\r\nZ:\r\n\r\nNEXT";
  for (std::size_t step = 1; step <= text.size(); ++step) {
    ChunkDecoder decoder;
    std::string out;
    std::size_t at = 0;
    Progress progress = Progress::kMore;
    std::string_view rest;
    while (progress == Progress::kMore && at < text.size()) {
      rest = text.substr(at, step);
      at += rest.size();
      progress = decoder.decode(rest, out, 100);
    }
    ASSERT_EQ(progress, Progress::kDone) << step;
    EXPECT_EQ(out, "hello0123456789");
    EXPECT_EQ(text.substr(at - rest.size()), "NEXT") << step;
  }
}

TEST(ChunkDecoder, RefusesWhatCouldBeReadInTwoWays) {
  for (const std::string_view text : {
           "\r\n",           "g\r\n",        "0x5\r\n",     "-1\r\n",
           "+1\r\n",         " 1\r\n",       "1 \r\n",      "1\n",
           "1\ra",           "\n",           "1\r\nab\r\n", "1\r\na\n",
           "1\r\na\r\r\n",   "1;a\n",        "1;\x01\r\n",  "1000000000000000\r\n",
           "0\r\n X: y\r\n", "0\r\nX y\r\n", "0\r\nX\r\n",  "0\r\nX: y\n",
           "0\r\n\n",        "0\r\n\rX",     ";a\r\n",
       }) {
    ChunkDecoder decoder;
    std::string out;
    std::string_view rest = text;
    EXPECT_EQ(decoder.decode(rest, out, 100), Progress::kRefused) << text;
    EXPECT_EQ(decoder.refusal().status, 400);
  }
}

TEST(ChunkDecoder, StopsAtTheLimit) {
  ChunkDecoder decoder;
  std::string out;
  std::string_view rest = "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  EXPECT_EQ(decoder.decode(rest, out, 4), Progress::kMore);
  EXPECT_EQ(out, "abcd");
  EXPECT_FALSE(rest.empty());
}

TEST(ChunkDecoder, TakesABodyOfExactlyTheLimit) {
  ChunkDecoder decoder;
  std::string out;
  std::string_view rest = "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  EXPECT_EQ(decoder.decode(rest, out, 5), Progress::kDone);
}

TEST(ChunkDecoder, HoldsExtensionsAndTrailersToABound) {
  for (const std::string& start : {std::string("1;"), std::string("0\r\nX:")}) {
    ChunkDecoder decoder;
    std::string out;
    const std::string text = start + std::string(17 * 1024, 'a');
    std::string_view rest = text;
    EXPECT_EQ(decoder.decode(rest, out, 100), Progress::kRefused);
  }
}

}  // namespace
}  // namespace strake::http

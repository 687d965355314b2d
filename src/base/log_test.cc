#include "base/log.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <vector>

#include "base/result.h"

namespace strake::log {
namespace {

// Catches lines for as long as it lives, at 2024-01-01T00:00:00Z.
class Caught {
 public:
  explicit Caught(Style style = Style::kText, Level level = Level::kInfo) {
    configure({.style = style,
               .level = level,
               .sink = [this](std::string_view line) { lines.emplace_back(line); },
               .clock = &clock});
  }
  ~Caught() { configure({}); }
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;

  std::vector<std::string> lines;
  FakeClock clock;
};

TEST(Log, WritesOneLineOfText) {
  Caught caught;
  const std::string path = "/var/lib/strake.db";
  get("store").info("opened", {{"path", path}, {"ms", 3}});
  EXPECT_EQ(caught.lines,
            std::vector<std::string>{
                "2024-01-01T00:00:00.000Z INFO  store: opened path=/var/lib/strake.db ms=3"});
}

TEST(Log, WritesOneLineOfJson) {
  Caught caught(Style::kJson);
  caught.clock.advance(std::chrono::milliseconds(1234));
  get("store").warn("slow", {{"path", "a \"b\"\n\x01"}, {"n", -1}, {"ok", false}, {"share", 0.5}});
  EXPECT_EQ(
      caught.lines,
      std::vector<std::string>{
          R"({"time":"2024-01-01T00:00:01.234Z","level":"warn","logger":"store","msg":"slow",)"
          R"("path":"a \"b\"\n\u0001","n":-1,"ok":false,"share":0.5})"});
}

TEST(Log, EscapesWhatATerminalWouldActUpon) {
  const std::string hostile = "\x1b[2J\x07\x7f\u009b1m\u202eevil\u2028\U000e0041 \xff\u00e9";
  {
    Caught caught(Style::kJson);
    get("t").info("x", {{"agent", hostile}});
    EXPECT_TRUE(caught.lines[0].ends_with(
        "\"agent\":\"\\u001b[2J\\u0007\\u007f\\u009b1m\\u202eevil\\u2028\\udb40\\udc41 "
        "\ufffd\u00e9\"}"))
        << caught.lines[0];
  }
  Caught caught;
  get("t").info("x", {{"agent", hostile}});
  EXPECT_TRUE(
      caught.lines[0].ends_with(R"(agent="\x1b[2J\a\x7f\u009b1m\u202eevil\u2028\U000e0041 \xff)"
                                "\u00e9\""))
      << caught.lines[0];
}

TEST(Log, TakesEveryKindOfValue) {
  Caught caught;
  const Error error = Error(Code::kIo, "no space").in("a.db");
  get("t").info("x", {{"sv", std::string_view("v")},
                      {"u", std::uint64_t{18446744073709551615u}},
                      {"size", std::size_t{7}},
                      {"min", std::numeric_limits<std::int64_t>::min()},
                      {"d", 1.25},
                      {"yes", true},
                      {"error", error},
                      {"took_ms", std::chrono::microseconds(1500)}});
  EXPECT_EQ(caught.lines[0].substr(caught.lines[0].find("sv=")),
            "sv=v u=18446744073709551615 size=7 min=-9223372036854775808 d=1.25 yes=true "
            "error=\"a.db: no space\" "
            "took_ms=1.5");
}

TEST(Log, QuotesTextThatCouldBeMisread) {
  Caught caught;
  get("t").info("x", {{"a", ""},
                      {"b", "two words"},
                      {"c", "k=v"},
                      {"d", "q\"q"},
                      {"e", "l\nl"},
                      {"f", "plain/text:1"}});
  EXPECT_EQ(caught.lines[0].substr(caught.lines[0].find("a=")),
            R"(a="" b="two words" c="k=v" d="q\"q" e="l\nl" f=plain/text:1)");
}

TEST(Log, KeepsAMessageOnItsLine) {
  Caught caught;
  get("t").info("first\nsecond");
  EXPECT_EQ(caught.lines[0], R"(2024-01-01T00:00:00.000Z INFO  t: "first\nsecond")");
}

TEST(Log, MakesAnyBytesValidJson) {
  Caught caught(Style::kJson);
  get("t").info("bad \xff", {{"inf", std::numeric_limits<double>::infinity()}});
  EXPECT_TRUE(caught.lines[0].ends_with("\"msg\":\"bad \ufffd\",\"inf\":\"+Inf\"}"))
      << caught.lines[0];
}

TEST(Log, NeverShowsASecret) {
  for (const Style style : {Style::kText, Style::kColor, Style::kJson}) {
    Caught caught(style);
    get("auth").error("refused", {{"token", Secret("hunter2")}});
    ASSERT_EQ(caught.lines.size(), 1u);
    EXPECT_EQ(caught.lines[0].find("hunter2"), std::string::npos);
    EXPECT_NE(caught.lines[0].find("***"), std::string::npos);
  }
}

TEST(Log, HasALevelForAllAndForEach) {
  Caught caught(Style::kText, Level::kWarn);
  const Logger store = get("store"), api = get("api");
  store.info("no");
  store.warn("yes");
  EXPECT_FALSE(store.enabled(Level::kInfo));
  set_level("store", Level::kDebug);
  set_level("later", Level::kError);
  store.debug("yes");
  api.debug("no");
  api.error("yes");
  get("later").warn("no");
  set_level("api", Level::kOff);
  api.error("no");
  EXPECT_EQ(caught.lines.size(), 3u);
  for (const std::string& line : caught.lines) EXPECT_TRUE(line.ends_with("yes")) << line;
  configure({.style = Style::kText, .level = Level::kInfo, .sink = [](std::string_view) {}});
  EXPECT_FALSE(store.enabled(Level::kDebug));
  EXPECT_TRUE(api.enabled(Level::kInfo));
}

TEST(Log, ColoursOnlyWhenAsked) {
  {
    Caught caught(Style::kColor);
    get("t").error("x", {{"a", 1}});
    EXPECT_EQ(
        caught.lines[0],
        "\x1b[2m2024-01-01T00:00:00.000Z\x1b[0m \x1b[1;31mERROR\x1b[0m t: x \x1b[2ma=\x1b[0m1");
  }
  Caught caught(Style::kText);
  get("t").error("x");
  EXPECT_EQ(caught.lines[0].find('\x1b'), std::string::npos);
}

TEST(Log, WritesJsonToStandardErrorWhenThatIsNoTerminal) {
  FakeClock clock;
  ::testing::internal::CaptureStderr();
  configure({.clock = &clock});
  get("t").warn("there");
  const std::string written = ::testing::internal::GetCapturedStderr();
  configure({});
  EXPECT_EQ(written,
            "{\"time\":\"2024-01-01T00:00:00.000Z\",\"level\":\"warn\",\"logger\":\"t\",\"msg\":"
            "\"there\"}\n");
}

TEST(Log, KeepsLinesOfSeveralThreadsApart) {
  Caught caught;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([] {
      for (int j = 0; j < 200; ++j) get("t").info("line", {{"text", std::string(50, 'x')}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(caught.lines.size(), 800u);
  for (const std::string& line : caught.lines) EXPECT_EQ(line, caught.lines[0]);
}

TEST(Level, IsReadAndWritten) {
  for (const Level level :
       {Level::kDebug, Level::kInfo, Level::kWarn, Level::kError, Level::kOff}) {
    EXPECT_EQ(parse_level(to_string(level)), level);
  }
  EXPECT_EQ(parse_level("warning"), Level::kWarn);
  EXPECT_EQ(parse_level("INFO"), std::nullopt);
  EXPECT_EQ(parse_level(""), std::nullopt);
}

}  // namespace
}  // namespace strake::log

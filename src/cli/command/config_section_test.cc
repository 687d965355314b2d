#include "cli/command/config_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::cli {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view kLevels[] = {"low", "high"};
constexpr std::string_view kTruths[] = {"true", "false"};
constexpr FlagSpec kFlags[] = {
    {.name = "data-dir", .kind = FlagKind::kText, .value_name = "DIR"},
    {.name = "log", .kind = FlagKind::kText, .value_name = "FILE"},
    {.name = "in-memory"},
    {.name = "host", .kind = FlagKind::kTexts, .value_name = "HOST"},
    {.name = "key-file", .kind = FlagKind::kTexts, .value_name = "FILE"},
    {.name = "level",
     .kind = FlagKind::kChoice,
     .value_name = "LEVEL",
     .choices = kLevels,
     .fallback = "low"},
    {.name = "anonymous",
     .kind = FlagKind::kChoice,
     .value_name = "BOOL",
     .choices = kTruths,
     .fallback = "true"},
    {.name = "threads", .kind = FlagKind::kCount, .value_name = "N", .fallback = "2"},
    {.name = "buffer", .kind = FlagKind::kBytes, .value_name = "SIZE"},
    {.name = "wait", .kind = FlagKind::kText, .value_name = "DURATION"},
    {.name = "config", .kind = FlagKind::kText, .value_name = "FILE"},
};
constexpr std::string_view kSections[] = {"serve", "validate"};
constexpr std::string_view kExcept[] = {"config"};

Result<Arguments> parse(std::string_view text) {
  return parse_config_section(text, "/etc/s.yaml", "serve", kSections, kFlags, kExcept);
}

TEST(ConfigSection, HasEveryKindOfFlag) {
  const auto args = parse(
      "serve:\n  dataDir: data\n  log: '-'\n  inMemory: true\n  host: [a, b]\n"
      "  keyFile: keys/one.pem\n  level: high\n  anonymous: false\n  threads: 4\n  buffer: 64Ki\n"
      "  wait: 30s\n"
      "validate: {strict: true}\n");
  ASSERT_TRUE(args) << args.error().to_string();
  EXPECT_EQ(args->text("data-dir"), "/etc/data");
  EXPECT_EQ(args->text("log"), "-");
  EXPECT_TRUE(args->on("in-memory"));
  EXPECT_THAT(args->texts("host"), ElementsAre("a", "b"));
  EXPECT_THAT(args->texts("key-file"), ElementsAre("/etc/keys/one.pem"));
  EXPECT_EQ(args->text("level"), "high");
  EXPECT_EQ(args->text("anonymous"), "false");
  EXPECT_EQ(args->number("threads"), 4u);
  EXPECT_EQ(args->number("buffer"), 65536u);
  EXPECT_EQ(args->text("wait"), "30s");
}

TEST(ConfigSection, SaysNothingWhereItIsAbsent) {
  for (const std::string_view text : {"", "serve:\n", "validate: {}\n", "serve: {}\n"}) {
    const auto args = parse(text);
    ASSERT_TRUE(args) << text;
    EXPECT_FALSE(args->given("data-dir"));
    EXPECT_EQ(args->text("level"), "low");
    EXPECT_EQ(args->number("threads"), 2u);
  }
}

TEST(ConfigSection, GivesWayToWhatIsTyped) {
  const auto file = parse("serve: {host: [a, b], level: high, threads: 4, inMemory: true}\n");
  ASSERT_TRUE(file);
  const std::string words[] = {"--host=c", "--threads=8", "--in-memory=false"};
  auto typed = parse_arguments(kFlags, {}, words);
  ASSERT_TRUE(typed);
  typed->fill_from(*file);
  EXPECT_THAT(typed->texts("host"), ElementsAre("c"));
  EXPECT_EQ(typed->number("threads"), 8u);
  EXPECT_FALSE(typed->on("in-memory"));
  EXPECT_EQ(typed->text("level"), "high");
  EXPECT_TRUE(typed->given("level"));
  EXPECT_FALSE(typed->given("wait"));
}

TEST(ConfigSection, IsReadStrictly) {
  struct {
    std::string_view text;
    std::string_view message;
  } constexpr kCases[] = {
      {"server: {}\n", "/etc/s.yaml:1:1: unknown key \"server\": did you mean \"serve\"?"},
      {"serve:\n  datadir: x\n",
       "/etc/s.yaml:2:3: unknown key \"datadir\": did you mean \"dataDir\"?"},
      {"serve:\n  data-dir: x\n",
       "/etc/s.yaml:2:3: unknown key \"data-dir\": did you mean \"dataDir\"?"},
      {"serve:\n  config: x\n", "/etc/s.yaml:2:3: unknown key \"config\""},
      {"serve:\n  dataDir: [x]\n", "/etc/s.yaml:2:12: dataDir must be a string"},
      {"serve:\n  dataDir: 1.5\n", "/etc/s.yaml:2:12: dataDir must be a string: put it in quotes"},
      {"serve:\n  dataDir:\n", "/etc/s.yaml:2:11: dataDir must be a string"},
      {"serve:\n  inMemory: 1\n", "/etc/s.yaml:2:13: inMemory must be true or false"},
      {"serve:\n  host: [a, {}]\n", "/etc/s.yaml:2:13: host must be a string or a list of strings"},
      {"serve:\n  level: medium\n",
       "/etc/s.yaml:2:10: --level must be low or high, got \"medium\""},
      {"serve:\n  threads: many\n", "/etc/s.yaml:2:12: threads must be a whole number"},
      {"serve:\n  threads: -1\n", "/etc/s.yaml:2:12: --threads must be a whole number, got \"-1\""},
      {"serve: [1]\n", "/etc/s.yaml:1:8: an object was expected here"},
      {"- a\n", "/etc/s.yaml:1:1: an object was expected here"},
  };
  for (const auto& one : kCases) {
    const auto args = parse(one.text);
    ASSERT_FALSE(args) << one.text;
    EXPECT_EQ(args.error().to_string(), one.message);
  }
}

TEST(ConfigSection, NamesTheFileThatIsNotThere) {
  const auto args = read_config_section("/no/such/file.yaml", "serve", kSections, kFlags, kExcept);
  ASSERT_FALSE(args);
  EXPECT_THAT(args.error().to_string(), ::testing::HasSubstr("/no/such/file.yaml"));
}

}  // namespace
}  // namespace strake::cli

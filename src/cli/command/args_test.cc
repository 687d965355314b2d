#include "cli/command/args.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kFormats[] = {"yaml", "json"};
constexpr FlagSpec kFlags[] = {
    {.name = "write", .letter = 'w'},
    {.name = "quiet", .letter = 'q'},
    {.name = "to",
     .letter = 't',
     .kind = FlagKind::kChoice,
     .choices = kFormats,
     .fallback = "yaml"},
    {.name = "indent", .kind = FlagKind::kCount, .fallback = "2"},
    {.name = "max-bytes", .kind = FlagKind::kBytes, .fallback = "64Ki"},
    {.name = "label", .kind = FlagKind::kText},
    {.name = "schema", .letter = 's', .kind = FlagKind::kTexts},
};

Result<Arguments> parse(const std::vector<std::string>& args,
                        OperandSpec operands = {.at_most = kAnyNumber}) {
  return parse_arguments(kFlags, operands, args);
}

std::string usage_error(const std::vector<std::string>& args,
                        OperandSpec operands = {.at_most = kAnyNumber}) {
  const auto parsed = parse(args, operands);
  if (parsed) return "no error";
  EXPECT_EQ(parsed.error().code(), Code::kUsage);
  return parsed.error().message();
}

TEST(Arguments, HaveTheirFallbacksWhenNothingIsGiven) {
  const auto args = parse({});
  ASSERT_TRUE(args);
  EXPECT_FALSE(args->given("to"));
  EXPECT_FALSE(args->on("write"));
  EXPECT_EQ(args->text("to"), "yaml");
  EXPECT_EQ(args->text("label"), "");
  EXPECT_EQ(args->number("indent"), 2u);
  EXPECT_EQ(args->number("max-bytes"), 65536u);
}

TEST(Arguments, TakeLongShortAndJoinedForms) {
  for (const std::vector<std::string>& form : std::vector<std::vector<std::string>>{
           {"--to", "json"}, {"--to=json"}, {"-t", "json"}, {"-tjson"}}) {
    const auto args = parse(form);
    ASSERT_TRUE(args) << form.front();
    EXPECT_TRUE(args->given("to"));
    EXPECT_EQ(args->text("to"), "json") << form.front();
  }
}

TEST(Arguments, KeepEveryValueOfAFlagThatMayBeRepeated) {
  const auto args = parse({"-s", "a.yaml", "file", "--schema=b,c.yaml", "-sd*.yaml"});
  ASSERT_TRUE(args);
  EXPECT_THAT(args->texts("schema"), ElementsAre("a.yaml", "b,c.yaml", "d*.yaml"));
  EXPECT_THAT(args->operands(), ElementsAre("file"));
  EXPECT_TRUE(parse({})->texts("schema").empty());
}

TEST(Arguments, TakeSeveralSwitchesBehindOneDash) {
  const auto args = parse({"-wq"});
  ASSERT_TRUE(args);
  EXPECT_TRUE(args->on("write"));
  EXPECT_TRUE(args->on("quiet"));
}

TEST(Arguments, TurnASwitchOffWhenToldFalse) {
  const auto args = parse({"--write=false"});
  ASSERT_TRUE(args);
  EXPECT_TRUE(args->given("write"));
  EXPECT_FALSE(args->on("write"));
}

TEST(Arguments, KeepTheLastOfSeveralEqualFlags) {
  const auto args = parse({"--to=json", "--to", "yaml"});
  ASSERT_TRUE(args);
  EXPECT_EQ(args->text("to"), "yaml");
}

TEST(Arguments, MixFlagsAndOperandsInAnyOrder) {
  const auto args = parse({"a.yaml", "--write", "-", "b.yaml"});
  ASSERT_TRUE(args);
  EXPECT_TRUE(args->on("write"));
  EXPECT_THAT(args->operands(), ElementsAre("a.yaml", "-", "b.yaml"));
}

TEST(Arguments, TakeEverythingAfterTwoDashesAsOperands) {
  const auto args = parse({"a", "--", "--write", "--"});
  ASSERT_TRUE(args);
  EXPECT_FALSE(args->on("write"));
  EXPECT_THAT(args->operands(), ElementsAre("a", "--write", "--"));
}

TEST(Arguments, LeaveBracketsAndCommasOfNamesAlone) {
  const auto args = parse({"[a,b].yaml", "[c]", "--label", "[d,e]"});
  ASSERT_TRUE(args);
  EXPECT_THAT(args->operands(), ElementsAre("[a,b].yaml", "[c]"));
  EXPECT_EQ(args->text("label"), "[d,e]");
}

TEST(Arguments, ReadSizesWithDecimalAndBinarySuffixes) {
  EXPECT_EQ(parse({"--max-bytes=10"})->number("max-bytes"), 10u);
  EXPECT_EQ(parse({"--max-bytes=10k"})->number("max-bytes"), 10'000u);
  EXPECT_EQ(parse({"--max-bytes=3Mi"})->number("max-bytes"), 3u << 20);
  EXPECT_EQ(parse({"--max-bytes=2G"})->number("max-bytes"), 2'000'000'000u);
}

TEST(Arguments, RefuseSizesThatAreNotNumbersOrOverflow) {
  for (const std::string text :
       {"", "Ki", "1.5Ki", "-1", "1 Ki", "18446744073709551616", "99999999999999Gi"}) {
    EXPECT_THAT(usage_error({"--max-bytes=" + text}), HasSubstr("--max-bytes")) << text;
  }
}

TEST(Arguments, RefuseAnUnknownFlagAndNameTheNearOne) {
  EXPECT_EQ(usage_error({"--wirte"}), "unknown flag \"--wirte\": did you mean \"--write\"?");
  EXPECT_EQ(usage_error({"--indnet=4"}), "unknown flag \"--indnet\": did you mean \"--indent\"?");
  EXPECT_EQ(usage_error({"--frobnicate"}), "unknown flag \"--frobnicate\"");
  EXPECT_EQ(usage_error({"-z"}), "unknown flag \"-z\"");
}

TEST(Arguments, RefuseAChoiceThatIsNotOneAndNameTheNearOne) {
  EXPECT_EQ(usage_error({"--to=jsno"}),
            "--to must be yaml or json, got \"jsno\": did you mean \"json\"?");
}

TEST(Arguments, RefuseAFlagWithoutItsValue) {
  EXPECT_EQ(usage_error({"--to"}), "--to needs a value");
  EXPECT_EQ(usage_error({"-t"}), "--to needs a value");
}

TEST(Arguments, RefuseANumberThatIsNotOne) {
  EXPECT_EQ(usage_error({"--indent=two"}), "--indent must be a whole number, got \"two\"");
}

TEST(Arguments, RefuseASwitchWithAValueThatIsNeitherTrueNorFalse) {
  EXPECT_NE(usage_error({"--write=perhaps"}), "no error");
}

TEST(Arguments, CountTheirOperands) {
  EXPECT_EQ(usage_error({"a", "b"}, {.at_most = 1}), "unexpected argument \"b\"");
  EXPECT_EQ(usage_error({}, {.usage = "SHELL", .at_least = 1, .at_most = 1}),
            "missing argument: SHELL");
}

TEST(Arguments, RefuseAnOperandThatIsNoneOfTheChoices) {
  EXPECT_EQ(usage_error({"yml"}, {.at_most = 1, .choices = kFormats}),
            "the argument must be yaml or json, got \"yml\": did you mean \"yaml\"?");
}

}  // namespace
}  // namespace strake::cli

#include "api/filters/warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/filters/test_stages.h"

namespace strake::api {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> sent(std::vector<std::string> warnings) {
  WarningStage stage;
  Call call;
  call.warnings = std::move(warnings);
  http::Response response;
  stage.leave(call, response);
  std::vector<std::string> out;
  for (const std::string_view one : response.headers.get_all("Warning")) out.emplace_back(one);
  return out;
}

TEST(WarningStage, SendsEachTextOnceInOrder) {
  EXPECT_THAT(sent({"b", "a", "b"}), ElementsAre("299 - \"b\"", "299 - \"a\""));
  EXPECT_TRUE(sent({}).empty());
}

TEST(WarningStage, KeepsTextInsideItsQuotes) {
  EXPECT_THAT(sent({"say \"a\\b\""}), ElementsAre("299 - \"say \\\"a\\\\b\\\"\""));
}

TEST(WarningStage, SendsNoTextThatIsEmptyOrHasControlCharacters) {
  EXPECT_THAT(sent({"", "a", "b\r\nX: y", "tab\t", "caf\xc3\xa9", "\xc2\x85", "\xff", "\x7f"}),
              ElementsAre("299 - \"a\"", "299 - \"caf\xc3\xa9\""));
}

TEST(WarningStage, CutsEachTextOnlyWhenTogetherTheyAreTooLong) {
  EXPECT_EQ(sent({std::string(4096, 'x')})[0].size(), 4096 + std::string("299 - \"\"").size());
  const auto cut = sent({std::string(4097, 'x'), "y"});
  ASSERT_EQ(cut.size(), 2u);
  EXPECT_EQ(cut[0].size(), 256 + std::string("299 - \"\"").size());
}

TEST(WarningStage, StopsAfterSoManyCharacters) {
  std::vector<std::string> many;
  for (int i = 0; i < 1000; ++i) many.push_back(std::to_string(i) + std::string(300, 'x'));
  EXPECT_EQ(sent(many).size(), 4096u / 256u);
}

}  // namespace
}  // namespace strake::api

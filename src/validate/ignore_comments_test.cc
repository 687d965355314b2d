#include "validate/ignore_comments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "validate/checker.h"
#include "validate/test_crd.h"

namespace strake::validate {
namespace {

using ::testing::HasSubstr;

bool covers(std::string_view text, std::uint32_t line, Issue issue = Issue::kUnknownKey) {
  Finding finding{.fault = {.issue = issue}};
  finding.position = Position{.offset = 0, .line = line, .column = 1};
  return IgnoreComments(text).covers(finding);
}

TEST(IgnoreComment, CoversItsOwnLineBehindAValue) {
  EXPECT_TRUE(covers("a: 1  # strake:ignore\nb: 2\n", 1));
  EXPECT_FALSE(covers("a: 1  # strake:ignore\nb: 2\n", 2));
}

TEST(IgnoreComment, CoversTheNextLineWhenItStandsAlone) {
  EXPECT_TRUE(covers("# strake:ignore\n\n# another comment\na: 1\nb: 2\n", 4));
  EXPECT_FALSE(covers("# strake:ignore\na: 1\nb: 2\n", 3));
}

TEST(IgnoreComment, CoversOnlyTheRulesItNames) {
  const std::string_view text = "a: 1 # strake:ignore unknown_key, pattern -- they say so\n";
  EXPECT_TRUE(covers(text, 1, Issue::kUnknownKey));
  EXPECT_TRUE(covers(text, 1, Issue::kPattern));
  EXPECT_FALSE(covers(text, 1, Issue::kRequired));
}

TEST(IgnoreComment, CoversItsDocumentAndNoOther) {
  const std::string_view text = "a: 1\n---\n# strake:ignore-document\nb: 2\nc: 3\n---\nd: 4\n";
  EXPECT_FALSE(covers(text, 1));
  EXPECT_TRUE(covers(text, 4));
  EXPECT_TRUE(covers(text, 5));
  EXPECT_FALSE(covers(text, 7));
}

TEST(IgnoreComment, IsNoPartOfAValueOrOfAnotherWord) {
  EXPECT_FALSE(covers("a: strake:ignore\n", 1));
  EXPECT_FALSE(covers("a: b#strake:ignore\n", 1));
  EXPECT_FALSE(covers("a: 1 # strake:ignored\n", 1));
  EXPECT_FALSE(covers("a: 1 # see strake:ignore\n", 1));
}

TEST(IgnoreComment, NeverCoversATextThatCannotBeRead) {
  EXPECT_FALSE(covers("a: [ # strake:ignore\n", 1, Issue::kParseError));
}

FileResult check(std::string_view text) {
  Catalog catalog({.unknown = UnknownFields::kStrict});
  EXPECT_TRUE(catalog.add("crd.yaml", std::make_shared<const std::string>(kGardenCrd)));
  return Checker(catalog, nullptr, {.ignore_comments = true}).check("a.yaml", text);
}

TEST(IgnoreComment, LeavesTheDocumentValid) {
  const FileResult result = check(
      "apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: a\nspec:\n"
      "  beds: 101 # strake:ignore too_big\n");
  ASSERT_EQ(result.documents.size(), 1u);
  EXPECT_TRUE(result.documents[0].findings.empty());
  EXPECT_EQ(result.documents[0].status, Status::kValid);
  EXPECT_EQ(result.ignored, 1u);
}

TEST(IgnoreComment, IsToldWhenItNamesARuleThatIsNone) {
  const FileResult result = check(
      "apiVersion: example.dev/v1\nkind: Garden\nmetadata:\n  name: a\nspec:\n"
      "  beds: 101 # strake:ignore too_bigg\n");
  ASSERT_EQ(result.documents.size(), 1u);
  ASSERT_EQ(result.documents[0].findings.size(), 2u);
  const Finding& told = result.documents[0].findings[1];
  EXPECT_EQ(told.fault.message, "strake:ignore: unknown rule \"too_bigg\"");
  EXPECT_EQ(told.fault.hint, "did you mean \"too_big\"?");
  EXPECT_EQ(told.position->line, 6u);
}

}  // namespace
}  // namespace strake::validate

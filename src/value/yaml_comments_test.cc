#include "value/yaml_comments.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/files.h"
#include "support/vectors.h"
#include "value/value.h"
#include "value/yaml_reader.h"
#include "value/yaml_writer.h"

namespace strake::value {
namespace {

std::vector<std::string> comments_of(std::string_view text) {
  std::vector<std::string> out;
  for (const YamlComment& comment : find_yaml_comments(text)) {
    out.emplace_back(text.substr(comment.begin, comment.end - comment.begin));
  }
  return out;
}
using Texts = std::vector<std::string>;

TEST(YamlComments, AreFoundOnLinesOfTheirOwnAndBehindValues) {
  EXPECT_EQ(comments_of("# top\na: 1 # one\n  # deep\r\nb: [1, # in flow\n  2]\n"),
            (Texts{"# top", "# one", "# deep", "# in flow"}));
  EXPECT_EQ(comments_of("--- # first\na: b\n... # end\n%YAML 1.1 # directive\n--- \n#last"),
            (Texts{"# first", "# end", "# directive", "#last"}));
}

TEST(YamlComments, NeedABlankBefore) {
  EXPECT_EQ(comments_of("a: b#c\nurl: http://x/#y\n"), Texts{});
  EXPECT_EQ(comments_of("a: 'x'\t# tab\n"), Texts{"# tab"});
}

TEST(YamlComments, AreNotWhatStandsInQuotes) {
  EXPECT_EQ(comments_of("a: \"x # y\"\nb: 'it''s # z'\nc: \"\\\" # w\"\n"), Texts{});
  EXPECT_EQ(comments_of("a: \"one\n  # two\n  three\" # real\n"), Texts{"# real"});
  EXPECT_EQ(comments_of("\"k # 1\": v # real\n"), Texts{"# real"});
}

TEST(YamlComments, AreFoundBehindAQuoteInsidePlainText) {
  EXPECT_EQ(comments_of("a: it's # real\nb: say \"x # also\n"), (Texts{"# real", "# also"}));
}

TEST(YamlComments, AreNotWhatStandsInBlockScalars) {
  EXPECT_EQ(comments_of("a: |\n  # text\n  more\nb: 1\n"), Texts{});
  EXPECT_EQ(comments_of("a: | # header\n  # text\n\n # not text\nb: 1\n"),
            (Texts{"# header", "# not text"}));
  EXPECT_EQ(comments_of("- |\n # text\n- >-\n  # text\n# real\n"), Texts{"# real"});
  EXPECT_EQ(comments_of("- a: |\n    # text\n  b: >+\n    # text\n  # real\n"), Texts{"# real"});
  EXPECT_EQ(comments_of("a: !!str |\n  # text\n"), Texts{});
  EXPECT_EQ(comments_of("a: &x |2\n    deep\n  # text\nb: 1\n"), Texts{});
  EXPECT_EQ(comments_of("--- |\n # text\n"), Texts{});
}

TEST(YamlComments, StandBehindAnEmptyBlockScalar) {
  EXPECT_EQ(comments_of("a:\n  b: |\n  # real\n  c: 1\n"), Texts{"# real"});
}

TEST(YamlComments, AreFoundInPlainTextOfSeveralLines) {
  EXPECT_EQ(comments_of("a: one\n  \"two # real\nb: 1 # too\n"), (Texts{"# real", "# too"}));
  EXPECT_EQ(comments_of("a:\n  one\n  | two # real\n"), Texts{"# real"});
}

TEST(YamlComments, AreFoundAfterAnIndicatorThatIsText) {
  EXPECT_EQ(comments_of("a: x | y # real\nb: -x # real too\nc: *alias # third\n"),
            (Texts{"# real", "# real too", "# third"}));
}

TEST(YamlComments, KnowTheirLines) {
  const auto comments = find_yaml_comments("a: \"x\n\n  y\"\n# here\nb: |\n  t\n\nc: 1 # there\n");
  ASSERT_EQ(comments.size(), 2u);
  EXPECT_EQ(comments[0].line, 4u);
  EXPECT_TRUE(comments[0].whole_line);
  EXPECT_EQ(comments[1].line, 8u);
  EXPECT_FALSE(comments[1].whole_line);
}

TEST(YamlComments, EndWithTheTextWhateverItIs) {
  for (const std::string_view text :
       {"", "#", "\"", "'", "|", ">", "a: |", "a: \"\\", "[", "}", "- - -", "\xef\xbb\xbf#", "?"}) {
    find_yaml_comments(text);
  }
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += "a: |\n  x\n";
  EXPECT_TRUE(find_yaml_comments(deep).empty());
}

TEST(RemoveYamlComments, TakesEmptyLinesNextToCommentsAlong) {
  const std::string_view text = "# top\n\na: 1  # one\n\nb: 2\n\n# end\n";
  const UncommentedText plain = remove_yaml_comments(text, find_yaml_comments(text));
  EXPECT_EQ(plain.text, "a: 1\n\nb: 2\n");
  EXPECT_EQ(plain.lines, (std::vector<std::uint32_t>{3, 4, 5}));
}

std::vector<Document> all_documents(const std::string& text) {
  std::vector<Document> out;
  YamlReader stream(text, {});
  for (;;) {
    auto next = stream.next();
    EXPECT_TRUE(next.has_value()) << (next ? "" : next.error().to_string());
    if (!next || !*next) return out;
    out.push_back(**std::move(next));
  }
}

// Removing comments must not change what a text means, and text we print must seem to have none.
TEST(RemoveYamlComments, LeavesTheDocumentsOfRealFilesAlone) {
  STRAKE_REQUIRE_VECTORS(crds, "crds");
  std::size_t files = 0;
  for (const auto& path : testing::files_in(crds, ".yaml")) {
    ++files;
    const std::string text = testing::read_file(path);
    const auto comments = find_yaml_comments(text);
    const std::vector<Document> before = all_documents(text);
    const std::vector<Document> after = all_documents(remove_yaml_comments(text, comments).text);
    ASSERT_EQ(before.size(), after.size()) << path;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Value& root = before[i].root();
      ASSERT_TRUE(identical(root, after[i].root())) << path;
      const std::string printed = to_yaml(root);
      const auto wrong = find_yaml_comments(printed);
      ASSERT_TRUE(wrong.empty()) << path << " line " << wrong.front().line;
    }
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace strake::value

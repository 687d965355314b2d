#include "kustomize/file/repo_spec.h"

#include <gtest/gtest.h>

namespace strake::kustomize {
namespace {

struct UrlCase {
  std::string url;
  std::string clone;  // empty for what is no URL of a repository
  std::string folder;
  std::string ref;
};

class RepoSpecs : public ::testing::TestWithParam<UrlCase> {};

TEST_P(RepoSpecs, DivideRepositoryFolderAndRef) {
  const UrlCase& one = GetParam();
  const auto spec = parse_repo_spec(one.url);
  ASSERT_EQ(spec.has_value(), !one.clone.empty()) << one.url;
  if (!spec) return;
  EXPECT_EQ(spec->clone_url(), one.clone) << one.url;
  EXPECT_EQ(spec->folder, one.folder) << one.url;
  EXPECT_EQ(spec->ref, one.ref) << one.url;
}

INSTANTIATE_TEST_SUITE_P(
    Urls, RepoSpecs,
    ::testing::Values(
        UrlCase{"https://github.com/org/repo//a/b?ref=v1", "https://github.com/org/repo", "a/b",
                "v1"},
        UrlCase{"https://github.com/org/repo/a/b?version=v2", "https://github.com/org/repo", "a/b",
                "v2"},
        UrlCase{"github.com/org/repo", "https://github.com/org/repo", "", ""},
        UrlCase{"GitHub.com/org/repo.git/a", "https://github.com/org/repo.git", "a", ""},
        UrlCase{"git@github.com:org/repo", "git@github.com:org/repo", "", ""},
        UrlCase{"ssh://git@host.dev/org/repo//x", "ssh://git@host.dev/org/repo", "x", ""},
        UrlCase{"git@host.dev:org/repo.git//x?ref=a%2Fb", "git@host.dev:org/repo.git", "x", "a/b"},
        UrlCase{"https://me@dev.azure.com/o/p/_git/r/x/y", "https://me@dev.azure.com/o/p/_git/r",
                "x/y", ""},
        UrlCase{"file:///srv/repo//x", "file:///srv/repo", "x", ""},
        UrlCase{"git::https://host.dev/o/r", "https://host.dev/o/r", "", ""},
        UrlCase{"../base", "", "", ""}, UrlCase{"/abs/path", "", "", ""},
        UrlCase{"base", "", "", ""}, UrlCase{"https://host.dev/file.yaml", "", "", ""},
        UrlCase{"https://github.com/org/repo//../../etc", "", "", ""}));

TEST(RepoSpecs, ReadTimeoutAndSubmodulesFromTheQuery) {
  const auto spec = parse_repo_spec("github.com/o/r?timeout=2m&submodules=false");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->timeout, std::chrono::minutes(2));
  EXPECT_FALSE(spec->submodules);
  EXPECT_EQ(parse_repo_spec("github.com/o/r?timeout=61")->timeout, std::chrono::seconds(61));
  EXPECT_EQ(parse_repo_spec("github.com/o/r?timeout=x")->timeout, std::chrono::seconds(27));
}

TEST(WithoutCredentials, HidesWhatUrlsSayAboutWhoIsAsking) {
  struct Case {
    std::string_view text;
    std::string_view shown;
  };
  constexpr Case kCases[] = {
      {"no 'https://me:hush@host/x' here", "no 'https://***@host/x' here"},
      {"https://token@host", "https://***@host"},
      {"a http://u:p@ss@host/y?z and https://v:w@k", "a http://***@host/y?z and https://***@k"},
      {"/tmp/http:/me:hush@host/x", "/tmp/http:/***@host/x"},
      {"ssh://git@host/x", "ssh://git@host/x"},
      {"ssh://git:hush@host/x", "ssh://***@host/x"},
      {"git@host:org/repo", "git@host:org/repo"},
      {"https://host/x?ref=a&access_token=hush&b=c", "https://host/x?ref=a&access_token=***&b=c"},
      {"https://host/a@b", "https://host/a@b"},
      {"plain: text? really & so", "plain: text? really & so"},
  };
  for (const Case& one : kCases) EXPECT_EQ(without_credentials(one.text), one.shown);
}

}  // namespace
}  // namespace strake::kustomize

#include "validate/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::validate {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string same_name(const std::string& file) { return file; }
bool is_there(const std::string&) { return true; }

Finding finding(Issue issue, FieldPath path) {
  Finding out{.fault = {.issue = issue, .path = path}};
  out.path = std::move(path);
  return out;
}

std::vector<FileResult> sample() {
  DocumentResult document{.api_version = "example.dev/v1", .kind = "Garden"};
  document.namespace_name = "home";
  document.name = "roses";
  document.status = Status::kInvalid;
  document.findings = {finding(Issue::kTooBig, FieldPath() / "spec" / "beds"),
                       finding(Issue::kPattern, FieldPath() / "spec" / "name"),
                       finding(Issue::kPattern, FieldPath() / "spec" / "name")};
  FileResult file{.file = "a.yaml"};
  file.documents.push_back(std::move(document));
  std::vector<FileResult> out;
  out.push_back(std::move(file));
  return out;
}

TEST(Baseline, ReadsWhatItWrites) {
  const std::string text = Baseline::of(sample(), same_name).to_yaml();
  EXPECT_THAT(text, HasSubstr("resource: example.dev/v1/Garden/home/roses"));
  EXPECT_THAT(text, HasSubstr("count: 2"));
  const auto read = Baseline::read(text, "baseline.yaml");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->size(), 3u);
  EXPECT_EQ(read->to_yaml(), text);
}

TEST(Baseline, TakesOutWhatItKnowsAndNothingElse) {
  const Baseline known = Baseline::of(sample(), same_name);
  std::vector<FileResult> results = sample();
  EXPECT_THAT(known.apply(results, same_name, is_there), IsEmpty());
  EXPECT_THAT(results[0].documents[0].findings, IsEmpty());
  EXPECT_EQ(results[0].documents[0].status, Status::kValid);
  EXPECT_EQ(results[0].ignored, 3u);

  // A third one of a finding that is known twice is new.
  results = sample();
  results[0].documents[0].findings.push_back(
      finding(Issue::kPattern, FieldPath() / "spec" / "name"));
  known.apply(results, same_name, is_there);
  EXPECT_THAT(results[0].documents[0].findings, SizeIs(1));
  EXPECT_EQ(results[0].documents[0].status, Status::kInvalid);
}

TEST(Baseline, TellsEntriesThatAreStale) {
  const Baseline known = Baseline::of(sample(), same_name);
  std::vector<FileResult> results = sample();
  results[0].documents[0].findings.erase(results[0].documents[0].findings.begin());
  const auto stale = known.apply(results, same_name, is_there);
  ASSERT_THAT(stale, SizeIs(1));
  EXPECT_EQ(stale[0].code, "too_big");

  // A file that was not looked at says nothing, unless it is gone.
  std::vector<FileResult> none;
  EXPECT_THAT(known.apply(none, same_name, is_there), IsEmpty());
  EXPECT_THAT(known.apply(none, same_name, [](const std::string&) { return false; }), SizeIs(2));
}

TEST(Baseline, IsReadStrictly) {
  struct {
    std::string_view text;
    std::string_view message;
  } constexpr kCases[] = {
      {"version: 2\n", "b.yaml:1:10: version must be 1"},
      {"version: 1\nfinding: []\n",
       "b.yaml:2:1: unknown key \"finding\": did you mean \"findings\"?"},
      {"version: 1\nfindings:\n- file: 1\n", "b.yaml:3:9: file must be a string"},
      {"version: 1\nfindings:\n- count: 0\n", "b.yaml:3:10: count must be a number from 1 on"},
      {"version: 1\nfindings:\n- a\n", "b.yaml:3:3: an object was expected here"},
  };
  for (const auto& one : kCases) {
    const auto read = Baseline::read(one.text, "b.yaml");
    ASSERT_FALSE(read) << one.text;
    EXPECT_EQ(read.error().to_string(), one.message);
  }
}

}  // namespace
}  // namespace strake::validate

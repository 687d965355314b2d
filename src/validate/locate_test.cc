#include "validate/locate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::validate {
namespace {

std::string find(std::string_view json, std::string_view text) {
  const value::Document document = value::read_json(json).value();
  const auto found = find_path(document.root(), text);
  return found ? found->to_pointer() : "none";
}

TEST(FindPath, FollowsFieldsIndicesAndKeys) {
  constexpr std::string_view kJson = R"({"spec":{"a":[{"b":1},{"c":{"k/1":2}}]}})";
  EXPECT_EQ(find(kJson, "spec.a[1].c"), "/spec/a/1/c");
  EXPECT_EQ(find(kJson, "spec.a[1].c[k/1]"), "/spec/a/1/c/k~11");
  EXPECT_EQ(find(kJson, "spec.a[2]"), "none");
  EXPECT_EQ(find(kJson, "spec.x"), "none");
}

TEST(FindPath, ReadsKeysWithDotsAsTheObjectHasThem) {
  EXPECT_EQ(find(R"({"a":{"b":{}},"a.b":{"c":1}})", "a.b.c"), "/a.b/c");
  EXPECT_EQ(find(R"({"a":{"x.y/z":{"b":1}}})", "a.x.y/z.b"), "/a/x.y~1z/b");
  EXPECT_EQ(find(R"({"a":{"b[0]":1}})", "a.b[0]"), "/a/b[0]");
}

TEST(FindPath, EndsForTextsThatCanBeReadInManyWays) {
  std::string json = "{}";
  std::string text = "b";
  for (int i = 0; i < 12; ++i) {
    json = fmt::format(R"({{"a":{0},"a.a":{0}}})", json);
    text = "a." + text;
  }
  EXPECT_EQ(find(json, text), "none");
}

TEST(FindNearestPath, GoesAsFarAsTheTextLeads) {
  const value::Document document = value::read_json(R"({"spec":{"a":[{}]}})").value();
  EXPECT_EQ(find_nearest_path(document.root(), "spec.a[0].b.c").to_pointer(), "/spec/a/0");
  EXPECT_EQ(find_nearest_path(document.root(), "nothing").to_pointer(), "");
}

// Looking at every member for each path would take hours here.
TEST(FindPath, FindsEachOfManyKeysWithoutLookingAtAllOfThem) {
  constexpr int kMany = 200'000;
  std::string json = "{";
  for (int i = 0; i < kMany; ++i) json += fmt::format("{}\"key.{}\":{{}}", i > 0 ? "," : "", i);
  const value::Document document = value::read_json(json + "}").value();
  int found = 0;
  for (int i = 0; i < kMany; ++i)
    found += find_path(document.root(), fmt::format("key.{}", i)).has_value();
  EXPECT_EQ(found, kMany);
  EXPECT_EQ(find(R"({"a":{"b":{"c":1}},"a.b":1})", "a.b.c"), "/a/b/c");
}

}  // namespace
}  // namespace strake::validate

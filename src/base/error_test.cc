#include "base/error.h"

#include <gtest/gtest.h>

#include <set>

#include "base/result.h"

namespace strake {
namespace {

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(Error(Code::kInvalid, "must be set").to_string(), "must be set");
  EXPECT_EQ(Error(Code::kInvalid, "must be set").in("a.yaml").to_string(), "a.yaml: must be set");
  EXPECT_EQ(Error(Code::kInvalid, "bad").at(Position{10, 3, 7}).to_string(),
            "line 3 column 7: bad");
  EXPECT_EQ(Error(Code::kInvalid, "bad").at(FieldPath() / "spec").to_string(), ".spec: bad");
}

TEST(Error, SaysFilePlacePathMessageAndCausesInThatOrder) {
  const Error error = Error(Code::kInvalid, "must be at least 0, got -1")
                          .at(FieldPath() / "spec" / "replicas")
                          .at(Position{20, 3, 7})
                          .in("deploy.yaml")
                          .because(Error(Code::kParse, "first"))
                          .because(Error(Code::kParse, "second"));
  EXPECT_EQ(error.to_string(),
            "deploy.yaml:3:7: .spec.replicas: must be at least 0, got -1: first: second");
  EXPECT_EQ(error.causes().size(), 2u);
}

TEST(Error, KeepsTheFirstSource) {
  EXPECT_EQ(Error(Code::kIo, "x").in("inner").in("outer").source(), "inner");
}

TEST(Error, TakesAPrefixInFrontOfItsMessage) {
  EXPECT_EQ(Error(Code::kIo, "no space").prefixed("write a.db").message(), "write a.db: no space");
}

TEST(Error, CopiesDeeply) {
  Error first = Error(Code::kConflict, "x").because(Error(Code::kIo, "y"));
  Error second = first;
  second = std::move(second).prefixed("p");
  EXPECT_EQ(first.message(), "x");
  EXPECT_EQ(second.message(), "p: x");
  first = second;
  EXPECT_EQ(first.message(), "p: x");
  EXPECT_EQ(first.causes()[0].message(), "y");
  const Error& same = first;
  first = same;
  EXPECT_EQ(first.message(), "p: x");
}

TEST(Error, IsOnePointerWide) { EXPECT_EQ(sizeof(Error), sizeof(void*)); }

TEST(Code, HasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Code::kUnsupported); ++i) {
    names.insert(to_string(static_cast<Code>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Code::kUnsupported) + 1);
  EXPECT_FALSE(names.contains("unknown"));
}

Result<int> half(int n) {
  if (n % 2 != 0) return fail(Code::kInvalid, "{} is odd", n);
  return n / 2;
}

Result<> require_small(int n) {
  if (n > 10) return fail(Code::kLimit, FieldPath() / "n", "at most {}", 10);
  return {};
}

Result<int> quarter_of_small(int n) {
  STRAKE_CHECK(require_small(n));
  STRAKE_TRY(const int once, half(n));
  STRAKE_TRY(const int twice, half(once));
  return twice;
}

Result<std::unique_ptr<int>> boxed(int n) {
  STRAKE_TRY(auto box, Result<std::unique_ptr<int>>(std::make_unique<int>(n)));
  return box;
}

TEST(Result, HandsUpTheFirstError) {
  EXPECT_EQ(*quarter_of_small(8), 2);
  EXPECT_EQ(quarter_of_small(6).error().message(), "3 is odd");
  EXPECT_EQ(quarter_of_small(12).error().code(), Code::kLimit);
  EXPECT_EQ(quarter_of_small(12).error().to_string(), ".n: at most 10");
}

TEST(Result, CarriesWhatCanOnlyBeMoved) { EXPECT_EQ(**boxed(3), 3); }

TEST(Result, TellsTheSourcePlace) {
  const std::unexpected<Error> failed = fail(Code::kParse, Position{5, 2, 3}, "want {}", "x");
  EXPECT_EQ(failed.error().position(), (Position{5, 2, 3}));
  EXPECT_EQ(failed.error().message(), "want x");
}

}  // namespace
}  // namespace strake

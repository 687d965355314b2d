#include "value/field_error.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::value {
namespace {

FieldError at(std::string_view name) { return FieldError::required(FieldPath() / name); }

TEST(Aggregate, ShowsEachMessageOnceInItsOrder) {
  EXPECT_EQ(aggregate({}), "[]");
  EXPECT_EQ(aggregate({at("b")}), "b: Required value");
  EXPECT_EQ(aggregate({at("b"), at("b")}), "b: Required value");
  EXPECT_EQ(aggregate({at("b"), at("a"), at("b")}), "[b: Required value, a: Required value]");
}

// Comparing each with all before it would take minutes here.
TEST(Aggregate, TakesManyErrors) {
  constexpr std::size_t kMany = 200'000;
  FieldErrors errors;
  for (std::size_t i = 0; i < kMany; ++i) errors.push_back(at(fmt::format("f{:06}", i)));
  EXPECT_EQ(aggregate(errors).size(), kMany * std::string_view("f000000: Required value, ").size());
}

}  // namespace
}  // namespace strake::value

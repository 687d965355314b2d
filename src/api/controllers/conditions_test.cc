// Conditions of an object: one a type, with a time that tells when its status changed.
#include "api/controllers/conditions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::api {
namespace {

value::Document document_of(std::string_view text) { return value::read_json(text).value(); }

constexpr std::string_view kThen = "2024-01-01T00:00:00Z";
constexpr std::string_view kNow = "2024-01-02T00:00:00Z";

TEST(Conditions, AreAddedOnceAType) {
  value::Document document = document_of("{}");
  EXPECT_TRUE(set_condition(document,
                            {.type = "A", .status = "True", .reason = "R", .message = "m"}, kThen));
  EXPECT_TRUE(set_condition(
      document, {.type = "B", .status = "False", .reason = "R", .message = "m"}, kThen));
  EXPECT_FALSE(set_condition(document,
                             {.type = "A", .status = "True", .reason = "R", .message = "m"}, kNow));
  EXPECT_EQ(document.root().get("status").get("conditions").size(), 2u);
  EXPECT_EQ(condition_status(document.root(), "A"), "True");
  EXPECT_EQ(condition_status(document.root(), "B"), "False");
  EXPECT_EQ(condition_status(document.root(), "C"), "");
}

TEST(Conditions, ChangeTheirTimeWithTheirStatusAlone) {
  value::Document document = document_of(
      R"({"status":{"conditions":[{"type":"A","status":"True","lastTransitionTime":"2024-01-01T00:00:00Z"}]}})");
  const auto time = [&] {
    return std::string(document.root()
                           .get("status")
                           .get("conditions")
                           .items()[0]
                           .get("lastTransitionTime")
                           .as_string());
  };
  EXPECT_TRUE(set_condition(
      document, {.type = "A", .status = "True", .reason = "New", .message = "m"}, kNow));
  EXPECT_EQ(time(), kThen);
  EXPECT_TRUE(set_condition(
      document, {.type = "A", .status = "False", .reason = "New", .message = "m"}, kNow));
  EXPECT_EQ(time(), kNow);
}

TEST(Conditions, AreFoundInNothingThatHasNone) {
  for (const std::string_view text :
       {"{}", R"({"status":null})", R"({"status":{"conditions":null}})",
        R"({"status":{"conditions":[{"type":"B","status":"True"}]}})"}) {
    const value::Document document = document_of(text);
    EXPECT_EQ(condition_status(document.root(), "A"), "") << text;
  }
  value::Document odd = document_of(R"({"status":{"conditions":"none"}})");
  EXPECT_TRUE(
      set_condition(odd, {.type = "A", .status = "True", .reason = "", .message = ""}, kNow));
  EXPECT_EQ(condition_status(odd.root(), "A"), "True");
}

}  // namespace
}  // namespace strake::api

#include "kube/review_answer.h"

#include <gtest/gtest.h>

#include "value/json_writer.h"

namespace strake::kube {
namespace {

constexpr meta::ShapeField kFields[] = {
    {"answer", &meta::kBoolShape},
    {"apiVersion", &meta::kStringShape},
    {"kind", &meta::kStringShape},
};
constexpr meta::Shape kShape{meta::Shape::Kind::kStruct, "v1.Review", kFields};

// The answer as JSON, or why there is none.
std::string read(std::string_view text) {
  const auto got = read_review_answer(text, {.group = "x.example",
                                             .kind = "Review",
                                             .version = "v1",
                                             .scheme = "client.go:1",
                                             .shape = kShape,
                                             .most_nodes = 20});
  return got ? value::to_json(got->root()) : got.error();
}

TEST(ReviewAnswer, IsTheReviewThatWasSentOrSaysNothingOfItself) {
  EXPECT_EQ(read(R"({"kind":"Review","apiVersion":"x.example/v1","answer":true})"),
            R"({"answer":true,"apiVersion":"x.example/v1","kind":"Review"})");
  EXPECT_EQ(read(R"({"answer":true})"), R"({"answer":true})");
  EXPECT_EQ(read("null"), "{}");
}

TEST(ReviewAnswer, OfAnotherKindIsRefusedInTheWordsOfGo) {
  EXPECT_EQ(read(R"({"kind":"Review","apiVersion":"x.example/v1beta1"})"),
            "converting (v1beta1.Review) to (v1.Review): unknown conversion");
  EXPECT_EQ(read(R"({"kind":"Pod","apiVersion":"v1"})"),
            "no kind \"Pod\" is registered for version \"v1\" in scheme \"client.go:1\"");
  EXPECT_EQ(read(R"({"kind":"Pod"})"),
            "no kind \"Pod\" is registered for version \"x.example/v1\" in scheme "
            "\"client.go:1\"");
}

TEST(ReviewAnswer, IsReadAsJsonOfThatShape) {
  EXPECT_TRUE(read("<html>").starts_with("couldn't get version/kind; json parse error: "));
  EXPECT_TRUE(read("[]").starts_with("couldn't get version/kind; json parse error: "));
  EXPECT_TRUE(read(R"({"answer":"yes"})").contains("cannot unmarshal string"));
  std::string many = R"({"extra":[)";
  for (int i = 0; i < 30; ++i) many += "1,";
  EXPECT_TRUE(read(many + "1]}").starts_with("couldn't get version/kind; "));
}

TEST(ReviewAnswer, MayBeAStatus) {
  EXPECT_EQ(read(R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"no"})"), "no");
  EXPECT_TRUE(read(R"({"kind":"Status","apiVersion":"v1","status":"Success"})").contains("Status"));
  EXPECT_EQ(failure_message(R"({"kind":"Status","status":"Failure","message":"no"})"), "no");
  EXPECT_EQ(failure_message(R"({"kind":"Status","status":"Success","message":"no"})"),
            std::nullopt);
  EXPECT_EQ(failure_message("<html>"), std::nullopt);
}

}  // namespace
}  // namespace strake::kube

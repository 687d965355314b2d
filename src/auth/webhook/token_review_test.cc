#include "auth/webhook/token_review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::auth {
namespace {

using ::testing::ElementsAre;

TEST(TokenReview, IsWrittenAsKubernetesWritesIt) {
  const std::string audiences[] = {"a", "b"};
  EXPECT_EQ(write_review("v1", Secret("t\"k"), audiences).reveal(),
            R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},)"
            R"("spec":{"token":"t\"k","audiences":["a","b"]},"status":{"user":{}}})");
  EXPECT_EQ(write_review("v1beta1", Secret("t"), {}).reveal(),
            R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1beta1","metadata":{},)"
            R"("spec":{"token":"t"},"status":{"user":{}}})");
}

TEST(TokenReview, SaysWhoseATokenIs) {
  const ReviewAnswer answer =
      read_review(R"({"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","status":{
        "authenticated":true,"audiences":["x"],"user":{"username":"ann","uid":"7",
        "groups":["dev"],"extra":{"k":["v","w"]}}}})")
          .value();
  EXPECT_TRUE(answer.authenticated);
  EXPECT_EQ(answer.user.name, "ann");
  EXPECT_THAT(answer.user.groups, ElementsAre("dev"));
  EXPECT_THAT(answer.user.extra.at("k"), ElementsAre("v", "w"));
  EXPECT_THAT(answer.audiences, ElementsAre("x"));
}

TEST(TokenReview, IsNotGuessedAt) {
  const auto read = [](std::string_view status) {
    return read_review(fmt::format(
        R"({{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","status":{}}})", status));
  };
  EXPECT_FALSE(read("{}").value().authenticated);
  for (const std::string_view status :
       {"7", R"({"authenticated":"true"})", R"({"authenticated":1})", R"({"user":[]})",
        R"({"user":{"username":7}})", R"({"user":{"groups":"a"}})", R"({"user":{"groups":[1]}})",
        R"({"user":{"extra":{"a":"b"}}})", R"({"audiences":"a"})", R"({"error":{}})"}) {
    EXPECT_FALSE(read(status)) << status;
  }
  EXPECT_FALSE(read_review("<html>"));
  EXPECT_FALSE(read_review(R"({"status":{"authenticated":true}})"));
  EXPECT_FALSE(
      read_review(R"({"kind":"TokenReview","apiVersion":"v1","status":{"authenticated":true}})"));
}

}  // namespace
}  // namespace strake::auth

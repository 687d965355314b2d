#include "recording/translation.h"

#include <gtest/gtest.h>

namespace strake::recording {
namespace {

Body json(std::string text) { return {.form = Body::Form::kJson, .text = std::move(text)}; }

class Translating : public ::testing::Test {
 protected:
  Translating() {
    translation_.learn(
        json(
            R"({"metadata":{"generateName":"a-","name":"a-11111","uid":"u1","resourceVersion":"10"}})"),
        json(
            R"({"metadata":{"generateName":"a-","name":"a-22222","uid":"u2","resourceVersion":"30"}})"));
  }
  Translation translation_;
};

TEST_F(Translating, SendsWhatIsRightNow) {
  EXPECT_EQ(translation_.path("/api/v1/namespaces/n/pods/a-11111"),
            "/api/v1/namespaces/n/pods/a-22222");
  EXPECT_EQ(translation_.query("fieldSelector=metadata.name%3Da-11111&resourceVersion=10"),
            "fieldSelector=metadata.name%3Da-22222&resourceVersion=30");
  EXPECT_EQ(
      translation_.body(json(R"({"owner":{"name":"a-11111","uid":"u1"},"resourceVersion":"10"})")),
      R"({"owner":{"name":"a-22222","uid":"u2"},"resourceVersion":"30"})");
  EXPECT_EQ(
      translation_.body(json(R"([{"op":"test","path":"/metadata/resourceVersion","value":"10"}])")),
      R"([{"op":"test","path":"/metadata/resourceVersion","value":"30"}])");
}

TEST_F(Translating, LeavesWhatItDoesNotKnow) {
  EXPECT_EQ(translation_.path("/api/v1/namespaces/a-1/pods"), "/api/v1/namespaces/a-1/pods");
  EXPECT_EQ(translation_.query("resourceVersion=0"), "resourceVersion=0");
  EXPECT_EQ(translation_.query("resourceVersion=9"), "resourceVersion=9");
  EXPECT_EQ(translation_.body({.form = Body::Form::kText, .text = "a-11111"}), "a-11111");
  EXPECT_EQ(translation_.body(json(R"({"version":"10","n":10})")), R"({"n":10,"version":"10"})");
}

TEST_F(Translating, CountsVersionsThatNoAnswerToldFromTheLastOneThatWas) {
  EXPECT_EQ(translation_.query("resourceVersion=12"), "resourceVersion=32");
  translation_.learn({.form = Body::Form::kDigest, .text = {}, .bytes = 9, .version = "12"},
                     {.form = Body::Form::kDigest, .text = {}, .bytes = 9, .version = "40"});
  EXPECT_EQ(translation_.query("resourceVersion=12"), "resourceVersion=40");
}

}  // namespace
}  // namespace strake::recording

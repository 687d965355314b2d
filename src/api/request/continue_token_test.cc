// Tokens that lead from page to page.
#include "api/request/continue_token.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/base64.h"

namespace strake::api {
namespace {

TEST(ContinueTokens, AreThoseOfKubeApiserver) {
  EXPECT_EQ(base64_decode(encode_continue({.revision = 7, .start = std::string("ns/a\0", 5)}),
                          Base64::kUrlRaw)
                .value(),
            R"({"v":"meta.k8s.io/v1","rv":7,"start":"ns/a\u0000"})");
  // One that another server made.
  const auto read = decode_continue(
      base64_encode(R"({"v":"meta.k8s.io/v1","rv":12,"start":"b\u0000"})", Base64::kUrlRaw));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->revision, 12);
  EXPECT_EQ(read->start, std::string("b\0", 2));
  EXPECT_FALSE(read->left);
}

TEST(ContinueTokens, KeepWhatTheyCarry) {
  for (const ContinueToken& one :
       {ContinueToken{.revision = -1, .start = "a"}, ContinueToken{.revision = 1, .start = "é/\"x"},
        ContinueToken{.revision = INT64_MAX, .start = "a/b", .left = 5}}) {
    const auto back = decode_continue(encode_continue(one));
    ASSERT_TRUE(back) << one.start;
    EXPECT_EQ(back->revision, one.revision);
    EXPECT_EQ(back->start, one.start);
    EXPECT_EQ(back->left, one.left);
  }
}

TEST(ContinueTokens, AreRefusedWhenTheyAreNone) {
  struct Case {
    std::string_view json;
    std::string_view why;
  };
  const Case cases[] = {
      {R"({"v":"meta.k8s.io/v2","rv":1,"start":"a"})",
       "server does not recognize this encoded version"},
      {R"({"rv":1,"start":"a"})", "server does not recognize this encoded version"},
      {R"({"v":"meta.k8s.io/v1","rv":0,"start":"a"})", "incorrect encoded start resourceVersion"},
      {R"({"v":"meta.k8s.io/v1","rv":"1","start":"a"})", "incorrect encoded start resourceVersion"},
      {R"({"v":"meta.k8s.io/v1","rv":1,"start":""})", "encoded start key empty"},
      {R"({"v":"meta.k8s.io/v1","rv":1})", "encoded start key empty"},
      {R"({"v":"meta.k8s.io/v1","rv":1,"start":"/a"})", "\"/a\""},
      {R"({"v":"meta.k8s.io/v1","rv":1,"start":"a/../b"})", "\"a/../b\""},
      {"[]", "server does not recognize this encoded version"},
      {"{", ""},
  };
  for (const Case& one : cases) {
    const auto read = decode_continue(base64_encode(one.json, Base64::kUrlRaw));
    ASSERT_FALSE(read) << one.json;
    EXPECT_EQ(read.error().code, 400);
    EXPECT_TRUE(
        read.error().message.starts_with("invalid continue token: continue key is not valid: "));
    EXPECT_TRUE(read.error().message.contains(one.why)) << read.error().message;
  }
  EXPECT_FALSE(decode_continue("!"));
  EXPECT_FALSE(decode_continue("YQ=="));  // padded
}

}  // namespace
}  // namespace strake::api

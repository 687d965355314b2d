#include "recording/secrets.h"

#include <gtest/gtest.h>

#include "recording/body.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::recording {
namespace {

std::string masked(std::string_view json, Holds holds = Holds::kNothing) {
  value::Document document = value::read_json(json).value();
  mask(document, holds);
  return value::to_json(document.root());
}

Holds held(std::string_view method, std::string_view path) {
  return what_is_held(api::read_request_info(method, path, {}).value());
}

TEST(Secrets, AreMaskedWhereverTheyAre) {
  const std::string secret =
      R"({"data":{"k":"c2VjcmV0"},"kind":"Secret","metadata":{"annotations":{)"
      R"("kubectl.kubernetes.io/last-applied-configuration":"s"},"name":"a"},"stringData":{"p":"s"}})";
  const std::string hidden =
      R"({"data":{"k":"Kioq"},"kind":"Secret","metadata":{"annotations":{)"
      R"("kubectl.kubernetes.io/last-applied-configuration":"***"},"name":"a"},"stringData":{"p":"***"}})";
  EXPECT_EQ(masked(secret), hidden);
  EXPECT_EQ(masked(R"({"items":[)" + secret + R"(],"kind":"List"})"),
            R"({"items":[)" + hidden + R"(],"kind":"List"})");
  EXPECT_EQ(masked(R"({"object":)" + secret + R"(,"type":"ADDED"})"),
            R"({"object":)" + hidden + R"(,"type":"ADDED"})");
  // Items of a list do not say what they are.
  EXPECT_EQ(masked(R"({"items":[{"data":{"k":"eA=="}}],"kind":"SecretList"})"),
            R"({"items":[{"data":{"k":"Kioq"}}],"kind":"SecretList"})");
  EXPECT_EQ(masked(R"({"data":{"k":"v"},"kind":"ConfigMap"})"),
            R"({"data":{"k":"v"},"kind":"ConfigMap"})");
}

TEST(Secrets, AreMaskedInPatchesAndMessages) {
  EXPECT_EQ(masked(R"({"data":{"k":"eA==","gone":null}})", Holds::kSecrets),
            R"({"data":{"gone":null,"k":"Kioq"}})");
  EXPECT_EQ(masked(R"([{"op":"add","path":"/data/k","value":{"a":["x",1]}}])", Holds::kSecrets),
            R"([{"op":"add","path":"/data/k","value":{"a":["***",1]}}])");
  EXPECT_EQ(masked(R"([{"op":"add","path":"/data/k","value":"x"}])"),
            R"([{"op":"add","path":"/data/k","value":"x"}])");
  EXPECT_EQ(masked(R"({"code":400,"kind":"Status","message":"quotes"})", Holds::kSecrets),
            R"({"code":400,"kind":"Status","message":"***"})");
  EXPECT_EQ(masked(R"({"code":404,"kind":"Status","message":"not there"})", Holds::kSecrets),
            R"({"code":404,"kind":"Status","message":"not there"})");
}

TEST(Secrets, AreTokensToo) {
  EXPECT_EQ(masked(R"({"kind":"TokenReview","spec":{"token":"t"}})"),
            R"({"kind":"TokenReview","spec":{"token":"***"}})");
  EXPECT_EQ(masked(R"({"status":{"token":"t"}})", Holds::kTokens), R"({"status":{"token":"***"}})");
}

TEST(Secrets, AreKnownByThePlaceOfTheRequest) {
  EXPECT_EQ(held("PATCH", "/api/v1/namespaces/a/secrets/b"), Holds::kSecrets);
  EXPECT_EQ(held("POST", "/api/v1/namespaces/a/serviceaccounts/b/token"), Holds::kTokens);
  EXPECT_EQ(held("POST", "/apis/authentication.k8s.io/v1/tokenreviews"), Holds::kTokens);
  EXPECT_EQ(held("GET", "/apis/example.com/v1/secrets"), Holds::kNothing);
  EXPECT_EQ(held("GET", "/api/v1/pods"), Holds::kNothing);
}

TEST(Bodies, AreKeptAsJsonAsTextOrAsDigests) {
  EXPECT_EQ(make_body("", "application/json", Holds::kNothing, 10), Body());
  EXPECT_EQ(make_body(" {\"b\":1.0,\"a\":\"<\"}", "application/json", Holds::kNothing, 100).text,
            R"({"a":"<","b":1.0})");
  EXPECT_EQ(make_body("a: [x]\n", "application/apply-patch+yaml", Holds::kNothing, 100).text,
            R"({"a":["x"]})");
  // Read again, one of them would be gone.
  EXPECT_EQ(make_body(R"({"a":1,"a":2})", "application/json", Holds::kNothing, 100),
            (Body{.form = Body::Form::kText, .text = R"({"a":1,"a":2})"}));
  EXPECT_EQ(make_body("\xff", "application/octet-stream", Holds::kNothing, 100),
            (Body{.form = Body::Form::kBytes, .text = "\xff"}));
}

TEST(Bodies, ThatAreLargeAreComparedByWhatStaysTheSame) {
  const auto body = [](std::string_view version, std::string_view colour) {
    return make_body(
        fmt::format(R"({{"metadata":{{"resourceVersion":"{}"}},"colour":"{}"}})", version, colour),
        "application/json", Holds::kNothing, 10);
  };
  EXPECT_EQ(body("5", "red").form, Body::Form::kDigest);
  EXPECT_EQ(body("5", "red").version, "5");
  EXPECT_EQ(body("5", "red").text, body("6", "red").text);
  EXPECT_NE(body("5", "red").text, body("5", "blue").text);
}

TEST(Bodies, ThatMayHoldSecretsAndCannotBeReadAreLeftOut) {
  const Body body =
      make_body("{\"data\":{\"k\":\"secret", "application/json", Holds::kSecrets, 100);
  EXPECT_EQ(body.form, Body::Form::kDigest);
  EXPECT_EQ(body.text, "");
}

}  // namespace
}  // namespace strake::recording

// Conversion by a webhook that a real TLS server answers for, with each fault that it may have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "admission/conversion/conversion_review.h"
#include "admission/conversion/webhook_converter.h"
#include "admission/webhook/test_hooks.h"
#include "base/rfc3339.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::admission {
namespace {

using api::testing::Answered;
using api::testing::expect_ok;
using api::testing::expect_status;
using api::testing::TestServer;
using testing::Asked;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HookServer;
using testing::json_answer;
using value::Document;
using value::Value;

constexpr std::string_view kV1 = "/apis/a.example/v1/namespaces/default/things";
constexpr std::string_view kV2 = "/apis/a.example/v2/namespaces/default/things";
constexpr std::string_view kDefinition =
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.a.example";

// The objects of a question with the wanted version, `.spec.size` in v1 being `.spec.length` in v2,
// and a field that no version has.
std::string converted_objects(const Asked& asked) {
  const Value& request = asked.review.root().get("request");
  const std::string_view to = value::text_of(request, "desiredAPIVersion");
  Document out;
  Arena& arena = out.arena();
  out.root() = Value::array({});
  for (const Value& one : request.get("objects").items()) {
    Value object = value::deep_copy(one, arena);
    object.set("apiVersion", Value::string(to), arena);
    Value& spec = object.object_at("spec", arena);
    const bool is_v2 = to.ends_with("/v2");
    const Value size = spec.get(is_v2 ? "size" : "length");
    spec.remove(is_v2 ? "size" : "length");
    if (!size.is_null()) spec.set(is_v2 ? "length" : "size", size, arena);
    spec.set("unknown", Value::boolean(true), arena);
    out.root().append(object, arena);
  }
  return value::to_json(out.root());
}

std::string review_text(std::string_view uid, std::string_view response,
                        std::string_view version = "v1") {
  return fmt::format(
      R"({{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/{}","response":{{"uid":"{}",{}}}}})",
      version, uid, response);
}

std::string success(std::string_view objects) {
  return fmt::format(R"("result":{{"status":"Success"}},"convertedObjects":{})", objects);
}

class ConversionPart final : public api::testing::TestPart {
 public:
  explicit ConversionPart(api::Hub& hub) : converter_(hub.loops(), system_clock()) {}
  const api::Converter* converter() const override { return &converter_; }
  async::Task<> stop() override {
    converter_.close();
    co_return Result<>();
  }

 private:
  WebhookConverter converter_;
};

class Conversions : public ::testing::Test {
 protected:
  Conversions() {
    respond = [](const Asked& asked) {
      return review_text(asked.uid(), success(converted_objects(asked)));
    };
    hooks.reply = [this](const Asked& asked) -> boost::asio::awaitable<http::Response> {
      sizes.push_back(asked.review.root().get("request").get("objects").size());
      co_return json_answer(respond(asked), code);
    };
    expect_ok(
        server.post(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            api::testing::things(
                {{"v1", R"("size":{"type":"integer"})"},
                 {"v2", R"("length":{"type":"integer"},"extra":{"type":"integer","default":5})"}},
                "Webhook")),
        201);
    point_to(hooks.url("/convert"));
    server.wait_for(200, kV2);
    sizes.clear();
  }
  void point_to(std::string_view url, std::string_view versions = R"(["v1"])") {
    expect_ok(server.merge(
        kDefinition,
        fmt::format(
            R"({{"spec":{{"conversion":{{"webhook":{{"conversionReviewVersions":{},"clientConfig":{{"url":"{}","caBundle":"{}"}}}}}}}}}})",
            versions, url, hooks.ca_bundle())));
    // The new definition is served when its answer shows the new generation.
    server.wait_for(200, kV1);
  }
  // What is defaulted in one version is unknown in the other.
  void drop_defaults() {
    expect_ok(server.patch(
        kDefinition, "application/json-patch+json",
        R"([{"op":"remove","path":"/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/extra"}])"));
    server.wait_for(200, kV2);
  }
  void make(std::string_view name, std::string_view more = "") {
    expect_ok(
        server.post(
            kV1,
            fmt::format(
                R"({{"apiVersion":"a.example/v1","kind":"Thing","metadata":{{"name":"{}"{}}},"spec":{{"size":3}}}})",
                name, more)),
        201);
  }
  Answered read(std::string_view name) { return server.get(fmt::format("{}/{}", kV2, name)); }

  HookServer hooks;
  std::function<std::string(const Asked&)> respond;
  int code = 200;
  std::vector<std::size_t> sizes;  // of the questions
  TestServer server{{.part = [](api::Hub& hub) { return std::make_unique<ConversionPart>(hub); }}};
};

TEST_F(Conversions, AreAskedOfTheWebhookAndPrunedButNotDefaulted) {
  make("a", R"(,"labels":{"x":"y"})");
  const Answered got = read("a");
  expect_ok(got);
  EXPECT_EQ(got.at("spec"), R"({"length":3})");
  EXPECT_EQ(got.text("apiVersion"), "a.example/v2");
  EXPECT_EQ(got.text("metadata.labels.x"), "y");
  EXPECT_EQ(got.text("metadata.managedFields.0.apiVersion"), "a.example/v1");
  const Asked asked = hooks.last();
  EXPECT_EQ(value::text_of(asked.review.root(), "apiVersion"), "apiextensions.k8s.io/v1");
  EXPECT_EQ(value::text_of(asked.review.root().get("request"), "desiredAPIVersion"),
            "a.example/v2");
}

TEST_F(Conversions, AreNotAskedForTwice) {
  make("a");
  expect_ok(read("a"));
  expect_ok(read("a"));
  expect_ok(server.get(kV2));
  EXPECT_THAT(sizes, ElementsAre(1));
}

TEST_F(Conversions, GoBothWaysForAWriteInAnotherVersion) {
  const Answered made = server.post(
      kV2,
      R"({"apiVersion":"a.example/v2","kind":"Thing","metadata":{"name":"b"},"spec":{"length":7}})");
  expect_ok(made, 201);
  EXPECT_EQ(made.at("spec"), R"({"length":7})");
  EXPECT_EQ(server.get(fmt::format("{}/b", kV1)).at("spec"), R"({"size":7})");
  expect_ok(server.merge(fmt::format("{}/b", kV2), R"({"spec":{"length":8}})"));
  EXPECT_EQ(server.get(fmt::format("{}/b", kV1)).at("spec"), R"({"size":8})");
}

TEST_F(Conversions, OfAListGoTogetherInBatches) {
  for (int i = 0; i < 250; ++i) make(fmt::format("t{}", i));
  const Answered list = server.get(kV2);
  expect_ok(list);
  EXPECT_EQ(list.json().get("items").size(), 250);
  EXPECT_EQ(list.at("items.249.spec"), R"({"length":3})");
  std::ranges::sort(sizes);
  EXPECT_THAT(sizes, ElementsAre(50, 100, 100));
}

TEST_F(Conversions, ThatFailForOneOfManyAreToldAsIfAskedAlone) {
  for (const char* name : {"a", "bad", "c"}) make(name);
  respond = [](const Asked& asked) {
    if (asked.body.contains(R"("name":"bad")"))
      return review_text(asked.uid(), R"("result":{"status":"Failed","message":"not this one"})");
    return review_text(asked.uid(), success(converted_objects(asked)));
  };
  const Answered list = server.get(kV2);
  EXPECT_EQ(list.code, 500);
  EXPECT_EQ(list.text("message"),
            "conversion webhook for a.example/v1, Kind=Thing failed: not this one");
  EXPECT_THAT(sizes, ElementsAre(3, 1, 1));
}

TEST_F(Conversions, ThatWentThroughBeforeAFaultAreNotAskedForAgain) {
  for (const char* name : {"a", "bad", "c"}) make(name);
  respond = [](const Asked& asked) {
    std::string objects = converted_objects(asked);
    if (const auto at = objects.find(R"("name":"bad")"); at != std::string::npos)
      objects.replace(at, std::string_view(R"("name":"bad")").size(), R"("name":"worse")");
    return review_text(asked.uid(), success(objects));
  };
  const Answered list = server.get(kV2);
  EXPECT_EQ(list.code, 500);
  EXPECT_THAT(list.text("message"), HasSubstr("must have the same name: bad != worse"));
  EXPECT_THAT(sizes, ElementsAre(3, 1));
}

TEST_F(Conversions, AreSeenByWatches) {
  const Answered list = server.get(kV2);
  make("a");
  TestServer::Watch watch(server,
                          fmt::format("{}?watch=true&resourceVersion={}", kV2, list.version()));
  const api::testing::Event event = watch.next();
  EXPECT_EQ(event.summary(), "ADDED a");
  EXPECT_EQ(event.object.at("spec"), R"({"length":3})");
}

TEST_F(Conversions, MayChangeLabelsAndAnnotationsAlone) {
  make("a", R"(,"labels":{"x":"y"},"finalizers":["example.com/f"])");
  respond = [](const Asked& asked) {
    std::string objects = converted_objects(asked);
    const auto at = objects.find(R"("finalizers":["example.com/f"])");
    objects.replace(at, std::string_view(R"("finalizers":["example.com/f"])").size(),
                    R"("finalizers":["example.com/other"],"annotations":{"by":"hook"})");
    const auto labels = objects.find(R"("x":"y")");
    objects.replace(labels, 7, R"("x":"z")");
    return review_text(asked.uid(), success(objects));
  };
  const Answered got = read("a");
  expect_ok(got);
  EXPECT_EQ(got.at("metadata.labels"), R"({"x":"z"})");
  EXPECT_EQ(got.at("metadata.annotations"), R"({"by":"hook"})");
  EXPECT_EQ(got.at("metadata.finalizers"), R"(["example.com/f"])");
}

TEST_F(Conversions, OfTheOlderReviewAreNotAskedForTheirUid) {
  point_to(hooks.url("/old"), R"(["v1beta1"])");
  make("a");
  respond = [](const Asked& asked) {
    return review_text("wrong", success(converted_objects(asked)), "v1beta1");
  };
  EXPECT_EQ(read("a").at("spec"), R"({"length":3})");
}

TEST_F(Conversions, ByAServerThatIsGoneLeaveTheStoredVersionAlone) {
  make("a");
  point_to("https://127.0.0.1:1/gone");
  EXPECT_EQ(read("a").text("message"),
            "conversion webhook for a.example/v1, Kind=Thing failed: Post "
            "\"https://127.0.0.1:1/gone?timeout=30s\": dial tcp 127.0.0.1:1: connect: connection "
            "refused");
  expect_ok(server.get(fmt::format("{}/a", kV1)));
  expect_ok(server.merge(fmt::format("{}/a", kV1), R"({"spec":{"size":4}})"));
  point_to(hooks.url("/back"));
  EXPECT_EQ(read("a").at("spec"), R"({"length":4})");
}

// Who owns fields in one version loses those that somebody changes through the other.
TEST_F(Conversions, LetOwnersOfOtherVersionsLoseTheirFields) {
  respond = [](const Asked& asked) {
    // Both versions have every field that the webhook leaves.
    std::string objects = converted_objects(asked);
    for (const std::string_view gone : {R"(,"unknown":true)", R"("unknown":true)"}) {
      for (auto at = objects.find(gone); at != std::string::npos; at = objects.find(gone))
        objects.erase(at, gone.size());
    }
    return review_text(asked.uid(), success(objects));
  };
  drop_defaults();
  make("a");
  expect_ok(server.merge(fmt::format("{}/a?fieldManager=two", kV2), R"({"spec":{"length":4}})"));
  const Answered got = server.get(fmt::format("{}/a", kV1));
  EXPECT_EQ(got.at("spec"), R"({"size":4})");
  EXPECT_EQ(got.json().get("metadata").get("managedFields").size(), 2) << got.body;
  EXPECT_EQ(got.at("metadata.managedFields.0.fieldsV1"), R"({"f:spec":{}})");
  EXPECT_EQ(got.text("metadata.managedFields.1.apiVersion"), "a.example/v2");
  EXPECT_EQ(got.at("metadata.managedFields.1.fieldsV1"), R"({"f:spec":{"f:length":{}}})");
}

TEST_F(Conversions, ForOwnersOfOtherVersionsGoThroughTheStoredOne) {
  drop_defaults();
  expect_ok(server.patch(
      kDefinition, "application/json-patch+json",
      R"([{"op":"add","path":"/spec/versions/-","value":{"name":"v3","served":true,"storage":false,)"
      R"("schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",)"
      R"("properties":{"size":{"type":"integer"}}}}}}}}])"));
  constexpr std::string_view kV3 = "/apis/a.example/v3/namespaces/default/things";
  server.wait_for(200, kV3);
  std::vector<std::string> hops;
  respond = [&hops](const Asked& asked) {
    const Value& request = asked.review.root().get("request");
    const auto version = [](std::string_view text) { return text.substr(text.find('/') + 1); };
    for (const Value& one : request.get("objects").items()) {
      hops.push_back(fmt::format("{}>{}", version(value::text_of(one, "apiVersion")),
                                 version(value::text_of(request, "desiredAPIVersion"))));
    }
    std::string objects = converted_objects(asked);
    for (const std::string_view gone : {R"(,"unknown":true)", R"("unknown":true)"}) {
      for (auto at = objects.find(gone); at != std::string::npos; at = objects.find(gone))
        objects.erase(at, gone.size());
    }
    return review_text(asked.uid(), success(objects));
  };
  make("a");
  expect_ok(server.merge(fmt::format("{}/a?fieldManager=two", kV2), R"({"spec":{"length":4}})"));
  hops.clear();
  expect_ok(server.merge(fmt::format("{}/a?fieldManager=three", kV3), R"({"spec":{"size":5}})"));
  EXPECT_THAT(hops, ::testing::Contains("v1>v2"));
  EXPECT_THAT(hops, ::testing::Not(::testing::Contains("v3>v2")));
  const Answered got = server.get(fmt::format("{}/a", kV1));
  EXPECT_EQ(got.at("spec"), R"({"size":5})");
  EXPECT_EQ(got.text("metadata.managedFields.1.manager"), "three") << got.body;
}

TEST_F(Conversions, EndOwnershipWhereTheOtherVersionHasNoSuchField) {
  make("a");
  expect_ok(server.merge(fmt::format("{}/a", kV2), R"({"spec":{"length":4}})"));
  EXPECT_EQ(server.get(fmt::format("{}/a", kV1)).at("metadata.managedFields"), "");
}

// As in kube-apiserver 1.36, where an error in keeping owners removes them all, and the write goes
// on.
TEST_F(Conversions, EndOwnershipWhereTheyFail) {
  bool fails = false;
  respond = [&fails](const Asked& asked) {
    if (fails && asked.body.contains(R"("desiredAPIVersion":"a.example/v2")"))
      return review_text(asked.uid(), R"("result":{"status":"Failed","message":"not now"})");
    std::string objects = converted_objects(asked);
    for (const std::string_view gone : {R"(,"unknown":true)", R"("unknown":true)"}) {
      for (auto at = objects.find(gone); at != std::string::npos; at = objects.find(gone))
        objects.erase(at, gone.size());
    }
    return review_text(asked.uid(), success(objects));
  };
  drop_defaults();
  make("a");
  expect_ok(server.merge(fmt::format("{}/a?fieldManager=two", kV2), R"({"spec":{"length":4}})"));
  EXPECT_EQ(server.get(fmt::format("{}/a", kV1)).json().get("metadata").get("managedFields").size(),
            2);
  fails = true;
  expect_ok(server.merge(fmt::format("{}/a?fieldManager=three", kV1), R"({"spec":{"size":5}})"));
  const Answered got = server.get(fmt::format("{}/a", kV1));
  EXPECT_EQ(got.at("spec"), R"({"size":5})");
  EXPECT_EQ(got.at("metadata.managedFields"), "");
}

// What a webhook answers, and what the client is told; $ stands for the right uid, @ for the right
// objects.
struct Fault {
  std::string_view name;
  std::string_view answer;
  std::string_view message;
  int code = 200;
};
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

class FaultyConversions : public Conversions, public ::testing::WithParamInterface<Fault> {};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const auto at = text.find(what);
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST_P(FaultyConversions, AreToldAsKubeApiserverTellsThem) {
  make("a", R"(,"labels":{"x":"y"})");
  code = GetParam().code;
  respond = [](const Asked& asked) {
    return replaced(replaced(std::string(GetParam().answer), "$", asked.uid()), "@",
                    converted_objects(asked));
  };
  const std::string message = read("a").text("message");
  EXPECT_THAT(message, ::testing::StartsWith("conversion webhook for a.example/v1, Kind=Thing "));
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  expect_ok(server.get(fmt::format("{}/a", kV1)));
}

INSTANTIATE_TEST_SUITE_P(
    Each, FaultyConversions,
    ::testing::Values(
        Fault{"NoReview", R"({"hello":"world"})",
              "failed: expected webhook response of apiextensions.k8s.io/v1, "
              "Kind=ConversionReview, got /, Kind="},
        Fault{"OtherKind", R"({"kind":"Thing","apiVersion":"a/v1"})",
              R"(failed: no kind "Thing" is registered for version "a/v1" in scheme )"},
        Fault{"NoJson", "<html>", "failed: couldn't get version/kind; json parse error: "},
        Fault{"List", "[]", "failed: couldn't get version/kind; json parse error: "},
        Fault{"Empty", "", "failed: 0-length response with status code: 200"},
        Fault{"NoResponse", R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"})",
              "failed: no response provided"},
        Fault{
            "WrongUid",
            R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"wrong"}})",
            R"(", got "wrong")"},
        Fault{
            "Failure",
            R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"$","result":{"status":"Failed"}}})",
            "failed: response.result.status was 'Failed', not 'Success'"},
        Fault{
            "Fewer",
            R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"$","result":{"status":"Success"}}})",
            "returned 0 objects, expected 1"},
        Fault{
            "NotAnObject",
            R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"$","result":{"status":"Success"},"convertedObjects":[1]}})",
            "returned invalid object at index 0: invalid groupVersion (expected a.example/v2, "
            "received )"},
        Fault{
            "WrongKind",
            R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"$","result":{"status":"Success"},"convertedObjects":[{"apiVersion":"a.example/v2","kind":"Other"}]}})",
            "returned invalid object at index 0: invalid kind (expected Thing, received Other)"},
        Fault{
            "OtherName",
            R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"$","result":{"status":"Success"},"convertedObjects":[{"apiVersion":"a.example/v2","kind":"Thing","metadata":{"name":"b"}}]}})",
            "returned invalid object: must have the same name: a != b"},
        Fault{
            "OtherNamespace",
            R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","response":{"uid":"$","result":{"status":"Success"},"convertedObjects":[{"apiVersion":"a.example/v2","kind":"Thing","metadata":{"name":"a"}}]}})",
            "returned invalid object: must have the same namespace: default != "},
        Fault{
            "ServerError", "boom",
            R"(failed: an error on the server ("unknown") has prevented the request from succeeding)",
            500}),
    [](const auto& fault) { return std::string(fault.param.name); });

// What may be wrong with metadata, checked without a server.
TEST(ConvertedMetadata, IsCheckedWhereItMayChange) {
  const auto original = value::read_json(std::string_view(
      R"({"apiVersion":"g/v1","kind":"K","metadata":{"name":"a","labels":{"x":"y"}}})"));
  const auto fault = [&](std::string_view metadata) {
    auto made = value::read_json(fmt::format(R"({{"apiVersion":"g/v2","kind":"K"{}}})", metadata));
    return take_over(original->root(), {"g", "v2"}, *made).value_or("");
  };
  EXPECT_EQ(fault(R"(,"metadata":{"name":"a"})"), "");
  EXPECT_EQ(
      fault(R"(,"metadata":{"name":"a","labels":{"x":1}})"),
      "invalid metadata: metadata.labels[x] must be a string, but is int64 in converted object");
  EXPECT_EQ(
      fault(R"(,"metadata":{"name":"a","annotations":[]})"),
      "invalid metadata: invalid metadata.annotations of type []interface {} in converted object");
  EXPECT_THAT(fault(R"(,"metadata":{"name":"a","labels":{"x":"a b"}})"),
              HasSubstr(R"(invalid metadata: metadata.labels: Invalid value: "a b": )"));
  EXPECT_THAT(fault(R"(,"metadata":{"name":"a","annotations":{"a b":""}})"),
              HasSubstr(R"(invalid metadata: metadata.annotation: Invalid value: "a b": )"));
  const auto unnamed = value::read_json(std::string_view(R"({"apiVersion":"g/v1","kind":"K"})"));
  auto made = value::read_json(std::string_view(R"({"apiVersion":"g/v2","kind":"K"})"));
  EXPECT_EQ(take_over(unnamed->root(), {"g", "v2"}, *made),
            "invalid metadata: missing metadata in converted object");
}

}  // namespace
}  // namespace strake::admission

#include "kube/applier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "http/test_server.h"
#include "value/json_reader.h"

namespace strake::kube {
namespace {

using http::Response;
using http::testing::TestServer;
using http::testing::text_response;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A cluster that serves two kinds, one more once it is defined, and notes what it is sent.
class ApplyingCluster : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ::setenv("no_proxy", "127.0.0.1", 1); }

  boost::asio::awaitable<Response> answer(http::Request request) {
    const std::lock_guard lock(mu_);
    asked_.push_back(request.method + " " + request.path +
                     (request.query.empty() ? "" : "?" + request.query));
    if (request.method == "PATCH") {
      if (request.path.contains("widgetdefinitions")) defined_ = true;
      co_return text_response(request.body);
    }
    if (request.path == "/apis/example.com/v1") {
      co_return text_response(
          fmt::format(R"({{"resources":[{}{{"name":"widgetdefinitions","kind":"WidgetDefinition",)"
                      R"("namespaced":false}}]}})",
                      defined_ ? R"({"name":"widgets","kind":"Widget","namespaced":true},)" : ""));
    }
    if (request.path == "/api/v1") {
      co_return text_response(
          R"({"resources":[{"name":"configmaps/status","kind":"ConfigMap","namespaced":true},)"
          R"({"name":"configmaps","kind":"ConfigMap","namespaced":true}]})");
    }
    Response out = text_response(
        R"({"kind":"Status","status":"Failure","reason":"NotFound","message":"no such page"})");
    out.status = 404;
    co_return out;
  }

  Result<std::string> apply(std::string_view json, ApplyOptions options = {}) {
    if (!applier_) {
      Access access;
      access.server = server_.url("");
      client_.emplace(std::move(access), ClientOptions{});
      applier_.emplace(*client_, std::move(options));
    }
    const auto document = value::read_json(json);
    return applier_->apply(document->root());
  }

  std::mutex mu_;
  std::vector<std::string> asked_;
  bool defined_ = false;
  TestServer server_{[this](http::Request request) { return answer(std::move(request)); }};
  std::optional<Client> client_;
  std::optional<Applier> applier_;
};

TEST_F(ApplyingCluster, IsToldWhereAnObjectGoesAndAskedOnceForItsVersion) {
  const std::string map = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})";
  ASSERT_EQ(apply(map, {.field_manager = "me too", .force = true, .namespace_name = "there"}), map);
  ASSERT_TRUE(apply(
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b/c","namespace":"here"}})"));
  EXPECT_THAT(
      asked_,
      ElementsAre(
          "GET /api/v1",
          "PATCH /api/v1/namespaces/there/configmaps/a?fieldManager=me%20too&force=true",
          "PATCH /api/v1/namespaces/here/configmaps/b%2Fc?fieldManager=me%20too&force=true"));
}

TEST_F(ApplyingCluster, IsAskedAgainForAKindThatWasDefinedMeanwhile) {
  const std::string widget =
      R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"}})";
  const auto refused = apply(widget);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kNotFound);
  EXPECT_THAT(refused.error().message(), HasSubstr("no kind \"Widget\" in version"));
  ASSERT_TRUE(apply(
      R"({"apiVersion":"example.com/v1","kind":"WidgetDefinition","metadata":{"name":"w"}})"));
  EXPECT_TRUE(apply(widget));
  EXPECT_THAT(
      asked_,
      ElementsAre("GET /apis/example.com/v1",
                  "PATCH /apis/example.com/v1/widgetdefinitions/w?fieldManager=strake&force=false",
                  "GET /apis/example.com/v1",
                  "PATCH /apis/example.com/v1/namespaces/default/widgets/w"
                  "?fieldManager=strake&force=false"));
}

TEST_F(ApplyingCluster, IsNotSentWhatDoesNotSayWhatItIs) {
  EXPECT_EQ(apply("{}").error().message(), "an object needs an apiVersion and a kind");
  EXPECT_EQ(apply(R"({"apiVersion":"v1","kind":"ConfigMap"})").error().message(),
            "object v1, Kind=ConfigMap missing metadata.name");
  EXPECT_EQ(apply(R"({"apiVersion":"none/v1","kind":"X","metadata":{"name":"a"}})").error().code(),
            Code::kNotFound);
}

TEST(ApplyOrder, PutsWhatOthersNeedFirstAndTakesListsApart) {
  const auto document = value::read_json(R"([
    {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}},
    {"apiVersion":"v1","kind":"List","items":[
      {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"b"}},
      {"apiVersion":"example.com/v1","kind":"Namespace","metadata":{"name":"c"}}]},
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"d"}},
    null,
    {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"e","namespace":"b"}}])");
  std::vector<const value::Value*> documents;
  for (const value::Value& one : document->root().items()) documents.push_back(&one);
  std::vector<std::string> titles;
  for (const value::Value* one : in_apply_order(documents)) titles.push_back(object_title(*one));
  EXPECT_THAT(titles, ElementsAre("CustomResourceDefinition d", "Namespace b", "ConfigMap a",
                                  "Namespace c", "Widget b/e"));
}

}  // namespace
}  // namespace strake::kube

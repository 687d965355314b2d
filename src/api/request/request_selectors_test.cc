#include "api/request/request_selectors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/request/request_info.h"
#include "value/json_reader.h"

namespace strake::api {
namespace {

// "a=b,!c|error", fields before labels.
std::string shown(const RequestSelectorsPtr& selectors) {
  if (selectors == nullptr) return "none";
  std::string out;
  for (const auto& one : selectors->fields)
    out += fmt::format("{}{}{} ", one.field, one.equal ? "=" : "!=", one.value);
  for (const auto& one : selectors->labels)
    out += fmt::format("{}:{}:{} ", one.key, static_cast<int>(one.op), one.values.size());
  return out + "|" + selectors->field_error + "|" + selectors->label_error;
}

std::string of_request(std::string_view method, std::string_view path, std::string_view query) {
  const auto parsed = http::Query::parse(query);
  return shown(read_request_info(method, path, *parsed)->selectors);
}

TEST(RequestSelectors, AreThoseOfListsWatchesAndDeletesOfMany) {
  constexpr std::string_view kQuery = "fieldSelector=a%3Db&labelSelector=c";
  EXPECT_EQ(of_request("GET", "/api/v1/pods", kQuery), "a=b c:5:0 ||");
  EXPECT_EQ(of_request("GET", "/api/v1/pods", "watch=1&fieldSelector=a!%3Db"), "a!=b ||");
  EXPECT_EQ(of_request("DELETE", "/api/v1/namespaces/x/pods", kQuery), "a=b c:5:0 ||");
  EXPECT_EQ(of_request("GET", "/api/v1/namespaces/x/pods/y", kQuery), "none");
  EXPECT_EQ(of_request("POST", "/api/v1/namespaces/x/pods", kQuery), "none");
  EXPECT_EQ(of_request("GET", "/api/v1/watch/pods", kQuery), "none");
  EXPECT_EQ(of_request("GET", "/healthz", kQuery), "none");
  EXPECT_EQ(of_request("GET", "/api/v1/pods", "fieldSelector=&labelSelector="), "none");
}

TEST(RequestSelectors, SayWhatCouldNotBeRead) {
  EXPECT_EQ(of_request("GET", "/api/v1/pods", "fieldSelector=zzz&labelSelector=a"),
            "a:5:0 |invalid selector: 'zzz'; can't understand 'zzz'|");
}

TEST(RequestSelectors, AreReadFromReviews) {
  const auto of_review = [](std::string_view text) {
    return shown(read_selectors(value::read_json(text)->root()));
  };
  EXPECT_EQ(of_review("{}"), "none");
  EXPECT_EQ(of_review(R"j({"labelSelector":{"rawSelector":"a in (x,y)"}})j"), "a:3:2 ||");
  EXPECT_EQ(of_review(R"({"fieldSelector":{"requirements":[
      {"key":"a","operator":"In","values":["b"]},{"key":"c","operator":"NotIn","values":["d"]},
      {"key":"e","operator":"In","values":["f","g"]},{"key":"e","operator":"In"},
      {"key":"e","operator":"Exists"},{"key":"e","operator":"Like"}]}})"),
            "a=b c!=d |fieldSelectors do not yet support multiple values, fieldSelectors in must "
            "have one value, fieldSelectors do not yet support Exists, \"Like\" is not a valid "
            "field selector operator|");
  EXPECT_EQ(of_review(R"({"labelSelector":{"requirements":[
      {"key":"a","operator":"Exists"},{"key":"b","operator":"Gt","values":["1"]}]}})"),
            "a:5:0 ||\"Gt\" is not a valid label selector operator");
}

}  // namespace
}  // namespace strake::api

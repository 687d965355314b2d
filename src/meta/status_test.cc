#include "meta/status.h"

#include <gtest/gtest.h>

namespace strake::meta {
namespace {

const GroupResource kFoos{"example.com", "foos"};

TEST(Status, PrintsAsTheServerDoes) {
  EXPECT_EQ(
      Status::not_found(kFoos, "a").to_json(),
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"foos.example.com \"a\" not found","reason":"NotFound","details":{"name":"a","group":"example.com","kind":"foos"},"code":404})");
  EXPECT_EQ(
      Status::unauthorized().to_json(),
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized","reason":"Unauthorized","code":401})");
  EXPECT_EQ(
      Status::deleted(kFoos, "a", "u").to_json(),
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"a","group":"example.com","kind":"foos","uid":"u"}})");
  EXPECT_EQ(
      Status::raw_error("etcdserver: request is too large").to_json(),
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"etcdserver: request is too large","code":500})");
}

TEST(Status, ListsEveryCauseButSaysEachOnce) {
  value::FieldErrors errors;
  errors.push_back(value::FieldError::required(FieldPath() / "spec" / "a"));
  errors.push_back(value::FieldError::required(FieldPath() / "spec" / "a"));
  const Status status = Status::invalid({"example.com", "Foo"}, "x", errors);
  EXPECT_EQ(status.message, "Foo.example.com \"x\" is invalid: spec.a: Required value");
  EXPECT_EQ(status.details.causes.size(), 2u);
  EXPECT_EQ(
      status.to_json(),
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Foo.example.com \"x\" is invalid: spec.a: Required value","reason":"Invalid","details":{"name":"x","group":"example.com","kind":"Foo","causes":[{"reason":"FieldValueRequired","message":"Required value","field":"spec.a"},{"reason":"FieldValueRequired","message":"Required value","field":"spec.a"}]},"code":422})");
  EXPECT_EQ(Status::invalid({"", "Foo"}, "x", {}).message, "Foo \"x\" is invalid");
}

TEST(Status, WordsEachReason) {
  EXPECT_EQ(Status::forbidden(kFoos, "a", "no").message, "foos.example.com \"a\" is forbidden: no");
  EXPECT_EQ(Status::forbidden(kFoos, "", "no").message, "foos.example.com is forbidden: no");
  EXPECT_EQ(Status::forbidden({}, "", "no").message, "forbidden: no");
  EXPECT_EQ(Status::method_not_allowed(kFoos, "create").message,
            "create is not supported on resources of kind \"foos.example.com\"");
  EXPECT_EQ(Status::already_exists(kFoos, "a", true).message,
            "object is being deleted: foos.example.com \"a\" already exists");
  EXPECT_EQ(Status::generate_name_conflict(kFoos, "a").details.retry_after_seconds, 1);
  EXPECT_EQ(Status::modified(kFoos, "a").message,
            "Operation cannot be fulfilled on foos.example.com \"a\": the object has been "
            "modified; please apply your "
            "changes to the latest version and try again");
  EXPECT_EQ(Status::request_too_large("limit is 3145728").message,
            "Request entity too large: limit is 3145728");
  EXPECT_EQ(Status::unsupported_media_type({"application/json", "application/yaml"}).message,
            "the body of the request was in an unknown format - accepted media types include: "
            "application/json, "
            "application/yaml");
  EXPECT_EQ(Status::not_acceptable({"application/json"}).message,
            "only the following media types are accepted: application/json");
  EXPECT_EQ(
      Status::internal_error("boom").to_json(),
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Internal error occurred: boom","reason":"InternalError","details":{"causes":[{"message":"boom"}]},"code":500})");
  EXPECT_EQ(Status::server_timeout(kFoos, "list").message,
            "The list operation against foos.example.com could not be completed at this time, "
            "please try again.");
  EXPECT_EQ(Status::timeout("request did not complete within the allotted timeout", 0).message,
            "Timeout: request did not complete within the allotted timeout");
}

TEST(Status, MapsEveryErrorCode) {
  struct Case {
    Code code;
    int status;
    std::string_view reason;
  };
  for (const Case& c :
       {Case{Code::kBadRequest, 400, "BadRequest"}, Case{Code::kParse, 400, "BadRequest"},
        Case{Code::kForbidden, 403, "Forbidden"}, Case{Code::kNotFound, 404, "NotFound"},
        Case{Code::kConflict, 409, "Conflict"}, Case{Code::kExpired, 410, "Expired"},
        Case{Code::kLimit, 413, "RequestEntityTooLarge"}, Case{Code::kInvalid, 422, "Invalid"},
        Case{Code::kTooManyRequests, 429, "TooManyRequests"},
        Case{Code::kInternal, 500, "InternalError"},
        Case{Code::kServiceUnavailable, 503, "ServiceUnavailable"},
        Case{Code::kTimeout, 504, "Timeout"}}) {
    const Status status = Status::from_error(Error(c.code, "why"));
    EXPECT_EQ(status.code, c.status);
    EXPECT_EQ(status.reason, c.reason);
  }
}

TEST(Status, IsBoundedWhateverItSays) {
  value::FieldErrors errors;
  for (std::size_t i = 0; i < 50'000; ++i)
    errors.push_back(value::FieldError::required(FieldPath() / "spec" / i));
  const value::Document many = Status::invalid({"g", "K"}, "n", errors).to_document();
  const value::Value& causes = many.root().get("details").get("causes");
  ASSERT_EQ(causes.size(), value::kMostFieldErrors + 1);
  EXPECT_EQ(causes.items().back().get("message").as_string(), "and 40000 more errors");

  std::vector<StatusCause> conflicts(30'000, StatusCause{"FieldManagerConflict", "conflict", ".a"});
  const value::Document conflict =
      Status::apply_conflict(std::string(5 << 20, 'x'), conflicts).to_document();
  EXPECT_TRUE(
      conflict.root().get("message").as_string().ends_with("x... (cut after 2097152 bytes)"));
  EXPECT_EQ(conflict.root().get("details").get("causes").items().back().get("message").as_string(),
            "and 19999 more errors");
  EXPECT_EQ(conflict.root().get("code").as_int(), 409);
}

TEST(Status, IsADocumentToo) {
  const value::Document document = Status::not_found(kFoos, "a").to_document();
  EXPECT_EQ(document.root().find("code")->as_int(), 404);
}

}  // namespace
}  // namespace strake::meta

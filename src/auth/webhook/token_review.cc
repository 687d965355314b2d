#include "auth/webhook/token_review.h"

#include <fmt/format.h>

#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using value::Value;

constexpr std::string_view kReviewGroup = "authentication.k8s.io/";
constexpr std::size_t kMostReviewBytes = 1 << 20;
constexpr std::size_t kMostReviewDepth = 32;

std::unexpected<Error> no_review(std::string_view what) {
  return fail(Code::kParse, "the answer of the webhook cannot be read: {}", what);
}

Result<std::string> text_member(const Value& object, std::string_view key) {
  const Value& v = object.get(key);
  if (!v.is_null() && !v.is_string()) return no_review(fmt::format("{} is no string", key));
  return std::string(value::text_of(v));
}

Result<std::vector<std::string>> texts_in(const Value& v, std::string_view key) {
  if (!v.is_null() && !v.is_array()) return no_review(fmt::format("{} is no list", key));
  std::vector<std::string> out;
  for (const Value& one : v.items()) {
    if (!one.is_string()) return no_review(fmt::format("{} has what is no string", key));
    out.emplace_back(one.as_string());
  }
  return out;
}

Result<api::User> user_in(const Value& from) {
  if (!from.is_null() && !from.is_object()) return no_review("user is no object");
  api::User out;
  STRAKE_TRY(out.name, text_member(from, "username"));
  STRAKE_TRY(out.uid, text_member(from, "uid"));
  STRAKE_TRY(out.groups, texts_in(from.get("groups"), "groups"));
  const Value& extra = from.get("extra");
  if (!extra.is_null() && !extra.is_object()) return no_review("extra is no object");
  for (const value::Member& one : extra.members()) {
    STRAKE_TRY(out.extra[std::string(one.key)], texts_in(one.value, "extra"));
  }
  return out;
}

}  // namespace

Secret write_review(std::string_view version, const Secret& token,
                    std::span<const std::string> audiences) {
  std::string out =
      fmt::format(R"({{"kind":"TokenReview","apiVersion":"{}{}","metadata":{{}},"spec":{{"token":)",
                  kReviewGroup, version);
  // Room for every character escaped: no copy of the token stays behind.
  std::size_t size = out.size() + token.reveal().size() * 6 + 64;
  for (const std::string& one : audiences) size += one.size() * 6 + 3;
  out.reserve(size);
  value::write_json_string(token.reveal(), out);
  if (!audiences.empty()) {
    out += R"(,"audiences":[)";
    for (std::size_t i = 0; i < audiences.size(); ++i) {
      if (i > 0) out += ',';
      value::write_json_string(audiences[i], out);
    }
    out += ']';
  }
  out += R"(},"status":{"user":{}}})";
  return Secret(std::move(out));
}

Result<ReviewAnswer> read_review(std::string_view text) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  options.limits.bytes = kMostReviewBytes;
  options.limits.depth = kMostReviewDepth;
  const auto document = value::read_json(text, options);
  if (!document) return no_review("it is no JSON");
  const Value& root = document->root();
  if (value::text_of(root, "kind") != "TokenReview" ||
      !value::text_of(root, "apiVersion").starts_with(kReviewGroup))
    return no_review("it is no TokenReview");
  const Value& status = root.get("status");
  if (!status.is_null() && !status.is_object()) return no_review("status is no object");
  const Value& authenticated = status.get("authenticated");
  if (!authenticated.is_null() && !authenticated.is_bool())
    return no_review("authenticated is no boolean");
  ReviewAnswer out;
  out.authenticated = value::flag_of(status, "authenticated");
  STRAKE_TRY(out.error, text_member(status, "error"));
  STRAKE_TRY(out.audiences, texts_in(status.get("audiences"), "audiences"));
  STRAKE_TRY(out.user, user_in(status.get("user")));
  return out;
}

}  // namespace strake::auth

#include "api/request/continue_token.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Value;

std::unexpected<Status> invalid(std::string_view why) {
  return refuse(Status::bad_request(
      fmt::format("invalid continue token: continue key is not valid: {}", why)));
}

}  // namespace

std::string encode_continue(const ContinueToken& token) {
  std::string json = fmt::format("{{\"v\":\"meta.k8s.io/v1\",\"rv\":{},\"start\":", token.revision);
  value::write_json_string(token.start, json);
  if (token.left) json += fmt::format(",\"left\":{}", *token.left);
  return base64_encode(json + "}", Base64::kUrlRaw);
}

Answer<ContinueToken> decode_continue(std::string_view text) {
  const Result<std::string> json = base64_decode(text, Base64::kUrlRaw);
  if (!json) return invalid(json.error().message());
  const Result<value::Document> document =
      value::read_json(*json, value::ReadOptions::as_api_server());
  if (!document) return invalid(document.error().message());
  const Value& root = document->root();
  const Value* version = root.find("v");
  if (version == nullptr || !version->is_string() || version->as_string() != "meta.k8s.io/v1") {
    return refuse(Status::bad_request(
        "invalid continue token: continue key is not valid: server does not recognize "
        "this encoded version \"\""));
  }
  const Value* revision = root.find("rv");
  const Value* start = root.find("start");
  if (revision == nullptr || revision->type() != value::Type::kInt || revision->as_int() == 0) {
    return invalid("incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (start == nullptr || !start->is_string() || start->as_string().empty()) {
    return invalid("encoded start key empty (version meta.k8s.io/v1)");
  }
  const std::string_view key = start->as_string();
  // No way out of the list's prefix.
  if (key.starts_with('/') || key == ".." || key.starts_with("../") || key.contains("/../") ||
      key.ends_with("/..")) {
    return invalid(value::to_json(*start));
  }
  ContinueToken token{.revision = revision->as_int(), .start = std::string(key)};
  // Ours alone: a token without it leads on all the same.
  if (const Value* left = root.find("left");
      left != nullptr && left->type() == value::Type::kInt && left->as_int() > 0) {
    token.left = left->as_int();
  }
  return token;
}

}  // namespace strake::api

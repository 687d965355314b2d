#include "api/routes/issuer_documents.h"

#include <fmt/format.h>

#include "api/verbs/respond.h"

namespace strake::api {
namespace {

using meta::Status;

constexpr std::string_view kKeys = "/openid/v1/jwks";
constexpr std::string_view kKeysType = "application/jwk-set+json";
constexpr std::string_view kDiscovery = "/.well-known/openid-configuration";
constexpr std::string_view kDiscoveryType = "application/json";

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// As go-restful looks at it: whole types alone, whatever their weight.
bool accepts(std::string_view header, std::string_view type) {
  if (header.empty()) return true;
  while (true) {
    const std::size_t comma = header.find(',');
    const std::string_view one = trimmed(header.substr(0, comma));
    const std::string_view wanted = trimmed(one.substr(0, one.find(';')));
    if (wanted == "*/*" || wanted == type) return true;
    if (comma == std::string_view::npos) return false;
    header.remove_prefix(comma + 1);
  }
}

Status unacceptable(std::string_view type) {
  Status out;
  out.code = 406;
  out.reason = "NotAcceptable";
  out.message = fmt::format("406: Not Acceptable\n\nAvailable representations: {}", type);
  out.empty_details = true;
  return out;
}

// A trailing slash is the same path.
std::string_view path_of(const Call& call) {
  std::string_view path = call.info.path;
  if (path.ends_with('/')) path.remove_suffix(1);
  return path;
}

}  // namespace

bool IssuerDocumentsRoute::takes(const Call& call) const {
  const std::string_view path = path_of(call);
  return path == kKeys || path == kDiscovery;
}

AnswerTask<http::Response> IssuerDocumentsRoute::answer(std::shared_ptr<Call> call) {
  const bool keys = path_of(*call) == kKeys;
  const std::string_view type = keys ? kKeysType : kDiscoveryType;
  std::string text;
  if (issuer_ != nullptr) text = keys ? issuer_->keys_document() : issuer_->discovery_document();
  if (text.empty()) co_return not_found_page();
  if (call->request.method != "GET") co_return refuse(Status::method_not_supported());
  if (!accepts(call->request.headers.get("Accept"), type)) co_return refuse(unacceptable(type));
  http::Response out = text_response(200, std::move(text), type);
  out.headers.add("Cache-Control", "public, max-age=3600");
  co_return out;
}

}  // namespace strake::api

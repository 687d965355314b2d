// Any lines as headers by which a request names its user, and as a file of tokens. Headers of a
// front proxy count with the right certificate alone, nobody impersonates without a right to it,
// and what is refused is refused with a Status.
#include <cstdint>
#include <string>
#include <string_view>

#include "api/filters/impersonation.h"
#include "auth/authenticator.h"
#include "auth/front_proxy.h"
#include "base/assert.h"

using namespace strake;

namespace {

class Nobody final : public api::Authorizer {
 public:
  Decision authorize(const api::User&, const api::RequestInfo&) const override { return {}; }
  Rules rules_of(const api::User&, std::string_view) const override { return {}; }
};

http::Headers headers_of(std::string_view text) {
  http::Headers out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    out.add(line.substr(0, colon), line.substr(colon + 1));
  }
  return out;
}

void check_proxy(const http::Headers& headers) {
  const auth::FrontProxy proxy({.allowed_names = {"proxy"}}, {"sum"});
  for (const std::string_view sum : {"", "sum", "other"}) {
    for (const std::string_view name : {"proxy", "other"}) {
      http::Request request;
      request.headers = headers;
      if (!sum.empty()) {
        auto peer = std::make_shared<http::PeerCertificate>();
        peer->authority_sha256 = sum;
        peer->common_name = name;
        request.peer = std::move(peer);
      }
      std::string refusal;
      const auto user = proxy.user_of(request, refusal);
      if (sum != "sum" || name != "proxy") {
        STRAKE_ASSERT(user == nullptr);
        continue;
      }
      bool named = false;
      for (const std::string_view one : headers.get_all("X-Remote-User"))
        named = named || !one.empty();
      STRAKE_ASSERT(named == (user != nullptr) && refusal.empty());
      if (user) STRAKE_ASSERT(!user->name.empty());
    }
  }
}

void check_impersonation(const http::Headers& headers) {
  const Nobody nobody;
  api::ImpersonationStage stage(nobody);
  api::Call call;
  call.request.method = "GET";
  call.request.path = "/api";
  call.request.headers = headers;
  call.info = api::read_request_info("GET", "/api", {}).value();
  call.asking = std::make_shared<const api::User>(
      api::User{.name = "eve", .uid = {}, .groups = {}, .extra = {}});
  api::Passage passage = stage.enter(call);
  if (passage.goes_on()) {
    STRAKE_ASSERT(call.user == call.asking);
    return;
  }
  const auto end = passage.take_end();
  STRAKE_ASSERT(end && !*end && (end->error().code == 400 || end->error().code == 403));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const http::Headers headers = headers_of(text);
  check_proxy(headers);
  check_impersonation(headers);
  const auto tokens = auth::read_token_file(text);
  if (!tokens) {
    STRAKE_ASSERT(tokens.error().message().starts_with("line "));
    return 0;
  }
  for (const auth::StaticToken& one : *tokens) STRAKE_ASSERT(!one.token.empty());
  return 0;
}

#include "api/request/client_headers.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/request/forwarding.h"
#include "base/trim.h"
#include "meta/names.h"

namespace strake::api {
namespace {

// A WebSocket client in a page cannot set headers, and may give its token as a protocol.
constexpr std::string_view kTokenProtocol = "base64url.bearer.authorization.k8s.io.";
constexpr std::string_view kProtocols = "sec-websocket-protocol";

std::string normalized(std::string_view name) {
  std::string out = meta::to_lower_ascii(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

std::string without_tokens(std::string_view protocols) {
  std::string out;
  while (!protocols.empty()) {
    const std::size_t comma = std::min(protocols.find(','), protocols.size());
    const std::string_view one = trim(protocols.substr(0, comma), kBlanks);
    protocols.remove_prefix(std::min(comma + 1, protocols.size()));
    if (one.empty() || meta::to_lower_ascii(one).starts_with(kTokenProtocol)) continue;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", one);
  }
  return out;
}

// Credentials, and what a front proxy or an impersonator says of the user.
bool is_credential_header(std::string_view name) {
  return name == "authorization" || name.starts_with("impersonate-") ||
         name.starts_with("x-remote-");
}

// A body without the trailers that a server may take for headers.
class BodyWithoutUser final : public http::BodyStream {
 public:
  BodyWithoutUser(std::unique_ptr<http::BodyStream> body, std::shared_ptr<const UserHeaders> also)
      : body_(std::move(body)), also_(std::move(also)) {}
  async::Task<std::vector<http::Piece>> next() override { return body_->next(); }
  bool is_finite() const override { return body_->is_finite(); }
  bool may_compress() const override { return body_->may_compress(); }
  http::Headers trailers() const override { return without_user(body_->trailers(), *also_); }

 private:
  const std::unique_ptr<http::BodyStream> body_;
  const std::shared_ptr<const UserHeaders> also_;
};

}  // namespace

UserHeaders::UserHeaders(const std::vector<std::string>& names,
                         const std::vector<std::string>& prefixes) {
  const auto add = [](const std::string& one, std::vector<std::string>& to) {
    std::string name = normalized(one);
    // Those are left out anyway.
    if (!name.empty() && !is_credential_header(name)) to.push_back(std::move(name));
  };
  for (const std::string& one : names) add(one, names_);
  for (const std::string& one : prefixes) add(one, prefixes_);
}

bool UserHeaders::has(std::string_view name) const {
  return std::ranges::find(names_, name) != names_.end() ||
         std::ranges::any_of(prefixes_,
                             [&](const std::string& one) { return name.starts_with(one); });
}

http::Headers without_user(const http::Headers& of_client, const UserHeaders& also) {
  http::Headers out;
  out.reserve(of_client.all().size() + 8);
  const HopHeaders hop(of_client);
  for (const http::Header& one : of_client.all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    const std::string name = normalized(lower);
    // Lengths follow from the body, the host from the address.
    if (hop.has(lower) || lower == "content-length" || lower == "expect" || lower == "host" ||
        is_credential_header(name) || also.has(name)) {
      continue;
    }
    if (name == kProtocols) {
      if (const std::string rest = without_tokens(one.value); !rest.empty())
        out.add(one.name, rest);
      continue;
    }
    out.add(one.name, one.value);
  }
  return out;
}

std::unique_ptr<http::BodyStream> without_user(std::unique_ptr<http::BodyStream> body,
                                               std::shared_ptr<const UserHeaders> also) {
  return std::make_unique<BodyWithoutUser>(std::move(body), std::move(also));
}

}  // namespace strake::api

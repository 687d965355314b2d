#include "aggregator/user_headers.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/request/forwarding.h"
#include "base/trim.h"
#include "meta/names.h"

namespace strake::aggregator {
namespace {

using namespace std::string_view_literals;

// A WebSocket client in a page cannot set headers, and may give its token as a protocol.
constexpr std::string_view kTokenProtocol = "base64url.bearer.authorization.k8s.io.";
constexpr std::string_view kProtocols = "sec-websocket-protocol";

// In lower case. Servers that hand headers on as variables cannot tell the two characters apart.
std::string normalized(std::string_view name) {
  std::string out = meta::to_lower_ascii(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

struct Normalized {
  std::vector<std::string> names;
  std::vector<std::string> prefixes;

  explicit Normalized(const UserHeaders& from) {
    for (const std::string& one : from.names) names.push_back(normalized(one));
    for (const std::string& one : from.prefixes) prefixes.push_back(normalized(one));
  }
  bool has(std::string_view name) const {
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(prefixes, [&](const std::string& one) {
             return !one.empty() && name.starts_with(one);
           });
  }
};

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

bool stands_in_names(char c) {
  constexpr std::string_view kOthers = "!#$&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kOthers.contains(c);
}

}  // namespace

http::Headers without_user(const http::Headers& of_client, const UserHeaders& also) {
  http::Headers out;
  const Normalized others(also);
  const auto hop = api::hop_headers(of_client);
  for (const http::Header& one : of_client.all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    const std::string name = normalized(one.name);
    // Lengths follow from the body, the host from the address.
    if (hop.contains(lower) || lower == "content-length" || lower == "expect" || lower == "host" ||
        api::is_credential_header(name) || others.has(name)) {
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

Result<> add_user(const api::User& user, http::Headers& out) {
  const auto add = [&out](const std::string& name, const std::string& value) -> Result<> {
    if (trim(value, kBlanks) != value || value.find_first_of("\r\n\0"sv) != std::string::npos)
      return fail(Code::kInvalid, "the value of {} cannot be sent", name);
    out.add(name, value);
    return {};
  };
  STRAKE_CHECK(add("X-Remote-User", user.name));
  if (!user.uid.empty()) STRAKE_CHECK(add("X-Remote-Uid", user.uid));
  for (const std::string& group : user.groups) STRAKE_CHECK(add("X-Remote-Group", group));
  for (const auto& [key, values] : user.extra) {
    const std::string name = "X-Remote-Extra-" + escaped_key(key);
    for (const std::string& one : values) STRAKE_CHECK(add(name, one));
  }
  return {};
}

std::string escaped_key(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (stands_in_names(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace strake::aggregator

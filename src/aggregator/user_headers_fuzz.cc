// Any headers of a client, and any user: the other server reads the user that was meant or nothing
// is sent, and nothing of what the client says of users and credentials passes.
//
// The input is lines: the user's name, its groups divided by commas, KEY=VALUE of an extra, and
// then NAME:VALUE of headers.
#include <cstdint>
#include <string>
#include <string_view>

#include "aggregator/user_headers.h"
#include "api/request/client_headers.h"
#include "base/assert.h"
#include "base/trim.h"
#include "meta/names.h"

using namespace strake;

namespace {

std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view out = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return out;
}

// As a server may see the name that hands headers on as variables.
std::string as_variable(std::string_view name) {
  std::string out = meta::to_lower_ascii(name);
  for (char& c : out) c = c == '-' ? '_' : c;
  return out;
}

bool is_about_users(std::string_view name) {
  const std::string seen = as_variable(name);
  return seen.starts_with("x_remote_") || seen.starts_with("impersonate_") ||
         seen == "authorization" || seen == "x_own_user" || seen.starts_with("x_own_extra_");
}

bool has_token(std::string_view protocols) {
  while (!protocols.empty()) {
    const std::string one = meta::to_lower_ascii(trim(take_until(protocols, ','), kBlanks));
    if (one.starts_with("base64url.bearer.authorization.k8s.io.")) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  api::User user;
  user.name = take_until(text, '\n');
  for (std::string_view groups = take_until(text, '\n'); !groups.empty();)
    user.groups.emplace_back(take_until(groups, ','));
  std::string_view extra = take_until(text, '\n');
  const std::string key(take_until(extra, '='));
  if (!key.empty()) user.extra[key] = {std::string(extra)};
  http::Headers sent;
  while (!text.empty()) {
    std::string_view line = take_until(text, '\n');
    const std::string_view name = take_until(line, ':');
    sent.add(name, line);
  }

  const http::Headers passed =
      api::without_user(sent, api::UserHeaders({"X-Own-User"}, {"X-Own-Extra-"}));
  for (const http::Header& one : passed.all()) {
    STRAKE_ASSERT(!is_about_users(one.name));
    STRAKE_ASSERT(as_variable(one.name) != "sec_websocket_protocol" || !has_token(one.value));
    STRAKE_ASSERT(sent.has(one.name));
  }
  http::Headers told;
  if (!aggregator::add_user(user, told)) return 0;
  STRAKE_ASSERT(told.get("X-Remote-User") == user.name);
  const auto groups = told.get_all("X-Remote-Group");
  STRAKE_ASSERT(groups.size() == user.groups.size());
  for (std::size_t i = 0; i < groups.size(); ++i) STRAKE_ASSERT(groups[i] == user.groups[i]);
  for (const http::Header& one : told.all()) {
    STRAKE_ASSERT(one.value.find_first_of("\r\n") == std::string::npos);
    STRAKE_ASSERT(one.value.empty() || (one.value.front() != ' ' && one.value.back() != ' '));
    if (!one.name.starts_with("X-Remote-Extra-")) continue;
    const auto read = http::percent_decode(std::string_view(one.name).substr(15));
    STRAKE_ASSERT(read && *read == key);
  }
  return 0;
}

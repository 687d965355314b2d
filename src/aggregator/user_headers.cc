#include "aggregator/user_headers.h"

#include <fmt/format.h>

#include "base/trim.h"

namespace strake::aggregator {
namespace {

using namespace std::string_view_literals;

bool stands_in_names(char c) {
  constexpr std::string_view kOthers = "!#$&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         kOthers.contains(c);
}

}  // namespace

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

#include <fmt/format.h>

#include <algorithm>

#include "kinds/fields.h"
#include "kinds/pods/check_security_context.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {
namespace {

using value::FieldErrors;
using value::Value;

constexpr std::size_t kMostCredentialBytes = 64 * 1024;
constexpr std::size_t kDomainBytes = 256;
constexpr std::size_t kMostUserBytes = 104;

bool is_control(char c) { return (c >= 0 && c < ' ') || c == 0x7f; }

// Each byte that does not continue a character.
std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// 1 to 15 characters, none of \ / : * ? " < > |, and no dot in front.
bool is_netbios_domain(std::string_view domain) {
  constexpr std::size_t kMostCharacters = 15;
  return !domain.empty() && domain.front() != '.' && character_count(domain) <= kMostCharacters &&
         domain.find_first_of(R"(\/:*?"<>|)") == std::string_view::npos;
}

bool is_dns_label(std::string_view label) {
  constexpr std::size_t kMostBytes = 63;
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !label.empty() && label.size() <= kMostBytes && is_plain(label.front()) &&
         is_plain(label.back()) &&
         std::ranges::all_of(label, [&](char c) { return is_plain(c) || c == '-'; });
}

bool is_dns_domain(std::string_view domain) {
  for (std::size_t from = 0; from <= domain.size();) {
    const std::size_t dot = std::min(domain.find('.', from), domain.size());
    if (!is_dns_label(domain.substr(from, dot - from))) return false;
    from = dot + 1;
  }
  return true;
}

// What is wrong with [domain\]user, which is not empty.
std::vector<std::string> check_user_name(std::string_view name) {
  if (std::ranges::any_of(name, is_control))
    return {"runAsUserName cannot contain control characters"};
  const std::size_t slash = name.find('\\');
  if (slash != std::string_view::npos && name.find('\\', slash + 1) != std::string_view::npos)
    return {"runAsUserName cannot contain more than one backslash"};
  std::vector<std::string> out;
  std::string_view user = name;
  if (slash != std::string_view::npos) {
    const std::string_view domain = name.substr(0, slash);
    user = name.substr(slash + 1);
    if (domain.size() >= kDomainBytes) {
      out.push_back(
          fmt::format("runAsUserName's Domain length must be under {} characters", kDomainBytes));
    }
    if (!is_netbios_domain(domain) && !is_dns_domain(domain))
      out.emplace_back("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user.empty()) {
    out.emplace_back("runAsUserName's User cannot be empty");
  } else if (user.size() > kMostUserBytes) {
    out.push_back(fmt::format("runAsUserName's User length must not be longer than {} characters",
                              kMostUserBytes));
  }
  if (!user.empty() && user.find_first_not_of(". ") == std::string_view::npos)
    out.emplace_back("runAsUserName's User cannot contain only periods or spaces");
  if (user.find_first_of(R"("/\:;|=,+*?<>@[])") != std::string_view::npos) {
    out.emplace_back(
        R"(runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[])");
  }
  return out;
}

}  // namespace

void check_windows_options(const Value& options, const FieldPath& at, FieldErrors& errors) {
  const auto refuse_field = [&](std::string_view key, std::string detail) {
    add_invalid_as_json(at / key, value::text_of(options, key), std::move(detail), errors);
  };
  if (member(options, "gmsaCredentialSpecName") != nullptr) {
    const std::string_view name = value::text_of(options, "gmsaCredentialSpecName");
    for (std::string& message : meta::check_dns1123_subdomain(name))
      refuse_field("gmsaCredentialSpecName", std::move(message));
  }
  if (member(options, "gmsaCredentialSpec") != nullptr) {
    const std::size_t size = value::text_of(options, "gmsaCredentialSpec").size();
    if (size == 0) {
      refuse_field("gmsaCredentialSpec", "gmsaCredentialSpec cannot be an empty string");
    } else if (size > kMostCredentialBytes) {
      refuse_field("gmsaCredentialSpec", fmt::format("gmsaCredentialSpec size must be under {} KiB",
                                                     kMostCredentialBytes / 1024));
    }
  }
  if (member(options, "runAsUserName") != nullptr) {
    const std::string_view name = value::text_of(options, "runAsUserName");
    if (name.empty()) {
      refuse_field("runAsUserName", "runAsUserName cannot be an empty string");
    } else {
      for (std::string& message : check_user_name(name))
        refuse_field("runAsUserName", std::move(message));
    }
  }
}

}  // namespace strake::kinds

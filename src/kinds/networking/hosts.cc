#include "kinds/networking/hosts.h"

#include <algorithm>
#include <string>

#include "base/ip_address.h"
#include "kinds/common_checks.h"
#include "meta/names.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

namespace {

constexpr std::size_t kMostBytes = 253;
constexpr std::string_view kTooLong = "must be no more than 253 characters";

meta::Messages check_wildcard(std::string_view host) {
  meta::Messages out;
  if (host.size() > kMostBytes) out.emplace_back(kTooLong);
  const bool fits = host.starts_with("*.") &&
                    std::ranges::all_of(meta::check_dns1123_subdomain(host.substr(2)),
                                        [](const std::string& wrong) { return wrong == kTooLong; });
  if (!fits) {
    out.emplace_back(
        "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, "
        "which must consist of lower case alphanumeric characters, '-' or '.' and end with an "
        "alphanumeric character (e.g. '*.example.com', regex used for validation is "
        "'\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
  }
  return out;
}

}  // namespace

bool is_wildcard_host(std::string_view host) { return host.contains('*'); }

void check_host(std::string_view host, const FieldPath& at, FieldErrors& errors) {
  add_messages(is_wildcard_host(host) ? check_wildcard(host) : meta::check_dns1123_subdomain(host),
               host, at, errors);
}

void check_is_no_address(std::string_view host, const FieldPath& at, FieldErrors& errors) {
  if (!parse_ip_address_sloppily(host)) return;
  errors.push_back(
      FieldError::invalid(at, Value::string(host), "must be a DNS name, not an IP address"));
}

}  // namespace strake::kinds

#include "kinds/ip_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "value/fields.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void refuse(std::string_view text, const FieldPath& at, std::string detail, FieldErrors& errors) {
  errors.push_back(FieldError::invalid(at, Value::string(text), std::move(detail)));
}

// Go prints a mapped address as the IPv4 address that it stands for.
std::string shown(const IpAddress& address) { return address.unmapped().to_string(); }

}  // namespace

bool check_ip(std::string_view text, const FieldPath& at, std::span<const Value> good,
              FieldErrors& errors) {
  if (std::ranges::any_of(good, [&](const Value& one) { return value::text_of(one) == text; }))
    return true;
  const auto address = parse_ip_address_sloppily(text);
  if (!address) {
    refuse(text, at, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)", errors);
    return false;
  }
  if (!parse_ip_address(text)) {
    refuse(text, at, "must not have leading 0s", errors);
    return false;
  }
  if (address->is_v4_mapped()) {
    refuse(text, at, "must not be an IPv4-mapped IPv6 address", errors);
    return false;
  }
  return true;
}

bool check_canonical_ip(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  if (!check_ip(text, at, {}, errors)) return false;
  const std::string canonical = parse_ip_address_sloppily(text)->to_string();
  if (text == canonical) return true;
  refuse(text, at, fmt::format("must be in canonical form ({})", quote(canonical)), errors);
  return false;
}

void check_cidr(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  const auto prefix = parse_ip_prefix_sloppily(text);
  if (!prefix) {
    refuse(text, at, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)", errors);
  } else if (!parse_ip_prefix(text)) {
    refuse(text, at, "must not have leading 0s in IP or prefix length", errors);
  } else if (prefix->address.is_v4_mapped()) {
    refuse(text, at, "must not have an IPv4-mapped IPv6 address", errors);
  } else if (prefix->masked() != *prefix) {
    refuse(text, at, "must not have bits set beyond the prefix length", errors);
  }
}

void check_endpoint_ip(std::string_view text, const FieldPath& at, FieldErrors& errors) {
  const auto parsed = parse_ip_address_sloppily(text);
  if (!parsed) return refuse(text, at, "must be a valid IP address", errors);
  const IpAddress address = parsed->unmapped();
  if (address.is_unspecified())
    refuse(text, at, fmt::format("may not be unspecified ({})", text), errors);
  if (address.is_loopback())
    refuse(text, at, "may not be in the loopback range (127.0.0.0/8, ::1/128)", errors);
  if (address.is_link_local_unicast())
    refuse(text, at, "may not be in the link-local range (169.254.0.0/16, fe80::/10)", errors);
  if (address.is_link_local_multicast()) {
    refuse(text, at, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)",
           errors);
  }
}

std::string_view ip_family(std::string_view text) {
  const auto address = parse_ip_address_sloppily(text);
  if (!address) return {};
  return address->unmapped().v4 ? kIpv4 : kIpv6;
}

void warn_of_ip(std::string_view text, const FieldPath& at, std::vector<std::string>& warnings) {
  const auto address = parse_ip_address_sloppily(text);
  if (!address) return;
  if (!parse_ip_address(text) || address->is_v4_mapped()) {
    warnings.push_back(fmt::format("{}: non-standard IP address {} is invalid: use {}", at.to_k8s(),
                                   quote(text), quote(shown(*address))));
  } else if (!address->v4 && address->to_string() != text) {
    warnings.push_back(
        fmt::format("{}: IPv6 address {} should be in RFC 5952 canonical format ({})", at.to_k8s(),
                    quote(text), quote(address->to_string())));
  }
}

void warn_of_cidr(std::string_view text, const FieldPath& at, std::vector<std::string>& warnings) {
  const auto prefix = parse_ip_prefix_sloppily(text);
  if (!prefix) return;
  const std::string network = prefix->masked().to_string();
  bool said = false;
  if (prefix->masked() != *prefix) {
    warnings.push_back(
        fmt::format("{}: CIDR value {} is ambiguous in this context (should be {} or {}?)",
                    at.to_k8s(), quote(text), quote(network),
                    quote(fmt::format("{}/{}", shown(prefix->address), prefix->address.bits()))));
    said = true;
  }
  if (!parse_ip_prefix(text) || prefix->address.is_v4_mapped()) {
    warnings.push_back(fmt::format("{}: non-standard CIDR value {} is invalid: use {}", at.to_k8s(),
                                   quote(text), quote(network)));
    said = true;
  }
  if (!said && !prefix->address.v4 && prefix->to_string() != text) {
    warnings.push_back(
        fmt::format("{}: IPv6 CIDR value {} should be in RFC 5952 canonical format ({})",
                    at.to_k8s(), quote(text), quote(prefix->to_string())));
  }
}

}  // namespace strake::kinds

#pragma once
// Fields that hold IP addresses and networks, as kube-apiserver 1.36 takes and warns of them. Its
// older fields take any form of an address, and what was taken before stays good.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "base/ip_address.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

inline constexpr std::string_view kIpv4 = "IPv4";
inline constexpr std::string_view kIpv6 = "IPv6";

// An address of an older field; `good` are values that are not checked again. False when it is
// refused.
bool check_ip(std::string_view text, const FieldPath& at, std::span<const value::Value> good,
              value::FieldErrors& errors);
// An address in the one form that newer fields take.
bool check_canonical_ip(std::string_view text, const FieldPath& at, value::FieldErrors& errors);
// A network of an older field, without spaces around it.
void check_cidr(std::string_view text, const FieldPath& at, value::FieldErrors& errors);
// That it can be the address of an endpoint: one that means the same to everybody. Says so too when
// it is no address at all.
void check_endpoint_ip(std::string_view text, const FieldPath& at, value::FieldErrors& errors);

// "IPv4" or "IPv6"; a mapped address is of IPv4. Empty for what is no address.
std::string_view ip_family(std::string_view text);

// What is said of values that check_ip and check_cidr take.
void warn_of_ip(std::string_view text, const FieldPath& at, std::vector<std::string>& warnings);
void warn_of_cidr(std::string_view text, const FieldPath& at, std::vector<std::string>& warnings);

}  // namespace strake::kinds

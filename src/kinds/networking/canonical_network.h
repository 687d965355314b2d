#pragma once
// Networks of newer fields, which take only the one form of each.
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"

namespace strake::kinds {

void check_canonical_cidr(std::string_view text, const FieldPath& at, value::FieldErrors& errors);
// "IPv4" or "IPv6"; empty for what is no network.
std::string_view cidr_family(std::string_view text);

}  // namespace strake::kinds

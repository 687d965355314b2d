#pragma once
// Names of hosts that ingresses serve, a wildcard among them: "*.example.com".
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"

namespace strake::kinds {

bool is_wildcard_host(std::string_view host);
void check_host(std::string_view host, const FieldPath& at, value::FieldErrors& errors);
// That it is a name, and not the address of a host.
void check_is_no_address(std::string_view host, const FieldPath& at, value::FieldErrors& errors);

}  // namespace strake::kinds

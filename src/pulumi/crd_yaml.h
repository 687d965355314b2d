#pragma once
// The YAML text of a CRD: two spaces a level, dashes at the column of their key, keys in order, no
// line ever folded. Structural words and names stand plain, texts of the package in double quotes.
#include <string>
#include <string_view>

#include "value/value.h"

namespace strake::pulumi {

// Appends one document that ends in a newline; no `---`.
void write_crd_yaml(const value::Value& v, std::string& out);

// In double quotes with JSON's escapes; what YAML does not print is escaped too.
void append_yaml_quoted(std::string& out, std::string_view text);

}  // namespace strake::pulumi

#pragma once
// YAML text out, byte for byte as `kubectl -o yaml` prints it, quoting, folding and key order
// included.
#include <string>

#include "value/value.h"

namespace strake::value {

// Appends the value as one block document, ending in a newline; no `---`.
void write_yaml(const Value& v, std::string& out);
std::string to_yaml(const Value& v);

}  // namespace strake::value

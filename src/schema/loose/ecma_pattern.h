#pragma once
// Regular expressions of JSON Schema (ECMA-262, as with its flag u) in Go's syntax, where both mean
// the same.
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::schema::loose {

// Fails with kUnsupported for what has no equal in linear time (look-around, back-references,
// counts over 1000), and with kInvalid for what is no pattern. Without flag u escapes of letters
// that mean nothing are tolerated (`strict` refuses them).
Result<std::string> go_from_ecma(std::string_view pattern, bool strict = false);

}  // namespace strake::schema::loose

#pragma once
// string.format: %s %d %f %e %b %o %x %X %%, with a precision for %f and %e.
#include "cel/function.h"

namespace strake::cel {

// The formatted text, or an error value.
Value format_string(EvalContext& context, std::string_view format, const Value& args);

}  // namespace strake::cel

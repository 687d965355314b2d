#pragma once
// Quoted text as the templates of kubectl read it: Go's escapes, between either kind of quotes.
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::publish {

// `quoted` with its quotes. Fails with kParse: "invalid syntax".
Result<std::string> go_unquote(std::string_view quoted);

}  // namespace strake::publish

#pragma once
// Canonical YAML with the comments of the text that it was made from.
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::cli {

// `canonical` has the canonical form of each document of `text` that is not empty. Comments stay
// with the field or the item that they belong to and move with it. Every comment is in the result,
// and without them the result is the canonical documents. Code::kUnsupported, at the place of the
// comment where there is one, when that cannot be had.
Result<std::string> keep_comments(std::string_view text, std::span<const std::string> canonical);

}  // namespace strake::cli

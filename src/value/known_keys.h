#pragma once
// Strict reading of files of our own: a key that is not known is an error where it stands.
#include <span>
#include <string_view>

#include "base/field_path.h"
#include "base/result.h"
#include "value/document.h"

namespace strake::value {

// Fails with kInvalid and a position when what stands at the path is no object, or has another key
// than these.
Result<> check_known_keys(const Document& document, const FieldPath& at,
                          std::span<const std::string_view> known);

}  // namespace strake::value

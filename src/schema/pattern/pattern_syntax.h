#pragma once
// Go's regular expression syntax, read as Go 1.26 reads it, and its equal in the dialect of the RE2
// library. The two differ in small ways: group names, \C, \_, which Unicode class names are known,
// and the words for what is wrong.
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::schema {

// The same expression for RE2, without group names. Fails with kInvalid and Go's words.
// The classes \p{Cn}, \p{LC} and \p{Assigned}, which RE2 has no tables for, are refused as unknown
// ones are.
Result<std::string> re2_from_go(std::string_view pattern);

}  // namespace strake::schema

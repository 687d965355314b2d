#pragma once
// Files of environment variables: NAME=value lines, or one mapping in YAML (.yml, .yaml) or JSON
// (.json). Values may be secrets: no error has one.
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::ops::compose {

inline constexpr std::size_t kMaxEnvBytes = 1'000'000;  // of names and values, all files together

using Variables = std::map<std::string, std::string>;

// By the extension of the name; all but those above are lines. In lines, a value without quotes
// goes to the end of the line, a # in it included; "..." knows the escapes \\ \" \n \r \t, and
// '...' is kept as it is. With `raw`, quotes mean nothing. Nothing is expanded. The last of equal
// names wins. Fails with kParse or kInvalid, naming the line.
Result<Variables> parse_env_file(std::string_view name, std::string_view text, bool raw = false);

// Names, sizes and characters of what becomes a Secret.
Result<> check_variables(const Variables& variables);

}  // namespace strake::ops::compose

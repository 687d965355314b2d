#pragma once
// Folded block scalars as kustomize's YAML library writes them.
#include <string>
#include <string_view>

namespace strake::kustomize {

// The text that is read back when go-yaml v3 has written a text as a folded scalar. Its writer
// doubles every line break behind a line that does not start with a blank, even where the next line
// is indented more and the break would not be folded.
std::string refolded(std::string_view text);

}  // namespace strake::kustomize

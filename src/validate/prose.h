#pragma once
// Most of a CRD's text is descriptions, which mean nothing to objects.
#include <string>
#include <string_view>

namespace strake::validate {

// The YAML document with the text of descriptions in its spec cut down to a word each; everything
// else stays as it is, byte for byte. Descriptions that are data (in defaults, examples and
// enumerations) stay too. Text that is not plain block style comes back as it was.
std::string without_prose(std::string_view document);

}  // namespace strake::validate

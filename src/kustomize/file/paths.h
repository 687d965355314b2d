#pragma once
// Paths as texts, settled the way Go's filepath package does it; nothing here looks at a disk.
#include <string>
#include <string_view>

namespace strake::kustomize {

bool is_absolute(std::string_view path);
std::string clean_path(std::string_view path);                  // "a/./b/../c" is "a/c"; "" is "."
std::string join_path(std::string_view a, std::string_view b);  // cleaned; empty parts left out
std::string_view base_name(std::string_view path);              // of a cleaned path
std::string_view folder_of(std::string_view path);              // of a cleaned, absolute path
bool is_in_or_below(std::string_view path, std::string_view folder);  // of cleaned, absolute paths

}  // namespace strake::kustomize

#pragma once
// Labels, annotations and data: texts by name, sorted.
#include <functional>
#include <map>
#include <string>

namespace strake::kustomize {

using TextMap = std::map<std::string, std::string, std::less<>>;

}  // namespace strake::kustomize

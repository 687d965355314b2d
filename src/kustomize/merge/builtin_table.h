#pragma once
// What is built in about the kinds of Kubernetes: which lists merge by which keys, and which kinds
// live in a namespace. The lines are described in tools/make_merge_keys, which makes them.
#include <string_view>

namespace strake::kustomize {

extern const std::string_view kBuiltinVersion;  // "v1.21.2"
extern const std::string_view kBuiltinTable;

}  // namespace strake::kustomize

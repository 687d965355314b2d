#pragma once
// CustomResourceDefinitions as a resource: decoded, judged and printed like the other built-in
// kinds, with the checks of `crd` and the rules of `rules` behind.
#include <string_view>

#include "kinds/builtin_strategy.h"

namespace strake::api {

// Holds a definition that is being deleted until its objects are gone.
inline constexpr std::string_view kCrdCleanup = "customresourcecleanup.apiextensions.k8s.io";

const kinds::BuiltinStrategy& crd_strategy();

}  // namespace strake::api

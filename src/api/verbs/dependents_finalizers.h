#pragma once
// Finalizers that say how dependents are treated; the collector of garbage clears them.
#include <string_view>

namespace strake::api {

inline constexpr std::string_view kOrphanFinalizer = "orphan";
inline constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";

}  // namespace strake::api

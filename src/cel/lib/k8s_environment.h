#pragma once
// Which libraries an expression of Kubernetes sees: one table of libraries and the version that
// brought each.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cel/env/env.h"

namespace strake::cel {

// The minor number of a Kubernetes 1.x release.
enum class KubernetesMinor : std::uint32_t {};

inline constexpr KubernetesMinor kThisKubernetes{36};
// New expressions must also compile one version back, stored ones only in this.
inline constexpr KubernetesMinor kCompatibleKubernetes{35};

struct KubernetesLibrary {
  std::string_view name;
  KubernetesMinor since;
  const Library& (*library)();  // null for the formats, which the caller brings
};
// In the order in which they are added.
std::span<const KubernetesLibrary> kubernetes_libraries();

// Everything that is there in a version, `formats` in its place.
std::vector<const Library*> libraries_of(KubernetesMinor version, const Library& formats);

// Optional syntax, no escaped identifiers. That literals of lists and maps are of one type is
// checked by whoever compiles, since arguments of format are exempt.
EnvironmentOptions kubernetes_options();

}  // namespace strake::cel

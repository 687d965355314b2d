#pragma once
// AppArmor profiles of containers, which were annotations before they were fields.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// container.apparmor.security.beta.kubernetes.io/NAME
inline constexpr std::string_view kAppArmorAnnotation =
    "container.apparmor.security.beta.kubernetes.io/";

// securityContext.appArmorProfile
struct AppArmorProfile {
  std::string_view type;       // "RuntimeDefault", "Unconfined", "Localhost"
  std::string_view localhost;  // of "Localhost" alone
  friend bool operator==(const AppArmorProfile&, const AppArmorProfile&) = default;
};
// The profile that an annotation names; nothing when the field could not say the same.
std::optional<AppArmorProfile> app_armor_profile(std::string_view annotation);

// Fills in the fields of a new pod from its annotations. `warnings`, which may be null, gets the
// annotations that stood alone.
void apply_app_armor_annotations(value::Value& pod, Arena& arena,
                                 std::vector<std::string>* warnings);

}  // namespace strake::kinds

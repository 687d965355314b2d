#pragma once
// What the CRD of a component is called: by flag, else by what the package says, else by constants.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::pulumi {

// Empty fields are not given.
struct Identity {
  std::string group;
  std::string version;
  std::string kind;
  std::string plural;
  std::string singular;

  std::string crd_name() const { return plural + "." + group; }
  bool operator==(const Identity&) const = default;
};

// From the package's name and version and the component's token; the flags do not matter to it.
Identity derive_identity(std::string_view package_name, std::string_view package_version,
                         std::string_view token);
// The given fields of `overrides`, else those of `derived`. Code::kInvalid when the API server
// would not take one, naming the flag that sets it.
Result<Identity> settle_identity(Identity derived, const Identity& overrides);

// Whether a server demands an approval annotation for CRDs of the group.
bool is_protected_group(std::string_view group);

}  // namespace strake::pulumi

#pragma once
// Which operations on a cluster its owner has forbidden. Force never gets around it.
#include <cstdint>
#include <string_view>

#include "provider/failure.h"
#include "provider/model/cluster.h"

namespace strake::ops {

enum class ClusterOperation : std::uint8_t { kCreate, kUpdate, kDelete };

// Fails with kProtected. `scope` is "provisioning" or "installation".
provider::Outcome<> check_protection(std::string_view scope, provider::Protection level,
                                     ClusterOperation operation);

std::string_view to_string(provider::Protection level);  // "none", "cannotDelete", "readOnly"
// Empty text is none. Fails with kValidation.
provider::Outcome<provider::Protection> parse_protection(std::string_view text);

}  // namespace strake::ops

#pragma once
// Node pools as objects in the cluster (pool_record.h). A node of this machine is an object alone:
// nothing runs behind it, so it is never ready, but pods can be placed on it.
#include <memory>

#include "provider/driver.h"
#include "provider/local/site.h"

namespace strake::provider::local {

std::unique_ptr<NodePoolDriver> make_node_pools(SharedSite site);

}  // namespace strake::provider::local

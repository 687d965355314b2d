#pragma once
// Changes from before this server began, read from the store's own history: so that a watch goes on
// without gaps after a restart.
#include <vector>

#include "api/cache.h"
#include "api/hub.h"

namespace strake::api {

// Changes of the cache's resource after the revision, up to where the cache remembers by itself.
// Fails with kExpired when the store has forgotten them, or when there are too many to hold.
async::Task<std::vector<Change>> read_history(Hub& hub, const ResourceCache& cache, Revision after);

}  // namespace strake::api

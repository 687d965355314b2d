#pragma once
// Changes from before this server began, read from the store's own history: so that a watch goes on
// without gaps after a restart.
#include <vector>

#include "api/cache/cache.h"
#include "api/cache/hub.h"

namespace strake::api {

struct History {
  std::vector<Change> changes;
  std::size_t bytes = 0;  // that they take
  Revision read_to = 0;   // every change up to here is among them
  Revision until = 0;     // from here on the cache remembers by itself
};

// The first changes of the cache's resource after the revision, as many as one watch may hold; the
// rest is read from `read_to` on. Fails with kExpired when the store has forgotten them, or when
// there are too many to go through.
async::Task<History> read_history(Hub& hub, const ResourceCache& cache, Revision after);

}  // namespace strake::api

#pragma once
// Objects of a resource as they lie in the store, brought into its storage version. Nothing but the
// version changes, so that nobody is asked who has a say about changes: no admission, no check.
// kube-controller-manager 1.36 sends an empty apply patch for every object instead, whatever
// version it is stored in.
#include <string>
#include <vector>

#include "api/request/core.h"

namespace strake::api {

// An object that stayed as it was.
struct Unconverted {
  std::string key;
  std::string why;
};

// Whether an object is stored in another version than the storage version.
bool is_stored_elsewhere(const Endpoint& endpoint, const Object& object);

// Rewrites them, each on the condition that it is still as given: whoever was faster has written it
// in the storage version, or it will be seen again. Gives those that could not be converted or
// written. Objects of one version are converted together; if that fails, each alone.
boost::asio::awaitable<std::vector<Unconverted>> rewrite_in_storage_version(
    Core& core, EndpointPtr endpoint, std::vector<ObjectPtr> objects);

}  // namespace strake::api

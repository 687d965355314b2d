#pragma once
// Follows the objects of a collection for a caller that blocks: reads them all, watches from there,
// and reads them again when the server has forgotten that place. The server tells what changes:
// only after a failure is it asked again by time. (object_watch.h does so for code on a loop.)
#include <string>
#include <vector>

#include "kube/client.h"
#include "value/value.h"

namespace strake::kube {

class ObjectFollower {
 public:
  virtual ~ObjectFollower() = default;
  // Each tells whether to go on; a failure ends it too.
  // All that there are. What was told before and is not among them is gone.
  virtual Result<bool> on_list(const std::vector<const value::Value*>& objects) = 0;
  virtual Result<bool> on_set(const value::Value& object) = 0;      // added or modified
  virtual Result<bool> on_deleted(const value::Value& object) = 0;  // its last state
};

// `path` is the collection's, with selectors if need be. Returns when the follower has enough.
// Fails with what it failed with, as the client's work (kCancelled, kTimeout), and with what the
// server said when that does not pass by itself: that it may not be read, or is not there.
Result<> follow(const Client& cluster, const std::string& path, ObjectFollower& follower);

}  // namespace strake::kube

#pragma once
// The schemas of a resource's versions, compiled by workers when they are first needed. Each is
// compiled once: whoever needs it meanwhile waits for that one, without a thread of its own.
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "async/one_shot.h"
#include "async/workers.h"
#include "base/cancel.h"
#include "kinds/resource.h"

namespace strake::api {

class Compilations {
 public:
  Compilations() : state_(std::make_shared<State>()) {}

  // Returns when version.is_compiled(); what is wrong with the schema is told by version.kind().
  // Fails with kCancelled when the token is cancelled first. The version is one of the resource.
  async::Task<> compile(async::Workers& workers, kinds::ResourcePtr resource,
                        const kinds::ServedVersion& version, CancelToken cancel) const;

 private:
  struct State {
    std::mutex mu;
    // Guarded by mu. A version is in here while a worker compiles it.
    std::map<const kinds::ServedVersion*, std::vector<async::OneShot<>>> waiting;
  };
  std::shared_ptr<State> state_;
};

}  // namespace strake::api

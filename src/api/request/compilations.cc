#include "api/request/compilations.h"

#include "async/cancellable.h"

namespace strake::api {

async::Task<> Compilations::compile(async::Workers& workers, kinds::ResourcePtr resource,
                                    const kinds::ServedVersion& version, CancelToken cancel) const {
  async::OneShot<> done;
  {
    const std::lock_guard lock(state_->mu);
    // Asked under the lock: who finds it compiled now cannot wait for a worker that is done.
    if (version.is_compiled()) co_return Result<>();
    std::vector<async::OneShot<>>& waiting = state_->waiting[&version];
    waiting.push_back(done);
    if (waiting.size() == 1) {
      // The resource keeps the version for a worker whose request is gone.
      workers.post([state = state_, resource = std::move(resource), &version] {
        Result<> outcome;
        try {
          // What is wrong with it is kept with the version.
          static_cast<void>(version.kind());
        } catch (...) {
          outcome = fail(Code::kInternal, "a schema took too much memory");  // docs/adr/0003
        }
        std::vector<async::OneShot<>> told;
        {
          const std::lock_guard relock(state->mu);
          told = std::move(state->waiting.extract(&version).mapped());
        }
        for (async::OneShot<>& one : told) one.set(outcome);
      });
    }
  }
  const CancelRegistration registration = async::end_wait_when(cancel, done);
  co_return co_await done.wait();
}

}  // namespace strake::api

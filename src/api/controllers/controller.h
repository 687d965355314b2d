#pragma once
// What the server does by itself when objects change: a loop that follows an informer, is told the
// key of each object that changed, and tries again after a while when it is not done. One runs on
// one loop, one object at a time. An object that cannot be handled is set aside and tried again
// later, ever less often; a loop that fails is logged, begun anew, and seen in health().
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/cache/informer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "async/progress.h"
#include "async/signal.h"

namespace strake::api {

class Controller {
 public:
  // Both must outlive it.
  Controller(Core& core, InformerBase& informer, const async::Executor& executor);
  virtual ~Controller() = default;

  // Sees every object that is there, then follows changes until stopped. Runs on the executor.
  boost::asio::awaitable<void> run();
  // Fails while the loop is down.
  Result<> health() const;
  void stop();  // from any thread
  // All that was there has been seen.
  bool has_begun() const { return handled_.reached() > 0; }
  // Waits until all that was there and every change so far has been handled at least once. False
  // when the deadline passes first or the controller is stopped; fails with kCancelled when the
  // token is cancelled. From any loop.
  async::Task<bool> wait_until_caught_up(Deadline deadline, CancelToken cancel = {});

 protected:
  // Brings about what the object asks for; null when it is gone. Says when to look again, zero for
  // not at all.
  virtual boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key,
                                                                 ObjectPtr object) = 0;
  // The object could not be handled: tells whoever looks at it. May itself fail.
  virtual boost::asio::awaitable<void> report_failure(std::string key, std::string why);
  // Nothing has changed for a moment after something had.
  virtual void at_rest() {}
  Core& core() { return core_; }

 private:
  boost::asio::awaitable<void> follow();
  boost::asio::awaitable<void> pause_after_failure(std::size_t failures);
  boost::asio::awaitable<void> handle(std::string key);
  Deadline next_retry() const;

  Core& core_;
  InformerBase& informer_;
  async::Executor executor_;
  std::shared_ptr<async::Signal> signal_;
  std::atomic<bool> stopped_{false};
  async::Progress handled_;  // changes up to there
  std::map<std::string, Deadline> retries_;
  std::map<std::string, std::size_t> failures_;  // in a row, by key
  std::atomic<bool> down_{false};
};

// Whether nothing will be stored any more through endpoints of the resource that have been
// replaced, but for those that store objects in this version. What was stored through them is in
// the cache then.
boost::asio::awaitable<bool> old_writers_are_done(Core& core, const Endpoint& endpoint,
                                                  std::string version = "");

// A call that the server makes to itself, as the user system:apiserver.
Call internal_call(Core& core, const EndpointPtr& endpoint, std::string_view namespace_name,
                   std::string_view name);
// The same about an object, in the version that it is stored in: it needs no conversion. The
// endpoint is that which is served now.
Call internal_call(Core& core, const EndpointPtr& endpoint, const Object& object);

}  // namespace strake::api

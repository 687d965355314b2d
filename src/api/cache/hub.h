#pragma once
// Follows the store and keeps a cache for every resource in it. One subscription feeds them all, so
// that the order of changes is the store's; after a write has returned, every cache has it.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cache/cache.h"
#include "async/gate.h"
#include "async/loops.h"
#include "async/progress.h"
#include "async/signal.h"
#include "store/store.h"

namespace strake::api {

// Told of changes in the order of the store, on its thread or on that of Hub::listen, one call at a
// time: must be quick, and must not call listen() or ignore(). Informer (informer.h) is what most
// need.
class HubListener {
 public:
  virtual ~HubListener() = default;
  // The cache has the change already. What is given is good until the call returns.
  virtual void on_change(ResourceCache& cache, const Change& change) = 0;
  // Everything up to the revision has been told, and Hub::revision() is about to show it. What was
  // told since the last such call belongs together: a commit, or all that a lost stream missed.
  virtual void on_told(Revision revision) = 0;
};

class Hub final : public store::Observer {
 public:
  Hub(store::Store& store, async::Loops& loops);
  ~Hub() override;

  // Reads everything that is there, then follows. A stream that breaks off is taken up again, and
  // what was missed meanwhile is made good.
  async::Task<> start();
  async::Task<> stop();
  // Fails while the caches do not follow the store.
  Result<> health() const;

  // The cache of a storage prefix ("/registry/configmaps/"), made when there is none yet. It lives
  // as long as the hub.
  ResourceCache& cache(std::string_view prefix);
  // Every change up to here is in the caches.
  Revision revision() const { return revision_.reached(); }
  // Waits for that, and so for every change up to there. False when the deadline passes first or
  // the hub is stopped; fails with kCancelled when the token is cancelled.
  async::Task<bool> wait_for(Revision revision, Deadline deadline, CancelToken cancel = {}) {
    return revision_.wait_for(revision, deadline, std::move(cancel));
  }
  store::Store& store() { return store_; }
  async::Loops& loops() { return loops_; }
  std::size_t objects() const;

  // From now on the listener is told of every change to the resources of these storage prefixes, or
  // to all resources when none is given. It is told first of each object that is there, as of a
  // creation: before this returns, or when the hub has started. What a lost stream missed is told
  // as the changes that lead there. May be called while events flow.
  void listen(HubListener& listener, std::vector<std::string> prefixes);
  // No call is under way when it returns, and none will come.
  void ignore(HubListener& listener);

  void on_events(std::span<const store::Event> events) override;
  void on_lost(const Error& why) override;

 private:
  struct Slot {
    std::unique_ptr<ResourceCache> cache;
    // Whom its changes are told to, so that an event need not look for them. Changed under telling_
    // and mu_, read under either.
    std::vector<HubListener*> listeners;
  };
  struct Listening {
    HubListener* listener;
    std::vector<std::string> prefixes;
    bool to(std::string_view prefix) const;
  };
  Slot& slot(std::string_view prefix);
  Slot* find(std::string_view key);
  std::vector<Slot*> slots();
  void apply(Slot& to, const store::Event& event, std::chrono::steady_clock::time_point now);
  void finish_step(Revision revision);
  void tell_all(const Listening& one);
  // The objects of a page, by cache. What cannot be read is passed over, with a line in the log.
  template <typename Take>
  async::Task<Revision> read_all(Take take);
  async::Task<> subscribe(Revision after);
  boost::asio::awaitable<void> recover();
  async::Task<> catch_up();
  async::Task<> read_anew();
  void wake(std::span<ResourceCache* const> touched);

  store::Store& store_;
  async::Loops& loops_;
  std::unique_ptr<store::Subscription> subscription_;  // touched by start, recover and stop only
  async::Gate recovering_;
  std::atomic<bool> stopped_{false};
  std::shared_ptr<async::Signal> stopping_;  // on the loop that recovers
  std::atomic<bool> lost_{false};
  async::Progress revision_;
  mutable std::mutex mu_;
  std::map<std::string, Slot, std::less<>> slots_;  // guarded by mu_
  Revision started_ = 0;                            // guarded by mu_
  std::mutex telling_;                // held while changes are applied and told; before mu_
  std::vector<Listening> listening_;  // changed under telling_ and mu_, read under either
  std::vector<HubListener*> told_;    // in this step; guarded by telling_
  bool following_ = false;            // guarded by telling_: what was there has been loaded
};

// "/registry/example.com/widgets/" of the key of an object: groups are told by their dot.
std::string_view storage_prefix_of(std::string_view key);

}  // namespace strake::api

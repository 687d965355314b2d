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
#include "store/store.h"

namespace strake::api {

// Told of changes to objects that have owners or wait for their deletion, and of every deletion, on
// the thread of the store: must be quick.
class OwnershipListener {
 public:
  virtual ~OwnershipListener() = default;
  virtual void on_change(ResourceCache& cache, const std::string& key, const ObjectPtr& gone) = 0;
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
  Revision revision() const { return revision_.load(std::memory_order_acquire); }
  store::Store& store() { return store_; }
  async::Loops& loops() { return loops_; }
  std::size_t objects() const;
  std::vector<ResourceCache*> caches() const;
  // One at a time; null for none. No call is under way when it returns.
  void tell(OwnershipListener* listener);

  void on_events(std::span<const store::Event> events) override;
  void on_lost(const Error& why) override;

 private:
  ResourceCache* find(std::string_view key);
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
  std::atomic<bool> lost_{false};
  std::atomic<Revision> revision_{0};
  mutable std::mutex mu_;
  std::map<std::string, std::unique_ptr<ResourceCache>, std::less<>> caches_;  // guarded by mu_
  Revision started_ = 0;                                                       // guarded by mu_
  std::mutex telling_;
  OwnershipListener* listener_ = nullptr;  // guarded by telling_
};

// "/registry/example.com/widgets/" of the key of an object: groups are told by their dot.
std::string_view storage_prefix_of(std::string_view key);

}  // namespace strake::api

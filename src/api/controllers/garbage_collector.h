#pragma once
// Objects that belong to others: what lost its owners is deleted, and who is deleted in the
// foreground or with orphans waits until its dependents are gone or let go, as in
// kube-controller-manager 1.36. Follows the caches by notification. Everything but on_change()
// happens on the loop of run().
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/cache/hub.h"
#include "api/request/core.h"
#include "async/signal.h"

namespace strake::api {

class GarbageCollector final : public OwnershipListener {
 public:
  GarbageCollector(Core& core, const async::Executor& executor);
  ~GarbageCollector() override;

  // Looks at everything that is there, then follows changes until stopped.
  async::Task<> run();
  void stop();  // from any thread

  void on_change(ResourceCache& cache, const std::string& key, const ObjectPtr& gone) override;

 private:
  struct Owner {
    std::string api_version;
    std::string kind;
    std::string name;
    std::string uid;
    bool blocks = false;  // blockOwnerDeletion
  };
  struct Dependent {
    ResourceCache* cache;
    std::vector<Owner> owners;
  };
  struct News {
    ResourceCache* cache;
    std::string key;
    ObjectPtr gone;
  };
  enum class Standing { kSolid, kWaiting, kAbsent, kUnknown };
  struct Found {
    Standing standing = Standing::kUnknown;
    std::string key;  // of the owner, when its kind is known
  };

  void take_in(News news);
  void index(ResourceCache& cache, const std::string& key, const Object* object);
  void look_at(ResourceCache& cache, std::string key);
  void look_at_dependents_of(std::string_view uid);
  void look_at_owners_of(const Dependent& dependent, std::string_view key);
  Found find(const Owner& owner, std::string_view dependent_key) const;

  boost::asio::awaitable<void> handle(ResourceCache* cache, std::string key);
  boost::asio::awaitable<bool> settle(EndpointPtr endpoint, ObjectPtr object);
  bool waits_in_a_circle(std::string_view uid) const;
  boost::asio::awaitable<bool> unblock_owners(EndpointPtr endpoint, ObjectPtr object);
  boost::asio::awaitable<bool> orphan(EndpointPtr endpoint, ObjectPtr object, std::string uid);
  boost::asio::awaitable<bool> wait_for_dependents(EndpointPtr endpoint, ObjectPtr object,
                                                   std::string uid);
  boost::asio::awaitable<bool> let_go(EndpointPtr endpoint, ObjectPtr object,
                                      std::set<std::string> owner_uids);
  boost::asio::awaitable<bool> remove_finalizer(EndpointPtr endpoint, ObjectPtr object,
                                                std::string finalizer);
  bool has_dependents(std::string_view uid) const;

  Core& core_;
  async::Executor executor_;
  std::shared_ptr<async::Signal> signal_;
  std::atomic<bool> stopped_{false};

  std::mutex mu_;
  std::vector<News> news_;   // guarded by mu_
  bool seen_owned_ = false;  // guarded by mu_: deletions matter once anything has owners

  std::map<std::string, Dependent, std::less<>> dependents_;                         // by key
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> by_owner_;  // uid to keys
  // Owners that were deleted, by uid, and whether they were in a namespace; until nobody names
  // them.
  std::map<std::string, bool, std::less<>> gone_;
  std::map<std::string, ResourceCache*, std::less<>> work_;     // what to look at, by key
  std::map<std::string, ResourceCache*, std::less<>> failed_;   // what to try again after a while
  std::map<std::string, ResourceCache*, std::less<>> unknown_;  // waits for the kind of an owner
  std::uint64_t seen_generation_ = 0;                           // of the registry
};

}  // namespace strake::api

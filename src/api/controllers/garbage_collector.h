#pragma once
// Objects that belong to others: what lost its owners is deleted, and who is deleted in the
// foreground or with orphans waits until its dependents are gone or let go, as in
// kube-controller-manager 1.36. Follows an informer. Everything but stop() happens on the loop of
// run().
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/cache/informer.h"
#include "api/request/core.h"
#include "async/signal.h"

namespace strake::api {

struct OwnerFacts {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool blocks = false;  // blockOwnerDeletion
};
// Of objects that have owners or wait for their deletion.
struct OwnershipFacts {
  std::string uid;
  std::vector<OwnerFacts> owners;
  bool being_deleted = false;
  bool orphans_dependents = false;    // by its finalizer
  bool waits_for_dependents = false;  // the same
};
// Finds dependents by the uid of an "owner", and tells of every deletion.
class OwnershipInformer final : public Informer<OwnershipFacts> {
 public:
  explicit OwnershipInformer(Hub& hub);
};

class GarbageCollector {
 public:
  GarbageCollector(Core& core, const async::Executor& executor);

  // Looks at everything that is there, then follows changes until stopped.
  async::Task<> run();
  void stop();  // from any thread

 private:
  enum class Standing { kSolid, kWaiting, kAbsent, kUnknown };
  struct Found {
    Standing standing = Standing::kUnknown;
    std::string key;  // of the owner, when its kind is known
  };

  void take_in(const InformerBase::Note& note);
  void take_in_kinds();  // when others are served than before
  void look_at(ResourceCache& cache, std::string key);
  void look_at_dependents_of(std::string_view uid);
  void look_at_more_dependents();
  std::vector<std::pair<std::string, ResourceCache*>> next_round();
  void look_at_owners_of(const OwnershipFacts& dependent, std::string_view key);
  Found find(const OwnerFacts& owner, std::string_view dependent_key) const;

  boost::asio::awaitable<void> handle(ResourceCache* cache, std::string key);
  boost::asio::awaitable<bool> settle(EndpointPtr endpoint, ObjectPtr object,
                                      std::shared_ptr<const OwnershipFacts> facts);
  // Whether the owner is there, in another namespace than it could be in.
  bool is_elsewhere(const OwnerFacts& owner, std::string_view dependent_key) const;
  // An event about the dependent of such an owner.
  boost::asio::awaitable<void> report_elsewhere(EndpointPtr endpoint, ObjectPtr dependent,
                                                std::string uid, OwnerFacts owner);
  // The endpoint of the owner's kind; null when none is served.
  EndpointPtr endpoint_of(const OwnerFacts& owner) const;
  // The endpoint that serves what is stored there; null when there is none, or when its objects go
  // by themselves after a while.
  EndpointPtr endpoint_at(std::string_view storage_prefix) const;
  bool waits_in_a_circle(std::string_view uid);
  boost::asio::awaitable<bool> unblock_owners(EndpointPtr endpoint, ObjectPtr object);
  // What is given must outlive the wait. `all` becomes false when the owner reference stays.
  boost::asio::awaitable<void> orphan_one(ResourceCache& cache, const std::string& key,
                                          const std::string& owner_uid, bool& all);
  boost::asio::awaitable<bool> orphan(EndpointPtr endpoint, ObjectPtr object, std::string uid);
  boost::asio::awaitable<bool> wait_for_dependents(EndpointPtr endpoint, ObjectPtr object,
                                                   std::string uid);
  boost::asio::awaitable<bool> let_go(EndpointPtr endpoint, ObjectPtr object,
                                      std::set<std::string> owner_uids);
  boost::asio::awaitable<bool> remove_finalizer(EndpointPtr endpoint, ObjectPtr object,
                                                std::string finalizer);
  bool has_dependents(std::string_view uid);

  Core& core_;
  async::Executor executor_;
  std::shared_ptr<async::Signal> signal_;
  std::atomic<bool> stopped_{false};

  OwnershipInformer objects_;
  // Owners that were deleted, by uid, and whether they were in a namespace; until nobody names
  // them.
  std::map<std::string, bool, std::less<>> gone_;
  std::map<std::string, ResourceCache*, std::less<>> work_;     // what to look at, by key
  std::map<std::string, ResourceCache*, std::less<>> failed_;   // what to try again after a while
  std::map<std::string, ResourceCache*, std::less<>> unknown_;  // waits for the kind of an owner
  // Owners whose dependents are to be looked at, by uid, and the key after which they go on. There
  // may be a million of them: only as many as a round has are put on the list at a time.
  std::map<std::string, std::string, std::less<>> dependents_of_;
  // Owners that wait for dependents, all of which were looked at since.
  std::set<std::string, std::less<>> waiting_;
  std::map<std::string, EndpointPtr, std::less<>> endpoints_;  // by storage prefix
  std::uint64_t seen_generation_ = 0;                          // of the registry
};

}  // namespace strake::api

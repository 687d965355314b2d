#pragma once
// What a namespace has, as the store changes, together with what was admitted and is on its way
// into the store: each object is in one of the two, never in both. Of all resources it counts the
// objects; of those that are followed, whose objects have to be read (measured.h), it notes what
// has changed. Any thread may ask.
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "admission/quota/demand.h"
#include "api/cache/hub.h"
#include "api/request/call.h"
#include "base/hash.h"

namespace strake::admission {

class Usage final : private api::HubListener {
 public:
  // Counts until it is ended, which must be before the hub goes. Charges may outlive both.
  explicit Usage(api::Hub& hub);
  void end();
  Usage(const Usage&) = delete;
  Usage& operator=(const Usage&) = delete;

  std::int64_t count(std::string_view namespace_name, const api::ResourceCache& of) const;

  // What has become of the objects and the charges of a resource since somebody last asked.
  struct News {
    // As they stand, by key; null for those that are gone.
    std::unordered_map<std::string, api::ObjectPtr, TextHash, std::equal_to<>> objects;
    std::vector<std::uint64_t> ended;  // charges, by id
  };
  // Notes them from now on, or no more.
  void follow(std::string_view namespace_name, const api::ResourceCache& of);
  void unfollow(std::string_view namespace_name, const api::ResourceCache& of);
  News take(std::string_view namespace_name, const api::ResourceCache& of);

  // A write that counts although it is not stored. Ends when it is stored, when it cannot be any
  // more since somebody else has changed the object, or else with this.
  class Charge final : public api::Held {
   public:
    // Null when somebody has changed the object already, so that the write will fail.
    static std::unique_ptr<Charge> make(std::shared_ptr<Usage> usage, std::string namespace_name,
                                        const Demand& demand);
    ~Charge() override;
    // The same charge for another new object, as when a generated name was taken. False for other
    // writes, and when its own has been stored.
    bool move_to(const api::ResourceCache& of, std::string key);
    std::uint64_t id() const { return id_; }

   private:
    friend class Usage;
    Charge(std::shared_ptr<Usage> usage, std::string namespace_name, const Demand& demand);
    const std::shared_ptr<Usage> usage_;
    const std::string namespace_name_;
    const api::ResourceCache& of_;
    const bool counted_;        // and not measured
    const api::Revision base_;  // what it changes; 0 for a new object
    const std::string uid_;
    const std::uint64_t id_;
    std::string key_;       // guarded by usage_->mu_
    bool waiting_ = false;  // for its object; guarded by usage_->mu_
  };

  // Called with namespaces that have quotas whose usage may have changed otherwise than by a charge
  // that was stored: on the thread of the store, or on that of a charge that ends. Set it once.
  void on_drift(std::function<void(std::set<std::string>)> tell);

 private:
  struct Counted {
    std::int64_t stored = 0;
    std::int64_t charged = 0;
  };
  // By resource: a namespace has objects of few.
  template <typename T>
  using ByResource = std::vector<std::pair<const api::ResourceCache*, T>>;
  template <typename T>
  using ByNamespace = std::unordered_map<std::string, ByResource<T>, TextHash, std::equal_to<>>;

  void on_change(api::ResourceCache& cache, const api::Change& change) override;
  void on_told(api::Revision revision) override;
  // All under the lock.
  void count_more(std::string_view namespace_name, const api::ResourceCache& of,
                  std::int64_t Counted::* number, std::int64_t more);
  bool has_quotas(std::string_view namespace_name) const;
  News* news_of(std::string_view namespace_name, const api::ResourceCache& of);
  bool end_stored_charge(const api::Object& created);
  void end_charges_before(const std::string& key, api::Revision revision);
  void wait_for_object(Charge& charge);
  void wait_no_longer(Charge& charge);
  void end_charge(Charge& charge);

  api::Hub& hub_;
  const api::ResourceCache& quotas_;
  const api::ResourceCache& events_;
  mutable std::mutex mu_;
  ByNamespace<Counted> counts_;  // guarded by mu_
  ByNamespace<News> followed_;   // guarded by mu_
  // Charges that wait for their object, by its key; guarded by mu_.
  std::unordered_map<std::string, std::vector<Charge*>, TextHash, std::equal_to<>> waiting_;
  std::set<std::string> drifted_;                        // guarded by mu_
  std::function<void(std::set<std::string>)> on_drift_;  // guarded by mu_
};

}  // namespace strake::admission

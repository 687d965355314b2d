#pragma once
// How many objects of each resource a namespace has, counted as the store changes, together with
// those that were admitted and are on their way into the store: each object is in one of the two,
// never in both. Any thread may ask.
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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

  // An object that counts although it is not stored. Ends when it is stored, or else with this.
  class Charge final : public api::Held {
   public:
    Charge(std::shared_ptr<Usage> usage, std::string namespace_name, const api::ResourceCache& of,
           std::string key);
    ~Charge() override;
    // The same charge for another object, as when a generated name was taken. False when its own
    // has been stored.
    bool move_to(std::string key);

   private:
    friend class Usage;
    const std::shared_ptr<Usage> usage_;
    const std::string namespace_name_;
    const api::ResourceCache& of_;
    std::string key_;      // guarded by usage_->mu_
    bool waiting_ = true;  // for its object; guarded by usage_->mu_
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
  using Counts = std::vector<std::pair<const api::ResourceCache*, Counted>>;

  void on_change(api::ResourceCache& cache, const api::Change& change) override;
  void on_told(api::Revision revision) override;
  Counted& counted(std::string_view namespace_name, const api::ResourceCache& of);
  bool has_quotas(std::string_view namespace_name) const;
  // Under the lock.
  void wait_for_object(Charge& charge);
  void wait_no_longer(Charge& charge);

  api::Hub& hub_;
  const api::ResourceCache& quotas_;
  const api::ResourceCache& events_;
  mutable std::mutex mu_;
  std::unordered_map<std::string, Counts, TextHash, std::equal_to<>> counts_;  // guarded by mu_
  // Charges that wait for their object, by its key; guarded by mu_.
  std::unordered_map<std::string, std::vector<Charge*>, TextHash, std::equal_to<>> waiting_;
  std::set<std::string> drifted_;                        // guarded by mu_
  std::function<void(std::set<std::string>)> on_drift_;  // guarded by mu_
};

}  // namespace strake::admission

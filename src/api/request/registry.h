#pragma once
// Everything that is served now, by group and plural ("horizontalpodautoscalers/v1" for a resource
// beside another one of its name). Readers take a snapshot without waiting;
// writers make a new one.
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/endpoint.h"

namespace strake::api {

class Registry {
 public:
  struct Snapshot {
    std::map<std::string, std::map<std::string, EndpointPtr, std::less<>>, std::less<>> groups;
    std::uint64_t generation = 0;  // grows with every change
    EndpointPtr find(std::string_view group,
                     std::string_view plural) const;  // null when there is none
    // The one that serves that version, where a resource of the same name serves another
    // (kinds::Resource::beside); otherwise as above.
    EndpointPtr find(std::string_view group, std::string_view plural,
                     std::string_view version) const;
    bool has_group_version(std::string_view group, std::string_view version) const;
    std::vector<kinds::ResourcePtr> resources() const;  // by group, then plural
  };
  using SnapshotPtr = std::shared_ptr<const Snapshot>;

  Registry();
  SnapshotPtr snapshot() const { return current_.load(std::memory_order_acquire); }
  EndpointPtr find(std::string_view group, std::string_view plural) const {
    return snapshot()->find(group, plural);
  }
  EndpointPtr find(std::string_view group, std::string_view plural,
                   std::string_view version) const {
    return snapshot()->find(group, plural, version);
  }
  void put(EndpointPtr endpoint);
  void put_all(std::vector<EndpointPtr> endpoints);
  void remove(std::string_view group, std::string_view plural);
  // Lets a call write through the endpoint that is served now in place of the one it found, if
  // there is still one; the one that it found otherwise.
  EndpointUse use(EndpointPtr found) const;
  // Whether a call may still store an object of the resource in another version than this one, or
  // in any when none is given: it writes through an endpoint that has been replaced meanwhile.
  bool may_be_stored_elsewhere(std::string_view group, std::string_view plural,
                               std::string_view version);
  // Called after every change, on the thread that made it: must be quick, and change nothing here.
  // Before the first change that it is to hear of; null for nobody, which returns when no call is
  // under way.
  void tell(std::function<void()> of_changes);

 private:
  void note_replaced(const EndpointPtr& endpoint);  // under writing_

  std::mutex writing_;
  std::vector<std::weak_ptr<const Endpoint>> replaced_;  // guarded by writing_
  std::function<void()> of_changes_;                     // guarded by writing_
  std::atomic<SnapshotPtr> current_;
};

}  // namespace strake::api

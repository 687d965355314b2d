#pragma once
// Who serves which version of which group: the APIServices as they stand, in the order in which
// everything about the API shows them.
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/cache/informer.h"
#include "base/hash.h"

namespace strake::aggregator {

// The label of APIServices that a server makes and keeps by itself.
inline constexpr std::string_view kAutomanaged = "kube-aggregator.kubernetes.io/automanaged";

// The Service that leads to another server.
struct ServiceReference {
  std::string namespace_name;
  std::string name;
  std::uint16_t port = 443;
  friend bool operator==(const ServiceReference&, const ServiceReference&) = default;
};

// status.conditions, type Available. Without a status when there is no such condition.
struct Availability {
  std::string status;  // "True", "False" or "Unknown"
  std::string reason;
  std::string message;
  friend bool operator==(const Availability&, const Availability&) = default;
};

struct ApiService {
  std::string name;  // "v1.example.com"
  std::string uid;
  std::string group;
  std::string version;
  std::int64_t group_priority = 0;          // spec.groupPriorityMinimum
  std::int64_t version_priority = 0;        // spec.versionPriority
  std::optional<ServiceReference> service;  // nothing: this server serves it itself
  std::string ca_bundle;                    // PEM; empty: the authorities that the system trusts
  bool skips_tls_verify = false;
  std::string automanaged;  // the label: "true", "onstart", or empty
  Availability available;

  bool is_local() const { return !service; }
  bool is_available() const { return is_local() || available.status == "True"; }
};
using ApiServicePtr = std::shared_ptr<const ApiService>;

class ApiServices {
 public:
  // Immutable.
  struct Snapshot {
    struct Group {
      std::string name;
      std::vector<ApiServicePtr> versions;  // by priority, then as meta::version_precedes says
    };
    // By their highest groupPriorityMinimum, then by the name of that APIService.
    std::vector<Group> groups;
    std::uint64_t generation = 0;  // grows with every change
    bool any_remote = false;

    // Null when there is none.
    const Group* find(std::string_view group) const;
    ApiServicePtr find(std::string_view group, std::string_view version) const;

   private:
    friend class ApiServices;
    std::unordered_map<std::string_view, std::size_t, TextHash, std::equal_to<>> places_;
  };
  using SnapshotPtr = std::shared_ptr<const Snapshot>;

  // Follows APIServices until it is destroyed; the hub must outlive it.
  explicit ApiServices(api::Hub& hub);
  ~ApiServices();

  // As of every change that the hub has told. Made anew after a change only.
  SnapshotPtr snapshot();
  // Whether any leads to another server. Costs next to nothing.
  bool any_remote();
  // The same of one version; null when there is none, or when this server serves it itself. Costs
  // next to nothing while there are no other servers.
  ApiServicePtr find_remote(std::string_view group, std::string_view version);

  // For InformerBase::Follower, which is told of every change.
  api::InformerBase& changes();

 private:
  class Entries;

  void build();

  const std::unique_ptr<Entries> entries_;
  std::mutex building_;
  std::uint64_t generation_ = 0;  // guarded by building_
  std::atomic<SnapshotPtr> current_;
  std::atomic<api::Revision> built_{0};     // that current_ shows
  std::atomic<bool> may_be_remote_{false};  // in current_
};

}  // namespace strake::aggregator

#pragma once
// Which cluster IPs and node ports are taken, and the next ones. What stored services have is known
// from an informer, so that nothing is kept beside the services: what a deleted one had is free,
// and after a restart the same is taken as before. What a write picks is held by its call until
// that ends; by then the informer knows it, or it was not stored.
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "api/cache/informer.h"
#include "api/request/call.h"
#include "kinds/service_ranges.h"
#include "value/document.h"

namespace strake::api {

// Where services lie in the store.
inline constexpr std::string_view kServicePrefix = "/registry/services/specs/";

class ServiceAllocator {
 public:
  ServiceAllocator(Hub& hub, kinds::ServiceRanges ranges);
  ~ServiceAllocator();

  // Fills in what the service of the call gets (kinds/service_addresses.h), in place of what this
  // call has picked before. `old` is null on a create. Any thread, one at a time for a call.
  Answer<> pick(Call& call, value::Document& service, const value::Value* old, bool dry_run);

 private:
  struct Addresses {
    std::vector<std::string> ips;
    std::vector<std::string> ports;
  };
  class Services;
  class Picked;
  class Pool;

  bool is_taken(std::string_view index, const std::string& value);

  const kinds::ServiceRanges ranges_;
  const std::unique_ptr<Services> services_;
  std::mutex mu_;
  // Of calls that are under way, by index and value.
  std::set<std::pair<std::string_view, std::string>> picked_;  // guarded by mu_
  // Where the next search begins, so that what has just become free is not given at once.
  std::map<std::string_view, std::uint64_t> next_ip_;  // by family; guarded by mu_
  std::uint64_t next_port_ = 0;                        // guarded by mu_
};

}  // namespace strake::api

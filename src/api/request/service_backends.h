#pragma once
// Where the ports of services are reached: found in the EndpointSlices that name the service, and
// in the Endpoints of its name.
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/cache/hub.h"
#include "api/request/answer.h"
#include "api/request/proxy_name.h"
#include "http/client.h"

namespace strake::api {

class ServiceBackends {
 public:
  // Follows EndpointSlices until it is destroyed; the hub must outlive it.
  explicit ServiceBackends(Hub& hub);
  ~ServiceBackends();

  // The addresses that are ready, at least one, another one first each time. Addresses that mean
  // something else to each machine (loopback, link-local and the like) are left out: they could not
  // be stored, but what was stored before is not trusted. As in kube-apiserver 1.36, a service
  // without endpoints is not found, and one without ready ones is unavailable.
  Answer<std::vector<http::Address>> find(std::string_view namespace_name, std::string_view id,
                                          const ProxyName& asked);

 private:
  class Slices;

  Answer<std::string> port_name(std::string_view namespace_name, const ProxyName& asked) const;

  Hub& hub_;
  const std::unique_ptr<Slices> slices_;
  std::atomic<std::uint64_t> turn_{0};
};

}  // namespace strake::api

#pragma once
// The aggregation layer put together: which groups other servers serve, and the way to them. One
// for a server.
#include <memory>
#include <string>

#include "aggregator/availability/availability.h"
#include "aggregator/documents/service_documents.h"
#include "aggregator/https_backends.h"
#include "aggregator/proxy/proxy_route.h"
#include "aggregator/services/api_services.h"
#include "aggregator/services/local_services.h"
#include "aggregator/services/service_addresses.h"

namespace strake::aggregator {

class Aggregation {
 public:
  struct Options {
    api::UserHeaders user_headers = {};
    ServiceAddresses::Detour detour = {};  // for tests
  };
  // The hub must outlive it.
  Aggregation(api::Hub& hub, Options options);

  api::Route& route() { return route_; }
  api::RemoteDocuments& documents() { return documents_; }
  ApiServices& services() { return services_; }
  Backends& backends() { return backends_; }
  AvailabilityKeeper& availability() { return availability_; }
  void write_metrics(std::string& out) const { availability_.write_metrics(out); }

  // What this server shows to others, and where services are that have no endpoints. From any
  // thread, at any time.
  Result<> set_client_certificate(std::string certificate_pem, Secret key_pem) {
    return backends_.set_client_certificate(std::move(certificate_pem), std::move(key_pem));
  }
  void set_checked_client_certificate(std::string certificate_pem, Secret key_pem) {
    backends_.set_checked_client_certificate(std::move(certificate_pem), std::move(key_pem));
  }
  void set_service_map(ServiceMap map) { addresses_.set_map(std::move(map)); }

  // Once the server has filled its registry: there are APIServices for all that it serves when this
  // returns. The core must outlive it.
  async::Task<> start(api::Core& core);
  async::Task<> stop();

 private:
  ApiServices services_;
  ServiceAddresses addresses_;
  HttpsBackends backends_;
  AvailabilityKeeper availability_;
  ServiceDocuments documents_;
  LocalApiServices local_;
  ProxyRoute route_;
};

}  // namespace strake::aggregator

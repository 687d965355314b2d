#pragma once
// Sends requests over TLS: the address from the service, whom to trust from the APIService, this
// server's own certificate as a front proxy. Connections are kept for the next request; whatever
// they are made from is part of what tells them apart.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "aggregator/backend.h"
#include "aggregator/services/service_addresses.h"
#include "api/request/client_headers.h"
#include "async/loops.h"
#include "base/secret.h"
#include "base/time.h"

namespace strake::aggregator {

class HttpsBackends final : public Backends {
 public:
  // All must outlive it.
  HttpsBackends(const async::Loops& loops, ServiceAddresses& addresses,
                api::UserHeaders user_headers);
  ~HttpsBackends() override;

  // Of new connections. Fails with kInvalid when the key does not belong to the certificate, which
  // is known of a pair that was made or checked before.
  Result<> set_client_certificate(std::string certificate_pem, Secret key_pem);
  void set_checked_client_certificate(std::string certificate_pem, Secret key_pem);
  // Nothing is sent any more, and connections end: they would keep the loops busy.
  void close() { client_.store(nullptr); }

  boost::asio::awaitable<std::expected<BackendAnswer, BackendFailure>> send(
      BackendRequest request) override;

 private:
  using Context = std::shared_ptr<const http::TlsContext>;

  Result<Context> context_for(const ApiService& service);

  ServiceAddresses& addresses_;
  const std::shared_ptr<const api::UserHeaders> user_headers_;
  std::atomic<std::shared_ptr<http::Client>> client_;
  std::mutex mu_;
  std::string certificate_pem_;  // guarded by mu_
  Secret key_pem_;               // guarded by mu_
  // By whether certificates are verified, and against what; guarded by mu_.
  std::map<std::pair<bool, std::string>, Context> contexts_;
};

}  // namespace strake::aggregator

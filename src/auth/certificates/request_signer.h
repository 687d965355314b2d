#pragma once
// Signs approved requests for client certificates with the server's own authority, as
// kube-controller-manager 1.36 does for kubernetes.io/kube-apiserver-client.
#include <chrono>
#include <string>

#include "api/cache/informer.h"
#include "api/controllers/controller.h"
#include "async/gate.h"
#include "http/pki.h"

namespace strake::auth {

// Whether a request waits for its certificate.
struct SigningFacts {
  bool waits = false;
};

class SigningInformer : public api::Informer<SigningFacts> {
 public:
  explicit SigningInformer(api::Hub& hub);
};

class RequestSigner final : public api::Controller {
 public:
  RequestSigner(api::Core& core, SigningInformer& requests, const async::Executor& executor,
                http::CertifiedKey authority, const Clock& tls_clock)
      : Controller(core, requests, executor),
        authority_(std::move(authority)),
        tls_clock_(tls_clock) {}

 private:
  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key,
                                                         api::ObjectPtr object) override;
  http::CertifiedKey authority_;
  const Clock& tls_clock_;
};

// The informer, the signer and its loop. One for a server.
class CertificateSigner {
 public:
  // The clock is the one by which certificates are judged in handshakes; it must outlive this.
  CertificateSigner(api::Hub& hub, const Clock& tls_clock)
      : requests_(hub), tls_clock_(tls_clock) {}
  // Once the registry is filled. The core must outlive it.
  async::Task<> start(api::Core& core, http::CertifiedKey authority);
  async::Task<> stop();

 private:
  boost::asio::awaitable<void> run();

  SigningInformer requests_;
  const Clock& tls_clock_;
  std::unique_ptr<RequestSigner> signer_;
  async::Gate running_;
};

}  // namespace strake::auth

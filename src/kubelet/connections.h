#pragma once
// Connects requests for the streams, logs and proxies of pods and nodes to kubelets, as
// kube-apiserver 1.36 does: shows them a certificate of this server, and verifies theirs when it is
// told whom to trust.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/connections.h"
#include "api/request/core.h"
#include "async/loops.h"
#include "base/secret.h"
#include "http/client.h"
#include "kubelet/places.h"
#include "kubelet/sessions.h"

namespace strake::kubelet {

struct Options {
  std::vector<std::string> address_types = default_address_types();
  // Where an address is really reached; for tests, whose kubelets are on this machine.
  std::function<http::Address(const http::Address&)> detour = {};
  std::chrono::milliseconds connect_timeout{30'000};
};

// What kubelets are shown, and who signs their certificates; without authorities none is verified.
struct Certificates {
  std::string certificate_pem;
  Secret key_pem;
  std::string authorities_pem = {};
};

class KubeletConnections final : public api::Connections {
 public:
  KubeletConnections(const async::Loops& loops, Options options);
  ~KubeletConnections() override;

  // Before the first call. Must outlive it.
  void use(api::Core& core) { core_ = &core; }
  // Of new connections. Fails with kInvalid when something of it cannot be used.
  Result<> set_certificates(const Certificates& certificates);
  // Makes them before the first connection, which most servers never see: keys and certificates
  // take milliseconds. A failure is answered to that request, and the next one tries again.
  void set_certificates_when_needed(std::function<Result<Certificates>()> make);
  // Nothing is sent any more, and connections end: they would keep the loops busy.
  void close() { client_.store(nullptr); }

  api::Answer<value::Document> options_of(const api::Call& call) const override;
  api::AnswerTask<http::Response> connect(api::Call& call, const value::Document& options) override;

 private:
  using Context = std::shared_ptr<const http::TlsContext>;
  // Of an object as it is stored. The document points into it.
  struct Found {
    api::ObjectPtr object;
    value::Document document;
    const value::Value& root() const { return document.root(); }
  };
  // A path of the kubelet of a pod's node.
  struct Place {
    NodePlace node;
    std::string target;
    std::string url() const;
  };

  api::AnswerTask<> have_certificates();
  Result<> make_certificates();
  api::Answer<Found> find(std::string_view resource, std::string_view namespace_name,
                          std::string_view name) const;
  api::Answer<NodePlace> find_node(std::string_view name) const;
  http::Upstream kubelet_at(const NodePlace& node, bool verified);
  http::ClientRequest upgrade_request(const Place& place, std::string_view method,
                                      std::string_view protocol);

  api::AnswerTask<http::Response> read_log(api::Call& call, const value::Value& options);
  api::AnswerTask<http::Response> open_stream(api::Call& call, const value::Value& options);
  api::AnswerTask<http::Response> pass_stream(api::Call& call, const Place& place);
  api::AnswerTask<http::Response> open_tunnel(api::Call& call, const Place& place);
  api::Answer<http::Response> translate(const api::Call& call, const Place& place,
                                        const value::Value& options);
  api::AnswerTask<http::Response> proxy(api::Call& call, std::string path);
  api::AnswerTask<> check_may_create(const api::Call& call) const;
  // For a connection that this object outlives.
  boost::asio::awaitable<std::expected<Dialled, std::string>> dial_spdy(Place place,
                                                                        CancelToken cancel);

  const Options options_;
  std::atomic<api::Core*> core_{nullptr};
  std::atomic<std::shared_ptr<http::Client>> client_;
  std::mutex making_;  // held by the worker that makes certificates
  mutable std::mutex mu_;
  std::function<Result<Certificates>()> maker_;  // guarded by mu_; null when there is none to make
  Context verified_;                             // guarded by mu_
  Context unverified_;  // guarded by mu_; shows the certificate all the same
  Context anonymous_;   // guarded by mu_; verifies nobody and shows nothing
};

}  // namespace strake::kubelet

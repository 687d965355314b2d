#include "api/verbs/service_proxy.h"

#include <algorithm>

#include "api/verbs/forward.h"
#include "http/client_proxy.h"
#include "http/tls.h"

namespace strake::api {
namespace {

// How many addresses are tried that nobody answers at.
constexpr std::size_t kMostAddresses = 3;

}  // namespace

ServiceProxy::ServiceProxy(Hub& hub, Detour detour)
    : backends_(hub),
      detour_(std::move(detour)),
      client_(std::make_shared<http::Client>(hub.loops(), http::ClientOptions())) {}

ServiceProxy::~ServiceProxy() = default;

// Endpoints are addresses, which certificates seldom name: as in kube-apiserver 1.36 none is asked
// for. Made once, so that connections are kept.
Result<std::shared_ptr<const http::TlsContext>> ServiceProxy::any_certificate() {
  const std::lock_guard lock(mu_);
  if (!tls_) {
    STRAKE_TRY(tls_, http::TlsContext::make(
                         http::ClientTlsOptions{.trust = http::ClientTlsOptions::Trust::kNobody}));
  }
  return tls_;
}

AnswerTask<http::Response> ServiceProxy::forward(Call& call, std::string path) {
  STRAKE_CO_TRY(const ProxyName asked, parse_proxy_name(call.info.name, "service"));
  const bool tls = asked.scheme == "https";
  STRAKE_CO_TRY(std::vector<http::Address> addresses,
                backends_.find(call.info.namespace_name, call.info.name, asked));
  if (addresses.size() > kMostAddresses) addresses.resize(kMostAddresses);
  Destination destination{
      .to = {.tls = tls, .host = addresses.front().ip, .port = addresses.front().port},
      .host = http::host_and_port(addresses.front().ip, addresses.front().port),
      .path = std::move(path)};
  if (detour_) std::ranges::transform(addresses, addresses.begin(), detour_);
  destination.to.addresses = std::move(addresses);
  if (tls) {
    STRAKE_CO_TRY(destination.to.tls_context, answer(any_certificate()));
  }
  co_return co_await api::forward(call, client_.load(), std::move(destination),
                                  [](const http::Failure& failure) { return failure.message; });
}

}  // namespace strake::api

#pragma once
// A service outside that the server asks or tells things: authorization, token review, audit. A
// kubeconfig file says where it is, whom to trust there and as whom to call, as kube-apiserver 1.36
// reads it. One object serves all threads.
//
//   STRAKE_TRY(auto service, WebhookConnection::open(file));
//   auto reply = co_await service->post(client, std::move(body), {.timeout = 3s, .cancel =
//   cancel});
#include <chrono>
#include <expected>
#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/result.h"
#include "base/time.h"
#include "http/client.h"
#include "kube/access.h"
#include "kube/caller.h"

namespace strake::kube {

class WebhookConnection {
 public:
  // Reads the file and all that it points to; blocks. Fails as find_access() does, and with
  // kUnsupported for plugins that make credentials. No message holds a secret.
  static Result<std::shared_ptr<const WebhookConnection>> open(const std::string& kubeconfig);

  // The same of what is known already; the path follows that of the server's URL. Fails with
  // kInvalid or kUnsupported.
  static Result<std::shared_ptr<const WebhookConnection>> make(const Access& access,
                                                               std::string_view path = {});

  // Pauses between tries, as in kube-apiserver 1.36.
  struct Backoff {
    std::chrono::nanoseconds first = std::chrono::milliseconds(500);
    double factor = 1.5;
    double jitter = 0.2;
    int tries = 5;
  };
  struct PostOptions {
    std::chrono::nanoseconds timeout = std::chrono::seconds(30);  // of one try
    Backoff backoff = {};
    // What is worth another try: what may heal by itself (429, 500, 504 and the like), or
    // everything.
    bool retry_always = false;
    CancelToken cancel = {};
  };
  struct Failed {
    std::string message;    // as Go's client says it: Post "https://host/": EOF
    bool may_heal = false;  // the service asked for another try, or seems to be in trouble
  };
  // The body of the answer, or what the last try came to. The connection must outlive it.
  boost::asio::awaitable<std::expected<std::string, Failed>> post(
      std::shared_ptr<http::Client> client, std::string body, PostOptions options) const;

  // For messages, without the query: "https://127.0.0.1:8443/authorize".
  const std::string& url() const { return caller_.url; }

 private:
  WebhookConnection() = default;
  http::ClientRequest request(std::string body, const PostOptions& options) const;
  boost::asio::awaitable<std::expected<std::string, Failed>> try_once(http::Client& client,
                                                                      std::string body,
                                                                      PostOptions options) const;

  Caller caller_;
};

}  // namespace strake::kube

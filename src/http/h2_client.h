#pragma once
// HTTP/2 on a client's connection: frames by nghttp2, many requests at a time. It has no coroutine
// of its own: what the socket brings is fed to the session at once, and whoever waits is told.
// Internal to http.
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "http/client_connection.h"

struct nghttp2_session;

namespace strake::http {

struct H2Exchange;

class H2ClientConnection final : public ClientConnection {
 public:
  H2ClientConnection(std::shared_ptr<Transport> transport, const ClientOptions& options,
                     std::weak_ptr<ConnectionOwner> owner);
  ~H2ClientConnection() override;

  // Call once, when it is owned by a shared_ptr.
  void start();

  std::size_t capacity() const override;
  bool is_open() const override { return open_; }
  bool is_settling() const override { return open_ && !retired_ && !knows_limit_; }
  void close(const Failure& why) override;
  Exchange<ClientResponse> exchange(Lease lease, std::shared_ptr<Sending> sending,
                                    std::shared_ptr<ClientWait> wait) override;

 private:
  friend struct H2Exchange;
  struct Callbacks;

  void pump();
  bool feed();
  void on_idle() override;
  // Takes no more requests; ends with the last one that runs.
  void retire();

  nghttp2_session* session_ = nullptr;
  std::unordered_map<std::int32_t, std::shared_ptr<H2Exchange>> streams_;
  std::uint64_t received_ = 0;  // bytes
  std::string fault_;           // what the other side did wrong
  bool open_ = true;
  bool knows_limit_ = false;  // the peer's settings have come
  bool retired_ = false;
  bool pumping_ = false;
};

}  // namespace strake::http

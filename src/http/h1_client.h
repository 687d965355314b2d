#pragma once
// HTTP/1.1 on a client's connection: one request at a time. Internal to http.
#include <memory>

#include "http/client_connection.h"

namespace strake::http {

class H1Exchange;

class H1ClientConnection final : public ClientConnection {
 public:
  using ClientConnection::ClientConnection;
  ~H1ClientConnection() override;

  // Call once, when it is owned by a shared_ptr.
  void start();

  std::size_t capacity() const override { return open_ ? 1 : 0; }
  bool is_open() const override { return open_; }
  void close(const Failure& why) override;
  Exchange<ClientResponse> exchange(Lease lease, std::shared_ptr<Sending> sending,
                                    std::shared_ptr<ClientWait> wait) override;

 private:
  friend class H1Exchange;
  void on_ready();
  void on_idle() override;
  bool is_stale();
  // The transport goes to whoever speaks something else on it.
  std::shared_ptr<Transport> hand_over();

  bool open_ = true;
  std::weak_ptr<H1Exchange> current_;
};

}  // namespace strake::http

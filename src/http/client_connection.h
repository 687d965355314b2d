#pragma once
// One connection of a client, of either protocol, and the right to use it. Of one loop. Internal to
// http.
#include <cstddef>
#include <memory>
#include <utility>

#include "http/client.h"
#include "http/client_wait.h"
#include "http/transport.h"

namespace strake::http {

// Interim answers (1xx) before the real one.
inline constexpr int kMaxInterim = 32;

class ClientConnection;

// Who hears of it when a connection changes.
class ConnectionOwner {
 public:
  virtual ~ConnectionOwner() = default;
  // It has room for a request, or has not any more, or is closed.
  virtual void on_change(const std::shared_ptr<ClientConnection>& connection) = 0;
};

// The right to one request on a connection, until it ends.
class Lease {
 public:
  Lease() = default;
  explicit Lease(std::shared_ptr<ClientConnection> connection);
  Lease(Lease&& other) noexcept = default;
  Lease& operator=(Lease&& other) noexcept {
    release();
    connection_ = std::move(other.connection_);
    return *this;
  }
  ~Lease() { release(); }

  void release();
  ClientConnection* operator->() const { return connection_.get(); }
  const std::shared_ptr<ClientConnection>& connection() const { return connection_; }

 private:
  std::shared_ptr<ClientConnection> connection_;
};

// A request on its way, kept as long as any part of it runs.
struct Sending {
  ClientRequest request;
  std::string authority;  // of the Host header
  std::string target;     // for a proxy the whole URL
  bool stream_taken = false;
};

class ClientConnection : public std::enable_shared_from_this<ClientConnection> {
 public:
  ClientConnection(std::shared_ptr<Transport> transport, const ClientOptions& options,
                   std::weak_ptr<ConnectionOwner> owner)
      : transport_(std::move(transport)), options_(options), owner_(std::move(owner)) {}
  virtual ~ClientConnection() = default;

  // Requests that it takes at a time; 0 when it takes no more.
  virtual std::size_t capacity() const = 0;
  virtual bool is_open() const = 0;
  // How many it will take is about to be known.
  virtual bool is_settling() const { return false; }
  // Breaks off what is under way.
  virtual void close(const Failure& why) = 0;
  // The lease is on this connection, and lives until the exchange has ended. `wait` is the
  // caller's, in whose coroutine this runs.
  virtual Exchange<ClientResponse> exchange(Lease lease, std::shared_ptr<Sending> sending,
                                            std::shared_ptr<ClientWait> wait) = 0;

  std::size_t leases() const { return leases_; }
  bool has_room() const { return leases_ < capacity(); }
  std::uint64_t last_use() const { return transport_->last_use(); }
  bool was_used() const { return used_; }

 protected:
  void tell_owner() {
    if (const auto owner = owner_.lock()) owner->on_change(shared_from_this());
  }
  // Nobody uses it now. While it is kept, the transport's deadline ends it.
  virtual void on_idle() { transport_->set_deadline(options_.idle_timeout); }

  std::shared_ptr<Transport> transport_;
  const ClientOptions options_;
  bool used_ = false;  // a request was sent before

 private:
  friend class Lease;
  std::weak_ptr<ConnectionOwner> owner_;
  std::size_t leases_ = 0;
};

inline Lease::Lease(std::shared_ptr<ClientConnection> connection)
    : connection_(std::move(connection)) {
  if (connection_->leases_++ == 0) connection_->transport_->clear_deadline();
}

inline void Lease::release() {
  const std::shared_ptr<ClientConnection> connection = std::exchange(connection_, nullptr);
  if (!connection) return;
  if (--connection->leases_ == 0) connection->on_idle();
  connection->tell_owner();
}

// Whether a header of the caller's goes out: what belongs to the connection does not.
bool is_sent_header(std::string_view name);

}  // namespace strake::http

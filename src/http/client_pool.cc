#include "http/client_pool.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "http/h1_client.h"
#include "http/h2_client.h"

// Connections by upstream, of one loop, without locks. Callers stand in one line per upstream and
// only the first may take or dial, so none is overtaken. Idle connections of any upstream make room
// for a new one when the pool is full; one that is in use is never closed.
//
// With HTTP/2 one connection serves all: while one is being dialled, or has not yet told how many
// streams it takes, nobody dials a second. An upstream that turned out to speak HTTP/1.1 is
// remembered, and dialled in parallel from then on.

namespace strake::http {
namespace {

using Protocol = Upstream::Protocol;

std::string key_of(const Upstream& to) {
  std::string key = fmt::format("{}|{}|{}|{}|{}|{}", to.tls, to.host, to.port, to.server_name,
                                fmt::ptr(to.tls_context.get()), static_cast<int>(to.protocol));
  std::vector<std::string> addresses;
  for (const Address& address : to.addresses) {
    addresses.push_back(fmt::format("{}@{}", address.ip, address.port));
  }
  std::ranges::sort(addresses);
  key += fmt::format("|{}", fmt::join(addresses, ","));
  if (to.proxy) {
    key += fmt::format("|{}|{}|{}|{}|{}", static_cast<int>(to.proxy->kind), to.proxy->host,
                       to.proxy->port, to.proxy->user_name, to.proxy->password.reveal());
  }
  return key;
}

LoopContext::LoopExecutor loop_of(const async::Executor& executor) {
  const auto* loop = executor.target<LoopContext::LoopExecutor>();
  STRAKE_ASSERT(loop != nullptr);
  return *loop;
}

}  // namespace

ClientPool::ClientPool(const async::Executor& executor, const ClientOptions& options)
    : executor_(executor), options_(options), dialler_(std::make_shared<Dialler>()) {
  dialler_->connect_timeout = options_.connect_timeout;
  dialler_->loop =
      std::make_shared<LoopContext>(loop_of(executor), options.idle_timeout,
                                    std::make_shared<InputBudget>(0, 0));  // a server's matter
}

ClientPool::Group& ClientPool::group_of(const Upstream& to) {
  std::string key = key_of(to);
  std::unique_ptr<Group>& group = groups_[key];
  if (!group) group = std::make_unique<Group>(Group{.key = std::move(key), .to = to});
  return *group;
}

// The one that was used last, so that those that are too many grow old.
ClientPool::ConnectionPtr ClientPool::find(const Group& group, bool fresh) const {
  ConnectionPtr best;
  for (const ConnectionPtr& connection : group.connections) {
    if (!connection->has_room() || (fresh && connection->was_used())) continue;
    if (!best || connection->last_use() > best->last_use()) best = connection;
  }
  return best;
}

// Those that take no more requests are on their way out, and count for the whole only.
std::size_t ClientPool::in_use(const Group& group) const {
  return group.dialling + static_cast<std::size_t>(std::ranges::count_if(
                              group.connections, [](const ConnectionPtr& connection) {
                                return connection->capacity() > 0;
                              }));
}

bool ClientPool::may_dial(const Group& group) const {
  if (in_use(group) >= options_.max_connections_per_host) return false;
  // One connection will do for all, most likely.
  const bool may_be_h2 = group.to.tls ? group.to.protocol != Protocol::kHttp1 && !group.speaks_h1
                                      : group.to.protocol == Protocol::kHttp2;
  if (!may_be_h2) return true;
  return group.dialling == 0 &&
         std::ranges::none_of(group.connections, [](const ConnectionPtr& connection) {
           return connection->is_settling();
         });
}

// Closes the idle connection that was used least lately, of whomever, when there are too many.
bool ClientPool::make_room() {
  if (total_ < options_.max_connections) return true;
  ConnectionPtr oldest;
  for (const auto& [key, group] : groups_) {
    for (const ConnectionPtr& connection : group->connections) {
      if (connection->leases() > 0) continue;
      if (!oldest || connection->last_use() < oldest->last_use()) oldest = connection;
    }
  }
  if (!oldest) return false;
  oldest->close({});
  return total_ < options_.max_connections;
}

// A caller's place in the line. Whoever leaves it lets the next one look.
class ClientPool::Place {
 public:
  Place(ClientPool& pool, Group& group, std::shared_ptr<ClientWait> wait)
      : pool_(pool), group_(group), at_(group.waiting.insert(group.waiting.end(), wait)) {
    ++group_.callers;
  }
  ~Place() {
    leave();
    --group_.callers;
    pool_.drop_if_unused(group_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  bool is_first() const { return at_ == group_.waiting.begin(); }
  void leave() {
    if (std::exchange(left_, true)) return;
    group_.waiting.erase(at_);
    pool_.wake(group_);
  }

 private:
  ClientPool& pool_;
  Group& group_;
  std::list<std::shared_ptr<ClientWait>>::iterator at_;
  bool left_ = false;
};

Exchange<Lease> ClientPool::acquire(const Upstream& to, std::shared_ptr<ClientWait> wait,
                                    bool fresh) {
  const auto self = shared_from_this();
  Group& group = group_of(to);
  Place place(*this, group, wait);
  while (!closed_) {
    bool starved = false;
    if (place.is_first()) {
      if (ConnectionPtr connection = find(group, fresh)) co_return Lease(std::move(connection));
      if (may_dial(group)) {
        if (make_room()) {
          // Others need not wait for this one, unless it may serve them all.
          ++group.dialling;
          ++total_;
          place.leave();
          co_return co_await dial_for(group, wait);
        }
        starved = true;
      }
      // Better one that was used than none.
      if (ConnectionPtr connection = fresh ? find(group, false) : nullptr) {
        co_return Lease(std::move(connection));
      }
    }
    starved_ += starved ? 1 : 0;
    Outcome<> waited = co_await wait->wait();
    starved_ -= starved ? 1 : 0;
    if (!waited) co_return std::unexpected(std::move(waited).error());
  }
  co_return failed(Fault::kCancelled, "the client was closed");
}

// Reading all authorities takes a while, and few need them.
Outcome<> ClientPool::trust_system(const Upstream& to) {
  if (!to.tls || to.tls_context || dialler_->system_tls) return {};
  auto made = TlsContext::make(ClientTlsOptions());
  if (!made) return failed(Fault::kTls, made.error().message());
  dialler_->system_tls = *std::move(made);
  return {};
}

Exchange<Lease> ClientPool::dial_for(Group& group, std::shared_ptr<ClientWait> wait) {
  ++dialled_;
  Outcome<Dialled> dialled = failed(Fault::kTls, "");
  if (Outcome<> trusted = trust_system(group.to); !trusted) {
    dialled = std::unexpected(std::move(trusted).error());
  } else {
    dialled = co_await dial(dialler_, group.to, std::move(wait));
  }
  --group.dialling;
  if (!dialled || closed_) {
    --total_;
    if (dialled) dialled->transport->close_now();
    wake(group);
    wake_all();
    if (!dialled) co_return std::unexpected(std::move(dialled).error());
    co_return failed(Fault::kCancelled, "the client was closed");
  }
  const std::weak_ptr<ConnectionOwner> owner = weak_from_this();
  ConnectionPtr connection;
  if (dialled->is_h2) {
    auto made =
        std::make_shared<H2ClientConnection>(std::move(dialled->transport), options_, owner);
    made->start();
    connection = std::move(made);
  } else {
    auto made =
        std::make_shared<H1ClientConnection>(std::move(dialled->transport), options_, owner);
    made->start();
    connection = std::move(made);
  }
  group.speaks_h1 = !dialled->is_h2;
  group.connections.push_back(connection);
  homes_.emplace(connection.get(), &group);
  Lease lease(std::move(connection));
  wake(group);
  co_return lease;
}

// As many as can go on now, in the order in which they came.
void ClientPool::wake(Group& group) {
  if (group.waiting.empty()) return;
  std::size_t room = 0;
  for (const ConnectionPtr& connection : group.connections) {
    const std::size_t capacity = connection->capacity();
    if (capacity > connection->leases()) room += capacity - connection->leases();
  }
  if (may_dial(group)) room += options_.max_connections_per_host - in_use(group);
  for (const auto& wait : group.waiting) {
    if (room-- == 0) break;
    wait->notify();
  }
}

void ClientPool::wake_all() {
  if (starved_ == 0) return;
  for (const auto& [key, group] : groups_) wake(*group);
}

void ClientPool::on_change(const std::shared_ptr<ClientConnection>& connection) {
  if (!connection->is_open() && connection->leases() == 0) {
    forget(connection);
    return;
  }
  const auto home = homes_.find(connection.get());
  if (home != homes_.end()) wake(*home->second);
  if (connection->leases() == 0) wake_all();
}

void ClientPool::forget(const ConnectionPtr& connection) {
  const auto home = homes_.extract(connection.get());
  if (home.empty()) return;
  Group& group = *home.mapped();
  std::erase(group.connections, connection);
  --total_;
  wake(group);
  wake_all();
  drop_if_unused(group);
}

void ClientPool::drop_if_unused(Group& group) {
  if (group.callers == 0 && group.connections.empty()) groups_.erase(std::string(group.key));
}

void ClientPool::close() {
  if (std::exchange(closed_, true)) return;
  std::vector<ConnectionPtr> all;
  for (const auto& [key, group] : groups_) {
    all.insert(all.end(), group->connections.begin(), group->connections.end());
    for (const auto& wait : group->waiting) wait->notify();
  }
  for (const ConnectionPtr& connection : all) {
    connection->close({.fault = Fault::kCancelled, .message = "the client was closed"});
  }
}

ClientStats ClientPool::stats() const {
  ClientStats out{.dialled = dialled_, .requests = requests, .retries = retries};
  for (const auto& [key, group] : groups_) {
    for (const ConnectionPtr& connection : group->connections) {
      ++out.connections;
      if (connection->leases() == 0) ++out.idle;
    }
  }
  return out;
}

}  // namespace strake::http

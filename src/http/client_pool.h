#pragma once
// The connections of a client on one loop: kept, shared, limited. Internal to http.
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "http/client_connection.h"
#include "http/client_dial.h"

namespace strake::http {

class ClientPool final : public ConnectionOwner, public std::enable_shared_from_this<ClientPool> {
 public:
  ClientPool(const async::Executor& executor, const ClientOptions& options);

  // A connection with room for one more request: one that is there, or a new one, or the first that
  // is free when there may be no more. Callers take turns. With `fresh`, rather a new one than one
  // that was used.
  Exchange<Lease> acquire(const Upstream& to, std::shared_ptr<ClientWait> wait, bool fresh);

  void on_change(const std::shared_ptr<ClientConnection>& connection) override;
  // Breaks everything off, and lets nobody in any more.
  void close();

  const async::Executor& executor() const { return executor_; }
  ClientStats stats() const;
  std::uint64_t requests = 0;
  std::uint64_t retries = 0;

 private:
  using ConnectionPtr = std::shared_ptr<ClientConnection>;
  // Upstreams that are alike.
  struct Group {
    std::string key;
    Upstream to;
    std::vector<ConnectionPtr> connections;
    std::list<std::shared_ptr<ClientWait>> waiting;
    std::size_t dialling = 0;
    std::size_t callers = 0;  // inside of acquire()
    bool speaks_h1 = false;   // as far as is known
  };

  Group& group_of(const Upstream& to);
  ConnectionPtr find(const Group& group, bool fresh) const;
  bool may_dial(const Group& group) const;
  std::size_t in_use(const Group& group) const;
  bool make_room();
  class Place;
  Outcome<> trust_system(const Upstream& to);
  Exchange<Lease> dial_for(Group& group, std::shared_ptr<ClientWait> wait);
  void wake(Group& group);
  void wake_all();
  void forget(const ConnectionPtr& connection);
  void drop_if_unused(Group& group);

  async::Executor executor_;
  ClientOptions options_;
  std::shared_ptr<Dialler> dialler_;
  // A group stays where it is as long as anybody uses it.
  std::map<std::string, std::unique_ptr<Group>> groups_;
  std::unordered_map<const ClientConnection*, Group*> homes_;
  std::size_t total_ = 0;    // connections, and those that are being made
  std::size_t starved_ = 0;  // callers that wait since there are too many over all
  std::uint64_t dialled_ = 0;
  bool closed_ = false;
};

}  // namespace strake::http

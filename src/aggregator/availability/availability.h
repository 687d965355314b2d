#pragma once
// Keeps the condition Available of every APIService right: looks again when the APIService, its
// service or the endpoints change, when a request did not get through, and every 30 seconds;
// sooner, but ever less soon, while a server does not answer. Each APIService is looked at by
// itself, so that one whose server hangs holds up no other.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "aggregator/availability/check.h"
#include "aggregator/services/api_services.h"
#include "aggregator/services/service_addresses.h"
#include "api/request/core.h"
#include "async/gate.h"
#include "async/signal.h"

namespace strake::aggregator {

class AvailabilityKeeper {
 public:
  // All must outlive it.
  AvailabilityKeeper(ApiServices& services, ServiceAddresses& addresses, Backends& backends);

  // Looks at all that there are, in the background. The core must outlive it.
  async::Task<> start(api::Core& core);
  async::Task<> stop();

  // A request did not get through: its server is looked at now, unless it just was. Any thread.
  void suspect(const std::string& name);
  // Looks at those whose time has come, as a timer does: for tests that hold the clock. Any thread.
  void look();

  // aggregator_unavailable_apiservice and its counter, as kube-apiserver 1.36 has them.
  void write_metrics(std::string& out) const;

 private:
  struct Kept {
    ApiServicePtr service;       // as it was looked at last; null before
    Availability written;        // what that came to
    SteadyTime last{};           // the end of the last look
    SteadyTime due{};
    std::size_t failures = 0;    // in a row
    bool running = false;
  };

  boost::asio::awaitable<void> run();
  void take_changes(api::InformerBase::Follower& services, api::InformerBase::Follower& objects);
  void take_services();
  SteadyTime start_due();
  boost::asio::awaitable<void> look_at(std::string name, ApiServicePtr service);
  boost::asio::awaitable<bool> write(ApiServicePtr service, Availability condition);
  void settle(const std::string& name, const ApiServicePtr& service, const Checked& checked);
  void post(std::function<void()> work);

  ApiServices& services_;
  ServiceAddresses& addresses_;
  Backends& backends_;
  std::atomic<api::Core*> core_{nullptr};
  async::Executor executor_;
  std::shared_ptr<async::Signal> signal_;
  CancelSource stopping_;
  async::Gate running_;
  // Touched on the executor alone:
  std::map<std::string, Kept> kept_;
  std::size_t looking_ = 0;
  bool services_changed_ = true;

  mutable std::mutex mu_;
  // By name and reason; guarded by mu_.
  std::map<std::pair<std::string, std::string>, std::uint64_t> fallen_;
};

}  // namespace strake::aggregator

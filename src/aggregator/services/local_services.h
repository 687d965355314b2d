#pragma once
// The APIServices of what this server serves itself, as kube-apiserver 1.36 keeps them. Those of
// built-in groups are made and put right once, when the server starts. Those of custom resources
// are kept all the time: made when a version is served first, made again when they are deleted, put
// right when they are changed, and removed with the last definition. One that has lost the label
// automanaged is its user's business, and so is one that had none.
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "aggregator/services/api_services.h"
#include "api/request/core.h"
#include "async/gate.h"
#include "async/signal.h"

namespace strake::aggregator {

class LocalApiServices {
 public:
  // Must outlive it.
  explicit LocalApiServices(ApiServices& services) : services_(services) {}

  // Returns when there is one for everything that is served. The core, whose registry is full, must
  // outlive it.
  async::Task<> start(api::Core& core);
  async::Task<> stop();

 private:
  struct Wanted {
    std::string group;
    std::string version;
    int group_priority = 0;
    int version_priority = 0;
    bool at_start_only = false;
    friend bool operator==(const Wanted&, const Wanted&) = default;
  };
  using WantedByName = std::map<std::string, Wanted, std::less<>>;

  static WantedByName wanted_now(const api::Registry::Snapshot& snapshot);
  boost::asio::awaitable<void> run();
  boost::asio::awaitable<void> settle_all(std::set<std::string> names);
  boost::asio::awaitable<void> settle(std::string name);
  // False when it has to be tried again.
  boost::asio::awaitable<bool> bring_about(std::string name);
  boost::asio::awaitable<bool> create(const std::string& name, const Wanted& wanted);

  ApiServices& services_;
  api::Core* core_ = nullptr;
  async::Executor executor_;
  std::shared_ptr<async::Signal> signal_;
  std::unique_ptr<api::InformerBase::Follower> follower_;
  std::atomic<bool> stopped_{false};
  async::Gate running_;
  // Touched on the executor alone:
  std::uint64_t generation_ = 0;  // of the registry, that wanted_ shows
  WantedByName wanted_;
  std::set<std::string, std::less<>> at_start_;  // that were there
  std::set<std::string, std::less<>> settled_;   // at least once
  std::set<std::string> again_;
};

}  // namespace strake::aggregator

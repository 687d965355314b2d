#pragma once
// Follows the objects of one collection of a cluster: reads them all, watches from there, goes on
// from where a watch has ended, and reads them all again when the server has forgotten that place.
// It waits for the server to tell; only after a failure does it wait by itself, ever longer.
#include <memory>
#include <string>
#include <vector>

#include "async/gate.h"
#include "async/pause.h"
#include "base/time.h"
#include "kube/cluster_client.h"
#include "value/value.h"

namespace strake::kube {

// What becomes of them. Called on the loop that the watch runs on, one at a time; must be quick.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  // All that there are. What was told before and is not among them is gone.
  virtual void on_list(const std::vector<const value::Value*>& objects) = 0;
  virtual void on_set(const value::Value& object) = 0;      // added or modified
  virtual void on_deleted(const value::Value& object) = 0;  // its last state
  // It cannot be followed for now; told once, until it works again.
  virtual void on_trouble(const Error& why) { (void)why; }
  virtual void on_recovery() {}
};

class ObjectWatch {
 public:
  struct Options {
    std::string path;  // "/api/v1/namespaces", with selectors if need be
    std::size_t page = 500;
    std::size_t most_objects = 100'000;
    std::chrono::seconds watch_for = std::chrono::minutes(5);  // then it goes on with another
    async::Backoff backoff = {};
  };
  // Both must outlive it.
  ObjectWatch(std::shared_ptr<const ClusterClient> cluster, Options options, ObjectSink& sink);

  // Reads them for the first time. Fails with what the server said; then run() does so again.
  async::Task<> begin();
  // Until stop().
  boost::asio::awaitable<void> run();
  // From any thread. run() returns soon after.
  void stop() { stopping_.cancel(); }

 private:
  async::Task<> list();
  async::Task<> watch();
  Result<> take(std::string_view line);
  void note(const Result<>& outcome);
  // The watch that has ended was one: it told something, or was open longer than a pause.
  bool was_good(std::size_t tries) const;
  std::string with(std::string_view query) const;

  const std::shared_ptr<const ClusterClient> cluster_;
  const Options options_;
  ObjectSink& sink_;
  CancelSource stopping_;
  std::string version_;       // up to which it has seen everything; empty: list first
  bool told_any_ = false;     // by the watch that runs
  SteadyTime open_since_{};   // that watch; none before it is answered
  std::size_t failures_ = 0;  // in a row
};

}  // namespace strake::kube

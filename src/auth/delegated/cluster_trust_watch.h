#pragma once
// Keeps an extension server in step with whom its main server believes: reads the ConfigMap at the
// start, then follows it. One that cannot be read or used later changes nothing, and the log says
// so once.
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "async/gate.h"
#include "auth/delegated/cluster_trust.h"
#include "kube/object_watch.h"

namespace strake::auth {

class ClusterTrustWatch {
 public:
  // Told of the first values and of every change, on the loop that the watch runs on.
  using Told = boost::asio::awaitable<void>(ClusterTrust);
  struct Options {
    std::shared_ptr<const kube::ClusterClient> cluster;
    std::function<Told> told;
    async::Backoff backoff = {};
  };
  explicit ClusterTrustWatch(Options options);
  ~ClusterTrustWatch();

  // The values as they are now. Fails when they cannot be had, with a text that says what to do.
  async::Task<ClusterTrust> begin();
  // From now on `told` is called for what differs from what begin() gave. On the loop that calls.
  boost::asio::awaitable<void> start();
  async::Task<> stop();

 private:
  class Sink;
  boost::asio::awaitable<void> tell();

  const Options options_;
  std::unique_ptr<Sink> sink_;
  std::unique_ptr<kube::ObjectWatch> watch_;
  CancelSource stopping_;
  async::Gate running_;
};

}  // namespace strake::auth

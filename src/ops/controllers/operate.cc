#include "ops/controllers/operate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include "base/cancel.h"
#include "base/log.h"
#include "kube/client.h"
#include "ops/controllers/kube_lease.h"

namespace strake::ops {

std::string new_identity() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  std::random_device random;
  const auto word = [&random] { return static_cast<std::uint64_t>(random()); };
  const std::string_view name(host.data());
  return fmt::format("{}_{:08x}{:08x}{:08x}{:08x}", name.empty() ? "localhost" : name, word(),
                     word(), word(), word());
}

struct OperateControllers::Impl {
  explicit Impl(OperateOptions given)
      : options(std::move(given)),
        identity(options.identity.empty() ? new_identity() : options.identity),
        server(options.term.server, {.user_agent = "kompoxops/leader-election"}),
        // Not within `ending`: the Lease is given back after that.
        lease(server, options.lease_namespace, options.lease_name),
        elector(lease, identity, options.lease, *options.term.environment->clock),
        waiting(server.within(ending.token(), Deadline::never())) {
    main = std::thread([this] { run(); });
  }

  void run() {
    bool was_told = false;
    std::optional<Term> term;
    while (!ending.cancelled()) {
      const Result<bool> tried = elector.try_once();
      // While others have it, a server that does not answer is told of once.
      if (!tried && tried.error().code() != Code::kConflict && !std::exchange(was_told, true))
        log::get("operate").warn("the Lease cannot be had for now", {{"error", tried.error()}});
      if (tried) was_told = false;
      if (elector.leads() && !term) {
        log::get("operate").info("leads", {{"identity", identity}});
        is_leader = true;
        term.emplace(options.term);
      } else if (!elector.leads() && term) {
        log::get("operate").warn("does not lead any more",
                                 {{"identity", identity}, {"holder", elector.holder()}});
        is_leader = false;
        term.reset();
      }
      static_cast<void>(waiting.pause(pause()));
    }
    is_leader = false;
    term.reset();
    if (const Result<> released = elector.release(); !released)
      log::get("operate").debug("the Lease was not given back", {{"error", released.error()}});
  }

  // A leader looks at the latest when its time is over.
  std::chrono::nanoseconds pause() const {
    const std::chrono::nanoseconds retry = options.lease.retry;
    if (!elector.leads()) return retry;
    return std::min(retry, elector.leads_until().remaining(*options.term.environment->clock));
  }

  const OperateOptions options;
  const std::string identity;
  CancelSource ending;
  const kube::Client server;
  KubeLease lease;
  LeaderElector elector;  // of the thread alone
  const kube::Client waiting;
  std::atomic<bool> is_leader = false;
  std::thread main;
};

OperateControllers::OperateControllers(OperateOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}

OperateControllers::~OperateControllers() { stop(); }

void OperateControllers::stop() {
  impl_->ending.cancel();
  if (impl_->main.joinable()) impl_->main.join();
}

bool OperateControllers::leads() const { return impl_->is_leader; }
const std::string& OperateControllers::identity() const { return impl_->identity; }

}  // namespace strake::ops

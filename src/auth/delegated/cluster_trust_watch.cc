#include "auth/delegated/cluster_trust_watch.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "async/signal.h"
#include "base/log.h"
#include "value/fields.h"

namespace strake::auth {
namespace {

std::string config_maps_path() {
  return fmt::format("/api/v1/namespaces/{0}/configmaps?fieldSelector=metadata.name%3D{1}",
                     kTrustNamespace, kTrustName);
}

// What an administrator has to do about it.
std::string way_out(const Error& why) {
  if (why.code() == Code::kForbidden)
    return fmt::format(
        "; bind the role {0} in {1} to the user of the kubeconfig, such as with: kubectl create "
        "rolebinding -n {1} NAME --role={0} --user=USER",
        kTrustRole, kTrustNamespace);
  if (why.code() == Code::kNotFound)
    return "; the main server needs a client authority or an authority for front proxies, or this "
           "one --authentication-skip-lookup with flags of its own";
  if (why.code() == Code::kUnauthorized)
    return "; the main server does not know the credentials of the kubeconfig";
  return {};
}

}  // namespace

class ClusterTrustWatch::Sink final : public kube::ObjectSink {
 public:
  explicit Sink(async::Executor loop) : changed(std::make_shared<async::Signal>(loop)) {}

  void on_list(const std::vector<const value::Value*>& objects) override {
    if (objects.empty()) return missing();
    on_set(*objects.front());
  }
  void on_set(const value::Value& object) override {
    Result<ClusterTrust> read = ClusterTrust::read(object);
    if (!read) {
      last = std::unexpected(read.error());
      if (began)
        log::get("auth").error("what the main server believes cannot be used, the old values stay",
                               {{"error", read.error()}});
      return;
    }
    last = *std::move(read);
    changed->notify();
  }
  void on_deleted(const value::Value&) override { missing(); }
  void on_trouble(const Error& why) override {
    log::get("auth").error("what the main server believes cannot be followed, the old values stay",
                           {{"error", why}});
  }
  void on_recovery() override {
    log::get("auth").info("what the main server believes is followed again");
  }

  Result<ClusterTrust> last = fail(Code::kNotFound, "it was not read yet");
  bool began = false;
  std::shared_ptr<async::Signal> changed;

 private:
  void missing() {
    last = fail(Code::kNotFound, "ConfigMap {}/{} does not exist", kTrustNamespace, kTrustName);
    if (began)
      log::get("auth").error("what the main server believes is gone, the old values stay",
                             {{"error", last.error()}});
  }
};

ClusterTrustWatch::ClusterTrustWatch(Options options) : options_(std::move(options)) {}
ClusterTrustWatch::~ClusterTrustWatch() = default;

async::Task<ClusterTrust> ClusterTrustWatch::begin() {
  sink_ = std::make_unique<Sink>(co_await boost::asio::this_coro::executor);
  watch_ = std::make_unique<kube::ObjectWatch>(
      options_.cluster,
      kube::ObjectWatch::Options{.path = config_maps_path(), .backoff = options_.backoff}, *sink_);
  Result<> listed = co_await watch_->begin();
  Result<ClusterTrust> out =
      listed ? sink_->last : Result<ClusterTrust>(std::unexpected(listed.error()));
  sink_->began = true;
  if (out) co_return out;
  const Error& why = out.error();
  co_return fail(why.code(), "cannot learn from the main server at {} whom to believe: {}{}",
                 options_.cluster->url(), why.message(), way_out(why));
}

boost::asio::awaitable<void> ClusterTrustWatch::start() {
  const async::Executor loop = co_await boost::asio::this_coro::executor;
  boost::asio::co_spawn(
      loop,
      [](ClusterTrustWatch& self) -> boost::asio::awaitable<void> {
        if (const async::Gate::Pass pass = self.running_.enter()) co_await self.watch_->run();
      }(*this),
      boost::asio::detached);
  boost::asio::co_spawn(loop, tell(), boost::asio::detached);
}

boost::asio::awaitable<void> ClusterTrustWatch::tell() {
  const async::Gate::Pass pass = running_.enter();
  if (!pass) co_return;
  std::optional<ClusterTrust> told;
  if (sink_->last) told = *sink_->last;
  const async::Executor loop = co_await boost::asio::this_coro::executor;
  const CancelRegistration registration =
      stopping_.token().on_cancel([changed = sink_->changed, loop] {
        boost::asio::post(loop, [changed] { changed->notify(); });
      });
  while (true) {
    if (!co_await sink_->changed->wait(Deadline::never()) || stopping_.cancelled()) co_return;
    if (!sink_->last || told == *sink_->last) continue;
    told = *sink_->last;
    co_await options_.told(*told);
  }
}

async::Task<> ClusterTrustWatch::stop() {
  stopping_.cancel();
  if (watch_) watch_->stop();
  co_return co_await running_.close();
}

}  // namespace strake::auth

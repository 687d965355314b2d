#include "ops/controllers/term.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <latch>
#include <thread>
#include <utility>
#include <vector>

#include "async/loops.h"
#include "base/cancel.h"
#include "base/log.h"
#include "kube/client.h"
#include "kube/cluster_client.h"
#include "kube/object_watch.h"
#include "kube/objects/apply_stream.h"
#include "ops/controllers/object_access.h"
#include "ops/controllers/reconcilers.h"
#include "ops/controllers/work_queue.h"
#include "ops/kom/definitions.h"

namespace strake::ops {
namespace {

// Of requests to the server itself, which is near: reading and writing one object.
constexpr kube::RateLimit kRate{.per_second = 200, .burst = 400};

class Sink final : public kube::ObjectSink {
 public:
  Sink(OperatedKind kind, DeclaredObjects& declared, WorkQueue& queue)
      : kind_(kind), declared_(declared), queue_(queue) {}

  void on_list(const std::vector<const value::Value*>& objects) override {
    std::vector<DeclaredPtr> all;
    for (const value::Value* one : objects) {
      if (DeclaredPtr read = read_declared(kind_, *one)) all.push_back(std::move(read));
    }
    const bool before = declared_.is_complete();
    add(declared_.replace(kind_, std::move(all)));
    // All watches are on one loop, so this one is the last to list.
    if (!before && declared_.is_complete()) add(declared_.all());
  }
  void on_set(const value::Value& object) override {
    if (DeclaredPtr read = read_declared(kind_, object)) add(declared_.set(std::move(read)));
  }
  void on_deleted(const value::Value& object) override {
    if (const DeclaredPtr read = read_declared(kind_, object)) add(declared_.remove(read->key));
  }
  void on_trouble(const Error& why) override {
    log::get("operate").warn("objects cannot be followed for now",
                             {{"kind", to_string(kind_)}, {"error", why}});
  }
  void on_recovery() override {
    log::get("operate").info("objects can be followed again", {{"kind", to_string(kind_)}});
  }

 private:
  void add(const std::vector<ObjectKey>& keys) {
    for (const ObjectKey& key : keys) queue_.add(key);
  }

  const OperatedKind kind_;
  DeclaredObjects& declared_;
  WorkQueue& queue_;
};

// The definitions of the kinds, as this program knows them.
Result<> apply_definitions(const kube::Client& server) {
  std::vector<value::Document> manifests;
  for (const auto& [name, text] : kom_definitions()) {
    STRAKE_TRY(std::vector<value::Document> read, kube::read_manifests(text));
    for (value::Document& one : read) manifests.push_back(std::move(one));
  }
  return kube::apply_manifests(
      server, manifests,
      {.apply = {.field_manager = std::string(kOperateComponent), .force = true}});
}

}  // namespace

struct Term::Impl {
  explicit Impl(TermOptions given)
      : options(std::move(given)),
        client(options.server, {.user_agent = "kompoxops/operate", .rate = kRate}),
        server(client.within(ending.token(), Deadline::never())),
        access(server, *options.environment->clock),
        queue(*options.environment->clock, options.backoff),
        loops(1) {
    main = std::thread([this] { run(); });
  }

  void run() {
    if (!prepare()) return;
    auto followed =
        kube::ClusterClient::make(options.server, loops, {.user_agent = "kompoxops/operate"});
    if (!followed) {
      log::get("operate").error("the server cannot be followed", {{"error", followed.error()}});
      return;
    }
    std::vector<std::unique_ptr<Sink>> sinks;
    std::vector<std::unique_ptr<kube::ObjectWatch>> watches;
    for (const OperatedKind kind : kOperatedKinds) {
      sinks.push_back(std::make_unique<Sink>(kind, declared, queue));
      kube::ObjectWatch::Options what;
      what.path = collection_path(kind);
      watches.push_back(std::make_unique<kube::ObjectWatch>(*followed, what, *sinks.back()));
    }
    const auto ended = std::make_shared<std::latch>(static_cast<std::ptrdiff_t>(watches.size()));
    for (const auto& one : watches) {
      boost::asio::co_spawn(loops.at(0), one->run(),
                            [ended](const std::exception_ptr&) { ended->count_down(); });
    }
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < options.workers; ++i) workers.emplace_back([this] { work(); });
    const CancelRegistration end = ending.token().on_cancel([&watches] {
      for (const auto& one : watches) one->stop();
    });
    ended->wait();
    workers.clear();
  }

  // False when it was told to end first.
  bool prepare() {
    for (std::size_t failures = 0; !ending.cancelled();) {
      const Result<> applied = apply_definitions(server);
      if (applied) return true;
      if (ending.cancelled()) break;
      log::get("operate").warn("the definitions were not applied", {{"error", applied.error()}});
      if (!server.pause(async::pause_after(++failures, options.backoff))) break;
    }
    return false;
  }

  void work() {
    while (const std::optional<ObjectKey> key = queue.take(ending.token())) look_at(*key);
  }

  void look_at(const ObjectKey& key) {
    provider::Call call;
    call.cancel = ending.token();
    call.deadline = Deadline::after(options.most_time);
    call.clock = options.environment->clock;
    const ReconcileContext context{.declared = declared,
                                   .access = access,
                                   .drivers = *options.drivers,
                                   .environment = *options.environment,
                                   .calls = *options.calls,
                                   .call = call};
    switch (reconcile(context, key)) {
      case Next::kSettled:
      case Next::kBlocked: queue.done(key, options.look_again); break;
      case Next::kGone: queue.done(key, std::nullopt); break;
      case Next::kTryAgain:
        log::get("operate").debug("is looked at again",
                                  {{"object", to_string(key)}, {"pause_ms", queue.failed(key)}});
        break;
    }
  }

  const TermOptions options;
  CancelSource ending;
  const kube::Client client;
  const kube::Client server;
  KubeAccess access;
  DeclaredObjects declared;
  WorkQueue queue;
  async::Loops loops;
  std::thread main;
};

Term::Term(TermOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

Term::~Term() { stop(); }

void Term::stop() {
  impl_->ending.cancel();
  if (impl_->main.joinable()) impl_->main.join();
}

}  // namespace strake::ops

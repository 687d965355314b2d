#include "aggregator/documents/service_documents.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

namespace strake::aggregator {

std::vector<RemoteService> remote_services(const ApiServices::Snapshot& services) {
  std::vector<RemoteService> out;
  if (!services.any_remote) return out;
  for (const ApiServices::Snapshot::Group& group : services.groups) {
    for (const ApiServicePtr& one : group.versions) {
      if (one->is_local()) continue;
      RemoteService remote;
      remote.name = one->name;
      remote.group = one->group;
      remote.version = one->version;
      remote.group_priority = static_cast<int>(one->group_priority);
      remote.version_priority = static_cast<int>(one->version_priority);
      remote.server =
          fmt::format("{}/{}:{} {} {}", one->service->namespace_name, one->service->name,
                      one->service->port, one->skips_tls_verify, one->ca_bundle);
      remote.revision = one->uid;
      remote.available = one->is_available();
      out.push_back(std::move(remote));
    }
  }
  return out;
}

ServiceDocuments::ServiceDocuments(ApiServices& services, Backends& backends,
                                   AggregatedDocuments::Options options)
    : services_(services), options_(options), fetcher_(services, backends) {}

ServiceDocuments::~ServiceDocuments() = default;

async::Task<> ServiceDocuments::start(api::Core& core) {
  executor_ = co_await boost::asio::this_coro::executor;
  documents_ = std::make_unique<AggregatedDocuments>(fetcher_, core.workers, executor_, options_);
  signal_ = std::make_shared<async::Signal>(executor_);
  documents_->start();
  boost::asio::co_spawn(executor_, follow(), boost::asio::detached);
  co_return Result<>();
}

async::Task<> ServiceDocuments::stop() {
  if (documents_ == nullptr) co_return Result<>();
  stopping_.cancel();
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
  STRAKE_CO_CHECK(co_await gate_.close());
  co_return co_await documents_->stop();
}

api::RemoteSnapshotPtr ServiceDocuments::snapshot() const {
  return documents_ == nullptr ? nullptr : documents_->snapshot();
}

async::Task<api::RemoteDocument> ServiceDocuments::openapi_v3(std::string path,
                                                              CancelToken cancel) {
  return documents_->openapi_v3(std::move(path), std::move(cancel));
}

boost::asio::awaitable<void> ServiceDocuments::follow() {
  const async::Gate::Pass pass = gate_.enter();
  const std::shared_ptr<async::Signal> signal = signal_;
  if (!pass) co_return;
  api::InformerBase::Follower follower(services_.changes(), executor_, signal);
  std::uint64_t shown = 0;
  while (!stopping_.cancelled()) {
    // What has changed does not matter: all of it is looked at, which is cheap.
    static_cast<void>(follower.take());
    const ApiServices::SnapshotPtr now = services_.snapshot();
    if (now != nullptr && now->generation != shown) {
      shown = now->generation;
      documents_->set_services(remote_services(*now));
    }
    if (!co_await signal->wait(Deadline::never())) co_return;
  }
}

}  // namespace strake::aggregator

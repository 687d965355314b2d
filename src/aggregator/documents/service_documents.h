#pragma once
// The documents of all APIServices that lead to other servers: follows the APIServices, and keeps
// what their servers tell.
#include <memory>

#include "aggregator/documents/aggregated_documents.h"
#include "aggregator/documents/backend_fetcher.h"
#include "api/request/core.h"

namespace strake::aggregator {

class ServiceDocuments final : public api::RemoteDocuments {
 public:
  // Both must outlive it.
  ServiceDocuments(ApiServices& services, Backends& backends,
                   AggregatedDocuments::Options options = {});
  ~ServiceDocuments() override;

  // Before the first request is answered; runs on the caller's loop. The core must outlive it.
  async::Task<> start(api::Core& core);
  async::Task<> stop();

  api::RemoteSnapshotPtr snapshot() const override;
  async::Task<api::RemoteDocument> openapi_v3(std::string path, CancelToken cancel) override;

 private:
  boost::asio::awaitable<void> follow();

  ApiServices& services_;
  const AggregatedDocuments::Options options_;
  BackendFetcher fetcher_;
  // Set by start().
  std::unique_ptr<AggregatedDocuments> documents_;
  std::shared_ptr<async::Signal> signal_;
  async::Executor executor_;
  async::Gate gate_;
  CancelSource stopping_;
};

// As far as documents are concerned; local ones are left out.
std::vector<RemoteService> remote_services(const ApiServices::Snapshot& services);

}  // namespace strake::aggregator

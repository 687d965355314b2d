#pragma once
// The documents of all APIServices that lead to other servers: follows the APIServices, and keeps
// what their servers tell.
#include <memory>

#include "aggregator/documents/aggregated_documents.h"
#include "aggregator/documents/backend_fetcher.h"

namespace strake::aggregator {

class ServiceDocuments final : public api::RemoteDocuments {
 public:
  // All of them must outlive it. The executor is a loop.
  ServiceDocuments(ApiServices& services, Backends& backends, async::Workers& workers,
                   async::Executor executor, AggregatedDocuments::Options options = {});
  ~ServiceDocuments() override;

  void start();
  async::Task<> stop();

  api::RemoteSnapshotPtr snapshot() const override { return documents_.snapshot(); }
  async::Task<api::RemoteDocument> openapi_v3(std::string path, CancelToken cancel) override {
    return documents_.openapi_v3(std::move(path), std::move(cancel));
  }
  AggregatedDocuments& documents() { return documents_; }

 private:
  boost::asio::awaitable<void> follow();

  ApiServices& services_;
  async::Executor executor_;
  BackendFetcher fetcher_;
  AggregatedDocuments documents_;
  std::shared_ptr<async::Signal> signal_;
  async::Gate gate_;
  CancelSource stopping_;
};

// As far as documents are concerned; local ones are left out.
std::vector<RemoteService> remote_services(const ApiServices::Snapshot& services);

}  // namespace strake::aggregator

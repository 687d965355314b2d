#pragma once
// Documents by the way that all requests to the servers of APIServices take.
#include "aggregator/backend.h"
#include "aggregator/documents/fetcher.h"

namespace strake::aggregator {

class BackendFetcher final : public DocumentFetcher {
 public:
  // Both must outlive it.
  BackendFetcher(ApiServices& services, Backends& backends)
      : services_(services), backends_(backends) {}

  async::Task<FetchedDocument> fetch(DocumentRequest request) override;

 private:
  ApiServices& services_;
  Backends& backends_;
};

}  // namespace strake::aggregator

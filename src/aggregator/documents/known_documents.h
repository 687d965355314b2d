#pragma once
// What is known of the servers behind APIServices: their last documents, and the snapshot that is
// made of them. Holds no connections and waits for nothing; may be used from any thread.
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "aggregator/documents/remote_service.h"
#include "api/request/remote_documents.h"

namespace strake::aggregator {

using Text = std::shared_ptr<const std::string>;

class KnownDocuments {
 public:
  // Parts of the v2 document are left out, those of the lowest priority first, beyond so many
  // bytes.
  explicit KnownDocuments(std::size_t most_v2_bytes) : most_v2_bytes_(most_v2_bytes) {}

  // All there are. What was known of those that stay is kept. The servers to be asked because
  // something about them is new.
  std::set<std::string> set_services(std::vector<RemoteService> services);
  // Those of one server that can be asked.
  std::vector<RemoteService> services_of(std::string_view server) const;
  std::set<std::string> servers() const;
  std::optional<RemoteService> service_of_path(std::string_view openapi_path) const;

  // What was learnt of a service as it was when its server was asked: nothing is kept of one that
  // has changed or gone meanwhile.
  void learn_resources(const RemoteService& service, Text resources, std::string etag);
  // It did not answer, or with something that cannot be shown. True when that is news.
  bool learn_failure(const RemoteService& service);
  // The server's documents are as they were.
  void learn_no_change(const RemoteService& service);
  // The part of the v2 document, null for none, its hash, and the ETag of the whole.
  void learn_v2(const RemoteService& service, Text part, std::string hash, std::string etag);
  // The hash of the v3 document, empty for none, and the ETag of the index.
  void learn_v3(const RemoteService& service, std::string hash, std::string etag);
  // The server has no v3 documents at all: one is made of the part of v2, and has that one's hash.
  void learn_v3_is_made_of_v2(const RemoteService& service);
  // What the v3 document of a path is made of; null when the server has one.
  Text v2_instead_of_v3(std::string_view openapi_path) const;

  // What all of these services were answered with, when that is one and the same; else empty.
  std::string discovery_etag(const std::vector<RemoteService>& services) const;
  std::string v2_etag(const std::vector<RemoteService>& services) const;
  std::string v3_etag(const std::vector<RemoteService>& services) const;

  // Null when there never were services.
  api::RemoteSnapshotPtr snapshot() const;

 private:
  struct Known {
    RemoteService service;
    Text resources;
    bool failed = true;         // or was never asked
    bool failure_told = false;  // since it last answered
    std::string etag;
    Text v2;
    std::string v2_hash;
    std::string v2_etag;
    bool v3_is_made_of_v2 = false;
    std::string v3_hash;
    std::string v3_etag;
  };
  // The one that is still what it was; null when it is not. Under mu_.
  Known* same(const RemoteService& service);
  template <typename Read>
  std::string common(const std::vector<RemoteService>& services, Read read) const;
  void make_snapshot();  // under mu_

  const std::size_t most_v2_bytes_;
  mutable std::mutex mu_;
  std::map<std::string, Known, std::less<>> known_;  // guarded by mu_; by name
  api::RemoteSnapshotPtr snapshot_;                  // guarded by mu_
  std::uint64_t generation_ = 0;                     // guarded by mu_
};

}  // namespace strake::aggregator

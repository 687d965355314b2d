#pragma once
// The Lease of a server's API.
#include <string>

#include "kube/client.h"
#include "ops/controllers/lease.h"

namespace strake::ops {

class KubeLease final : public LeaseStore {
 public:
  // The client must outlive it.
  KubeLease(const kube::Client& server, std::string namespace_name, std::string name)
      : server_(server), namespace_name_(std::move(namespace_name)), name_(std::move(name)) {}

  Result<std::optional<StoredLease>> get(Deadline until) override;
  Result<StoredLease> create(const LeaseRecord& record, Deadline until) override;
  Result<StoredLease> update(const StoredLease& lease, Deadline until) override;

 private:
  std::string collection() const;
  std::string body(const LeaseRecord& record, const std::string& version) const;

  const kube::Client& server_;
  const std::string namespace_name_;
  const std::string name_;
};

}  // namespace strake::ops

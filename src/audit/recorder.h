#pragma once
// Keeps the audit log: decides by the policy what is recorded of a call, and writes its events.
#include <memory>
#include <mutex>

#include "api/request/auditor.h"
#include "audit/policy.h"
#include "audit/sink.h"
#include "base/time.h"

namespace strake::audit {

class Recorder final : public api::Auditor {
 public:
  // The clock must outlive it.
  Recorder(Policy policy, Sinks sinks, const Clock& clock);

  std::unique_ptr<api::AuditTrail> begin(const api::Call& call) override;
  api::AuditWait refuse(const api::Call& call, const http::Response& response) override;
  // In place of the one it has; calls that come later are judged by it.
  void set_policy(Policy policy);

 private:
  std::shared_ptr<const Policy> policy() const;

  const std::shared_ptr<const Sinks> sinks_;
  const Clock& clock_;
  mutable std::mutex mu_;
  std::shared_ptr<const Policy> policy_;  // guarded by mu_
};

}  // namespace strake::audit

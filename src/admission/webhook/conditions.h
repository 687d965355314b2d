#pragma once
// The matchConditions of a webhook: expressions over the request that must all be true for it to be
// asked. Compiled once; used from any thread.
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "admission/match/versioned.h"
#include "api/request/admission.h"
#include "api/request/core.h"
#include "policy/evaluation.h"
#include "policy/expression.h"

namespace strake::admission {

class Conditions {
 public:
  explicit Conditions(const value::Value& webhook);

  bool empty() const { return all_.empty(); }
  // Whether they hold for the request in this version, whose objects are given. Refuses when one
  // cannot be evaluated, unless that is to be ignored: then they do not hold. Everything given
  // lives until it is done.
  api::AnswerTask<bool> hold(api::Core& core, const api::Call& call,
                             const api::AdmissionRequest& request,
                             const kinds::ServedVersion& version, VersionedObjects::Seen objects,
                             bool fails_open) const;

 private:
  api::Answer<bool> evaluate(const api::Authorizer& authorizer, const api::Call& call,
                             const api::AdmissionRequest& request,
                             const kinds::ServedVersion& version,
                             const VersionedObjects::Seen& objects, bool fails_open) const;

  std::unique_ptr<policy::Compiler> compiler_;  // null without conditions
  std::vector<policy::Expression> all_;
  mutable std::atomic<std::uint64_t> cost_;  // the last time
};

}  // namespace strake::admission

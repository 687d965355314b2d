#pragma once
// All that the expressions of policies see of one request, made once and only when it is needed.
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "admission/match/namespaces.h"
#include "admission/match/versioned.h"
#include "admission/policy/steps.h"
#include "admission/policy/subject.h"
#include "api/request/admission.h"
#include "api/request/core.h"
#include "policy/evaluation.h"

namespace strake::admission {

// What it refers to must outlive it. Does not move.
class Evidence {
 public:
  Evidence(api::Core& core, const api::Call& call, const api::AdmissionRequest& request,
           const Namespaces& namespaces, const api::Authorizer& authorizer);
  Evidence(const Evidence&) = delete;
  Evidence& operator=(const Evidence&) = delete;

  // Whether gather() has to wait for anything.
  bool must_wait(const StepHead& step) const;
  // What the step needs and what has to be waited for: converted objects, parameters.
  api::AnswerTask<> gather(const StepHead& step);
  // The same where nothing has to be waited for; on any thread.
  api::Answer<> gather_at_once(const StepHead& step);

  // Once it is gathered; valid until the object of the request changes. `spent` gets the cost.
  policy::Inputs inputs(const StepHead& step, std::uint64_t* spent);

 private:
  struct Param {
    api::Bytes text;
    value::Document document;
  };
  api::Answer<> find_namespace();
  api::Answer<> add_param(const StepHead& step, api::Bytes text);

  api::Core& core_;
  const api::Call& call_;
  const api::AdmissionRequest& request_;
  const Namespaces& namespaces_;
  CallAuthority authority_;
  VersionedObjects objects_;
  Arena arena_;
  bool looked_for_namespace_ = false;
  std::optional<value::Value> namespace_;
  struct Told {
    value::Value request;
    value::Value of_conditions;
  };
  std::map<const kinds::ServedVersion*, Told> requests_;
  std::map<const kinds::ServedVersion*, VersionedObjects::Seen> seen_;  // that had to be converted
  std::map<const api::Object*, Param> params_;
};

// Whether work that has cost so much of late, on what the call brought, is done on its loop.
bool is_done_at_once(const api::Call& call, std::uint64_t cost);

}  // namespace strake::admission

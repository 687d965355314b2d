#pragma once
// What expressions of policies are told of a request: `request`, `namespaceObject`, `authorizer`.
#include <memory>
#include <string>

#include "admission/match/namespaces.h"
#include "api/request/admission.h"
#include "api/request/core.h"
#include "cel/lib/k8s_authz.h"
#include "value/document.h"

namespace strake::admission {

// The variable `request` for a policy that matched in this version: of the kind, and of the
// resource (match conditions see the resource as it was asked for).
value::Value request_variable(const api::Call& call, const api::AdmissionRequest& request,
                              const kinds::ServedVersion& kind_version,
                              const kinds::ServedVersion& resource_version, Arena& arena);

// The variable `namespaceObject`: the parts of a namespace that expressions may see.
value::Value namespace_variable(const value::Value& stored, Arena& arena);

// Answers for whoever makes the request, by the roles as they stand.
class CallAuthority final : public cel::Authority {
 public:
  // Both must outlive it.
  CallAuthority(const api::Authorizer& authorizer, const api::User& user)
      : authorizer_(authorizer), user_(user) {}
  cel::AccessAnswer decide(const cel::AccessQuestion& question, Arena& arena) const override;
  std::string_view account_fault(std::string_view namespace_name,
                                 std::string_view name) const override;

 private:
  const api::Authorizer& authorizer_;
  const api::User& user_;
};

// The name by which a refusal knows the object: what it is to be called, as far as that is known.
std::string refused_name(const api::AdmissionRequest& request);

}  // namespace strake::admission

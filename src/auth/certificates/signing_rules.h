#pragma once
// What stands between a CertificateSigningRequest and a certificate, as the admission plugins of
// kube-apiserver 1.36 have it: the request is signed by its own key, nobody asks for the group
// system:masters, and who approves or signs has the right to do so for that signer.
#include <string_view>

#include "api/request/admission.h"
#include "api/request/roles.h"

namespace strake::auth {

inline constexpr std::string_view kClientSigner = "kubernetes.io/kube-apiserver-client";

class SigningRules final : public api::Admission {
 public:
  // The authorizer must outlive it.
  explicit SigningRules(const api::Authorizer& authorizer) : authorizer_(authorizer) {}
  api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override;

 private:
  api::Answer<> check_create(const api::Call& call, const api::AdmissionRequest& request) const;
  // `verb` is "approve" or "sign".
  api::Eventual<> check_right(const api::Call& call, const api::AdmissionRequest& request,
                              std::string_view verb) const;

  const api::Authorizer& authorizer_;
};

}  // namespace strake::auth

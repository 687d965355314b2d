#pragma once
// The admission plugin of that name in Kubernetes: objects are made only in a namespace that exists
// and is not going away.
#include "api/request/admission.h"
#include "api/request/namespace_informer.h"

namespace strake::api {

class NamespaceLifecycle final : public Admission {
 public:
  // The informer must outlive it.
  explicit NamespaceLifecycle(NamespaceInformer& namespaces) : namespaces_(namespaces) {}
  Eventual<> admit(Call& call, const AdmissionRequest& request) const override;

 private:
  NamespaceInformer& namespaces_;
};

}  // namespace strake::api

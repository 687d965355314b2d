#pragma once
// The objects that give a bound policy its parameters.
#include <expected>
#include <string>
#include <vector>

#include "admission/policy/binding.h"
#include "api/request/core.h"
#include "meta/gvk.h"

namespace strake::admission {

// The kind of parameters, served.
struct ParamEndpoint {
  api::EndpointPtr endpoint;
  const kinds::ServedVersion* version = nullptr;
};
// Fails with the words of kube-apiserver 1.36 when nothing serves it.
std::expected<ParamEndpoint, std::string> find_param_endpoint(const api::Registry& registry,
                                                              const meta::GroupVersionKind& kind);

// The objects that a binding points to, for a request in that namespace (empty outside of all).
// None where there are none and that is allowed; else it fails with the words of
// kube-apiserver 1.36.
std::expected<std::vector<api::ObjectPtr>, std::string> find_params(
    const ParamEndpoint& params, const ParamRef& ref, std::string_view namespace_name);

}  // namespace strake::admission

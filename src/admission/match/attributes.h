#pragma once
// What a request is, as far as admission rules and selectors look at it. Views into the call and
// the request, as cheap as pointers.
#include <string_view>

#include "api/request/admission.h"

namespace strake::admission {

struct Attributes {
  using Operation = api::AdmissionRequest::Operation;
  Operation operation;
  const kinds::Resource& resource;
  const kinds::ServedVersion& version;  // that was asked for
  std::string_view subresource = {};
  std::string_view name = {};
  std::string_view namespace_name = {};  // of a Namespace, its own name
  const value::Value* object = nullptr;
  const value::Value* old = nullptr;

  static Attributes of(const api::Call& call, const api::AdmissionRequest& request);
};

// Objects that say who is asked: as in kube-apiserver 1.36 nobody is asked about them, so that a
// mistake in one can be mended.
bool is_exempt(const kinds::Resource& resource);

}  // namespace strake::admission

#pragma once
// Whether the API server (v1.36) would take a CustomResourceDefinition: every rule with its path,
// its words and its order. Where kube-apiserver 1.36 walks maps in random order, members come
// sorted here.
//
//   STRAKE_TRY(Crd crd, Crd::read(std::move(document)));
//   crd.prepare_for_create();
//   FieldErrors errors = check_create(crd, &compiler);
#include <string>
#include <vector>

#include "crd/crd.h"
#include "crd/rule_compiler.h"
#include "value/field_error.h"

namespace strake::crd {

// Without a compiler, validation rules are checked for form only. The CRDs must have been prepared
// as the server does.
value::FieldErrors check_create(const Crd& crd, RuleCompiler* compiler = nullptr);
value::FieldErrors check_update(const Crd& crd, const Crd& old, RuleCompiler* compiler = nullptr);
// A write to the status subresource.
value::FieldErrors check_status_update(const Crd& crd, const Crd& old);

// What is accepted with a warning: `unrecognized format "x"`, for formats that the CRD being
// replaced did not have yet.
std::vector<std::string> format_warnings(const Crd& crd, const Crd* old = nullptr);

}  // namespace strake::crd

#pragma once
// Requests and limits of containers and pods. Amounts have been rounded by decoding.
#include <string_view>

#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// {limits, requests, claims} of a container.
void check_container_resources(const value::Value& resources, const PodScope& pod,
                               const FieldPath& at, value::FieldErrors& errors);
// spec.resources: what all containers of the pod share.
void check_pod_resources(const PodScope& pod, const FieldPath& spec_path,
                         value::FieldErrors& errors);
// {overhead} of a pod or a runtime class: amounts by name, under the rules of limits. `at` is the
// path of the amounts.
void check_overhead_amounts(const value::Value& amounts, bool allow_huge_page_remainders,
                            const FieldPath& at, value::FieldErrors& errors);

// spec.resourceClaims. `metadata` is null in a template.
void check_pod_resource_claims(const value::Value& spec, const value::Value* metadata,
                               const FieldPath& at, value::FieldErrors& errors);

// Whether an amount of huge pages in the list is no multiple of its page size.
bool has_huge_page_remainder(const value::Value& holder, std::string_view list);

}  // namespace strake::kinds

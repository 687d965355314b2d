#pragma once
// Admission by PodSecurity: what the policy of a namespace lets in, as pure functions.
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinds/pods/pod_security_policy.h"
#include "meta/gvk.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// --- pods, and what makes pods

// The metadata and spec by which pods are, or will be, made.
struct PodPart {
  const value::Value* metadata = nullptr;
  const value::Value* spec = nullptr;
};
// Of an object of the resource; nothing for resources without pods, and for an object without a
// template.
std::optional<PodPart> find_pod_part(const meta::GroupResource& resource,
                                     const value::Value& object);

// A write of a pod through these is not looked at.
bool is_ignored_pod_subresource(std::string_view subresource);
// Whether an update changes what the levels look at: images, and which containers there are.
bool is_significant_pod_update(const value::Value& pod, const value::Value& old);

struct PodSecurityAnswer {
  std::string forbidden;                                 // why, when it is
  std::vector<std::string> warnings;                     // none of what is forbidden
  std::map<std::string, std::string> audit_annotations;  // without their domain
};
// `enforced` for pods themselves; what makes pods is only warned of. `label_errors` are those of
// the namespace.
PodSecurityAnswer judge_pod_security(const SecurityPolicy& policy,
                                     const value::FieldErrors& label_errors, const PodPart& pod,
                                     bool enforced);

// --- namespaces

struct NamespaceSecurityAnswer {
  value::FieldErrors errors;
  // Set when the pods that are there are to be looked at.
  std::optional<LevelVersion> check_pods;
};
// `old` is null for a new namespace.
NamespaceSecurityAnswer judge_namespace_security(const value::Value& name_space,
                                                 const value::Value* old);

inline constexpr std::size_t kMostPodsToCheck = 3000;
// The warnings about pods that the new level would not let in.
std::vector<std::string> existing_pod_warnings(std::string_view namespace_name,
                                               const LevelVersion& enforce,
                                               std::span<const value::Value* const> pods);

}  // namespace strake::kinds

#include "kinds/pods/pod_security.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/quote.h"
#include "kinds/fields.h"
#include "kinds/pods/pod_security_checks.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldErrors;
using value::Value;

// Null when there is no template.
const Value* find_template(const meta::GroupResource& resource, const Value& object) {
  const auto is = [&](std::string_view group, std::string_view plural) {
    return resource.group == group && resource.resource == plural;
  };
  if (is("", "podtemplates")) return member(object, "template");
  if (is("batch", "cronjobs")) return member(object, {"spec", "jobTemplate", "spec", "template"});
  if (is("", "replicationcontrollers") || is("apps", "replicasets") || is("apps", "deployments") ||
      is("apps", "daemonsets") || is("apps", "statefulsets") || is("batch", "jobs")) {
    return member(object, {"spec", "template"});
  }
  return nullptr;
}

bool same_images(std::span<const Value> containers, std::span<const Value> old) {
  return std::ranges::equal(containers, old, [](const Value& a, const Value& b) {
    return text_of(a, "image") == text_of(b, "image");
  });
}

bool has_new_ephemeral_container(const Value& spec, const Value& old) {
  std::unordered_map<std::string_view, std::string_view> images;
  for (const Value& one : items(old, "ephemeralContainers"))
    images.emplace(text_of(one, "name"), text_of(one, "image"));
  return std::ranges::any_of(items(spec, "ephemeralContainers"), [&](const Value& one) {
    const auto found = images.find(text_of(one, "name"));
    return found == images.end() || found->second != text_of(one, "image");
  });
}

std::string violation(std::string_view verb, const LevelVersion& policy,
                      std::span<const SecurityFault> faults) {
  return fmt::format("{} PodSecurity {}: {}", verb, quote(policy.to_string()), join_faults(faults));
}

// Each of them once.
class Evaluation {
 public:
  explicit Evaluation(const PodPart& pod) : pod_(pod) {}

  const std::vector<SecurityFault>& faults(const LevelVersion& policy) {
    const auto [at, is_new] = known_.try_emplace(policy.to_string());
    if (is_new) at->second = check_pod_security(policy, *pod_.metadata, *pod_.spec);
    return at->second;
  }

 private:
  PodPart pod_;
  std::map<std::string, std::vector<SecurityFault>> known_;
};

std::string_view controller_uid_of(const Value& pod) {
  for (const meta::OwnerReference& owner : meta::ObjectMeta::of(pod).owner_references()) {
    if (owner.controller.value_or(false)) return owner.uid;
  }
  return {};
}

// One pod of each controller first, as the others are likely the same.
std::vector<const Value*> most_different_first(std::span<const Value* const> pods) {
  std::vector<const Value*> out;
  std::vector<const Value*> repeated;
  std::unordered_set<std::string_view> controllers;
  for (const Value* pod : pods) {
    const std::string_view controller = controller_uid_of(*pod);
    (controller.empty() || controllers.insert(controller).second ? out : repeated).push_back(pod);
  }
  out.insert(out.end(), repeated.begin(), repeated.end());
  return out;
}

struct SamePods {
  std::string_view first_name;
  std::size_t count = 0;
};

std::string named_with_others(const SamePods& pods) {
  if (pods.count == 1) return std::string(pods.first_name);
  return fmt::format("{} (and {} other pod{})", pods.first_name, pods.count - 1,
                     pods.count == 2 ? "" : "s");
}

}  // namespace

std::optional<PodPart> find_pod_part(const meta::GroupResource& resource, const Value& object) {
  const bool is_pod = resource.group.empty() && resource.resource == "pods";
  const Value* found = is_pod ? &object : find_template(resource, object);
  if (found == nullptr) return std::nullopt;
  return PodPart{&found->get("metadata"), &found->get("spec")};
}

bool is_ignored_pod_subresource(std::string_view subresource) {
  for (const std::string_view one :
       {"exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"}) {
    if (one == subresource) return true;
  }
  return false;
}

bool is_significant_pod_update(const Value& pod, const Value& old) {
  const Value& spec = pod.get("spec");
  const Value& before = old.get("spec");
  return !same_images(items(spec, "containers"), items(before, "containers")) ||
         !same_images(items(spec, "initContainers"), items(before, "initContainers")) ||
         has_new_ephemeral_container(spec, before);
}

PodSecurityAnswer judge_pod_security(const SecurityPolicy& policy, const FieldErrors& label_errors,
                                     const PodPart& pod, bool enforced) {
  PodSecurityAnswer out;
  if (!label_errors.empty()) {
    out.audit_annotations["error"] =
        fmt::format("Failed to parse policy: {}", value::aggregate(label_errors));
  }
  Evaluation evaluation(pod);
  if (enforced) {
    out.audit_annotations["enforce-policy"] = policy.enforce.to_string();
    const auto& faults = evaluation.faults(policy.enforce);
    if (!faults.empty()) out.forbidden = violation("violates", policy.enforce, faults);
  }
  if (const auto& faults = evaluation.faults(policy.audit); !faults.empty())
    out.audit_annotations["audit-violations"] = violation("would violate", policy.audit, faults);
  if (!out.forbidden.empty()) return out;
  if (const auto& faults = evaluation.faults(policy.warn); !faults.empty())
    out.warnings.push_back(violation("would violate", policy.warn, faults));
  return out;
}

NamespaceSecurityAnswer judge_namespace_security(const Value& name_space, const Value* old) {
  NamespaceSecurityAnswer out;
  const SecurityPolicy policy = security_policy_of(name_space, out.errors);
  if (old == nullptr) return out;
  FieldErrors old_errors;
  const SecurityPolicy before = security_policy_of(*old, old_errors);
  // Labels that were wrong before may stay.
  if (!out.errors.empty() && value::aggregate(out.errors) == value::aggregate(old_errors))
    out.errors.clear();
  if (!out.errors.empty() || policy.enforce == before.enforce ||
      policy.enforce.level == SecurityLevel::kPrivileged ||
      (policy.enforce.minor == before.enforce.minor &&
       policy.enforce.level <= before.enforce.level)) {
    return out;
  }
  out.check_pods = policy.enforce;
  return out;
}

std::vector<std::string> existing_pod_warnings(std::string_view namespace_name,
                                               const LevelVersion& enforce,
                                               std::span<const Value* const> pods) {
  std::vector<const Value*> checked = most_different_first(pods);
  if (checked.size() > kMostPodsToCheck) checked.resize(kMostPodsToCheck);
  std::map<std::string, SamePods> found;
  for (const Value* pod : checked) {
    const auto faults = check_pod_security(enforce, pod->get("metadata"), pod->get("spec"));
    if (faults.empty()) continue;
    SamePods& same = found[join_reasons(faults)];
    const std::string_view name = meta::ObjectMeta::of(*pod).name();
    if (same.count++ == 0 || name < same.first_name) same.first_name = name;
  }
  std::vector<std::string> out;
  if (checked.size() < pods.size()) {
    out.push_back(fmt::format(
        "new PodSecurity enforce level only checked against the first {} of {} existing pods",
        checked.size(), pods.size()));
  }
  if (found.empty()) return out;
  out.push_back(
      fmt::format("existing pods in namespace {} violate the new PodSecurity enforce level {}",
                  quote(namespace_name), quote(enforce.to_string())));
  const auto first = static_cast<std::ptrdiff_t>(out.size());
  for (const auto& [reasons, same] : found)
    out.push_back(fmt::format("{}: {}", named_with_others(same), reasons));
  std::sort(out.begin() + first, out.end());
  return out;
}

}  // namespace strake::kinds

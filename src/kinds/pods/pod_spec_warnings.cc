#include <fmt/format.h>

#include <cstring>

#include "base/quote.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/pods/check_affinity.h"
#include "kinds/node_labels.h"
#include "kinds/pods/check_path_overlaps.h"
#include "kinds/pods/check_pod_annotations.h"
#include "kinds/pods/check_port_overlaps.h"
#include "kinds/resource_names.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::Member;
using value::Value;

void warn(const FieldPath& at, std::string_view text, WarningsList& warnings) {
  if (!warnings.full()) warnings.add(fmt::format("{}: {}", at.to_k8s(), text));
}

// --- nodes

void warn_of_node_affinity(const Value& affinity, const FieldPath& at, WarningsList& warnings) {
  const auto required = items(affinity.get(kRequiredTerms), "nodeSelectorTerms");
  for (std::size_t i = 0; i < required.size(); ++i) {
    warn_of_node_selector_term(required[i], false, at / kRequiredTerms / "nodeSelectorTerms" / i,
                               warnings);
  }
  const auto preferred = items(affinity, kPreferredTerms);
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    warn_of_node_selector_term(preferred[i].get("preference"), true,
                               at / kPreferredTerms / i / "preference", warnings);
  }
}

void warn_of_no_selector(const Value& holder, const FieldPath& at, WarningsList& warnings) {
  if (member(holder, "labelSelector") == nullptr)
    warn(at / "labelSelector", "a null labelSelector results in matching no pod", warnings);
}

void warn_of_spread(const Value& spec, const FieldPath& at, WarningsList& warnings) {
  const auto constraints = items(spec, "topologySpreadConstraints");
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const std::string_view key = value::text_of(constraints[i], "topologyKey");
    if (const std::string_view why = deprecated_node_label(key); !why.empty())
      warn(at / i / "topologyKey", fmt::format("{} is {}", key, why), warnings);
    warn_of_no_selector(constraints[i], at / i, warnings);
  }
}

void warn_of_pod_affinity(const Value& affinity, const FieldPath& at, WarningsList& warnings) {
  const auto required = items(affinity, kRequiredTerms);
  for (std::size_t i = 0; i < required.size(); ++i)
    warn_of_no_selector(required[i], at / kRequiredTerms / i, warnings);
  const auto preferred = items(affinity, kPreferredTerms);
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    warn_of_no_selector(preferred[i].get("podAffinityTerm"),
                        at / kPreferredTerms / i / "podAffinityTerm", warnings);
  }
}

// --- annotations

void warn_of_annotations(const Value& annotations, const FieldPath& at, WarningsList& warnings) {
  constexpr std::pair<std::string_view, std::string_view> kDeprecated[] = {
      {"scheduler.alpha.kubernetes.io/critical-pod",
       R"(non-functional in v1.16+; use the "priorityClassName" field instead)"},
      {"security.alpha.kubernetes.io/sysctls",
       R"(non-functional in v1.11+; use the "sysctls" field instead)"},
      {"security.alpha.kubernetes.io/unsafe-sysctls",
       R"(non-functional in v1.11+; use the "sysctls" field instead)"}};
  for (const auto& [key, text] : kDeprecated) {
    if (member(annotations, key) != nullptr) warn(at.key(key), text, warnings);
  }
}

void warn_of_seccomp_annotation(const Value& annotations, std::string_view key,
                                const Value& context, const FieldPath& at, WarningsList& warnings) {
  if (member(context, "seccompProfile") == nullptr && member(annotations, key) != nullptr) {
    warn(at.key(key), R"(non-functional in v1.27+; use the "seccompProfile" field instead)",
         warnings);
  }
}

// Whether a profile of AppArmor says what the annotation says.
bool is_profile_of(const Value& profile, std::string_view annotation) {
  constexpr std::string_view kLocalhost = "localhost/";
  const std::string_view type = value::text_of(profile, "type");
  const bool has_file = member(profile, "localhostProfile") != nullptr;
  if (annotation == "unconfined") return type == "Unconfined" && !has_file;
  if (annotation == "runtime/default") return type == "RuntimeDefault" && !has_file;
  return annotation.starts_with(kLocalhost) && annotation.size() > kLocalhost.size() &&
         type == "Localhost" &&
         value::text_of(profile, "localhostProfile") == annotation.substr(kLocalhost.size());
}

void warn_of_app_armor_annotation(const Value& annotations, const Value& container,
                                  const Value* pod_profile, const FieldPath& at,
                                  WarningsList& warnings) {
  if (member(container, {"securityContext", "appArmorProfile"}) != nullptr) return;
  const std::string key =
      fmt::format("{}{}", kAppArmorAnnotations, value::text_of(container, "name"));
  const Value* annotation = member(annotations, key);
  if (annotation == nullptr) return;
  if (pod_profile != nullptr && is_profile_of(*pod_profile, value::text_of(*annotation))) return;
  warn(at.key(key), R"(deprecated since v1.30; use the "appArmorProfile" field instead)", warnings);
}

// --- amounts

void warn_of_fraction(const Value& amounts, std::string_view name, const FieldPath& at,
                      WarningsList& warnings) {
  const Value* amount = member(amounts, name);
  if (amount == nullptr || amount_of(*amount).milli_value() % 1000 == 0) return;
  warn(at.key(name),
       fmt::format("fractional byte value {} is invalid, must be an integer",
                   quote(value::text_of(*amount))),
       warnings);
}

void warn_of_fractions(const Value& resources, const FieldPath& at, WarningsList& warnings) {
  for (const std::string_view name : {"memory", "ephemeral-storage"}) {
    for (const std::string_view list : {"limits", "requests"})
      warn_of_fraction(resources.get(list), name, at / list, warnings);
  }
}

// --- volumes

void warn_of_volumes(const Value& spec, const FieldPath& at, WarningsList& warnings) {
  struct Deprecated {
    std::string_view key;
    std::string_view text;
    std::string_view shown = {};  // where it is not the key
  };
  constexpr Deprecated kDeprecated[] = {
      {"photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
      {"gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"},
      {"scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
      {"flocker", "deprecated in v1.22, non-functional in v1.25+"},
      {"storageos", "deprecated in v1.22, non-functional in v1.25+", "storageOS"},
      {"quobyte", "deprecated in v1.22, non-functional in v1.25+"},
      {"glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
      {"cephfs", "deprecated in v1.28, non-functional in v1.31+"},
      {"rbd", "deprecated in v1.28, non-functional in v1.31+"}};
  const auto volumes = items(spec, "volumes");
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    for (const Deprecated& one : kDeprecated) {
      if (member(volumes[i], one.key) != nullptr)
        warn(at / i / (one.shown.empty() ? one.key : one.shown), one.text, warnings);
    }
    const Value* claim = member(volumes[i], {"ephemeral", "volumeClaimTemplate", "spec"});
    if (claim == nullptr) continue;
    const FieldPath here = at / i / "ephemeral" / "volumeClaimTemplate" / "spec" / "resources";
    for (const std::string_view list : {"requests", "limits"})
      warn_of_fraction(claim->get("resources").get(list), "storage", here / list, warnings);
  }
  warn_of_overlapping_paths(spec, warnings);
}

// --- lists whose items should differ

void warn_of_repeats(std::span<const Value> list, std::string_view key, const FieldPath& at,
                     WarningsList& warnings) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view text = value::text_of(list[i], key);
    if (!seen.insert(text).second)
      warn(at / i / key, fmt::format("duplicate {} {}", key, quote(text)), warnings);
  }
}

void warn_of_pull_secrets(const Value& spec, const FieldPath& at, WarningsList& warnings) {
  const auto secrets = items(spec, "imagePullSecrets");
  warn_of_repeats(secrets, "name", at, warnings);
  for (std::size_t i = 0; i < secrets.size(); ++i) {
    if (value::text_of(secrets[i], "name").empty())
      warn(at / i / "name", R"(invalid empty name "")", warnings);
  }
}

// In linear time, whatever the texts: std::string_view::find is not.
bool contains(std::string_view text, std::string_view part) {
  return ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

// A variable may be defined again from its former value, X="$(X):more", but not hidden.
void warn_of_hidden_variables(const Value& container, const FieldPath& at, WarningsList& warnings) {
  std::unordered_set<std::string_view> seen;
  const auto variables = items(container, "env");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::string_view name = value::text_of(variables[i], "name");
    if (seen.insert(name).second) continue;
    const std::string reference = fmt::format("$({})", name);
    const std::string_view text = value::text_of(variables[i], "value");
    if (member(variables[i], "valueFrom") == nullptr && text != reference &&
        contains(text, reference)) {
      continue;
    }
    warn(at / "env" / i,
         fmt::format("hides previous definition of {}, which may be dropped when using apply",
                     quote(name)),
         warnings);
  }
}

// --- addresses

void warn_of_address(std::string_view text, const FieldPath& at, WarningsList& warnings) {
  std::vector<std::string> found;
  warn_of_ip(text, at, found);
  for (std::string& one : found) warnings.add(std::move(one));
}

void warn_of_addresses(const Value& spec, const FieldPath& at, WarningsList& warnings) {
  const auto servers = items(spec.get("dnsConfig"), "nameservers");
  for (std::size_t i = 0; i < servers.size(); ++i)
    warn_of_address(value::text_of(servers[i]), at / "dnsConfig" / "nameservers" / i, warnings);
  const auto aliases = items(spec, "hostAliases");
  for (std::size_t i = 0; i < aliases.size(); ++i)
    warn_of_address(value::text_of(aliases[i], "ip"), at / "hostAliases" / i / "ip", warnings);
}

// --- all of it, in the order of kube-apiserver 1.36

void warn_of_containers(const Value& spec, const Value& annotations, bool is_template,
                        const FieldPath& spec_path, const FieldPath& annotations_path,
                        WarningsList& warnings) {
  const Value* pod_profile = member(spec, {"securityContext", "appArmorProfile"});
  visit_containers(spec, spec_path, [&](const Value& container, const FieldPath& at) {
    const std::string seccomp =
        fmt::format("{}{}", kSeccompContainerAnnotations, value::text_of(container, "name"));
    warn_of_seccomp_annotation(annotations, seccomp, container.get("securityContext"),
                               annotations_path, warnings);
    // Pods get their fields from the annotations, with a warning of its own.
    if (is_template) {
      warn_of_app_armor_annotation(annotations, container, pod_profile, annotations_path, warnings);
    }
    warn_of_fractions(container.get("resources"), at / "resources", warnings);
    warn_of_hidden_variables(container, at, warnings);
  });
}

void warn_of_grace_period(const Value& spec, const FieldPath& at, WarningsList& warnings) {
  constexpr std::string_view kKey = "terminationGracePeriodSeconds";
  if (integer(spec, kKey) < 0) {
    warn(at / kKey, "must be >= 0; negative values are invalid and will be treated as 1", warnings);
  }
}

}  // namespace

// The object before an update changes nothing: kube-apiserver 1.36 repeats its warnings.
std::vector<std::string> pod_template_warnings(const Value& pod_template, const Value*,
                                               const FieldPath& at) {
  WarningsList warnings;
  const Value& spec = pod_template.get("spec");
  const Value& annotations = pod_template.get("metadata").get("annotations");
  const FieldPath spec_path = at / "spec";
  const FieldPath annotations_path = at / "metadata" / "annotations";
  for (const Member& label : members(spec, "nodeSelector")) {
    if (const std::string_view why = deprecated_node_label(label.key); !why.empty())
      warn((spec_path / "nodeSelector").key(label.key), why, warnings);
  }
  const Value& affinity = spec.get("affinity");
  warn_of_node_affinity(affinity.get("nodeAffinity"), spec_path / "affinity" / "nodeAffinity",
                        warnings);
  warn_of_spread(spec, spec_path / "topologySpreadConstraints", warnings);
  warn_of_annotations(annotations, annotations_path, warnings);
  warn_of_volumes(spec, spec_path / "volumes", warnings);
  warn_of_repeats(items(spec, "hostAliases"), "ip", spec_path / "hostAliases", warnings);
  warn_of_pull_secrets(spec, spec_path / "imagePullSecrets", warnings);
  for (const std::string_view name : {"memory", "ephemeral-storage"})
    warn_of_fraction(spec.get("overhead"), name, spec_path / "overhead", warnings);
  warn_of_seccomp_annotation(annotations, kSeccompPodAnnotation, spec.get("securityContext"),
                             annotations_path, warnings);
  warn_of_containers(spec, annotations, !at.empty(), spec_path, annotations_path, warnings);
  warn_of_ports(spec, spec_path, warnings);
  warn_of_grace_period(spec, spec_path, warnings);
  for (const std::string_view key : {"podAffinity", "podAntiAffinity"})
    warn_of_pod_affinity(affinity.get(key), spec_path / "affinity" / key, warnings);
  warn_of_addresses(spec, spec_path, warnings);
  return warnings.take();
}

}  // namespace strake::kinds

#include <fmt/format.h>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/pods/check_affinity.h"
#include "kinds/pods/check_containers.h"
#include "kinds/pods/check_env.h"
#include "kinds/pods/check_pod_annotations.h"
#include "kinds/pods/check_pod_os.h"
#include "kinds/pods/check_resources.h"
#include "kinds/pods/check_security_context.h"
#include "kinds/pods/check_tolerations.h"
#include "kinds/pods/check_topology_spread.h"
#include "kinds/pods/check_values.h"
#include "kinds/pods/check_volumes.h"
#include "meta/label_checks.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

namespace {

// --- names and DNS

void check_host_name_override(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  constexpr std::string_view kKey = "hostnameOverride";
  constexpr std::size_t kMostBytes = 64;
  if (member(spec, kKey) == nullptr) return;
  for (const std::string_view other : {"setHostnameAsFQDN", "hostNetwork"}) {
    if (!value::flag_of(spec, other)) continue;
    errors.push_back(FieldError::forbidden(
        at / kKey, fmt::format("may not be specified when {} is true", other)));
  }
  const std::string_view name = value::text_of(spec, kKey);
  if (name.size() > kMostBytes) errors.push_back(FieldError::too_long(at / kKey, kMostBytes));
  add_all_invalid(meta::check_dns1123_subdomain(name), name, at / kKey, errors);
}

void check_searches(const Value& config, const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostSearches = 32;
  constexpr std::size_t kMostCharacters = 2048;
  const auto searches = items(config, "searches");
  if (searches.size() > kMostSearches) {
    add_invalid(at, config.get("searches"),
                fmt::format("must not have more than {} search paths", kMostSearches), errors);
  }
  std::size_t characters = searches.empty() ? 0 : searches.size() - 1;
  for (const Value& search : searches) characters += value::text_of(search).size();
  if (characters > kMostCharacters) {
    add_invalid(
        at, config.get("searches"),
        fmt::format("must not have more than {} characters (including spaces) in the search list",
                    kMostCharacters),
        errors);
  }
  for (std::size_t i = 0; i < searches.size(); ++i) {
    std::string_view search = value::text_of(searches[i]);
    if (search == ".") continue;
    if (search.ends_with('.')) search.remove_suffix(1);
    add_all_invalid(check_search_domain(search), search, at / i, errors);
  }
}

void check_dns_config(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  constexpr std::size_t kMostServers = 3;
  const Value* config = member(spec, "dnsConfig");
  const auto servers = items(spec.get("dnsConfig"), "nameservers");
  if (value::text_of(spec, "dnsPolicy") == "None") {
    if (config == nullptr) {
      return errors.push_back(
          FieldError::required(at, "must provide `dnsConfig` when `dnsPolicy` is None"));
    }
    if (servers.empty()) {
      return errors.push_back(FieldError::required(
          at / "nameservers", "must provide at least one DNS nameserver when `dnsPolicy` is None"));
    }
  }
  if (config == nullptr) return;
  if (servers.size() > kMostServers) {
    add_invalid(at / "nameservers", config->get("nameservers"),
                fmt::format("must not have more than {} nameservers", kMostServers), errors);
  }
  for (std::size_t i = 0; i < servers.size(); ++i)
    check_ip(value::text_of(servers[i]), at / "nameservers" / i, {}, errors);
  check_searches(*config, at / "searches", errors);
  const auto options = items(*config, "options");
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (value::text_of(options[i], "name").empty())
      errors.push_back(FieldError::required(at / "options" / i, "must not be empty"));
  }
}

void check_host_aliases(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const auto aliases = items(spec, "hostAliases");
  for (std::size_t i = 0; i < aliases.size(); ++i) {
    check_ip(value::text_of(aliases[i], "ip"), at / i / "ip", {}, errors);
    const auto names = items(aliases[i], "hostnames");
    for (std::size_t j = 0; j < names.size(); ++j) {
      const std::string_view name = value::text_of(names[j]);
      add_all_invalid(meta::check_dns1123_subdomain(name), name, at / i / "hostnames" / j, errors);
    }
  }
}

// --- gates

void check_readiness_gates(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const auto gates = items(spec, "readinessGates");
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::string_view type = value::text_of(gates[i], "conditionType");
    add_all_invalid(meta::check_qualified_name(type), type, at / i / "conditionType", errors);
  }
}

void check_scheduling_gates(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  std::unordered_set<std::string_view> names;
  const auto gates = items(spec, "schedulingGates");
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::string_view name = value::text_of(gates[i], "name");
    add_all_invalid(meta::check_qualified_name(name), name, at / i, errors);
    if (!names.insert(name).second)
      errors.push_back(FieldError::duplicate(at / i, Value::string(name)));
  }
}

// --- the spec, in the order of kube-apiserver 1.36

void check_policies(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  check_required_choice(spec, "restartPolicy", {"Always", "OnFailure", "Never"}, at, errors);
  check_required_choice(spec, "dnsPolicy",
                        {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"}, at, errors);
}

void check_names(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  check_optional_text(spec, "serviceAccountName", meta::check_dns1123_subdomain, at, errors);
  check_optional_text(spec, "nodeName", meta::check_dns1123_subdomain, at, errors);
  check_number_range(spec, "activeDeadlineSeconds", 1, kMaxInt32, at, errors);
  check_optional_text(spec, "hostname", meta::check_dns1123_label, at, errors);
  check_optional_text(spec, "subdomain", meta::check_dns1123_label, at, errors);
}

void check_classes(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  check_optional_text(spec, "priorityClassName", meta::check_dns1123_subdomain, at, errors);
  if (member(spec, "runtimeClassName") != nullptr) {
    const std::string_view name = value::text_of(spec, "runtimeClassName");
    add_all_invalid(meta::check_dns1123_subdomain(name), name, at / "runtimeClassName", errors);
  }
  if (member(spec, "preemptionPolicy") != nullptr) {
    check_required_choice(spec, "preemptionPolicy", {"PreemptLowerPriority", "Never"}, at, errors);
  }
}

void check_scheduling(const Value& spec, const PodAllowances& allowed, const FieldPath& at,
                      FieldErrors& errors) {
  check_affinity_of_pod(spec.get("affinity"), allowed, at / "affinity", errors);
  check_dns_config(spec, at / "dnsConfig", errors);
  check_readiness_gates(spec, at / "readinessGates", errors);
  check_scheduling_gates(spec, at / "schedulingGates", errors);
  check_topology_spread(spec, allowed, at / "topologySpreadConstraints", errors);
}

// `metadata` is null in a template.
void check_whole_spec(const Value& spec, const Value* metadata, const PodAllowances& allowed,
                      const FieldPath& at, FieldErrors& errors) {
  if (member(spec, "terminationGracePeriodSeconds") == nullptr)
    errors.push_back(FieldError::required(at / "terminationGracePeriodSeconds"));
  PodScope pod = scope_of(spec, allowed, metadata != nullptr);
  check_volumes(pod, metadata, at / "volumes", errors);
  check_pod_resource_claims(spec, metadata, at / "resourceClaims", errors);
  check_containers(pod, at, errors);
  check_pod_resources(pod, at, errors);
  check_host_network_ports(pod, at, errors);
  check_policies(spec, at, errors);
  check_labels(members(spec, "nodeSelector"), at / "nodeSelector", errors);
  check_pod_security_context(pod, at / "securityContext", errors);
  check_scheduling(spec, allowed, at, errors);
  check_host_processes(spec, at, errors);
  check_host_users(pod, at, errors);
  check_host_name_override(spec, at, errors);
  check_names(spec, at, errors);
  check_tolerations(items(spec, "tolerations"), allowed.comparing_tolerations, at / "tolerations",
                    errors);
  check_host_aliases(spec, at / "hostAliases", errors);
  check_classes(spec, at, errors);
  check_overhead_amounts(spec.get("overhead"), allowed.huge_page_remainders, at / "overhead",
                         errors);
  check_os(spec, at, errors);
  // schedulingGroup is behind a feature gate that is off: it was dropped.
  check_env_file_volumes(spec, at, errors);
}

// A token needs an account. In a template the account may be filled in later.
void check_tokens_of_pod(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  if (!value::text_of(spec, "serviceAccountName").empty()) return;
  const auto volumes = items(spec, "volumes");
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const auto sources = items(volumes[i].get("projected"), "sources");
    for (std::size_t j = 0; j < sources.size(); ++j) {
      if (member(sources[j], "serviceAccountToken") == nullptr) continue;
      errors.push_back(FieldError::forbidden(
          at / "volumes" / i / "projected" / "sources" / j / "serviceAccountToken",
          "must not be specified when serviceAccountName is not set"));
    }
  }
}

}  // namespace

void check_pod_spec(const Value& spec, const Value& metadata, const PodCheckOptions& options,
                    const FieldPath& at, FieldErrors& errors) {
  const PodAllowances allowed = allowances_of(options);
  if (options.in_template) return check_whole_spec(spec, nullptr, allowed, at, errors);
  check_pod_annotations(metadata, spec, allowed, FieldPath() / "metadata" / "annotations", errors);
  check_whole_spec(spec, &metadata, allowed, at, errors);
  check_tokens_of_pod(spec, at, errors);
  check_images_of_pod(spec, at, errors);
  if (options.old_spec == nullptr) check_profile_annotations_match(metadata, spec, at, errors);
}

void check_pod_template(const Value& pod_template, const PodCheckOptions& options,
                        const FieldPath& at, FieldErrors& errors) {
  const PodAllowances allowed = allowances_of(options);
  const Value& metadata = pod_template.get("metadata");
  const Value& spec = pod_template.get("spec");
  // Named without "metadata" by kube-apiserver 1.36.
  check_labels(members(metadata, "labels"), at / "labels", errors);
  errors.append(meta::validate_annotations(metadata.get("annotations"), at, "annotations"));
  check_pod_annotations(metadata, spec, allowed, at / "annotations", errors);
  check_whole_spec(spec, nullptr, allowed, at / "spec", errors);
  check_profile_annotations_match(metadata, spec, at / "spec", errors);
  if (!items(spec, "ephemeralContainers").empty()) {
    errors.push_back(FieldError::forbidden(at / "spec" / "ephemeralContainers",
                                           "ephemeral containers not allowed in pod template"));
  }
}

}  // namespace strake::kinds

#include "kinds/pods/pod_status_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/ip_fields.h"
#include "kinds/pods/container_status_checks.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

const FieldPath& at_pod_status() {
  static const FieldPath path = FieldPath() / "status";
  return path;
}

void check_observed_generation(const Value& holder, const FieldPath& at, FieldErrors& errors) {
  const std::int64_t generation = integer(holder, "observedGeneration");
  if (generation >= 0) return;
  errors.push_back(FieldError::invalid(at / "observedGeneration", Value::integer(generation),
                                       "must be a non-negative integer"));
}

void check_pod_conditions(const Value& status, FieldErrors& errors) {
  const auto conditions = items(status, "conditions");
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const FieldPath at = at_pod_status() / "conditions" / i;
    check_observed_generation(conditions[i], at, errors);
    const std::string_view type = value::text_of(conditions[i], "type");
    if (type == "PodScheduled" || type == "Ready" || type == "Initialized") continue;
    // Upper case there in kube-apiserver 1.36.
    add_messages(meta::check_qualified_name(type), type, at / "Type", errors);
  }
}

void check_nomination(const Value& status, const Value& old, FieldErrors& errors) {
  const std::string_view node = value::text_of(status, "nominatedNodeName");
  if (node.empty() || node == text_of(old, {"status", "nominatedNodeName"})) return;
  const FieldPath at = at_pod_status() / "nominatedNodeName";
  add_messages(meta::name_is_dns_subdomain(node, false), node, at, errors);
  if (!text_of(old, {"spec", "nodeName"}).empty()) {
    errors.push_back(
        FieldError::forbidden(at, "may not be set on pods that are already bound to a node"));
  }
}

// --- addresses

// [{"IP":"10.1.1.1"}], as Go shows the list.
std::string show_ips(std::span<const Value> ips) {
  static constexpr GoField kFields[] = {{"ip", "IP"}};
  std::string out;
  for (const Value& one : ips) {
    out += out.empty() ? "[" : ",";
    out += show_go_struct(&one, kFields);
  }
  return out + "]";
}

// More than one must be one of each family.
void check_families(std::span<const Value> ips, const FieldPath& at, FieldErrors& errors) {
  if (ips.size() < 2) return;
  std::set<std::string_view> families;
  for (std::size_t i = 0; i < ips.size(); ++i) {
    const std::string_view ip = value::text_of(ips[i], "ip");
    const std::string_view family = ip_family(ip);
    if (family.empty()) {
      errors.push_back(FieldError::internal(
          at, fmt::format("failed to check for dual stack with error:invalid IP[{}]: {}", i, ip)));
      families.clear();
      break;
    }
    families.insert(family);
  }
  if (families.size() == 2 && ips.size() == 2) return;
  errors.push_back({.type = FieldError::Type::kInvalid,
                    .path = at,
                    .shown = show_ips(ips),
                    .detail = "may specify no more than one IP for each IP family"});
}

void check_ips(const Value& status, const Value& old_status, std::string_view key,
               FieldErrors& errors) {
  const auto ips = items(status, key);
  std::vector<Value> good;
  for (const Value& one : items(old_status, key)) good.push_back(one.get("ip"));
  const FieldPath at = at_pod_status() / key;
  for (std::size_t i = 0; i < ips.size(); ++i)
    check_ip(value::text_of(ips[i], "ip"), at / i, good, errors);
  check_families(ips, at, errors);
}

void check_host_ips(const Value& status, const Value& old_status, FieldErrors& errors) {
  const auto ips = items(status, "hostIPs");
  if (ips.empty()) return;
  const std::string_view first = value::text_of(ips[0], "ip");
  if (value::text_of(status, "hostIP") != first) {
    errors.push_back(FieldError::invalid(at_pod_status() / "hostIPs" / 0 / "ip",
                                         Value::string(first), "must be equal to `hostIP`"));
  }
  check_ips(status, old_status, "hostIPs", errors);
}

// --- claims of devices

void check_claim_statuses(const Value& status, const Value& spec, FieldErrors& errors) {
  std::unordered_set<std::string_view> claims;
  for (const Value& one : items(spec, "resourceClaims")) claims.insert(value::text_of(one, "name"));
  std::unordered_set<std::string_view> seen;
  const auto statuses = items(status, "resourceClaimStatuses");
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    const FieldPath at = at_pod_status() / "resourceClaimStatuses" / i;
    const std::string_view name = value::text_of(statuses[i], "name");
    if (!claims.contains(name)) {
      errors.push_back(
          FieldError::invalid(at / "name", Value::string(name),
                              "must match the name of an entry in `spec.resourceClaims`"));
    }
    if (!seen.insert(name).second)
      errors.push_back(FieldError::duplicate(at / "name", Value::string(name)));
    if (const Value* claim = member(statuses[i], "resourceClaimName")) {
      const std::string_view text = value::text_of(*claim);
      add_messages(meta::name_is_dns_subdomain(text, false), text, at / "resourceClaimName",
                   errors);
    }
  }
}

using ContainersByName = std::unordered_map<std::string_view, const Value*>;

ContainersByName containers_by_name(const Value& spec) {
  ContainersByName out;
  for (const std::string_view key : {"initContainers", "containers"}) {
    for (const Value& one : items(spec, key)) out[value::text_of(one, "name")] = &one;
  }
  return out;
}

void check_request_mapping(const Value& mapping, const ContainersByName& containers,
                           const FieldPath& at, FieldErrors& errors) {
  const std::string_view container = value::text_of(mapping, "containerName");
  const std::string_view resource = value::text_of(mapping, "resourceName");
  const auto found = containers.find(container);
  if (found == containers.end()) {
    errors.push_back(FieldError::invalid(
        at / "containerName", Value::string(container),
        "must match the name of an entry in spec.initContainers.name or spec.containers.name"));
  } else if (found->second->get("resources").get("requests").find(resource) == nullptr) {
    errors.push_back(FieldError::invalid(
        at / "resourceName", Value::string(resource),
        "must match the extended resource name of an entry in "
        "spec.initContainers.resources.requests or spec.containers.resources.requests"));
  }
}

void check_extended_claim(const Value& status, const Value& spec, FieldErrors& errors) {
  const Value* claim = member(status, "extendedResourceClaimStatus");
  if (claim == nullptr) return;
  const FieldPath at = at_pod_status() / "extendedResourceClaimStatus";
  const FieldPath at_mappings = at / "requestMappings";
  const auto mappings = items(*claim, "requestMappings");
  if (mappings.empty()) {
    errors.push_back(FieldError::required(at_mappings, "at least one request mapping is required"));
  }
  const ContainersByName containers = containers_by_name(spec);
  std::set<std::array<std::string_view, 3>> seen;
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    check_request_mapping(mappings[i], containers, at_mappings / i, errors);
    const std::string_view request = value::text_of(mappings[i], "requestName");
    add_messages(meta::check_dns1123_label(request), request, at / "requestName", errors);
    constexpr std::array<std::string_view, 3> kKeys = {"containerName", "resourceName",
                                                       "requestName"};
    std::array<std::string_view, 3> key;
    for (std::size_t k = 0; k < kKeys.size(); ++k) key[k] = value::text_of(mappings[i], kKeys[k]);
    if (seen.insert(key).second) continue;
    for (std::size_t k = 0; k < kKeys.size(); ++k)
      errors.push_back(FieldError::duplicate(at_mappings / i / kKeys[k], Value::string(key[k])));
  }
  const std::string_view name = value::text_of(*claim, "resourceClaimName");
  if (name.empty()) {
    errors.push_back(FieldError::required(at / "resourceClaimName"));
  } else {
    add_messages(meta::name_is_dns_subdomain(name, false), name, at / "resourceClaimName", errors);
  }
}

}  // namespace

void check_pod_status(const Value& pod, const Value& old, FieldErrors& errors) {
  const Value& spec = pod.get("spec");
  const Value& status = pod.get("status");
  const Value& old_status = old.get("status");
  check_pod_conditions(status, errors);
  check_nomination(status, old, errors);
  check_observed_generation(status, at_pod_status(), errors);
  const std::string_view qos = value::text_of(status, "qosClass");
  if (qos != value::text_of(old_status, "qosClass")) {
    errors.push_back(FieldError::invalid(at_pod_status() / "qosClass", Value::string(qos),
                                         "field is immutable"));
  }
  check_restarts(status, old_status, old.get("spec"), at_pod_status(), errors);
  check_claim_statuses(status, spec, errors);
  check_extended_claim(status, spec, errors);
  check_ips(status, old_status, "podIPs", errors);
  check_host_ips(status, old_status, errors);
  check_container_statuses(status, spec, at_pod_status(), errors);
}

}  // namespace strake::kinds

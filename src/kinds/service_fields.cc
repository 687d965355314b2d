#include "kinds/service_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::size_t kMostClusterIps = 2;

const Value& spec_of(const Value& service) { return service.get("spec"); }

Value list_of(std::span<const Value> items) {
  // Shown only; a list of none is shown as null, as Go shows a nil slice.
  return items.empty() ? Value() : Value::array({const_cast<Value*>(items.data()), items.size()});
}

void check_families(std::span<const Value> families, const FieldPath& at, FieldErrors& errors) {
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < families.size(); ++i) {
    const std::string_view family = value::text_of(families[i]);
    if (family != kIpv4 && family != kIpv6)
      errors.push_back(not_supported(at / i, family, {kIpv4, kIpv6}));
    if (!seen.insert(family).second) errors.push_back(FieldError::duplicate(at / i, families[i]));
  }
}

// False when one of them is no address.
bool check_addresses(const ServiceFields& service, const ServiceFields* old, const FieldPath& at,
                     FieldErrors& errors) {
  const std::span<const Value> good = old != nullptr ? old->cluster_ips : std::span<const Value>();
  bool fine = true;
  for (std::size_t i = 0; i < service.cluster_ips.size(); ++i) {
    const std::string_view ip = value::text_of(service.cluster_ips[i]);
    if (i == 0 && ip == kNoClusterIp) {
      if (service.cluster_ips.size() == 1) continue;
      errors.push_back(FieldError::invalid(at, list_of(service.cluster_ips),
                                           "'None' must be the first and only value"));
      fine = false;
    } else if (!check_ip(ip, at / i, good, errors)) {
      fine = false;
    }
  }
  return fine;
}

void check_stacks(const ServiceFields& service, const FieldPath& at, FieldErrors& errors) {
  const std::span<const Value> ips = service.cluster_ips;
  bool repeated = false;
  for (std::size_t i = 1; i < ips.size() && !repeated; ++i) {
    const std::string_view family = ip_family(value::text_of(ips[i]));
    repeated = std::ranges::any_of(ips.first(i), [&](const Value& before) {
      return ip_family(value::text_of(before)) == family;
    });
  }
  if (repeated || ips.size() > kMostClusterIps) {
    errors.push_back(FieldError::invalid(at, list_of(ips),
                                         "may specify no more than one IP for each IP family"));
  }
  if (service.is_headless()) return;
  for (std::size_t i = 0; i < std::min(ips.size(), service.families.size()); ++i) {
    const std::string_view family = value::text_of(service.families[i]);
    if ((family != kIpv4 && family != kIpv6) || ip_family(value::text_of(ips[i])) == family)
      continue;
    errors.push_back(FieldError::invalid(
        at / i, ips[i],
        fmt::format("expected an {} value as indicated by `ipFamilies[{}]`", family, i)));
  }
}

}  // namespace

ServiceFields::ServiceFields(const Value& service)
    : spec(spec_of(service)),
      type(text_of(spec, "type")),
      cluster_ip(text_of(spec, "clusterIP")),
      cluster_ips(items(spec, "clusterIPs")),
      families(items(spec, "ipFamilies")),
      family_policy(text_of(spec, "ipFamilyPolicy")),
      ports(items(spec, "ports")),
      external_traffic(text_of(spec, "externalTrafficPolicy")),
      health_check_port(integer(spec, "healthCheckNodePort")) {}

bool ServiceFields::is_headless() const {
  return cluster_ips.size() == 1 && value::text_of(cluster_ips[0]) == kNoClusterIp;
}

bool ServiceFields::wants_node_ports() const {
  if (type == "NodePort") return true;
  const Value* allocate = member(spec, "allocateLoadBalancerNodePorts");
  return is_load_balancer() && (allocate == nullptr || allocate->as_bool());
}

bool ServiceFields::is_externally_accessible() const {
  return has_node_ports() || (type == "ClusterIP" && !items(spec, "externalIPs").empty());
}

bool ServiceFields::has_selector() const { return !members(spec, "selector").empty(); }

bool ServiceFields::same_cluster_ips(const ServiceFields& other) const {
  return same_texts(cluster_ips, other.cluster_ips);
}

bool ServiceFields::same_families(const ServiceFields& other) const {
  return same_texts(families, other.families);
}

bool same_texts(std::span<const Value> a, std::span<const Value> b) {
  return std::ranges::equal(a, b, [](const Value& one, const Value& other) {
    return value::text_of(one) == value::text_of(other);
  });
}

void check_cluster_ip_fields(const ServiceFields& service, const ServiceFields* old,
                             FieldErrors& errors) {
  if (service.is_external_name()) return;
  const FieldPath at_spec = FieldPath() / "spec";
  const FieldPath at = at_spec / "clusterIPs";
  if (service.cluster_ip.empty()) {
    if (!service.cluster_ips.empty()) {
      errors.push_back(FieldError::invalid(at, list_of(service.cluster_ips),
                                           "must be empty when `clusterIP` is not specified"));
    }
  } else if (service.cluster_ips.empty()) {
    errors.push_back(FieldError::required(at));
  } else if (value::text_of(service.cluster_ips[0]) != service.cluster_ip) {
    errors.push_back(FieldError::invalid(at, list_of(service.cluster_ips),
                                         "first value must match `clusterIP`"));
  }
  check_families(service.families, at_spec / "ipFamilies", errors);
  check_one_of(service.spec, "ipFamilyPolicy", {"PreferDualStack", kRequireDualStack, kSingleStack},
               at_spec, errors);
  const bool fine = check_addresses(service, old, at, errors);
  if (service.cluster_ips.size() > kMostClusterIps) {
    errors.push_back(
        FieldError::invalid(at, list_of(service.cluster_ips), "may only hold up to 2 values"));
  }
  // What is no address has no family.
  if (fine) check_stacks(service, at, errors);
}

}  // namespace strake::kinds

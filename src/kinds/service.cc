// Services. What they are given, cluster IPs and node ports, has been picked before they come here
// (service_addresses.h).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/quote.h"
#include "base/trim.h"
#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/service_fields.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::string_view kTopologyHints = "service.kubernetes.io/topology-aware-hints";
constexpr std::string_view kTopologyMode = "service.kubernetes.io/topology-mode";
constexpr std::string_view kSourceRanges = "service.beta.kubernetes.io/load-balancer-source-ranges";
constexpr std::int64_t kAffinitySeconds = 10'800;
constexpr std::int64_t kMostAffinitySeconds = 86'400;
constexpr std::string_view kOnlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'";

const FieldPath& at_spec() {
  static const FieldPath path = FieldPath() / "spec";
  return path;
}

FieldPath at_annotation(std::string_view name) {
  return (FieldPath() / "metadata" / "annotations").key(name);
}

const Value* annotation(const Value& object, std::string_view name) {
  const Value* annotations = meta::ObjectMeta::of(object).annotations();
  return annotations != nullptr ? annotations->find(name) : nullptr;
}

// A list as it is shown: none is null, as Go shows it.
const Value& shown(const Value& spec, std::string_view key) { return spec.get(key); }

// --- defaults

void default_affinity(Value& spec, Arena& arena) {
  if (text_of(spec, "sessionAffinity").empty())
    spec.set("sessionAffinity", Value::string("None"), arena);
  const std::string_view affinity = text_of(spec, "sessionAffinity");
  if (affinity == "None") spec.remove("sessionAffinityConfig");
  if (affinity != "ClientIP" ||
      member(spec, {"sessionAffinityConfig", "clientIP", "timeoutSeconds"}) != nullptr) {
    return;
  }
  Value client = Value::object({});
  client.set("timeoutSeconds", Value::integer(kAffinitySeconds), arena);
  Value config = Value::object({});
  config.set("clientIP", client, arena);
  spec.set("sessionAffinityConfig", config, arena);
}

bool is_unset(const Value* port) {
  if (port == nullptr) return true;
  return port->is_string() ? port->as_string().empty() : port->as_int() == 0;
}

void default_ports(Value& spec, Arena& arena) {
  Value* ports = spec.find("ports");
  if (ports == nullptr || !ports->is_array()) return;
  for (Value& port : ports->mutable_items()) {
    if (!port.is_object()) continue;
    if (text_of(port, "protocol").empty()) port.set("protocol", Value::string("TCP"), arena);
    if (is_unset(member(port, "targetPort")))
      port.set("targetPort", Value::integer(integer(port, "port")), arena);
  }
}

void default_traffic(Value& object, Value& spec, Arena& arena) {
  const ServiceFields service(object);
  const bool accessible = service.is_externally_accessible();
  const bool internal = service.has_node_ports() || service.type == "ClusterIP";
  const bool balanced = service.is_load_balancer();
  if (accessible && service.external_traffic.empty())
    spec.set("externalTrafficPolicy", Value::string("Cluster"), arena);
  if (internal && member(spec, "internalTrafficPolicy") == nullptr)
    spec.set("internalTrafficPolicy", Value::string("Cluster"), arena);
  if (balanced && member(spec, "allocateLoadBalancerNodePorts") == nullptr)
    spec.set("allocateLoadBalancerNodePorts", Value::boolean(true), arena);
}

void default_ingress(Value& object, Arena& arena) {
  Value* status = object.find("status");
  Value* balancer = status != nullptr ? status->find("loadBalancer") : nullptr;
  Value* ingress = balancer != nullptr ? balancer->find("ingress") : nullptr;
  if (ingress == nullptr || !ingress->is_array()) return;
  for (Value& one : ingress->mutable_items()) {
    if (!text_of(one, "ip").empty() && member(one, "ipMode") == nullptr)
      one.set("ipMode", Value::string("VIP"), arena);
  }
}

// --- what an update wipes

bool same_node_ports(const ServiceFields& service, const ServiceFields& old) {
  std::set<std::int64_t> before;
  for (const Value& port : old.ports) before.insert(integer(port, "nodePort"));
  return std::ranges::all_of(service.ports, [&](const Value& port) {
    const std::int64_t number = integer(port, "nodePort");
    return number == 0 || before.contains(number);
  });
}

// The type says which fields make sense. A client that changes it and leaves the others as they
// were means the type; one that changed them too is told.
void wipe_dependent_fields(Value& object, const Value& stored, Arena& arena) {
  Value* spec = object.find("spec");
  if (spec == nullptr || !spec->is_object()) return;
  const ServiceFields old(stored);
  const ServiceFields service(object);
  std::vector<std::string_view> wiped;
  if (old.needs_cluster_ip() && !service.needs_cluster_ip()) {
    if (service.cluster_ip == old.cluster_ip && service.same_cluster_ips(old)) {
      wiped.emplace_back("clusterIP");
      wiped.emplace_back("clusterIPs");
    }
    if (service.same_families(old)) wiped.emplace_back("ipFamilies");
    if (same_member(service.spec, old.spec, "ipFamilyPolicy")) wiped.emplace_back("ipFamilyPolicy");
  }
  const bool wipes_ports =
      old.has_node_ports() && !service.has_node_ports() && same_node_ports(service, old);
  const auto if_same = [&](bool applies, std::string_view key) {
    if (applies && same_member(service.spec, old.spec, key)) wiped.push_back(key);
  };
  if_same(old.needs_health_check() && !service.needs_health_check(), "healthCheckNodePort");
  const bool unbalanced = old.is_load_balancer() && !service.is_load_balancer();
  if_same(unbalanced, "allocateLoadBalancerNodePorts");
  if_same(unbalanced, "loadBalancerClass");
  if_same(old.is_externally_accessible() && !service.is_externally_accessible(),
          "externalTrafficPolicy");
  const bool balanced = service.is_load_balancer();

  for (const std::string_view key : wiped) spec->remove(key);
  if (Value* ports = spec->find("ports"); wipes_ports && ports != nullptr) {
    for (Value& port : ports->mutable_items()) port.remove("nodePort");
  }
  if (!balanced) object.object_at("status", arena).set("loadBalancer", Value::object({}), arena);
}

// --- checks

void check_annotations(const Value& object, FieldErrors& errors) {
  const Value* hints = annotation(object, kTopologyHints);
  const Value* mode = annotation(object, kTopologyMode);
  if (hints == nullptr || mode == nullptr || value::text_of(*hints) == value::text_of(*mode))
    return;
  errors.push_back(FieldError::invalid(
      at_annotation(kTopologyMode), *mode,
      fmt::format("must match annotations[{}] when both are specified", kTopologyHints)));
}

void check_external_name(const ServiceFields& service, FieldErrors& errors) {
  const auto forbid = [&](std::string_view key) {
    errors.push_back(
        FieldError::forbidden(at_spec() / key, "may not be set for ExternalName services"));
  };
  if (!service.cluster_ips.empty()) forbid("clusterIPs");
  if (!service.families.empty()) forbid("ipFamilies");
  if (member(service.spec, "ipFamilyPolicy") != nullptr) forbid("ipFamilyPolicy");
  std::string_view name = text_of(service.spec, "externalName");
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.empty()) {
    errors.push_back(FieldError::required(at_spec() / "externalName"));
  } else {
    add_messages(meta::check_dns1123_subdomain(name), name, at_spec() / "externalName", errors);
  }
}

void check_type(const ServiceFields& service, FieldErrors& errors) {
  if (service.ports.empty() && !service.is_headless() && !service.is_external_name())
    errors.push_back(FieldError::required(at_spec() / "ports"));
  if (service.has_node_ports() && service.is_headless()) {
    errors.push_back(
        FieldError::invalid(at_spec() / "clusterIPs" / 0, service.cluster_ips[0],
                            fmt::format("may not be set to 'None' for {} services", service.type)));
  }
  if (service.is_external_name()) check_external_name(service, errors);
  check_one_of(service.spec, "type", {"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"},
               at_spec(), errors);
}

// A port as it is shown when it stands there twice: what does not tell it from the first is left
// out.
std::string shown_port(const Value& port) {
  return fmt::format(
      R"({{"Name":"","Protocol":{},"AppProtocol":null,"Port":{},"TargetPort":0,"NodePort":0}})",
      quote(text_of(port, "protocol")), integer(port, "port"));
}

void check_ports(const ServiceFields& service, FieldErrors& errors) {
  std::set<std::string_view> names;
  std::set<std::pair<std::string_view, std::int64_t>> node_ports;
  std::set<std::pair<std::string_view, std::int64_t>> numbers;
  for (std::size_t i = 0; i < service.ports.size(); ++i) {
    const Value& port = service.ports[i];
    const FieldPath at = at_spec() / "ports" / i;
    const std::string_view name = text_of(port, "name");
    if (name.empty()) {
      if (service.ports.size() > 1) errors.push_back(FieldError::required(at / "name"));
    } else {
      add_messages(meta::check_dns1123_label(name), name, at / "name", errors);
      if (!names.insert(name).second)
        errors.push_back(FieldError::duplicate(at / "name", Value::string(name)));
    }
    const std::int64_t number = integer(port, "port");
    for (const std::string& message : meta::check_port(number))
      errors.push_back(FieldError::invalid(at / "port", Value::integer(number), message));
    check_protocol(port, at, errors);
    check_port_or_name(port.get("targetPort"), at / "targetPort", errors);
    if (const Value* protocol = member(port, "appProtocol")) {
      const std::string_view text = value::text_of(*protocol);
      add_messages(meta::check_qualified_name(text), text, at / "appProtocol", errors);
    }
    const std::string_view protocol = text_of(port, "protocol");
    if (const std::int64_t node_port = integer(port, "nodePort"); node_port != 0) {
      if (service.type == "ClusterIP") {
        errors.push_back(
            FieldError::forbidden(at / "nodePort", "may not be used when `type` is 'ClusterIP'"));
      }
      if (!node_ports.emplace(protocol, node_port).second)
        errors.push_back(FieldError::duplicate(at / "nodePort", Value::integer(node_port)));
    }
    if (!numbers.emplace(protocol, number).second) {
      errors.push_back(FieldError{.type = FieldError::Type::kDuplicate,
                                  .path = at,
                                  .shown = shown_port(port),
                                  .detail = {},
                                  .first = std::nullopt});
    }
  }
}

void check_affinity(const Value& spec, FieldErrors& errors) {
  check_one_of(spec, "sessionAffinity", {"ClientIP", "None"}, at_spec(), errors);
  const std::string_view affinity = text_of(spec, "sessionAffinity");
  const Value* seconds = member(spec, {"sessionAffinityConfig", "clientIP", "timeoutSeconds"});
  if (affinity != "ClientIP" || seconds == nullptr) return;
  if (seconds->as_int() > 0 && seconds->as_int() <= kMostAffinitySeconds) return;
  errors.push_back(
      FieldError::invalid(at_spec() / "sessionAffinityConfig" / "clientIP" / "timeoutSeconds",
                          *seconds, "must be greater than 0 and less than 86400"));
}

void check_external_ips(const ServiceFields& service, const Value* old, FieldErrors& errors) {
  const auto ips = items(service.spec, "externalIPs");
  const auto before =
      old != nullptr ? items(old->get("spec"), "externalIPs") : std::span<const Value>();
  for (std::size_t i = 0; i < ips.size(); ++i) {
    const std::string_view ip = value::text_of(ips[i]);
    const FieldPath at = at_spec() / "externalIPs" / i;
    if (check_ip(ip, at, before, errors)) check_endpoint_ip(ip, at, errors);
  }
}

// Networks that may reach a load balancer, from the field or, when it is empty, the annotation that
// came before it.
void check_source_ranges(const Value& object, const ServiceFields& service, const Value* old,
                         FieldErrors& errors) {
  const auto ranges = items(service.spec, "loadBalancerSourceRanges");
  const Value* noted = annotation(object, kSourceRanges);
  if (ranges.empty() && noted == nullptr) return;
  // The field's name is upper case there in kube-apiserver 1.36.
  const FieldPath at =
      ranges.empty() ? at_annotation(kSourceRanges) : at_spec() / "LoadBalancerSourceRanges";
  if (!service.is_load_balancer())
    errors.push_back(FieldError::forbidden(at, std::string(kOnlyForLoadBalancers)));
  if (!ranges.empty()) {
    std::set<std::string_view> before;
    if (old != nullptr) {
      for (const Value& one : items(old->get("spec"), "loadBalancerSourceRanges"))
        before.insert(trim(value::text_of(one)));
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const std::string_view range = trim(value::text_of(ranges[i]));
      if (!before.contains(range)) check_cidr(range, at / i, errors);
    }
    return;
  }
  const Value* noted_before = old != nullptr ? annotation(*old, kSourceRanges) : nullptr;
  std::string_view rest = trim(value::text_of(*noted));
  if (rest.empty() ||
      (noted_before != nullptr && value::text_of(*noted_before) == value::text_of(*noted))) {
    return;
  }
  while (true) {
    const std::size_t comma = rest.find(',');
    check_cidr(trim(rest.substr(0, comma)), at, errors);
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

void check_load_balancer(const ServiceFields& service, FieldErrors& errors) {
  const bool balanced = service.is_load_balancer();
  const auto forbid = [&](std::string_view key) {
    errors.push_back(FieldError::forbidden(at_spec() / key, std::string(kOnlyForLoadBalancers)));
  };
  if (!balanced && member(service.spec, "allocateLoadBalancerNodePorts") != nullptr)
    forbid("allocateLoadBalancerNodePorts");
  const Value* name = member(service.spec, "loadBalancerClass");
  if (name == nullptr) return;
  if (!balanced) return forbid("loadBalancerClass");
  const std::string_view text = value::text_of(*name);
  add_messages(meta::check_qualified_name(text), text, at_spec() / "loadBalancerClass", errors);
}

void check_traffic(const ServiceFields& service, FieldErrors& errors) {
  if (service.is_externally_accessible()) {
    check_one_of(service.spec, "externalTrafficPolicy", {"Cluster", "Local"}, at_spec(), errors);
  } else if (!service.external_traffic.empty()) {
    errors.push_back(FieldError::invalid(at_spec() / "externalTrafficPolicy",
                                         Value::string(service.external_traffic),
                                         "may only be set for externally-accessible services"));
  }
  const FieldPath at_check = at_spec() / "healthCheckNodePort";
  const Value port = Value::integer(service.health_check_port);
  if (service.needs_health_check()) {
    if (service.health_check_port == 0) {
      errors.push_back(FieldError::required(at_check));
    } else {
      for (const std::string& message : meta::check_port(service.health_check_port))
        errors.push_back(FieldError::invalid(at_check, port, message));
    }
  } else if (service.health_check_port != 0) {
    errors.push_back(FieldError::invalid(
        at_check, port,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
  }
  check_one_of(service.spec, "internalTrafficPolicy", {"Cluster", "Local"}, at_spec(), errors);
  check_one_of(service.spec, "trafficDistribution",
               {"PreferClose", "PreferSameZone", "PreferSameNode"}, at_spec(), errors);
}

// --- what may change

constexpr std::string_view kMayNotChange = "may not change once set";

std::string_view first_text(std::span<const Value> list) { return value::text_of(list[0]); }

// Cluster IPs, or families: the first one stays, a second one may come, and may go when the policy
// says so.
struct Stacks {
  std::span<const Value> now;
  std::span<const Value> before;
  std::string_view what;  // "clusterIP", as in messages
};

void check_first_stays(const ServiceFields& service, const Stacks& stacks, const FieldPath& at,
                       const Value& shown_now, FieldErrors& errors) {
  if (stacks.now.size() < stacks.before.size()) {
    if (service.cluster_ips.empty()) {
      errors.push_back(FieldError::invalid(
          at / 0, shown_now, fmt::format("primary {} can not be unset", stacks.what)));
    }
    if (stacks.now.size() == 1 && service.family_policy != kSingleStack) {
      errors.push_back(FieldError::invalid(
          at_spec() / "ipFamilyPolicy", service.spec.get("ipFamilyPolicy"),
          fmt::format("must be set to 'SingleStack' when releasing the secondary {}",
                      stacks.what)));
    }
  }
  if (stacks.now.empty() || stacks.before.empty() ||
      first_text(stacks.now) == first_text(stacks.before)) {
    return;
  }
  // Those of families are shown as the cluster IPs in kube-apiserver 1.36.
  errors.push_back(
      FieldError::invalid(at / 0, shown(service.spec, "clusterIPs"), std::string(kMayNotChange)));
}

void check_stacks_stay(const ServiceFields& service, const ServiceFields& old,
                       FieldErrors& errors) {
  if (service.is_external_name() || old.is_external_name()) return;
  const bool both_headless = service.is_headless() && old.is_headless();
  if (both_headless) return;
  const FieldPath at_ips = at_spec() / "clusterIPs";
  if (service.cluster_ips.size() == old.cluster_ips.size()) {
    for (std::size_t i = 0; i < old.cluster_ips.size(); ++i) {
      if (value::text_of(service.cluster_ips[i]) == value::text_of(old.cluster_ips[i])) continue;
      errors.push_back(FieldError::invalid(at_ips / i, shown(service.spec, "clusterIPs"),
                                           std::string(kMayNotChange)));
    }
  } else {
    check_first_stays(service, {service.cluster_ips, old.cluster_ips, "clusterIP"}, at_ips,
                      shown(service.spec, "clusterIPs"), errors);
  }
  if (service.is_headless() != old.is_headless()) return;
  const FieldPath at_families = at_spec() / "ipFamilies";
  if (service.families.size() == old.families.size()) {
    for (std::size_t i = 0; i < old.families.size(); ++i) {
      if (value::text_of(service.families[i]) == value::text_of(old.families[i])) continue;
      errors.push_back(FieldError::invalid(at_families / 0, shown(service.spec, "ipFamilies"),
                                           std::string(kMayNotChange)));
    }
  } else {
    check_first_stays(service, {service.families, old.families, "ipFamily"}, at_families,
                      shown(service.spec, "ipFamilies"), errors);
  }
}

void check_unchanged(const ServiceFields& service, const ServiceFields& old, FieldErrors& errors) {
  check_stacks_stay(service, old, errors);
  if (service.is_load_balancer() && old.is_load_balancer() &&
      !same_member(service.spec, old.spec, "loadBalancerClass")) {
    errors.push_back(FieldError::invalid(at_spec() / "loadBalancerClass",
                                         service.spec.get("loadBalancerClass"),
                                         std::string(kMayNotChange)));
  }
  if (service.needs_health_check() && old.needs_health_check() &&
      service.health_check_port != old.health_check_port) {
    errors.push_back(
        FieldError::forbidden(at_spec() / "healthCheckNodePort", "field is immutable"));
  }
}

// --- status

std::span<const Value> ingress_of(const Value& object) {
  return items(object.get("status").get("loadBalancer"), "ingress");
}

void check_ingress(const Value& ingress, std::span<const Value> good, const FieldPath& at,
                   FieldErrors& errors) {
  const std::string_view ip = text_of(ingress, "ip");
  if (!ip.empty()) check_ip(ip, at / "ip", good, errors);
  if (const Value* mode = member(ingress, "ipMode"); mode == nullptr) {
    if (!ip.empty()) {
      errors.push_back(FieldError::required(at / "ipMode", "must be specified when `ip` is set"));
    }
  } else if (ip.empty()) {
    errors.push_back(
        FieldError::forbidden(at / "ipMode", "may not be specified when `ip` is not set"));
  } else {
    check_text_is_one_of(value::text_of(*mode), {"Proxy", "VIP"}, at / "ipMode", errors);
  }
  const std::string_view host = text_of(ingress, "hostname");
  if (host.empty()) return;
  add_messages(meta::check_dns1123_subdomain(host), host, at / "hostname", errors);
  if (parse_ip_address_sloppily(host)) {
    errors.push_back(FieldError::invalid(at / "hostname", Value::string(host),
                                         "must be a DNS name, not an IP address"));
  }
}

// --- what is shown

std::string joined(std::span<const Value> texts) {
  std::string out;
  for (const Value& one : texts) {
    if (!out.empty()) out += ',';
    out += value::text_of(one);
  }
  return out;
}

std::string shown_ingress(const Value& object) {
  std::set<std::string_view> all;
  for (const Value& one : ingress_of(object)) {
    const std::string_view ip = text_of(one, "ip");
    const std::string_view shown = ip.empty() ? text_of(one, "hostname") : ip;
    if (!shown.empty()) all.insert(shown);
  }
  return fmt::format("{}", fmt::join(all, ","));
}

std::string shown_external_ip(const Value& object, const ServiceFields& service) {
  if (service.is_external_name()) return std::string(text_of(service.spec, "externalName"));
  const std::string own = joined(items(service.spec, "externalIPs"));
  if (!service.is_load_balancer()) return own.empty() ? "<none>" : own;
  const std::string ingress = shown_ingress(object);
  if (own.empty() || ingress.empty())
    return !own.empty() ? own : ingress.empty() ? "<pending>" : ingress;
  return ingress + "," + own;
}

std::string shown_ports(const ServiceFields& service) {
  std::string out;
  for (const Value& port : service.ports) {
    if (!out.empty()) out += ',';
    out += fmt::format("{}", integer(port, "port"));
    if (const std::int64_t node_port = integer(port, "nodePort"); node_port > 0)
      out += fmt::format(":{}", node_port);
    out += fmt::format("/{}", text_of(port, "protocol"));
  }
  return out.empty() ? "<none>" : out;
}

std::string shown_selector(const ServiceFields& service) {
  std::string out;
  for (const Member& label : members(service.spec, "selector"))
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", label.key, value::text_of(label.value));
  return out.empty() ? "<none>" : out;
}

std::vector<Column> service_columns() {
  const auto column = [](std::string name, std::string description, std::int32_t priority = 0) {
    return Column{.name = std::move(name),
                  .type = "string",
                  .format = {},
                  .description = std::move(description),
                  .priority = priority,
                  .json_path = {}};
  };
  return {name_column(),
          column("Type",
                 "How the service is reached: ClusterIP, NodePort, LoadBalancer or "
                 "ExternalName."),
          column("Cluster-IP", "The address of the service inside of the cluster."),
          column("External-IP", "Addresses of the service outside of the cluster."),
          column("Port(s)", "The ports of the service, with their node ports."),
          age_column(),
          column("Selector", "The labels of the pods behind the service.", 1)};
}

class ServiceStrategy final : public BuiltinStrategy {
 public:
  ServiceStrategy() : BuiltinStrategy("io.k8s.api.core.v1.Service") {
    set_columns(service_columns());
  }

  meta::Messages check_name(std::string_view name, bool prefix) const override {
    return meta::name_is_dns_label(name, prefix);
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = object.object_at("spec", arena);
    default_affinity(spec, arena);
    if (text_of(spec, "type").empty()) spec.set("type", Value::string("ClusterIP"), arena);
    default_ports(spec, arena);
    default_traffic(object, spec, arena);
    if (text_of(spec, "type") == "LoadBalancer") default_ingress(object, arena);
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    Value status = Value::object({});
    status.set("loadBalancer", Value::object({}), arena);
    object.set("status", status, arena);
  }
  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    keep_member(object, old, "status", arena);
    wipe_dependent_fields(object, old, arena);
  }
  // It means nothing for a service that is a name elsewhere.
  void after_accept(Value& object, Arena&) const override {
    Value* spec = object.find("spec");
    if (spec != nullptr && text_of(*spec, "type") == "ExternalName")
      spec->remove("internalTrafficPolicy");
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check(object, nullptr, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_unchanged(ServiceFields(object), ServiceFields(old), errors);
    check(object, &old, errors);
    return errors;
  }
  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const FieldPath at = FieldPath() / "status" / "loadBalancer" / "ingress";
    const auto ingress = ingress_of(object);
    if (!ServiceFields(object).is_load_balancer() && !ingress.empty()) {
      errors.push_back(
          FieldError::forbidden(at, "may only be used when `spec.type` is 'LoadBalancer'"));
      return errors;
    }
    std::vector<Value> good;
    for (const Value& one : ingress_of(old)) good.push_back(one.get("ip"));
    for (std::size_t i = 0; i < ingress.size(); ++i)
      check_ingress(ingress[i], good, at / i, errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override;
  std::vector<std::string> status_warnings(const Value& object, const Value&) const override {
    std::vector<std::string> out;
    const FieldPath at = FieldPath() / "status" / "loadBalancer" / "ingress";
    const auto ingress = ingress_of(object);
    for (std::size_t i = 0; i < ingress.size(); ++i)
      warn_of_ip(text_of(ingress[i], "ip"), at / i, out);
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const ServiceFields service(object);
    const auto text = [&](std::string_view one) { return Value::string(arena.copy(one)); };
    out = {name_cell(object),
           text(service.type),
           text(service.cluster_ips.empty() ? "<none>" : first_text(service.cluster_ips)),
           text(shown_external_ip(object, service)),
           text(shown_ports(service)),
           age_cell(object, now, arena),
           text(shown_selector(service))};
  }

  std::span<const std::string_view> field_labels() const override {
    static constexpr std::string_view kLabels[] = {"spec.clusterIP", "spec.type"};
    return kLabels;
  }
  std::string field(const Value& object, std::string_view label) const override {
    return std::string(text_of(object.get("spec"), label.substr(label.find('.') + 1)));
  }

 private:
  static void check(const Value& object, const Value* old, FieldErrors& errors) {
    const ServiceFields service(object);
    std::optional<ServiceFields> before;
    if (old != nullptr) before.emplace(*old);
    check_annotations(object, errors);
    check_type(service, errors);
    check_ports(service, errors);
    check_labels(members(service.spec, "selector"), at_spec() / "selector", errors);
    check_affinity(service.spec, errors);
    check_cluster_ip_fields(service, before ? &*before : nullptr, errors);
    check_external_ips(service, old, errors);
    check_source_ranges(object, service, old, errors);
    check_load_balancer(service, errors);
    check_traffic(service, errors);
  }
};

std::vector<std::string> ServiceStrategy::warnings(const Value& object, const Value*) const {
  std::vector<std::string> out;
  const ServiceFields service(object);
  const auto external = items(service.spec, "externalIPs");
  if (annotation(object, kTopologyHints) != nullptr) {
    out.push_back(fmt::format("annotation {} is deprecated, please use {} instead", kTopologyHints,
                              kTopologyMode));
  }
  if (service.needs_cluster_ip() && !service.is_headless()) {
    for (std::size_t i = 0; i < service.cluster_ips.size(); ++i)
      warn_of_ip(value::text_of(service.cluster_ips[i]), at_spec() / "clusterIPs" / i, out);
  }
  const bool headless = service.type == "ClusterIP" && service.cluster_ip == kNoClusterIp;
  if (headless) {
    if (!text_of(service.spec, "loadBalancerIP").empty())
      out.emplace_back("spec.loadBalancerIP is ignored for headless services");
    if (!external.empty()) out.emplace_back("spec.externalIPs is ignored for headless services");
    if (text_of(service.spec, "sessionAffinity") != "None")
      out.emplace_back("spec.SessionAffinity is ignored for headless services");
  }
  for (std::size_t i = 0; i < external.size(); ++i)
    warn_of_ip(value::text_of(external[i]), at_spec() / "externalIPs" / i, out);
  if (!external.empty() && !headless && !service.is_external_name()) {
    out.emplace_back(
        "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  warn_of_ip(text_of(service.spec, "loadBalancerIP"), at_spec() / "loadBalancerIP", out);
  const auto ranges = items(service.spec, "loadBalancerSourceRanges");
  for (std::size_t i = 0; i < ranges.size(); ++i)
    warn_of_cidr(value::text_of(ranges[i]), at_spec() / "loadBalancerSourceRanges" / i, out);
  if (service.is_external_name() && !external.empty())
    out.emplace_back(R"(spec.externalIPs is ignored when spec.type is "ExternalName")");
  if (!service.is_external_name() && !text_of(service.spec, "externalName").empty())
    out.emplace_back(R"(spec.externalName is ignored when spec.type is not "ExternalName")");
  if (text_of(service.spec, "trafficDistribution") == "PreferClose") {
    out.emplace_back(
        R"(spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone")");
  }
  return out;
}

}  // namespace

const BuiltinStrategy& service_strategy() {
  static const ServiceStrategy& strategy = *new ServiceStrategy();
  return strategy;
}

}  // namespace strake::kinds

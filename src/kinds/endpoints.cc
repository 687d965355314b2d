// Endpoints of the core group, which EndpointSlices follow.
#include <fmt/format.h>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kEndpointsManager = "endpoints.kubernetes.io/managed-by";

// What a subset calls its addresses.
constexpr std::string_view kAddressLists[] = {"addresses", "notReadyAddresses"};

void check_address(const Value& address, const FieldPath& at, FieldErrors& errors) {
  const std::string_view ip = text_of(address, "ip");
  // Both say so when it is no address, as in kube-apiserver 1.36.
  check_ip(ip, at / "ip", {}, errors);
  check_endpoint_ip(ip, at / "ip", errors);
  if (const std::string_view host = text_of(address, "hostname"); !host.empty())
    add_messages(meta::check_dns1123_label(host), host, at / "hostname", errors);
  if (const Value* node = member(address, "nodeName")) {
    const std::string_view name = value::text_of(*node);
    add_messages(meta::check_dns1123_subdomain(name), name, at / "nodeName", errors);
  }
}

void check_port(const Value& port, bool needs_name, const FieldPath& at, FieldErrors& errors) {
  const std::string_view name = text_of(port, "name");
  if (!name.empty()) {
    add_messages(meta::check_dns1123_label(name), name, at / "name", errors);
  } else if (needs_name) {
    errors.push_back(FieldError::required(at / "name"));
  }
  const std::int64_t number = integer(port, "port");
  for (const std::string& message : meta::check_port(number))
    errors.push_back(FieldError::invalid(at / "port", Value::integer(number), message));
  check_protocol(port, at, errors);
  if (const Value* protocol = member(port, "appProtocol")) {
    const std::string_view text = value::text_of(*protocol);
    add_messages(meta::check_qualified_name(text), text, at / "appProtocol", errors);
  }
}

void check_subset(const Value& subset, const FieldPath& at, FieldErrors& errors) {
  if (items(subset, "addresses").empty() && items(subset, "notReadyAddresses").empty()) {
    errors.push_back(FieldError::required(at, "must specify `addresses` or `notReadyAddresses`"));
  }
  for (const std::string_view list : kAddressLists) {
    const auto addresses = items(subset, list);
    for (std::size_t i = 0; i < addresses.size(); ++i)
      check_address(addresses[i], at / list / i, errors);
  }
  const auto ports = items(subset, "ports");
  for (std::size_t i = 0; i < ports.size(); ++i)
    check_port(ports[i], ports.size() > 1, at / "ports" / i, errors);
}

// "10.0.0.1:80", or "[2001:db8::1]:80".
std::string shown_endpoint(std::string_view ip, std::int64_t port) {
  return ip.contains(':') ? fmt::format("[{}]:{}", ip, port) : fmt::format("{}:{}", ip, port);
}

// The first few, and how many there are beside them.
std::string shown_endpoints(const Value& object) {
  constexpr std::size_t kMostShown = 3;
  const auto subsets = items(object, "subsets");
  if (subsets.empty()) return "<none>";
  std::string out;
  std::size_t count = 0;
  const auto show = [&](const std::string& one) {
    if (count++ < kMostShown) out += (out.empty() ? "" : ",") + one;
  };
  for (const Value& subset : subsets) {
    const auto addresses = items(subset, "addresses");
    const auto ports = items(subset, "ports");
    for (const Value& port : ports) {
      for (const Value& address : addresses)
        show(shown_endpoint(text_of(address, "ip"), integer(port, "port")));
    }
    if (!ports.empty()) continue;
    for (const Value& address : addresses) show(std::string(text_of(address, "ip")));
  }
  if (count > kMostShown) out += fmt::format(" + {} more...", count - kMostShown);
  return out;
}

class EndpointsStrategy final : public BuiltinStrategy {
 public:
  EndpointsStrategy() : BuiltinStrategy("io.k8s.api.core.v1.Endpoints") {
    set_columns({name_column(),
                 {.name = "Endpoints",
                  .type = "string",
                  .description = "Addresses and ports of the service that are ready."},
                 age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* subsets = object.find("subsets");
    if (subsets == nullptr || !subsets->is_array()) return;
    for (Value& subset : subsets->mutable_items()) {
      Value* ports = subset.find("ports");
      if (ports == nullptr || !ports->is_array()) continue;
      for (Value& port : ports->mutable_items()) {
        if (port.is_object() && text_of(port, "protocol").empty())
          port.set("protocol", Value::string("TCP"), arena);
      }
    }
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const auto subsets = items(object, "subsets");
    for (std::size_t i = 0; i < subsets.size(); ++i)
      check_subset(subsets[i], FieldPath() / "subsets" / i, errors);
    return errors;
  }
  // What is stored stays good.
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    if (same_member(object, old, "subsets")) return {};
    return validate_create(object, request);
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    std::vector<std::string> out;
    const Value* labels = meta::ObjectMeta::of(object).labels();
    if (value::text_of(labels, kEndpointsManager) == "endpoint-controller") return out;
    const auto subsets = items(object, "subsets");
    for (std::size_t i = 0; i < subsets.size(); ++i) {
      for (const std::string_view list : kAddressLists) {
        const auto addresses = items(subsets[i], list);
        for (std::size_t j = 0; j < addresses.size(); ++j) {
          warn_of_ip(text_of(addresses[j], "ip"), FieldPath() / "subsets" / i / list / j / "ip",
                     out);
        }
      }
    }
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::string(arena.copy(shown_endpoints(object))),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& endpoints_strategy() {
  static const EndpointsStrategy& strategy = *new EndpointsStrategy();
  return strategy;
}

}  // namespace strake::kinds

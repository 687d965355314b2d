#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/ip_address.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/networking/strategies.h"
#include "meta/selectors.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// Both directions have the same form under names of their own.
struct Direction {
  std::string_view rules;
  std::string_view peers;
};
constexpr Direction kDirections[] = {{"ingress", "from"}, {"egress", "to"}};

// Calls see(peer, path) with the block of addresses of each peer that has one.
template <typename See>
void for_each_block(const Value& spec, const See& see) {
  for (const Direction& way : kDirections) {
    const auto rules = items(spec, way.rules);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const auto peers = items(rules[i], way.peers);
      for (std::size_t j = 0; j < peers.size(); ++j) {
        const Value* block = member(peers[j], "ipBlock");
        if (block != nullptr)
          see(*block, FieldPath() / "spec" / way.rules / i / way.peers / j / "ipBlock");
      }
    }
  }
}

// --- defaults

void default_protocols(Value& spec, Arena& arena) {
  for (const Direction& way : kDirections) {
    Value* rules = spec.find(way.rules);
    if (rules == nullptr || !rules->is_array()) continue;
    for (Value& rule : rules->mutable_items()) {
      Value* ports = rule.find("ports");
      if (ports == nullptr || !ports->is_array()) continue;
      for (Value& port : ports->mutable_items()) {
        if (port.is_object() && member(port, "protocol") == nullptr)
          port.set("protocol", Value::string("TCP"), arena);
      }
    }
  }
}

void default_types(Value& spec, Arena& arena) {
  if (!items(spec, "policyTypes").empty()) return;
  Value types = Value::array({});
  types.append(Value::string("Ingress"), arena);
  if (!items(spec, "egress").empty()) types.append(Value::string("Egress"), arena);
  spec.set("policyTypes", types, arena);
}

// --- checks

// What an update may keep although a new policy could not have it.
struct Kept {
  SelectorOptions selectors;
  std::unordered_set<std::string_view> networks;
};

Kept kept_of(const Value& old) {
  Kept out;
  const Value& spec = old.get("spec");
  FieldErrors errors;
  check_label_selector(spec.get("podSelector"), {}, {}, errors);
  out.selectors.allow_invalid_values = !errors.empty();
  for_each_block(spec, [&](const Value& block, const FieldPath&) {
    out.networks.insert(text_of(block, "cidr"));
    for (const Value& one : items(block, "except")) out.networks.insert(value::text_of(one));
  });
  return out;
}

void check_port(const Value& port, const FieldPath& at, FieldErrors& errors) {
  check_one_of(port, "protocol", {"TCP", "UDP", "SCTP"}, at, errors);
  const Value* number = member(port, "port");
  const Value* end = member(port, "endPort");
  if (number != nullptr) check_port_or_name(*number, at / "port", errors);
  if (end == nullptr) return;
  const auto refuse = [&](const Value& met, std::string detail) {
    errors.push_back(FieldError::invalid(at / "endPort", met, std::move(detail)));
  };
  if (number == nullptr) return refuse(*end, "may not be specified when `port` is not specified");
  if (number->is_string()) return refuse(*end, "may not be specified when `port` is non-numeric");
  // kube-apiserver 1.36 shows the other of the two.
  if (end->as_int() < number->as_int()) refuse(*number, "must be greater than or equal to `port`");
  check_port_or_name(*end, at / "endPort", errors);
}

bool is_strictly_within(const IpPrefix& inner, const IpPrefix& outer) {
  return inner.address.v4 == outer.address.v4 && outer.contains(inner.masked().address) &&
         outer.length < inner.length;
}

void check_block(const Value& block, const Kept& kept, const FieldPath& at, FieldErrors& errors) {
  const std::string_view text = text_of(block, "cidr");
  if (text.empty()) return errors.push_back(FieldError::required(at / "cidr"));
  if (!kept.networks.contains(text)) check_cidr(text, at / "cidr", errors);
  const auto network = parse_ip_prefix_sloppily(text);
  if (!network) return;
  const auto exceptions = items(block, "except");
  for (std::size_t i = 0; i < exceptions.size(); ++i) {
    const std::string_view one = value::text_of(exceptions[i]);
    if (!kept.networks.contains(one)) check_cidr(one, at / "except" / i, errors);
    const auto inner = parse_ip_prefix_sloppily(one);
    if (!inner || is_strictly_within(*inner, *network)) continue;
    errors.push_back(
        FieldError::invalid(at / "except" / i, exceptions[i], "must be a strict subset of `cidr`"));
  }
}

void check_peer(const Value& peer, const Kept& kept, const FieldPath& at, FieldErrors& errors) {
  std::size_t count = 0;
  for (const std::string_view key : {"podSelector", "namespaceSelector"}) {
    const Value* selector = member(peer, key);
    if (selector == nullptr) continue;
    ++count;
    check_label_selector(*selector, kept.selectors, at / key, errors);
  }
  const Value* block = member(peer, "ipBlock");
  if (block != nullptr) {
    check_block(*block, kept, at / "ipBlock", errors);
    if (count > 0) {
      errors.push_back(FieldError::forbidden(at, "may not specify both ipBlock and another peer"));
    }
  } else if (count == 0) {
    errors.push_back(FieldError::required(at, "must specify a peer"));
  }
}

void check_types(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const Value& list = spec.get("policyTypes");
  const auto types = list.items();
  if (types.size() > 2) {
    errors.push_back(FieldError::invalid(at, list, "may not specify more than two policyTypes"));
    return;
  }
  for (std::size_t i = 0; i < types.size(); ++i)
    check_text_is_one_of(value::text_of(types[i]), {"Ingress", "Egress"}, at / i, errors);
}

void check_spec(const Value& spec, const Kept& kept, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "spec";
  check_label_selector(spec.get("podSelector"), kept.selectors, at / "podSelector", errors);
  for (const Direction& way : kDirections) {
    const auto rules = items(spec, way.rules);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const FieldPath at_rule = at / way.rules / i;
      const auto ports = items(rules[i], "ports");
      for (std::size_t j = 0; j < ports.size(); ++j)
        check_port(ports[j], at_rule / "ports" / j, errors);
      const auto peers = items(rules[i], way.peers);
      for (std::size_t j = 0; j < peers.size(); ++j)
        check_peer(peers[j], kept, at_rule / way.peers / j, errors);
    }
  }
  check_types(spec, at / "policyTypes", errors);
}

std::string selector_cell(const Value& object) {
  const auto selector = meta::LabelSelector::from_value(member(object, {"spec", "podSelector"}));
  if (!selector) return "<error>";
  return selector->empty() ? "<none>" : selector->to_string();
}

class NetworkPolicyStrategy final : public BuiltinStrategy {
 public:
  NetworkPolicyStrategy() : BuiltinStrategy("io.k8s.api.networking.v1.NetworkPolicy") {
    set_columns({name_column(),
                 {.name = "Pod-Selector",
                  .type = "string",
                  .description = "The pods that the policy is about."},
                 age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = object.object_at("spec", arena);
    default_protocols(spec, arena);
    default_types(spec, arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_spec(object.get("spec"), {}, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_spec(object.get("spec"), kept_of(old), errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    std::vector<std::string> out;
    for_each_block(object.get("spec"), [&](const Value& block, const FieldPath& at) {
      warn_of_cidr(text_of(block, "cidr"), at / "cidr", out);
      const auto exceptions = items(block, "except");
      for (std::size_t i = 0; i < exceptions.size(); ++i)
        warn_of_cidr(value::text_of(exceptions[i]), at / "except" / i, out);
    });
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::string(arena.copy(selector_cell(object))),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& network_policy_strategy() {
  static const NetworkPolicyStrategy& strategy = *new NetworkPolicyStrategy();
  return strategy;
}

}  // namespace strake::kinds

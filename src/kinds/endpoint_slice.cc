// EndpointSlices: where the ports of a service are reached.
#include <fmt/format.h>

#include <algorithm>
#include <set>

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

constexpr std::string_view kSliceManager = "endpointslice.kubernetes.io/managed-by";
constexpr std::string_view kHostLabel = "kubernetes.io/hostname";
constexpr std::size_t kMostTopology = 16;
constexpr std::size_t kMostAddresses = 100;
constexpr std::size_t kMostPorts = 20'000;
constexpr std::size_t kMostEndpoints = 1'000;
constexpr std::size_t kMostHints = 8;

// False when there are too many.
bool check_count(std::span<const Value> list, std::size_t most, const FieldPath& at,
                 FieldErrors& errors) {
  if (list.size() <= most) return true;
  errors.push_back(FieldError::too_many(at, static_cast<std::int64_t>(list.size()),
                                        static_cast<std::int64_t>(most)));
  return false;
}

void check_node_name(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  add_messages(meta::check_dns1123_subdomain(name), name, at, errors);
}

// A full domain name; the first thing that is wrong is all that is said.
void check_domain(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  const auto refuse = [&](std::string_view what, std::string why) {
    errors.push_back(FieldError::invalid(at, Value::string(what), std::move(why)));
  };
  if (name.empty()) return errors.push_back(FieldError::required(at));
  if (name.ends_with('.')) name.remove_suffix(1);
  if (const meta::Messages wrong = meta::check_dns1123_subdomain(name); !wrong.empty())
    return refuse(name, meta::join(wrong));
  if (!name.contains('.'))
    return refuse(name, "should be a domain with at least two segments separated by dots");
  for (std::string_view rest = name; !rest.empty();) {
    const std::string_view label = rest.substr(0, rest.find('.'));
    if (const meta::Messages wrong = meta::check_dns1123_label(label); !wrong.empty())
      return refuse(label, meta::join(wrong));
    rest.remove_prefix(std::min(label.size() + 1, rest.size()));
  }
}

void check_address(std::string_view type, std::string_view address, const FieldPath& at_list,
                   std::size_t index, FieldErrors& errors) {
  const FieldPath at = at_list / index;
  if (type == "FQDN") return check_domain(address, at, errors);
  if (type != kIpv4 && type != kIpv6) return;
  const bool fine =
      type == kIpv4 ? check_ip(address, at, {}, errors) : check_canonical_ip(address, at, errors);
  if (!fine) return;
  if (ip_family(address) != type) {
    errors.push_back(FieldError::invalid(at_list, Value::string(address),
                                         fmt::format("must be an {} address", type)));
  }
  check_endpoint_ip(address, at, errors);
}

// Names that may each stand there once.
void check_hint(const Value& hints, std::string_view key, meta::Messages (*check)(std::string_view),
                const FieldPath& at_hints, FieldErrors& errors) {
  const auto list = items(hints, key);
  const FieldPath at = at_hints / key;
  if (!check_count(list, kMostHints, at, errors)) return;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view name = text_of(list[i], "name");
    if (!seen.insert(name).second)
      errors.push_back(FieldError::duplicate(at / i / "name", Value::string(name)));
    add_messages(check(name), name, at / i / "name", errors);
  }
}

void check_endpoint(const Value& endpoint, std::string_view type, const FieldPath& at,
                    FieldErrors& errors) {
  const auto addresses = items(endpoint, "addresses");
  const FieldPath at_addresses = at / "addresses";
  if (addresses.empty()) {
    errors.push_back(FieldError::required(at_addresses, "must contain at least 1 address"));
  } else {
    check_count(addresses, kMostAddresses, at_addresses, errors);
  }
  for (std::size_t i = 0; i < addresses.size(); ++i)
    check_address(type, value::text_of(addresses[i]), at_addresses, i, errors);
  if (const Value* node = member(endpoint, "nodeName"))
    check_node_name(value::text_of(*node), at / "nodeName", errors);
  const auto topology = members(endpoint, "deprecatedTopology");
  const FieldPath at_topology = at / "deprecatedTopology";
  if (topology.size() > kMostTopology) {
    errors.push_back(FieldError::too_many(at_topology, static_cast<std::int64_t>(topology.size()),
                                          kMostTopology));
  }
  check_labels(topology, at_topology, errors);
  if (const Value* host = member(endpoint, "hostname")) {
    const std::string_view name = value::text_of(*host);
    add_messages(meta::check_dns1123_label(name), name, at / "hostname", errors);
  }
  const Value* hints = member(endpoint, "hints");
  if (hints == nullptr || items(*hints, "forZones").size() > kMostHints) {
    if (hints != nullptr)
      check_count(items(*hints, "forZones"), kMostHints, at / "hints" / "forZones", errors);
    return;
  }
  check_hint(*hints, "forZones", meta::check_label_value, at / "hints", errors);
  check_hint(*hints, "forNodes", meta::check_dns1123_subdomain, at / "hints", errors);
}

void check_endpoints(const Value& object, FieldErrors& errors) {
  const auto endpoints = items(object, "endpoints");
  const FieldPath at = FieldPath() / "endpoints";
  if (!check_count(endpoints, kMostEndpoints, at, errors)) return;
  const std::string_view type = text_of(object, "addressType");
  for (std::size_t i = 0; i < endpoints.size(); ++i)
    check_endpoint(endpoints[i], type, at / i, errors);
}

void check_ports(const Value& object, FieldErrors& errors) {
  const auto ports = items(object, "ports");
  const FieldPath at_ports = FieldPath() / "ports";
  if (!check_count(ports, kMostPorts, at_ports, errors)) return;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const FieldPath at = at_ports / i;
    const std::string_view name = text_of(ports[i], "name");
    if (!name.empty()) add_messages(meta::check_dns1123_label(name), name, at / "name", errors);
    if (!names.insert(name).second)
      errors.push_back(FieldError::duplicate(at / "name", Value::string(name)));
    check_protocol(ports[i], at, errors);
    if (const Value* protocol = member(ports[i], "appProtocol")) {
      const std::string_view text = value::text_of(*protocol);
      add_messages(meta::check_qualified_name(text), text, at / "appProtocol", errors);
    }
  }
}

void check_address_type(const Value& object, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "addressType";
  const std::string_view type = text_of(object, "addressType");
  if (type.empty()) return errors.push_back(FieldError::required(at));
  check_text_is_one_of(type, {"FQDN", kIpv4, kIpv6}, at, errors);
}

// deprecatedTopology cannot be written. The node that it named moves to the field that it has now.
void drop_topology(Value& object, const Value* old, Arena& arena) {
  if (old != nullptr && same_member(object, *old, "endpoints")) return;
  std::set<std::string_view> nodes;
  if (old != nullptr) {
    for (const Value& endpoint : items(*old, "endpoints"))
      nodes.insert(text_of(endpoint.get("deprecatedTopology"), kHostLabel));
  }
  Value* endpoints = object.find("endpoints");
  if (endpoints == nullptr || !endpoints->is_array()) return;
  for (Value& endpoint : endpoints->mutable_items()) {
    const std::string_view node = text_of(endpoint.get("deprecatedTopology"), kHostLabel);
    if (member(endpoint, "nodeName") == nullptr && !node.empty() && nodes.contains(node) &&
        meta::check_dns1123_subdomain(node).empty()) {
      endpoint.set("nodeName", Value::string(node), arena);
    }
    endpoint.remove("deprecatedTopology");
  }
}

// The first few, and how many there are beside them.
class Shown {
 public:
  void add(std::string_view text) {
    constexpr std::size_t kMostShown = 3;
    if (count_ < kMostShown) {
      if (count_ > 0) out_ += ',';
      out_ += text;
    }
    if (++count_ > kMostShown) more_ = fmt::format(" + {} more...", count_ - kMostShown);
  }
  std::string text() const { return out_.empty() && more_.empty() ? "<unset>" : out_ + more_; }

 private:
  std::string out_;
  std::string more_;
  std::size_t count_ = 0;
};

class EndpointSliceStrategy final : public BuiltinStrategy {
 public:
  EndpointSliceStrategy() : BuiltinStrategy("io.k8s.api.discovery.v1.EndpointSlice") {
    const auto column = [](std::string name, std::string description) {
      return Column{.name = std::move(name),
                    .type = "string",
                    .format = {},
                    .description = std::move(description),
                    .json_path = {}};
    };
    set_columns({name_column(), column("AddressType", "IPv4, IPv6 or FQDN."),
                 column("Ports", "The ports that every endpoint of the slice has."),
                 column("Endpoints", "The addresses of the slice."), age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* ports = object.find("ports");
    if (ports == nullptr || !ports->is_array()) return;
    for (Value& port : ports->mutable_items()) {
      if (!port.is_object()) continue;
      if (member(port, "name") == nullptr) port.set("name", Value::string(""), arena);
      if (member(port, "protocol") == nullptr) port.set("protocol", Value::string("TCP"), arena);
    }
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    drop_topology(object, nullptr, arena);
  }
  void prepare_update(Value& object, const Value& old, Arena& arena,
                      const WriteRequest&) const override {
    // Labels say which service it belongs to, so that they count as a change.
    const Value& before = old.get("metadata");
    Value* metadata = object.find("metadata");
    if (metadata != nullptr && !same_member(*metadata, before, "labels")) {
      metadata->set("generation", Value::integer(integer(before, "generation") + 1), arena);
    }
    drop_topology(object, &old, arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_address_type(object, errors);
    check_ports(object, errors);
    check_endpoints(object, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_address_type(object, errors);
    check_ports(object, errors);
    // What is stored stays good.
    if (!same_member(object, old, "endpoints")) check_endpoints(object, errors);
    if (!same_member(object, old, "addressType")) {
      errors.push_back(FieldError::invalid(FieldPath() / "addressType", object.get("addressType"),
                                           "field is immutable"));
    }
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    std::vector<std::string> out;
    if (old == nullptr && text_of(object, "addressType") == "FQDN")
      out.emplace_back("spec.addressType: FQDN endpoints are deprecated");
    const std::string_view manager =
        value::text_of(meta::ObjectMeta::of(object).labels(), kSliceManager);
    if (manager == "endpointslice-controller.k8s.io" ||
        manager == "endpointslicemirroring-controller.k8s.io") {
      return out;
    }
    const auto endpoints = items(object, "endpoints");
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
      const auto addresses = items(endpoints[i], "addresses");
      for (std::size_t j = 0; j < addresses.size(); ++j) {
        warn_of_ip(value::text_of(addresses[j]), FieldPath() / "endpoints" / i / "addresses" / j,
                   out);
      }
    }
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    Shown ports;
    for (const Value& port : items(object, "ports")) {
      const Value* number = member(port, "port");
      ports.add(number != nullptr                 ? fmt::format("{}", number->as_int())
                : member(port, "name") != nullptr ? std::string(text_of(port, "name"))
                                                  : "*");
    }
    Shown addresses;
    for (const Value& endpoint : items(object, "endpoints")) {
      for (const Value& address : items(endpoint, "addresses"))
        addresses.add(value::text_of(address));
    }
    const auto text = [&](std::string_view one) { return Value::string(arena.copy(one)); };
    out = {name_cell(object), text(text_of(object, "addressType")), text(ports.text()),
           text(addresses.text()), age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& endpoint_slice_strategy() {
  static const EndpointSliceStrategy& strategy = *new EndpointSliceStrategy();
  return strategy;
}

}  // namespace strake::kinds

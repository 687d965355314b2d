#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>

#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/networking/ingress_checks.h"
#include "kinds/networking/strategies.h"

namespace strake::kinds {
namespace {

using value::FieldErrors;
using value::Value;

std::span<const Value> balancers(const Value& object) {
  return items(object.get("status").get("loadBalancer"), "ingress");
}

// The first three, and how many rules there are beyond those.
std::string hosts_cell(const Value& object) {
  constexpr std::size_t kShown = 3;
  const auto rules = items(object.get("spec"), "rules");
  std::string out;
  std::size_t shown = 0;
  for (const Value& rule : rules) {
    if (shown == kShown) return out + fmt::format(" + {} more...", rules.size() - kShown);
    const std::string_view host = text_of(rule, "host");
    if (host.empty()) continue;
    out.append(shown > 0 ? "," : "").append(host);
    ++shown;
  }
  return out.empty() ? "*" : out;
}

std::string addresses_cell(const Value& object) {
  std::set<std::string_view> addresses;
  for (const Value& one : balancers(object)) {
    const std::string_view ip = text_of(one, "ip");
    const std::string_view shown = ip.empty() ? text_of(one, "hostname") : ip;
    if (!shown.empty()) addresses.insert(shown);
  }
  return fmt::format("{}", fmt::join(addresses, ","));
}

std::vector<Column> ingress_columns() {
  const auto column = [](std::string name, std::string description) {
    return Column{.name = std::move(name),
                  .type = "string",
                  .format = {},
                  .description = std::move(description),
                  .json_path = {}};
  };
  return {name_column(),
          column("Class", "The class that says who serves it."),
          column("Hosts", "The hosts of its rules."),
          column("Address", "Where it is served."),
          column("Ports", "The ports it is served on."),
          age_column()};
}

class IngressStrategy final : public StatusStrategy {
 public:
  IngressStrategy() : StatusStrategy("io.k8s.api.networking.v1.Ingress") {
    set_columns(ingress_columns());
  }

  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    object.set("status", value::deep_copy(zero()->get("status"), arena), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_ingress_spec(object.get("spec"), nullptr, errors);
    check_class_annotation(object, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_ingress_spec(object.get("spec"), &old.get("spec"), errors);
    return errors;
  }
  FieldErrors validate_status(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_balancers(balancers(object), balancers(old), errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value* old) const override {
    if (old != nullptr || !has_class_annotation(object) ||
        member(object, {"spec", "ingressClassName"}) != nullptr) {
      return {};
    }
    return {
        fmt::format("annotation \"{}\" is deprecated, please use 'spec.ingressClassName' instead",
                    kIngressClassAnnotation)};
  }
  std::vector<std::string> status_warnings(const Value& object, const Value&) const override {
    std::vector<std::string> out;
    const FieldPath at = FieldPath() / "status" / "loadBalancer" / "ingress";
    const auto all = balancers(object);
    // kube-apiserver 1.36 names the item, not its field.
    for (std::size_t i = 0; i < all.size(); ++i) warn_of_ip(text_of(all[i], "ip"), at / i, out);
    return out;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    const Value& spec = object.get("spec");
    const Value* name = member(spec, "ingressClassName");
    out = {name_cell(object),
           name != nullptr ? *name : Value::string("<none>"),
           Value::string(arena.copy(hosts_cell(object))),
           Value::string(arena.copy(addresses_cell(object))),
           Value::string(items(spec, "tls").empty() ? "80" : "80, 443"),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& ingress_strategy() {
  static const IngressStrategy& strategy = *new IngressStrategy();
  return strategy;
}

}  // namespace strake::kinds

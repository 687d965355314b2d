#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "kinds/columns.h"
#include "kinds/fields.h"
#include "kinds/networking/canonical_network.h"
#include "kinds/networking/strategies.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kImmutable = "field is immutable";

FieldPath at_networks() { return FieldPath() / "spec" / "cidrs"; }

const Value& networks_of(const Value& object) { return object.get("spec").get("cidrs"); }

void check_networks(const Value& list, FieldErrors& errors) {
  const auto networks = list.items();
  if (networks.empty())
    return errors.push_back(FieldError::required(at_networks(), "at least one CIDR required"));
  if (networks.size() > 2) {
    // The whole spec is shown, as Go has it.
    errors.push_back({.type = FieldError::Type::kInvalid,
                      .path = at_networks(),
                      .shown = fmt::format(R"({{"CIDRs":{}}})", value::to_json(list)),
                      .detail = "may only hold up to 2 values"});
    return;
  }
  std::vector<std::string_view> families;
  for (std::size_t i = 0; i < networks.size(); ++i) {
    const std::string_view text = value::text_of(networks[i]);
    check_canonical_cidr(text, at_networks() / i, errors);
    families.push_back(cidr_family(text));
  }
  if (families.size() == 2 && families[0] == families[1] && !families[0].empty()) {
    errors.push_back(FieldError::invalid(at_networks(), list,
                                         "may specify no more than one IP for each IP family, i.e "
                                         "192.168.0.0/24 and 2001:db8::/64"));
  }
}

void check_same_network(const Value& now, const Value& before, std::size_t i, FieldErrors& errors) {
  if (value::text_of(now) == value::text_of(before)) return;
  errors.push_back(FieldError::invalid(at_networks() / i, now, std::string(kImmutable)));
}

class ServiceCidrStrategy final : public StatusStrategy {
 public:
  ServiceCidrStrategy() : StatusStrategy("io.k8s.api.networking.v1.ServiceCIDR", Keeps::kMetadata) {
    set_columns({name_column(),
                 {.name = "CIDRs", .type = "string", .description = "The addresses of services."},
                 age_column()});
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    check_networks(networks_of(object), errors);
    return errors;
  }

  // A network of the other family may be added, and nothing else change.
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value& list = networks_of(object);
    const auto now = list.items();
    const auto before = networks_of(old).items();
    if (now.size() == before.size()) {
      for (std::size_t i = 0; i < now.size(); ++i) check_same_network(now[i], before[i], i, errors);
    } else if (now.size() == 2 && before.size() == 1) {
      check_same_network(now[0], before[0], 0, errors);
      check_networks(list, errors);
    } else {
      errors.push_back(FieldError::invalid(at_networks(), list, std::string(kImmutable)));
    }
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    std::vector<std::string_view> networks;
    for (const Value& one : networks_of(object).items()) networks.push_back(value::text_of(one));
    out = {name_cell(object),
           Value::string(arena.copy(fmt::format("{}", fmt::join(networks, ",")))),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& service_cidr_strategy() {
  static const ServiceCidrStrategy& strategy = *new ServiceCidrStrategy();
  return strategy;
}

}  // namespace strake::kinds

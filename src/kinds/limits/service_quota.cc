#include <algorithm>

#include "kinds/fields.h"
#include "kinds/limits/quota_evaluators.h"

namespace strake::kinds {
namespace {

using value::Value;

constexpr std::string_view kServiceCount = "count/services";
constexpr std::string_view kServices = "services";
constexpr std::string_view kNodePorts = "services.nodeports";
constexpr std::string_view kLoadBalancers = "services.loadbalancers";

// The ports that have or will get a node port: they are not picked yet.
std::int64_t node_ports(const Value& spec) {
  const auto ports = items(spec, "ports");
  const std::string_view type = text_of(spec, "type");
  const Value* allocate = member(spec, "allocateLoadBalancerNodePorts");
  if (type == "LoadBalancer" && allocate != nullptr && !allocate->as_bool()) {
    return std::ranges::count_if(ports,
                                 [](const Value& port) { return integer(port, "nodePort") != 0; });
  }
  return type == "NodePort" || type == "LoadBalancer" ? static_cast<std::int64_t>(ports.size()) : 0;
}

class ServiceEvaluator final : public QuotaEvaluator {
 public:
  // Also an update, as it may be of another type.
  bool handles(std::string_view subresource, const Value&, const Value*) const override {
    return subresource.empty();
  }
  bool counts(std::string_view name) const override {
    return name == kServiceCount || name == kServices || name == kNodePorts ||
           name == kLoadBalancers;
  }
  bool is_in(const Value&, const QuotaScope&) const override { return false; }

  Amounts usage(const Value& object, WallTime) const override {
    const Value& spec = object.get("spec");
    Amounts out;
    out.emplace(kServiceCount, Quantity(1));
    out.emplace(kServices, Quantity(1));
    out.emplace(kNodePorts, Quantity(node_ports(spec)));
    out.emplace(kLoadBalancers, Quantity(text_of(spec, "type") == "LoadBalancer" ? 1 : 0));
    return out;
  }

  std::optional<Instant> changes_at(const Value&) const override { return std::nullopt; }

  std::optional<std::string> fault(const std::set<std::string_view>&, const Value&) const override {
    return std::nullopt;
  }
};

}  // namespace

const QuotaEvaluator& service_quota_evaluator() {
  static const ServiceEvaluator& evaluator = *new ServiceEvaluator();
  return evaluator;
}

}  // namespace strake::kinds

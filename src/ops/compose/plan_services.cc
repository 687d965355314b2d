#include <algorithm>
#include <set>

#include "base/trim.h"
#include "meta/names.h"
#include "ops/compose/components.h"
#include "ops/compose/plan_parts.h"

namespace strake::ops::compose {
namespace {

using provider::FailureClass;
using provider::Outcome;
using provider::refuse;

constexpr std::size_t kMaxPortName = 15;

// [a-z][-a-z0-9]{0,14}, and what the API wants of the name of a port beyond that.
bool is_port_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxPortName || name[0] < 'a' || name[0] > 'z') return false;
  if (name.ends_with('-') || name.find("--") != std::string_view::npos) return false;
  return std::ranges::all_of(
      name, [](char c) { return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

bool is_host(std::string_view host) {
  if (host.starts_with("*.")) host.remove_prefix(2);
  return meta::check_dns1123_subdomain(host).empty();
}

bool is_below(std::string_view host, std::string_view domain) {
  return host == domain || (host.size() > domain.size() && host.ends_with(domain) &&
                            host[host.size() - domain.size() - 1] == '.');
}

class IngressPlanner {
 public:
  IngressPlanner(const PlanInput& input, const PublishedPorts& ports, Plan& plan)
      : input_(input), ports_(ports), plan_(plan) {
    if (input.subject.cluster.ingress)
      domain_ = meta::to_lower_ascii(trim(input.subject.cluster.ingress->domain));
  }

  Outcome<> run() {
    if (!domain_.empty() && !is_host(domain_))
      return refuse(FailureClass::kValidation, "the cluster's ingress domain \"{}\" is no domain",
                    domain_);
    for (const provider::IngressRule& rule : input_.subject.app.ingress.rules)
      STRAKE_CHECK(add(rule));
    if (!plan_.service_ports.empty()) return {};
    for (const auto& [host, target] : ports_) {
      if (target.component == plan_.names.component())
        plan_.service_ports.push_back({fmt::format("p{}", host), host, target.container});
    }
    return {};
  }

 private:
  // Rules are checked as a whole; those of other components' ports are not this one's.
  Outcome<> add(const provider::IngressRule& rule) {
    if (!is_port_name(rule.name))
      return refuse(FailureClass::kValidation,
                    "invalid ingress name \"{}\": a letter, then letters, digits and single "
                    "dashes, at most {} characters",
                    rule.name, kMaxPortName);
    if (!names_.insert(rule.name).second)
      return refuse(FailureClass::kValidation, "duplicate ingress name \"{}\"", rule.name);
    if (!used_ports_.insert(rule.port).second)
      return refuse(FailureClass::kValidation, "duplicate ingress port {}", rule.port);
    const auto target = ports_.find(rule.port);
    if (target == ports_.end())
      return refuse(FailureClass::kValidation, "ingress port {} is not published by any service",
                    rule.port);
    const bool ours = target->second.component == plan_.names.component();
    if (ours) plan_.service_ports.push_back({rule.name, rule.port, target->second.container});
    if (ours && !domain_.empty())
      plan_.default_hosts.push_back({plan_.names.default_host(rule.port, domain_), rule.name});
    for (const std::string& written : rule.hosts) {
      const std::string host(trim(written));
      if (!is_host(host))
        return refuse(FailureClass::kValidation, "ingress host \"{}\" is no host name", host);
      if (!domain_.empty() && is_below(host, domain_))
        return refuse(FailureClass::kValidation,
                      "ingress host {} must not be under cluster ingress domain {}", host, domain_);
      if (const auto [at, added] = hosts_.emplace(host, rule.name); !added)
        return refuse(FailureClass::kValidation,
                      "host {} duplicated across ingress entries ({}, {})", host, at->second,
                      rule.name);
      if (ours) plan_.custom_hosts.push_back({host, rule.name});
    }
    return {};
  }

  const PlanInput& input_;
  const PublishedPorts& ports_;
  Plan& plan_;
  std::string domain_;
  std::set<std::string> names_;
  std::set<std::int64_t> used_ports_;
  std::map<std::string, std::string> hosts_;
};

}  // namespace

Outcome<> plan_services(const PlanInput& input, const PublishedPorts& ports, Plan& plan) {
  STRAKE_CHECK(IngressPlanner(input, ports, plan).run());
  const auto& app = input.subject.app;
  plan.cert_resolver = app.ingress.cert_resolver;
  if (plan.cert_resolver.empty() && input.subject.cluster.ingress)
    plan.cert_resolver = input.subject.cluster.ingress->cert_resolver;
  if (!plan.service_ports.empty()) {
    const std::string name = plan.names.resource_name();
    if (const auto faults = meta::check_dns1035_label(name); !faults.empty())
      return refuse(FailureClass::kValidation, "\"{}\" cannot name a Service: {}", name,
                    meta::join(faults));
  }
  for (const ContainerPlan& container : plan.containers) {
    const auto clashes = [&](std::string_view component) {
      return container.name.starts_with(fmt::format("{}-{}", app.name, component));
    };
    const bool of_box = std::ranges::any_of(input.subject.boxes, [&](const provider::Box& box) {
      return container.name == fmt::format("{}-{}", app.name, component_of(box));
    });
    if (clashes("app") || clashes("box") || of_box)
      return refuse(
          FailureClass::kValidation,
          "service \"{}\" has a name that is kept for the Services of the app: {}-app..., "
          "{}-box...",
          container.name, app.name, app.name);
    plan.headless_services.push_back(container.name);
  }
  return {};
}

}  // namespace strake::ops::compose

#include "kinds/service_addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/quote.h"
#include "kinds/fields.h"
#include "kinds/ip_fields.h"
#include "kinds/service_fields.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;
using Outcome = std::expected<void, ServiceRefusal>;

FieldPath spec_path() { return FieldPath() / "spec"; }
FieldPath at_policy() { return spec_path() / "ipFamilyPolicy"; }
FieldPath at_ips() { return spec_path() / "clusterIPs"; }

Outcome refuse(FieldError error) {
  FieldErrors errors;
  errors.push_back(std::move(error));
  return std::unexpected(ServiceRefusal{.errors = std::move(errors)});
}
Outcome refuse(FieldErrors errors) {
  return std::unexpected(ServiceRefusal{.errors = std::move(errors)});
}
Outcome fail_with(std::string failure) {
  return std::unexpected(ServiceRefusal{.errors = {}, .failure = std::move(failure)});
}

std::string_view other_family(std::string_view family) { return family == kIpv4 ? kIpv6 : kIpv4; }

Value list_of(std::span<const Value> items, Arena& arena) {
  Value out = Value::array({});
  for (const Value& one : items) out.append(one, arena);
  return out;
}

std::int64_t node_port(const Value& port) { return integer(port, "nodePort"); }

// One write of one service. Members of the spec are read anew after each change.
class Picker {
 public:
  Picker(Value& service, const Value* old, Arena& arena, ServicePool& pool)
      : service_(service), arena_(arena), pool_(pool) {
    if (old != nullptr) old_.emplace(*old);
  }

  Outcome run() {
    service_.object_at("spec", arena_);
    if (old_) keep_picked();
    settle_cluster_ips();
    if (Outcome done = pick_families(); !done) return done;
    if (Outcome done = pick_cluster_ips(); !done) return done;
    if (Outcome done = old_ ? pick_new_node_ports() : pick_node_ports(); !done) return done;
    const bool had = old_ && old_->needs_health_check();
    return !had && now().needs_health_check() ? pick_health_check_port() : Outcome();
  }

 private:
  ServiceFields now() const { return ServiceFields(service_); }
  Value& spec() { return service_.object_at("spec", arena_); }
  void set(std::string_view key, Value v) { spec().set(key, v, arena_); }

  // A client that leaves out what was picked before keeps it.
  void keep_picked() {
    if (old_->needs_cluster_ip() && now().needs_cluster_ip()) {
      if (now().cluster_ip.empty() && !old_->cluster_ip.empty())
        set("clusterIP", Value::string(arena_.copy(old_->cluster_ip)));
      if (now().cluster_ips.empty() && !old_->cluster_ips.empty())
        set("clusterIPs", value::deep_copy(old_->spec.get("clusterIPs"), arena_));
    }
    if (old_->wants_node_ports() && now().wants_node_ports()) keep_node_ports();
    if (old_->needs_health_check() && now().needs_health_check() && now().health_check_port == 0 &&
        old_->health_check_port != 0) {
      set("healthCheckNodePort", Value::integer(old_->health_check_port));
    }
  }

  // By the names of ports: whatever else of a port has changed, it is the same one.
  void keep_node_ports() {
    std::set<std::int64_t> sent;
    for (const Value& port : now().ports) sent.insert(node_port(port));
    std::map<std::string_view, std::int64_t> by_name;
    for (const Value& port : old_->ports) by_name[text_of(port, "name")] = node_port(port);
    Value* ports = spec().find("ports");
    if (ports == nullptr) return;
    for (Value& port : ports->mutable_items()) {
      const auto kept = by_name.find(text_of(port, "name"));
      if (node_port(port) != 0 || kept == by_name.end() || kept->second == 0 ||
          sent.contains(kept->second)) {
        continue;
      }
      port.set("nodePort", Value::integer(kept->second), arena_);
    }
  }

  // clusterIP is the first of clusterIPs. A client that knows only the former changes both.
  void settle_cluster_ips() {
    const ServiceFields service = now();
    if (!old_) {
      if (!service.cluster_ip.empty() && service.cluster_ips.empty()) set_only(service.cluster_ip);
      return;
    }
    if (service.cluster_ip == old_->cluster_ip || !service.same_cluster_ips(*old_)) return;
    if (service.cluster_ip.empty()) {
      spec().remove("clusterIPs");
    } else {
      set_only(service.cluster_ip);
    }
  }
  void set_only(std::string_view ip) {
    Value ips = Value::array({});
    ips.append(Value::string(ip), arena_);
    set("clusterIPs", ips);
  }

  // A service that takes what it can get is left alone while nothing about it changes, whatever
  // ranges there are now.
  bool stays_as_it_is() const {
    const ServiceFields service = now();
    return old_ && old_->type == service.type && service.family_policy == "PreferDualStack" &&
           (old_->family_policy.empty() || old_->family_policy == "PreferDualStack") &&
           service.same_cluster_ips(*old_) && service.same_families(*old_);
  }

  bool has_range(std::string_view family) const {
    return std::ranges::find(pool_.families(), family) != pool_.families().end();
  }

  void add_family(std::string_view family) {
    Value families = list_of(now().families, arena_);
    families.append(Value::string(family), arena_);
    set("ipFamilies", families);
  }

  Value policy() const {
    const std::string_view text = now().family_policy;
    return text.empty() ? Value() : Value::string(text);
  }
  void refuse_policy(std::string_view why, FieldErrors& errors) const {
    errors.push_back(FieldError::invalid(at_policy(), policy(), std::string(why)));
  }

  void default_policy() {
    const ServiceFields service = now();
    if (!service.family_policy.empty()) return;
    const bool any = service.cluster_ip == kNoClusterIp && !service.has_selector();
    set("ipFamilyPolicy",
        Value::string(old_ && !old_->family_policy.empty() ? arena_.copy(old_->family_policy)
                      : any                                ? kRequireDualStack
                                                           : kSingleStack));
  }

  // What an update to fewer stacks says or lacks.
  void reduce_stacks(FieldErrors& errors) {
    const ServiceFields service = now();
    if (service.family_policy == kSingleStack) {
      if (service.same_cluster_ips(*old_) && service.cluster_ips.size() > 1)
        set("clusterIPs", list_of(service.cluster_ips.first(1), arena_));
      if (service.same_families(*old_) && service.families.size() > 1)
        set("ipFamilies", list_of(service.families.first(1), arena_));
      return;
    }
    const auto reduced = [](std::span<const Value> to, std::span<const Value> from) {
      return !to.empty() && to.size() < from.size();
    };
    if (reduced(service.cluster_ips, old_->cluster_ips))
      refuse_policy("must be 'SingleStack' to release the secondary cluster IP", errors);
    if (reduced(service.families, old_->families))
      refuse_policy("must be 'SingleStack' to release the secondary IP family", errors);
  }

  // Those of the cluster IPs that the client chose.
  void infer_families(FieldErrors& errors) {
    const std::vector<Value> ips(now().cluster_ips.begin(), now().cluster_ips.end());
    for (std::size_t i = 0; i < ips.size(); ++i) {
      const std::string_view ip = value::text_of(ips[i]);
      if (ip == kNoClusterIp) return;
      if (i < now().families.size()) continue;
      const std::string_view family = ip_family(ip);
      if (has_range(family)) {
        add_family(family);
      } else {
        errors.push_back(
            FieldError::invalid(at_ips() / i, list_of(ips, arena_),
                                fmt::format("{} is not configured on this cluster", family)));
      }
    }
  }

  Outcome pick_families() {
    if (now().is_external_name() || stays_as_it_is()) return {};
    default_policy();
    FieldErrors errors;
    check_cluster_ip_fields(now(), old_ ? &*old_ : nullptr, errors);
    if (!errors.empty()) return refuse(std::move(errors));
    if (old_) reduce_stacks(errors);
    if (now().family_policy == kSingleStack) {
      constexpr std::string_view kMust = "must be 'RequireDualStack' or 'PreferDualStack' when ";
      if (now().cluster_ips.size() == 2)
        refuse_policy(fmt::format("{}multiple cluster IPs are specified", kMust), errors);
      if (now().families.size() == 2)
        refuse_policy(fmt::format("{}multiple IP families are specified", kMust), errors);
    }
    infer_families(errors);
    if (!errors.empty()) return refuse(std::move(errors));
    // Whoever writes its endpoints may have addresses of either family, on any cluster.
    if (now().cluster_ip == kNoClusterIp && !now().has_selector()) {
      if (now().families.empty()) add_family(pool_.families().front());
      complete_families();
      return {};
    }
    check_ranges(errors);
    if (!errors.empty()) return refuse(std::move(errors));
    if (now().families.empty()) add_family(pool_.families().front());
    if (pool_.families().size() == 2) complete_families();
    return {};
  }

  void complete_families() {
    const ServiceFields service = now();
    if (service.family_policy != kSingleStack && service.families.size() == 1)
      add_family(other_family(value::text_of(service.families[0])));
  }

  void check_ranges(FieldErrors& errors) const {
    const ServiceFields service = now();
    if (service.family_policy == kRequireDualStack && pool_.families().size() < 2)
      refuse_policy("this cluster is not configured for dual-stack services", errors);
    for (std::size_t i = 0; i < service.families.size(); ++i) {
      if (has_range(value::text_of(service.families[i]))) continue;
      errors.push_back(FieldError::invalid(spec_path() / "ipFamilies" / i, service.families[i],
                                           "not configured on this cluster"));
    }
  }

  Outcome pick_cluster_ips() {
    const ServiceFields service = now();
    if (service.is_external_name() || service.is_headless() || stays_as_it_is()) return {};
    std::size_t first = 0;
    if (old_ && !old_->is_external_name()) {
      // The first one is there for good; only a second one can come.
      if (old_->is_headless() || old_->families.size() != 1 || service.families.size() != 2)
        return {};
      first = 1;
    }
    std::vector<Value> ips(service.cluster_ips.begin(), service.cluster_ips.end());
    for (std::size_t i = first; i < service.families.size(); ++i) {
      if (i >= ips.size()) ips.emplace_back(Value::string(""));
      const std::string_view family = value::text_of(service.families[i]);
      const std::string_view chosen = value::text_of(ips[i]);
      if (chosen.empty()) {
        const auto next = pool_.next_ip(family);
        if (!next) {
          return fail_with(fmt::format("failed to allocate a serviceIP for Service {}: {}",
                                       quote(meta::ObjectMeta::of(service_).name()), kRangeIsFull));
        }
        ips[i] = Value::string(arena_.copy(next->to_string()));
        continue;
      }
      const auto ip = parse_ip_address_sloppily(chosen);
      if (!ip) return fail_with(fmt::format("failed to parse service IP {}", quote(chosen)));
      if (const auto why = pool_.take_ip(*ip)) {
        return refuse(
            FieldError::invalid(at_ips(), list_of(service.cluster_ips, arena_),
                                fmt::format("failed to allocate IP {}: {}", chosen, *why)));
      }
    }
    if (ips.empty()) return {};
    set("clusterIPs", list_of(ips, arena_));
    set("clusterIP", ips.front());
    return {};
  }

  Outcome take_port(std::size_t index, std::int64_t port) {
    const auto why = pool_.take_port(port);
    if (!why) return {};
    return refuse(FieldError::invalid(spec_path() / "ports" / index / "nodePort",
                                      Value::integer(port), *why));
  }

  Outcome next_port(Value& port) {
    const auto next = pool_.next_port();
    if (!next) return fail_with(fmt::format("failed to allocate a nodePort: {}", kRangeIsFull));
    port.set("nodePort", Value::integer(*next), arena_);
    return {};
  }

  std::span<Value> ports() {
    Value* found = spec().find("ports");
    return found != nullptr ? found->mutable_items() : std::span<Value>();
  }

  // Of a new service: ports of one number, such as those of TCP and UDP, share a node port.
  Outcome pick_node_ports() {
    if (!now().has_node_ports()) return {};
    const bool wants = now().wants_node_ports();
    std::map<std::int64_t, std::int64_t> chosen;  // by port: what the client names first
    for (const Value& port : now().ports) {
      if (node_port(port) != 0) chosen.try_emplace(integer(port, "port"), node_port(port));
    }
    std::map<std::int64_t, std::int64_t> taken;  // by port
    for (std::size_t i = 0; i < ports().size(); ++i) {
      Value& port = ports()[i];
      const std::int64_t number = integer(port, "port");
      if (node_port(port) == 0 && !wants) continue;
      if (const auto shared = taken.find(number); shared == taken.end()) {
        if (const auto wish = chosen.find(number); wish != chosen.end()) {
          if (Outcome done = take_port(i, wish->second); !done) return done;
          port.set("nodePort", Value::integer(wish->second), arena_);
        } else if (Outcome done = next_port(port); !done) {
          return done;
        }
        taken[number] = node_port(port);
      } else if (node_port(port) == 0) {
        port.set("nodePort", Value::integer(shared->second), arena_);
      } else if (node_port(port) != shared->second) {
        if (Outcome done = take_port(i, node_port(port)); !done) return done;
      }
    }
    return {};
  }

  // Of a changed one: those that it has not had before.
  Outcome pick_new_node_ports() {
    if (!now().has_node_ports()) return {};
    const bool wants = now().wants_node_ports();
    std::set<std::int64_t> held;
    for (const Value& port : old_->ports) held.insert(node_port(port));
    for (std::size_t i = 0; i < ports().size(); ++i) {
      Value& port = ports()[i];
      if (node_port(port) != 0) {
        if (!held.insert(node_port(port)).second) continue;
        if (Outcome done = take_port(i, node_port(port)); !done) return done;
      } else if (wants) {
        if (Outcome done = next_port(port); !done) return done;
      }
    }
    return {};
  }

  Outcome pick_health_check_port() {
    if (const std::int64_t chosen = now().health_check_port; chosen != 0) {
      const auto why = pool_.take_port(chosen);
      if (!why) return {};
      return fail_with(
          fmt::format("failed to allocate requested HealthCheck NodePort {}: {}", chosen, *why));
    }
    const auto next = pool_.next_port();
    if (!next)
      return fail_with(
          fmt::format("failed to allocate a HealthCheck NodePort 0: {}", kRangeIsFull));
    set("healthCheckNodePort", Value::integer(*next));
    return {};
  }

  Value& service_;
  std::optional<ServiceFields> old_;
  Arena& arena_;
  ServicePool& pool_;
};

}  // namespace

Outcome pick_addresses(Value& service, const Value* old, Arena& arena, ServicePool& pool) {
  return Picker(service, old, arena, pool).run();
}

}  // namespace strake::kinds

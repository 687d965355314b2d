#pragma once
// A Service as several of its rules look at it: which kind of service it is, and what it therefore
// needs. Views of a decoded object; absent fields are empty.
#include <optional>
#include <span>
#include <string_view>

#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

inline constexpr std::string_view kNoClusterIp = "None";
inline constexpr std::string_view kSingleStack = "SingleStack";
inline constexpr std::string_view kRequireDualStack = "RequireDualStack";

struct ServiceFields {
  explicit ServiceFields(const value::Value& service);

  const value::Value& spec;
  std::string_view type;
  std::string_view cluster_ip;
  std::span<const value::Value> cluster_ips;
  std::span<const value::Value> families;
  std::string_view family_policy;
  std::span<const value::Value> ports;
  std::string_view external_traffic;
  std::int64_t health_check_port = 0;

  bool is_external_name() const { return type == "ExternalName"; }
  bool is_load_balancer() const { return type == "LoadBalancer"; }
  bool needs_cluster_ip() const { return !is_external_name(); }
  bool is_headless() const;
  // It is of a type that has node ports.
  bool has_node_ports() const { return type == "NodePort" || is_load_balancer(); }
  // Ports without one get one.
  bool wants_node_ports() const;
  bool needs_health_check() const { return is_load_balancer() && external_traffic == "Local"; }
  bool is_externally_accessible() const;
  bool has_selector() const;

  bool same_cluster_ips(const ServiceFields& other) const;
  bool same_families(const ServiceFields& other) const;
};

bool same_texts(std::span<const value::Value> a, std::span<const value::Value> b);

// Cluster IPs, families and their policy, as they must be before addresses are allocated. `old` is
// null on a create.
void check_cluster_ip_fields(const ServiceFields& service, const ServiceFields* old,
                             value::FieldErrors& errors);

}  // namespace strake::kinds

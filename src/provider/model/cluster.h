#pragma once
// Workspaces, providers and clusters, as people declare them.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace strake::provider {

using Settings = std::map<std::string, std::string, std::less<>>;

struct Workspace {
  std::string id;  // the Resource ID (names/resource_id.h); random hex where there are no documents
  std::string name;
};

struct ProviderEntity {
  std::string id;
  std::string name;
  std::string workspace_id;
  std::string driver;  // "aks", "k3s", "local"
  Settings settings;
};

enum class Protection : std::uint8_t { kNone, kCannotDelete, kReadOnly };

struct ClusterProtection {
  Protection provisioning = Protection::kNone;
  Protection installation = Protection::kNone;
};

struct ClusterCertificate {
  std::string name;  // the Secret is tls-<name>
  std::string source;
};

struct ClusterIngress {
  std::string namespace_name;  // "traefik" when empty
  std::string controller;      // informational: "traefik"
  std::string service_account;
  std::string domain;
  std::string cert_resolver;  // "staging" or "production"
  std::string cert_email;
  std::vector<ClusterCertificate> certificates;
};

struct Cluster {
  std::string id;
  std::string name;
  std::string provider_id;
  bool existing = false;  // made by somebody else
  std::optional<ClusterIngress> ingress;
  ClusterProtection protection;
  Settings settings;
};

inline constexpr std::string_view kDefaultIngressNamespace = "traefik";
inline constexpr std::string_view kDefaultIngressServiceAccount = "ingress-service-account";

// With the defaults filled in.
std::string ingress_namespace(const Cluster& cluster);
std::string ingress_service_account(const Cluster& cluster);

struct ClusterStatus {
  bool existing = false;
  bool provisioned = false;
  bool installed = false;
  std::string ingress_global_ip;  // empty when not known
  std::string ingress_fqdn;
};

}  // namespace strake::provider

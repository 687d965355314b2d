#pragma once
// What the ingress controller of a cluster is like. Drivers edit the values before they become
// manifests.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "provider/failure.h"
#include "provider/model/cluster.h"

namespace strake::provider {

inline constexpr std::string_view kIngressRelease = "traefik";
inline constexpr std::string_view kIngressImage = "docker.io/library/traefik:v3.3.4";
inline constexpr std::string_view kIngressFolder = "/config/traefik";

// A volume of the controller's pod.
struct IngressVolume {
  std::string name;
  std::string source;      // JSON: {"csi": {...}}
  std::string mount_path;  // read-only
};

using IngressTexts = std::map<std::string, std::string, std::less<>>;

struct IngressValues {
  std::string namespace_name;
  std::string service_account;
  std::string image = std::string(kIngressImage);
  std::string cert_email;  // of the ACME accounts
  std::string storage = "1Gi";
  std::string storage_class;  // empty: the cluster's default
  IngressTexts node_selector;
  IngressTexts pod_labels;
  IngressTexts service_annotations;
  std::string external_traffic_policy = "Local";
  // Files of the file provider, by name: "certs.yaml". Watched while it runs.
  IngressTexts config_files;
  std::vector<IngressVolume> volumes;
  std::vector<std::string> arguments;  // after those that it has anyway
};

IngressValues ingress_values(const Cluster& cluster);

// How a driver makes the controller fit its provider.
using EditIngress = std::function<Outcome<>(IngressValues& values)>;

}  // namespace strake::provider

#pragma once
// Apps and boxes, as people declare them.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "provider/model/cluster.h"

namespace strake::provider {

// What a driver is told about a volume or disk beyond the contract; what it does not know is
// accepted and unused.
using OptionValue = std::variant<bool, std::int64_t, double, std::string>;
using OptionMap = std::map<std::string, OptionValue, std::less<>>;

enum class VolumeType : std::uint8_t { kDisk, kFiles };
std::string_view to_string(VolumeType type);  // "disk", "files"

struct AppVolume {
  std::string name;
  std::int64_t size = 0;  // bytes
  VolumeType type = VolumeType::kDisk;
  OptionMap options;
};

struct IngressRule {
  std::string name;
  std::int64_t port = 0;
  std::vector<std::string> hosts;
};

struct AppIngress {
  std::string cert_resolver;
  std::vector<IngressRule> rules;
};

struct AppDeployment {
  std::string pool;  // or pools
  std::vector<std::string> pools;
  std::string zone;  // or zones
  std::vector<std::string> zones;
};

struct LabelRequirement {
  std::string key;
  std::string op;  // In, NotIn, Exists, DoesNotExist
  std::vector<std::string> values;
};

struct NamespaceSelector {
  std::map<std::string, std::string, std::less<>> match_labels;
  std::vector<LabelRequirement> match_expressions;
};

struct PolicyPort {
  std::string protocol = "TCP";
  std::int64_t port = 0;
};

struct PolicyRule {
  std::vector<NamespaceSelector> from;
  std::vector<PolicyPort> ports;
};

struct NetworkPolicy {
  std::vector<PolicyRule> ingress_rules;
};

struct App {
  std::string id;
  std::string name;
  std::string cluster_id;
  std::string compose;  // the text, or "file:<relative path>"
  AppIngress ingress;
  std::vector<AppVolume> volumes;
  AppDeployment deployment;
  NetworkPolicy network_policy;
  std::map<std::string, std::string, std::less<>> resources;  // kept, unused
  Settings settings;
  // "file://<folder>/" of the file that declares it when files beside it may be read; empty when
  // not.
  std::string ref_base;
};

struct Box {
  std::string id;
  std::string name;
  std::string app_id;
  std::string component;  // the name when empty
  std::string image;      // given: stands alone; empty: of the app's Compose document
  std::vector<std::string> command;
  std::vector<std::string> args;
  NetworkPolicy network_policy;
};

}  // namespace strake::provider

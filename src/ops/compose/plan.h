#pragma once
// Conversion, first phase: everything about one component of an app that does not depend on its
// disks. The next phases are bind_volumes() (volumes.h) and build() (manifest.h).
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/compose/placement.h"
#include "ops/compose/project.h"
#include "ops/compose/project_files.h"
#include "provider/failure.h"
#include "provider/model/app.h"
#include "provider/names/kube_names.h"

namespace strake::ops::compose {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;      // of a config or a secret
inline constexpr std::size_t kMaxAllFileBytes = std::size_t{32} << 20;  // read for one component

// Whose manifests are made. What it refers to must outlive the call.
struct Subject {
  const provider::Workspace* workspace = nullptr;  // null: it is not declared
  const provider::ProviderEntity& provider;
  const provider::Cluster& cluster;
  const provider::App& app;
  std::span<const provider::Box> boxes{};  // all of the app's
};

struct Mount {
  std::string volume;  // of the pod
  std::string path;
  std::string sub_path;  // empty: the whole volume
  bool read_only = false;
};

struct ContainerPlan {
  std::string name;
  std::string image;
  std::vector<std::string> command;
  std::vector<std::string> args;
  std::map<std::string, std::string, std::less<>> environment;
  std::vector<std::string> env_secrets;  // optional ones, later ones over earlier ones
  std::vector<std::int64_t> ports;
  std::vector<Mount> mounts;
  ResourceAmounts requests;
  ResourceAmounts limits;
};

// A ConfigMap or a Secret with one entry, mounted as a file.
struct FilePlan {
  std::string object;  // its name
  std::string volume;  // of the pod
  std::string key;
  std::string bytes;
  std::optional<std::int64_t> mode;
};

// The Secret that the env_file entries of a service become.
struct EnvSecretPlan {
  std::string object;
  std::map<std::string, std::string> variables;
};

struct ServicePortPlan {
  std::string name;
  std::int64_t port = 0;  // of the host, in Compose
  std::int64_t target = 0;
};

struct IngressHostPlan {
  std::string host;
  std::string port_name;
};

struct Plan {
  provider::KubeNames names;
  std::string driver;
  std::string ingress_namespace;
  std::vector<provider::AppVolume> app_volumes;
  std::set<std::string, std::less<>> volumes;          // of the app, that the pod has
  std::vector<provider::PolicyRule> policy_rules;      // of the app
  std::vector<provider::PolicyRule> box_policy_rules;  // of this box alone
  Placement placement;

  std::vector<ContainerPlan> containers;                   // by name
  std::map<std::string, std::set<std::string>> sub_paths;  // volume: made before anything starts
  std::vector<FilePlan> configs;                           // by name
  std::vector<FilePlan> secrets;
  std::vector<EnvSecretPlan> env_secrets;
  std::vector<ServicePortPlan> service_ports;  // none: no Service
  std::vector<std::string> headless_services;
  std::vector<IngressHostPlan> default_hosts;
  std::vector<IngressHostPlan> custom_hosts;
  std::string cert_resolver;

  std::vector<std::string> warnings;  // of the document, then of the conversion
};

// Of the services that belong to the component: "app" has those that no box takes; the box of a
// service takes it and those that share its network. `files` are those beside the Compose document;
// null when the app may not read any. Fails with kValidation.
provider::Outcome<Plan> plan_component(const Subject& subject, const Project& project,
                                       const ProjectFiles* files,
                                       std::string_view component = provider::kAppComponent);

// Of a box that stands alone: one container with the box's image, and no Compose document.
provider::Outcome<Plan> plan_standalone_box(const Subject& subject, const provider::Box& box);

}  // namespace strake::ops::compose

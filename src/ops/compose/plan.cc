#include "ops/compose/plan.h"

#include <algorithm>

#include "base/trim.h"
#include "meta/names.h"
#include "ops/compose/components.h"
#include "ops/compose/plan_parts.h"
#include "provider/names/name_checks.h"

namespace strake::ops::compose {
namespace {

using provider::FailureClass;
using provider::Outcome;
using provider::refuse;

// An empty selector, or no peer at all, would let in everybody.
Outcome<> check_policy(const provider::NetworkPolicy& policy) {
  for (const provider::PolicyRule& rule : policy.ingress_rules) {
    if (rule.from.empty())
      return refuse(FailureClass::kValidation, "a network policy rule without from lets in all");
    for (const provider::NamespaceSelector& peer : rule.from) {
      if (peer.match_labels.empty() && peer.match_expressions.empty())
        return refuse(FailureClass::kValidation,
                      "a network policy rule has an empty namespaceSelector, which lets in all");
    }
  }
  return {};
}

Outcome<Plan> start_plan(const Subject& subject, std::string_view component) {
  provider::OwnerNames owner{.workspace = subject.workspace != nullptr
                                              ? subject.workspace->name
                                              : std::string(provider::kNoWorkspace),
                             .provider = subject.provider.name,
                             .cluster = subject.cluster.name,
                             .app = subject.app.name};
  STRAKE_TRY(provider::KubeNames names, provider::KubeNames::of(std::move(owner), component));
  STRAKE_TRY(Placement placement, place(subject.app.deployment));
  STRAKE_CHECK(check_policy(subject.app.network_policy));
  std::set<std::string_view> volumes;
  for (const provider::AppVolume& volume : subject.app.volumes) {
    STRAKE_CHECK(provider::check_volume_name(volume.name));
    if (!volumes.insert(volume.name).second)
      return refuse(FailureClass::kValidation, "duplicate volume name \"{}\"", volume.name);
  }
  return Plan{.names = std::move(names),
              .driver = subject.provider.driver,
              .ingress_namespace = provider::ingress_namespace(subject.cluster),
              .app_volumes = subject.app.volumes,
              .volumes = {},
              .policy_rules = subject.app.network_policy.ingress_rules,
              .box_policy_rules = {},
              .placement = std::move(placement),
              .containers = {},
              .sub_paths = {},
              .configs = {},
              .secrets = {},
              .env_secrets = {},
              .service_ports = {},
              .headless_services = {},
              .default_hosts = {},
              .custom_hosts = {},
              .cert_resolver = {},
              .warnings = {}};
}

// A disk can often be in one place alone. So the app's pod has all volumes, also those that nothing
// mounts, but for those that boxes mount and it does not.
void add_unmounted_volumes(const PlanInput& input, Plan& plan) {
  std::set<std::string_view> elsewhere;
  for (std::size_t i = 0; i < input.project.services.size(); ++i) {
    if (input.components[i] == plan.names.component()) continue;
    for (const VolumeUse& use : input.project.services[i].volumes)
      elsewhere.insert(volume_named_by(use, plan.app_volumes));
  }
  for (const provider::AppVolume& volume : plan.app_volumes) {
    if (!elsewhere.contains(volume.name)) plan.volumes.insert(volume.name);
  }
}

Outcome<> take_box_policy(const provider::Box& box, Plan& plan) {
  STRAKE_CHECK(check_policy(box.network_policy));
  plan.box_policy_rules = box.network_policy.ingress_rules;
  return {};
}

}  // namespace

Outcome<Plan> plan_component(const Subject& subject, const Project& project,
                             const ProjectFiles* files, std::string_view component) {
  STRAKE_TRY(Plan plan, start_plan(subject, component));
  plan.warnings = project.warnings;
  PlanInput input{.subject = subject, .project = project, .files = files, .components = {}};
  STRAKE_TRY(input.components, assign_components(project, subject.boxes));
  if (component == provider::kAppComponent) {
    add_unmounted_volumes(input, plan);
  } else {
    const auto box = std::ranges::find(subject.boxes, component, component_of);
    if (box == subject.boxes.end() || !box->image.empty())
      return refuse(FailureClass::kValidation, "the app has no box \"{}\" of its Compose document",
                    component);
    STRAKE_CHECK(take_box_policy(*box, plan));
  }
  STRAKE_TRY(const PublishedPorts ports, published_ports(input));
  STRAKE_CHECK(plan_containers(input, plan));
  if (plan.containers.empty())
    return refuse(FailureClass::kValidation, "no service is left for the component \"{}\"",
                  component);
  STRAKE_CHECK(plan_services(input, ports, plan));
  return plan;
}

Outcome<Plan> plan_standalone_box(const Subject& subject, const provider::Box& box) {
  const std::string_view component = component_of(box);
  if (component == provider::kAppComponent)
    return refuse(FailureClass::kValidation, "a box cannot be named \"{}\"", component);
  if (trim(box.image).empty())
    return refuse(FailureClass::kValidation, "box \"{}\" has no image: it does not stand alone",
                  component);
  if (const auto faults = meta::check_dns1123_label(component); !faults.empty())
    return refuse(FailureClass::kValidation, "a box cannot be named \"{}\": {}", component,
                  meta::join(faults));
  STRAKE_TRY(Plan plan, start_plan(subject, component));
  STRAKE_CHECK(take_box_policy(box, plan));
  ContainerPlan container;
  container.name = component;
  container.image = trim(box.image);
  container.command = box.command;
  container.args = box.args;
  plan.containers.push_back(std::move(container));
  return plan;
}

}  // namespace strake::ops::compose

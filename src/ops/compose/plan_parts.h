#pragma once
// The parts of plan_component(), one file each.
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/compose/plan.h"

namespace strake::ops::compose {

// What planning looks at.
struct PlanInput {
  const Subject& subject;
  const Project& project;
  const ProjectFiles* files;
  std::vector<std::string> components;  // of each service of the project
};

// "compose.yml:4:5: ..."
template <typename... Args>
std::unexpected<provider::Failure> refuse_at(const Project& project, const Position& at,
                                             fmt::format_string<Args...> format, Args&&... args) {
  return provider::refuse(provider::FailureClass::kValidation, "{}: {}", project.place(at),
                          fmt::format(format, std::forward<Args>(args)...));
}

// Where a host port leads.
struct PublishedTarget {
  std::int64_t container = 0;
  std::string service;
  std::string component;
};
using PublishedPorts = std::map<std::int64_t, PublishedTarget>;

// Of all services. A host port leads to one container port, and a container port of a pod belongs
// to one service.
provider::Outcome<PublishedPorts> published_ports(const PlanInput& input);

// The volume of the app that it names, whether or not there is one: the first for a folder beside
// the document, and nothing when the app has none.
std::string_view volume_named_by(const VolumeUse& use,
                                 std::span<const provider::AppVolume> volumes);

// The containers of the component with what they mount and the files of it.
provider::Outcome<> plan_containers(const PlanInput& input, Plan& plan);

// The Service, the headless Services and the hosts.
provider::Outcome<> plan_services(const PlanInput& input, const PublishedPorts& ports, Plan& plan);

}  // namespace strake::ops::compose

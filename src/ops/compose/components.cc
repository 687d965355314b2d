#include "ops/compose/components.h"

#include <set>

namespace strake::ops::compose {

using provider::FailureClass;
using provider::Outcome;
using provider::refuse;

std::string_view component_of(const provider::Box& box) {
  return box.component.empty() ? box.name : box.component;
}

Outcome<std::vector<std::string>> assign_components(const Project& project,
                                                    std::span<const provider::Box> boxes) {
  std::set<std::string, std::less<>> primaries;
  for (const provider::Box& box : boxes) {
    const std::string_view name = component_of(box);
    if (name == provider::kAppComponent)
      return refuse(FailureClass::kValidation, "a box cannot be named \"{}\"", name);
    const ComposeService* service = project.find(name);
    if (!box.image.empty()) {
      if (service != nullptr)
        return refuse(FailureClass::kValidation,
                      "box \"{}\" has an image of its own, and there is a service of that name",
                      name);
      continue;
    }
    if (service == nullptr)
      return refuse(FailureClass::kValidation,
                    "box \"{}\" has no image, and there is no service of that name", name);
    if (!service->shares_network_of.empty())
      return refuse(FailureClass::kValidation,
                    "box \"{}\" cannot be a service that shares the network of \"{}\"", name,
                    service->shares_network_of);
    if (!primaries.emplace(name).second)
      return refuse(FailureClass::kValidation, "there are two boxes named \"{}\"", name);
  }
  std::vector<std::string> out;
  for (const ComposeService& service : project.services) {
    // The reader made sure that each chain ends.
    const ComposeService* first = &service;
    while (!first->shares_network_of.empty()) first = project.find(first->shares_network_of);
    out.emplace_back(primaries.contains(first->name) ? std::string_view(first->name)
                                                     : provider::kAppComponent);
  }
  return out;
}

}  // namespace strake::ops::compose

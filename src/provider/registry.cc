#include "provider/registry.h"

#include <fmt/format.h>

namespace strake::provider {

Registry& Registry::global() {
  static Registry registry;
  return registry;
}

void Registry::add(std::string name, DriverFactory factory) {
  factories_.insert_or_assign(std::move(name), std::move(factory));
}

const DriverFactory* Registry::find(std::string_view name) const {
  const auto found = factories_.find(name);
  return found == factories_.end() ? nullptr : &found->second;
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> out;
  for (const auto& [name, factory] : factories_) out.push_back(name);
  return out;
}

Outcome<Driver> Registry::make(const Workspace* workspace, const ProviderEntity& provider,
                               const DriverEnvironment& from) const {
  const DriverFactory* factory = find(provider.driver);
  if (factory == nullptr)
    return refuse(FailureClass::kInvalid, "unknown provider driver: {}", provider.driver);
  return in_context(fmt::format("failed to create driver {}", provider.driver),
                    (*factory)(workspace, provider, from));
}

}  // namespace strake::provider

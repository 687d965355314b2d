#pragma once
// Drivers by name. They register themselves as the program starts (STRAKE_REGISTER_DRIVER in their
// source, STRAKE_USE_DRIVER in a program that has them); a later one of the same name replaces the
// former. After that a registry does not change, and any thread may ask it.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provider/driver.h"
#include "provider/names/hashes.h"

namespace strake::provider {

// What a driver may take from the process. Tests give another one.
struct DriverEnvironment {
  std::map<std::string, std::string, std::less<>> variables;  // of the process
  std::string program;      // this program, for drivers that start it
  std::string data_folder;  // where drivers of this machine keep what they provide
  const Clock* clock = &system_clock();
};

// Checks the settings of the provider and makes its credentials; asks nobody yet. `workspace` may
// be null: its name is then "(nil)", in hashes too.
using DriverFactory = std::function<Outcome<Driver>(
    const Workspace* workspace, const ProviderEntity& provider, const DriverEnvironment& from)>;

class Registry {
 public:
  static Registry& global();

  void add(std::string name, DriverFactory factory);
  // Null when there is none.
  const DriverFactory* find(std::string_view name) const;
  std::vector<std::string> names() const;

  // Fails with "unknown provider driver: <driver>" or "failed to create driver <driver>: ...".
  Outcome<Driver> make(const Workspace* workspace, const ProviderEntity& provider,
                       const DriverEnvironment& from) const;

 private:
  std::map<std::string, DriverFactory, std::less<>> factories_;
};

struct DriverRegistration {
  DriverRegistration(std::string name, DriverFactory factory) {
    Registry::global().add(std::move(name), std::move(factory));
  }
};

// In one source of a driver, outside of namespaces: STRAKE_REGISTER_DRIVER(local,
// make_local_driver) registers the function as "local". A linker takes from a library only what
// somebody names, so each program says which drivers it has: STRAKE_USE_DRIVER(local), outside of
// namespaces too.
#define STRAKE_REGISTER_DRIVER(name, factory)                                    \
  namespace strake::provider {                                                   \
  const void* driver_##name();                                                   \
  const void* driver_##name() {                                                  \
    static const DriverRegistration registration(#name, factory);                \
    return &registration;                                                        \
  }                                                                              \
  [[maybe_unused]] static const void* const registered_##name = driver_##name(); \
  }
#define STRAKE_USE_DRIVER(name)                                            \
  namespace strake::provider {                                             \
  const void* driver_##name();                                             \
  [[maybe_unused]] static const void* const used_##name = driver_##name(); \
  }

}  // namespace strake::provider

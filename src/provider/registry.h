#pragma once
// Drivers by name. They register themselves as the program starts (STRAKE_REGISTER_DRIVER in their
// source); a later one of the same name replaces the former.
#include <functional>
#include <map>
#include <string>
#include <string_view>
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

}  // namespace strake::provider

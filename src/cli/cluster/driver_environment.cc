#include "cli/cluster/driver_environment.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

STRAKE_USE_DRIVER(k3s)
STRAKE_USE_DRIVER(local)

namespace strake::cli {

provider::DriverEnvironment driver_environment(
    std::map<std::string, std::string, std::less<>> variables) {
  provider::DriverEnvironment out;
  std::error_code failed;
  out.program = std::filesystem::read_symlink("/proc/self/exe", failed).string();
  for (const auto& [name, folder] : {std::pair("XDG_DATA_HOME", "strake-operate"),
                                     std::pair("HOME", ".local/share/strake-operate")}) {
    const auto found = variables.find(name);
    if (found == variables.end() || !found->second.starts_with('/')) continue;
    out.data_folder = fmt::format("{}/{}", found->second, folder);
    break;
  }
  out.variables = std::move(variables);
  return out;
}

}  // namespace strake::cli

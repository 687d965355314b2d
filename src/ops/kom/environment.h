#pragma once
// Where a run is: KOMPOX_ROOT, KOMPOX_DIR, and what config.yml says.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/kom/files.h"
#include "provider/failure.h"

namespace strake::ops {

// What a run was told by flags and by the process.
struct RunRequest {
  std::string root;                   // --kompox-root
  std::string dir;                    // --kompox-dir
  std::vector<std::string> kom_path;  // --kom-path, each
  std::string kom_app;                // --kom-app
  std::string app_id;                 // --app-id
  std::string db_url;                 // --db-url
  std::map<std::string, std::string, std::less<>> variables;
  std::string working_folder;  // absolute

  // Empty when it is not set.
  std::string_view variable(std::string_view name) const;
};

struct RunConfig {  // config.yml
  std::string store_type = "local";
  std::vector<std::string> kom_path;
  std::string log_dir;
  std::string log_format;
  std::string log_level;
  std::optional<std::int64_t> log_retention_days;
};

struct RunEnvironment {
  std::string root;  // both absolute; the program also exports them to its own environment
  std::string dir;
  RunConfig config;

  // With $KOMPOX_ROOT and $KOMPOX_DIR replaced.
  std::string expand(std::string_view text) const;
};

inline constexpr std::string_view kKompoxRoot = "KOMPOX_ROOT";
inline constexpr std::string_view kKompoxDir = "KOMPOX_DIR";
inline constexpr std::string_view kKompoxFolder = ".kompox";
inline constexpr std::string_view kConfigFile = "config.yml";

// Flag, else variable, else the nearest folder, from the working folder upwards, that holds
// .kompox. Both must be folders that are there. Fails with kNotFound or kValidation.
provider::Outcome<RunEnvironment> find_environment(const KomFiles& files,
                                                   const RunRequest& request);

// The text of a config.yml; `path` is for messages. Fails with kValidation.
provider::Outcome<RunConfig> read_run_config(const std::string& path, std::string_view text);

}  // namespace strake::ops

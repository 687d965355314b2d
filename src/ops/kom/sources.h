#pragma once
// Which files declared documents are read from: one level of sources, the first that names any.
#include <cstddef>
#include <string>
#include <vector>

#include "ops/kom/environment.h"
#include "ops/kom/files.h"
#include "provider/failure.h"

namespace strake::ops {

struct KomLimits {
  std::size_t files = 5000;
  std::size_t file_bytes = std::size_t{2} << 20;
  std::size_t total_bytes = std::size_t{32} << 20;
  std::size_t depth = 10;  // of folders below one that is named
};

// Of where the paths come from, the first that has any:
enum class KomLevel : std::uint8_t {
  kFlag = 1,  // --kom-path
  kVariable,  // KOMPOX_KOM_PATH
  kDefaults,  // Defaults of the app file; must lie under KOMPOX_ROOT or KOMPOX_DIR
  kConfig,    // config.yml
  kFolder,    // $KOMPOX_DIR/kom, where nothing need be
};

struct KomPaths {
  KomLevel level = KomLevel::kFolder;
  std::vector<std::string> paths;  // as they were given
  std::string folder;              // that relative ones start at
};

// `defaults` are the paths that the app file names, `app_folder` is where it is.
KomPaths choose_kom_paths(const RunRequest& request, const RunEnvironment& environment,
                          const std::vector<std::string>& defaults, const std::string& app_folder);

// The files, by their real paths, each once: those of the first path first, those of a folder by
// name. Of folders only *.yml and *.yaml count, and some are not looked into (.git, node_modules,
// ...).
provider::Outcome<std::vector<std::string>> find_kom_files(const KomFiles& files,
                                                           const RunEnvironment& environment,
                                                           const KomPaths& from,
                                                           const KomLimits& limits = {});

}  // namespace strake::ops

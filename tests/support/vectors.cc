#include "support/vectors.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace strake::testing {

namespace fs = std::filesystem;

std::optional<fs::path> vectors(std::string_view name) {
  const char* set = std::getenv("STRAKE_VECTORS");
  const fs::path root =
      set != nullptr ? fs::path(set) : fs::path(STRAKE_SOURCE_DIR) / "../shared/vectors";
  fs::path found = root / name;
  std::error_code ignored;
  if (!fs::exists(found, ignored)) return std::nullopt;
  return found;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::abort();
  }
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

}  // namespace strake::testing

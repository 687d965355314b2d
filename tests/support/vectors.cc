#include "support/vectors.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace strake::testing {

namespace fs = std::filesystem;

namespace {

fs::path corpus() { return fs::path(STRAKE_SOURCE_DIR) / "tests/corpus"; }

std::optional<fs::path> existing(fs::path path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  return path;
}

}  // namespace

std::optional<fs::path> vectors(std::string_view name) {
  const char* set = std::getenv("STRAKE_VECTORS");
  const fs::path root =
      set != nullptr ? fs::path(set) : fs::path(STRAKE_SOURCE_DIR) / "../shared/vectors";
  return existing(root / name);
}

std::optional<fs::path> vectors_or_corpus(std::string_view name) {
  if (auto recorded = vectors(name)) return recorded;
  return existing(corpus() / name);
}

bool is_corpus(const fs::path& folder) {
  return folder.string().starts_with(corpus().string() + "/");
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

#include "cli/testserver/cache_folder.h"

namespace strake::cli {

Result<std::string> cache_folder(const Io& io) {
  if (const auto cache = io.env("XDG_CACHE_HOME"); cache && !cache->empty())
    return *cache + "/strake";
  if (const auto home = io.env("HOME"); home && !home->empty()) return *home + "/.cache/strake";
  return fail(Code::kUsage, "there is no home folder, and XDG_CACHE_HOME is not set");
}

}  // namespace strake::cli

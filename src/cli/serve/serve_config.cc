#include "cli/serve/serve_config.h"

#include <algorithm>

#include "cli/command/command.h"
#include "cli/command/config_section.h"

namespace strake::cli {
namespace {

// strake.yaml may hold what `strake validate` wants too.
constexpr std::string_view kSections[] = {"serve", "validate"};
// What is said to one process, and not about the server.
constexpr std::string_view kNotInFile[] = {"config",     "check-config", "ready-fd",
                                           "unregister", "color",        "help"};

}  // namespace

Result<Arguments> with_config(std::span<const FlagSpec> flags, const Arguments& given) {
  Arguments out = given;
  if (const std::string_view file = given.text("config"); !file.empty()) {
    // The common flags are known to `given`, so the file must know them too.
    std::vector<FlagSpec> all(flags.begin(), flags.end());
    std::ranges::copy(common_flags(), std::back_inserter(all));
    STRAKE_TRY(const Arguments from_file,
               read_config_section(std::string(file), "serve", kSections, all, kNotInFile));
    out.fill_from(from_file);
  }
  return out;
}

std::vector<std::string> changed_for_restart(const Arguments& old, const Arguments& fresh) {
  std::vector<std::string> out = fresh.differences(old);
  std::erase_if(out, [](const std::string& name) {
    return std::ranges::find(kReloadedFlags, name) != std::ranges::end(kReloadedFlags);
  });
  return out;
}

}  // namespace strake::cli

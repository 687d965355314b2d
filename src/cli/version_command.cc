#include "cli/version_command.h"

#include "cli/command/version.h"

namespace strake::cli {
namespace {

ExitCode run_version(const Arguments&, Io& io) {
  io.out.write(version_line());
  return ExitCode::kFine;
}

}  // namespace

std::string version_line() { return fmt::format("strake {}\n", version_text()); }

constinit const Command kVersionCommand = {
    .name = "version",
    .group = Group::kGeneral,
    .summary = "show the version and the commit it was built from",
    .run = run_version,
};

}  // namespace strake::cli

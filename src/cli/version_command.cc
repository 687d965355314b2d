#include "cli/version_command.h"

#include "cli/command/version.h"

namespace strake::cli {
namespace {

constexpr FlagSpec kVersionCommandFlags[] = {
    {.name = "libraries",
     .kind = FlagKind::kSwitch,
     .summary = "also show the versions of the libraries that are part of the program"},
};

ExitCode run_version(const Arguments& args, Io& io) {
  io.out.write(version_line());
  if (args.on("libraries")) io.out.write(fmt::format("{}\n", linked_libraries()));
  return ExitCode::kFine;
}

}  // namespace

std::string version_line() { return fmt::format("strake {}\n", version_text()); }

constinit const Command kVersionCommand = {
    .name = "version",
    .group = Group::kGeneral,
    .summary = "show the version and the commit it was built from",
    .flags = kVersionCommandFlags,
    .run = run_version,
};

}  // namespace strake::cli

#include "cli/operate/init_commands.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/input_file.h"
#include "base/private_folder.h"
#include "base/quote.h"
#include "cli/io/terminal.h"
#include "cli/operate/operate_flags.h"
#include "cli/operate/operate_run.h"
#include "kustomize/file/paths.h"
#include "ops/kom/legacy.h"

namespace strake::cli {
namespace {

using provider::FailureClass;
using provider::Outcome;

constexpr std::uint64_t kMostLegacyBytes = std::uint64_t{2} << 20;

constexpr std::string_view kNewConfig = R"(version: 1
store:
  type: local
logging:
  dir: $KOMPOX_DIR/logs
  format: json
  level: info
  retentionDays: 7
)";

Outcome<> init_folder(const Arguments& args, Io& io) {
  STRAKE_TRY(const std::string here, working_folder_of(args));
  const std::string folder = kustomize::join_path(here, ops::kKompoxFolder);
  std::error_code failed;
  if (std::filesystem::exists(folder, failed) && !args.on("force"))
    return provider::refuse(FailureClass::kConflict,
                            "{} already exists; use --force to write it "
                            "again",
                            folder);
  std::vector<std::string> written;
  for (const std::string& one : {folder, folder + "/kom", folder + "/logs"}) {
    const bool made = std::filesystem::create_directories(one, failed);
    if (failed) return provider::refuse(FailureClass::kInternal, "{}: {}", one, failed.message());
    if (made) written.push_back(one + "/");
  }
  const std::pair<std::string_view, std::string_view> files[] = {{ops::kConfigFile, kNewConfig},
                                                                 {".gitignore", "/logs\n"}};
  for (const auto& [name, text] : files) {
    const std::string path = kustomize::join_path(folder, name);
    STRAKE_CHECK(strake::write_file(path, text, 0644));
    written.push_back(path);
  }
  for (const std::string& one : written) io.out.write(fmt::format("created {}\n", printable(one)));
  return {};
}

ExitCode run_init(const Arguments& args, Io& io) {
  const Outcome<> done = init_folder(args, io);
  return done ? ExitCode::kFine : operate_failed(done.error().message(), {}, io);
}

void print_config_line(Io& io, std::string_view version, const provider::Workspace& workspace,
                       const provider::ProviderEntity& provider, const provider::Cluster& cluster,
                       const provider::App& app) {
  io.out.write(
      printable(fmt::format("version={} workspace={} provider={}({}) cluster={} domain={} app={}",
                            version, workspace.name, provider.name, provider.driver, cluster.name,
                            cluster.ingress ? cluster.ingress->domain : "", app.name)) +
      "\n");
}

// The single file of older configurations, by its name.
Outcome<> show_config_file(const Arguments& args, Io& io) {
  STRAKE_TRY(const std::string here, working_folder_of(args));
  const std::string_view given = args.text("file");
  const std::string path =
      kustomize::is_absolute(given) ? std::string(given) : kustomize::join_path(here, given);
  auto file = InputFile::open(path, Pipes::kRead);
  if (!file) return std::unexpected(provider::Failure(std::move(file).error()).prefixed(path));
  auto text = file->read_all(kMostLegacyBytes);
  if (!text) return std::unexpected(provider::Failure(std::move(text).error()).prefixed(path));
  STRAKE_TRY(const ops::LegacyFile legacy, ops::read_legacy_text(path, *text, ops::random_id));
  print_config_line(io, legacy.version, legacy.workspace, legacy.provider, legacy.cluster,
                    legacy.app);
  return {};
}

ExitCode run_config(const Arguments& args, Io& io) {
  const Outcome<> done = show_config_file(args, io);
  return done ? ExitCode::kFine : operate_failed(done.error().message(), {}, io);
}

constexpr FlagSpec kInitFlags[] = {
    kRunFlags[0],
    {.name = "force", .letter = 'f', .summary = "write the files again where they are"},
};
constexpr FlagSpec kShownConfigFlags[] = {
    kRunFlags[0],
    {.name = "file",
     .letter = 'f',
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .fallback = ops::kLegacyFile,
     .summary = "the file"},
};

}  // namespace

constinit const Command kInitCommand = {
    .name = "init",
    .group = Group::kOperate,
    .summary = "make the folder .kompox, the root of a configuration",
    .description =
        "Makes .kompox with config.yml, a folder kom for documents, and a folder logs, which git "
        "is told to pass over. With -C, in that folder, which is made when it is not there.",
    .flags = kInitFlags,
    .run = run_init,
};
constinit const Command kConfigCommand = {
    .name = "config",
    .group = Group::kOperate,
    .summary = "show what the single file of older configurations declares",
    .flags = kShownConfigFlags,
    .run = run_config,
};

}  // namespace strake::cli

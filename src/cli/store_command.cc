#include "cli/store_command.h"

#include <algorithm>
#include <filesystem>

#include "cli/app.h"
#include "cli/serve_command.h"
#include "store/sqlite/maintenance.h"

namespace strake::cli {
namespace {

namespace sqlite = store::sqlite;

// How long a server that is running may take to compact.
constexpr std::chrono::seconds kCompactPatience{120};

std::string store_path(const Arguments& args, const Io& io) {
  const std::string_view given = args.text("data-dir");
  const std::filesystem::path folder = given.empty() ? default_data_dir(io) : std::string(given);
  return (folder / "strake.db").string();
}

ExitCode failure(const Error& error, Io& io) {
  std::string message = error.to_string();
  if (error.code() == Code::kAlreadyExists) message += "; --overwrite replaces it";
  print_error(message, io);
  // A file that is in use or in the way is a matter of what was asked for; no server was asked.
  return error.code() == Code::kUnsupported ? ExitCode::kUnsupported : ExitCode::kInput;
}

std::string in_words(const sqlite::FileReport& report) {
  return fmt::format("{} {}, revision {}, {} bytes", report.keys, report.keys == 1 ? "key" : "keys",
                     report.revision, report.bytes);
}

ExitCode run_backup(const Arguments& args, Io& io) {
  const std::string path = store_path(args, io);
  const std::string& target = args.operands()[1];
  const auto report = sqlite::backup(path, target, args.on("overwrite"));
  if (!report) return failure(report.error(), io);
  io.out.write(fmt::format("{} backed up to {}: {}\n", path, target, in_words(*report)));
  return ExitCode::kFine;
}

ExitCode run_restore(const Arguments& args, Io& io) {
  const std::string path = store_path(args, io);
  // On a new machine there is no folder yet; what it will hold is for its owner alone.
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (std::filesystem::create_directories(folder, error))
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
  if (error) return failure(Error(Code::kIo, folder.string() + ": " + error.message()), io);
  const std::string& backup = args.operands()[1];
  const auto report = sqlite::restore(backup, path, args.on("overwrite"));
  if (!report) return failure(report.error(), io);
  io.out.write(fmt::format("{} restored from {}: {}\n", path, backup, in_words(*report)));
  return ExitCode::kFine;
}

ExitCode run_compact(const Arguments& args, Io& io) {
  const std::string path = store_path(args, io);
  const auto compacted = sqlite::compact(path, kCompactPatience);
  if (!compacted) return failure(compacted.error(), io);
  io.out.write(fmt::format("{} compacted: {}\n", path, in_words(compacted->file)));
  if (!compacted->shrunk) {
    io.out.write(
        "A server has it open: the file keeps its size, and the room in it is used again. To "
        "shrink it, compact while the server is stopped.\n");
  }
  return ExitCode::kFine;
}

ExitCode run_check(const Arguments& args, Io& io) {
  const std::string path = args.operands().size() > 1 ? args.operands()[1] : store_path(args, io);
  const auto report = sqlite::check(path);
  if (!report) {
    const ExitCode code = failure(report.error(), io);
    std::error_code ignored;
    const bool looked_at = std::filesystem::is_regular_file(path, ignored);
    return looked_at && code == ExitCode::kInput ? ExitCode::kFindings : code;
  }
  io.out.write(fmt::format("{} is whole: {}, compacted up to revision {}, schema version {}\n",
                           path, in_words(*report), report->compacted, report->schema_version));
  return ExitCode::kFine;
}

struct Action {
  std::string_view name;
  std::size_t least_files;
  std::size_t most_files;
  ExitCode (*run)(const Arguments& args, Io& io);
};
constexpr Action kActions[] = {
    {"backup", 1, 1, run_backup},
    {"restore", 1, 1, run_restore},
    {"compact", 0, 0, run_compact},
    {"check", 0, 1, run_check},
};

// What is wrong with the operands, if anything.
Result<const Action*> find_action(const Arguments& args) {
  const std::string& name = args.operands()[0];
  const auto* action = std::ranges::find(kActions, name, &Action::name);
  if (action == std::end(kActions)) {
    std::vector<std::string_view> names;
    for (const Action& one : kActions) names.push_back(one.name);
    return fail(Code::kUsage, "store: unknown action \"{}\"{}", name, suggestion(name, names));
  }
  const std::size_t files = args.operands().size() - 1;
  if (files < action->least_files) return fail(Code::kUsage, "store {}: needs a FILE", name);
  if (files > action->most_files) return fail(Code::kUsage, "store {}: takes no FILE", name);
  if (args.on("overwrite") && action->least_files == 0)
    return fail(Code::kUsage, "store {}: --overwrite means nothing here", name);
  return action;
}

ExitCode run_store(const Arguments& args, Io& io) {
  const auto action = find_action(args);
  return action ? (*action)->run(args, io) : failure(action.error(), io);
}

constexpr FlagSpec kFlags[] = {
    {.name = "data-dir",
     .kind = FlagKind::kText,
     .value_name = "DIR",
     .summary = "the data folder of `strake serve`"},
    {.name = "overwrite", .summary = "backup, restore: replace an existing file or store"},
};

constexpr Example kExamples[] = {
    {"strake store backup monday.db", "back up while the server runs"},
    {"strake store restore --overwrite monday.db", "restore a backup"},
    {"strake store compact --data-dir ./demo", "remove history and shrink the file"},
    {"strake store check monday.db", "check a backup"},
};

}  // namespace

constinit const Command kStoreCommand = {
    .name = "store",
    .group = Group::kServe,
    .summary = "back up, restore, compact or check the store of a server",
    .description =
        "backup FILE writes one consistent state of the store and checks it before the file gets "
        "its name. Only its owner can read the file, because it contains the store's secrets.\n\n"
        "restore FILE checks a backup and puts it in place, all or nothing. The server must be "
        "stopped. When a store is replaced, revisions continue from the newest of both, and "
        "watching clients have to list again.\n\n"
        "compact removes every value that was overwritten or deleted. A server does this "
        "automatically after some minutes; this removes all history now, and shrinks the "
        "file if the server is stopped.\n\n"
        "check [FILE] reads the whole store, or a backup, and compares its tables with each other. "
        "It exits with 1 if the file is damaged.\n\n"
        "All except restore work while the server is running.",
    .flags = kFlags,
    .operands = {.usage = "backup|restore|compact|check [FILE]",
                 .at_least = 1,
                 .at_most = 2,
                 .files = true},
    .examples = kExamples,
    .run = run_store,
};

}  // namespace strake::cli

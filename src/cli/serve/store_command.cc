#include "cli/serve/store_command.h"

#include <algorithm>
#include <filesystem>

#include "base/private_folder.h"
#include "base/quote.h"
#include "cli/io/terminal.h"
#include "cli/migrate/migrate_versions.h"
#include "cli/serve/serve_options.h"
#include "server/data_dir.h"
#include "store/sqlite/maintenance.h"
#include "store/sqlite/salvage.h"

namespace strake::cli {
namespace {

namespace sqlite = store::sqlite;

// How long a server that is running may take to compact.
constexpr std::chrono::seconds kCompactPatience{120};

std::string data_dir(const Arguments& args, const Io& io) {
  const std::string_view given = args.text("data-dir");
  return given.empty() ? default_data_dir(io) : std::string(given);
}

std::string store_path(const Arguments& args, const Io& io) {
  return (std::filesystem::path(data_dir(args, io)) / "strake.db").string();
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
                     report.revision, report.bytes) +
         (report.attached > 0 ? ", with the keys of pki/" : "");
}

ExitCode run_backup(const Arguments& args, Io& io) {
  const std::string path = store_path(args, io);
  const std::string& target = args.operands()[1];
  const auto keys = server::read_keys(data_dir(args, io));
  if (!keys) return failure(keys.error(), io);
  const auto report = sqlite::backup(path, target, args.on("overwrite"), *keys);
  if (!report) return failure(report.error(), io);
  io.out.write(fmt::format("{} backed up to {}: {}\n", printable(path), printable(target),
                           in_words(*report)));
  return ExitCode::kFine;
}

ExitCode run_restore(const Arguments& args, Io& io) {
  const std::string path = store_path(args, io);
  // On a new machine there is no folder yet; what it will hold is for its owner alone.
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (const auto made = PrivateFolder::open(folder.string()); !made)
    return failure(made.error(), io);
  const std::string& backup = args.operands()[1];
  const bool overwrite = args.on("overwrite");
  const auto put_keys = [&](const std::vector<sqlite::AttachedFile>& keys) {
    return args.on("keep-pki") ? Result<>() : server::write_keys(folder.string(), keys, overwrite);
  };
  const auto report = sqlite::restore(backup, path, overwrite, put_keys);
  if (!report) return failure(report.error(), io);
  io.out.write(fmt::format("{} restored from {}: {}\n", printable(path), printable(backup),
                           in_words(*report)));
  if (report->attached == 0) {
    io.out.write("The backup holds no keys: pki/ stays as it is, or is made at the next start.\n");
  } else if (args.on("keep-pki")) {
    io.out.write("pki/ was left as it is.\n");
  }
  return ExitCode::kFine;
}

ExitCode run_salvage(const Arguments& args, Io& io) {
  constexpr std::size_t kMostShown = 100;
  const std::string path = store_path(args, io);
  const std::string& target = args.operands()[1];
  const auto found = sqlite::salvage(path, target, args.on("overwrite"));
  if (!found) return failure(found.error(), io);
  io.out.write(fmt::format("what can be read of {} is in {}: {}\n", printable(path),
                           printable(target), in_words(found->file)));
  for (std::size_t i = 0; i < std::min(found->lost_keys.size(), kMostShown); ++i)
    io.err.write(fmt::format("lost: {}\n", quote(found->lost_keys[i])));
  if (found->lost_keys.size() > kMostShown)
    io.err.write(fmt::format("lost: {} more keys\n", found->lost_keys.size() - kMostShown));
  if (found->keys_unknown) {
    io.err.write(
        "The list of keys is damaged: more may be lost, and keys that were deleted or changed may "
        "stand as they were.\n");
  }
  if (found->leases_lost) io.err.write("Times to live are lost: nothing expires.\n");
  if (found->acknowledged > found->newest) {
    io.err.write(fmt::format("lost: every write after revision {}, up to revision {}\n",
                             found->newest, found->acknowledged));
  }
  const bool whole = found->lost_keys.empty() && !found->keys_unknown && !found->leases_lost &&
                     found->acknowledged <= found->newest;
  return whole ? ExitCode::kFine : ExitCode::kFindings;
}

ExitCode run_compact(const Arguments& args, Io& io) {
  const std::string path = store_path(args, io);
  const auto compacted = sqlite::compact(path, kCompactPatience);
  if (!compacted) return failure(compacted.error(), io);
  io.out.write(fmt::format("{} compacted: {}\n", printable(path), in_words(compacted->file)));
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
                           printable(path), in_words(*report), report->compacted,
                           report->schema_version));
  return ExitCode::kFine;
}

ExitCode run_migrate_versions(const Arguments& args, Io& io) {
  return migrate_versions(std::span(args.operands()).subspan(1), args, io);
}

struct Action {
  std::string_view name;
  std::size_t least_files;
  std::size_t most_files;
  ExitCode (*run)(const Arguments& args, Io& io);
};
constexpr Action kActions[] = {
    {"backup", 1, 1, run_backup},   {"restore", 1, 1, run_restore},
    {"compact", 0, 0, run_compact}, {"check", 0, 1, run_check},
    {"salvage", 1, 1, run_salvage}, {"migrate-versions", 0, kAnyNumber, run_migrate_versions},
};

// Which flags are for the action that asks a cluster, and for none of the others.
constexpr std::string_view kMigrateVersions = "migrate-versions";
constexpr std::string_view kMigrationFlags[] = {"all",     "dry-run", "wait",
                                                "timeout", "context", "kubeconfig"};
constexpr std::string_view kFileFlags[] = {"data-dir", "overwrite", "keep-pki"};

Result<> check_flags(std::string_view action, const Arguments& args) {
  const std::span<const std::string_view> foreign =
      action == kMigrateVersions ? std::span<const std::string_view>(kFileFlags) : kMigrationFlags;
  for (const std::string_view flag : foreign) {
    if (args.given(flag))
      return fail(Code::kUsage, "store {}: --{} means nothing here", action, flag);
  }
  return {};
}

// What is wrong with the operands, if anything.
Result<const Action*> find_action(const Arguments& args) {
  const std::string& name = args.operands()[0];
  const auto* action = std::ranges::find(kActions, name, &Action::name);
  if (action == std::end(kActions)) {
    std::vector<std::string_view> names;
    for (const Action& one : kActions) names.push_back(one.name);
    return fail(Code::kUsage, "store: unknown action \"{}\"{}", name, suggestion(name, names));
  }
  STRAKE_CHECK(check_flags(name, args));
  const std::size_t files = args.operands().size() - 1;
  if (files < action->least_files) return fail(Code::kUsage, "store {}: needs a FILE", name);
  if (files > action->most_files) return fail(Code::kUsage, "store {}: takes no FILE", name);
  if (args.on("overwrite") && action->least_files == 0)
    return fail(Code::kUsage, "store {}: --overwrite means nothing here", name);
  if (args.on("keep-pki") && name != "restore")
    return fail(Code::kUsage, "store {}: --keep-pki means nothing here", name);
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
     .summary = "the data folder of `strake serve` (default: $XDG_DATA_HOME/strake or "
                "~/.local/share/strake)"},
    {.name = "overwrite", .summary = "backup, restore, salvage: replace an existing file or store"},
    {.name = "keep-pki", .summary = "restore: keep the present keys and certificates in pki/"},
    kMigrateAllFlag,
    kMigrateDryRunFlag,
    kMigrateWaitFlag,
    kMigrateTimeoutFlag,
    kContextFlag,
    kKubeconfigFlag,
};

constexpr FlagSection kStoreSections[] = {{.title = "migrate-versions", .flags = kMigrationFlags}};

constexpr Example kExamples[] = {
    {"strake store backup monday.db", "back up while the server runs"},
    {"strake store restore --overwrite monday.db", "restore a backup"},
    {"strake store compact --data-dir ./demo", "remove history and shrink the file"},
    {"strake store check monday.db", "check a backup"},
    {"strake store salvage rest.db", "export what is intact in a damaged store"},
    {"strake store migrate-versions things.a.example --dry-run", "what is stored in which version"},
    {"strake store migrate-versions --all --wait", "before old versions are removed"},
};

}  // namespace

constinit const Command kStoreCommand = {
    .name = "store",
    .group = Group::kServe,
    .summary = "back up, restore, compact, check, salvage or migrate a store",
    .description =
        "The action is one of backup, restore, compact, check, salvage and migrate-versions.\n\n"
        "backup FILE writes one consistent state of the store, with the keys and certificates in "
        "pki/, and checks it before the file gets its name. Only its owner can read the file, "
        "because it contains secrets. Files named by flags of `strake serve` (tokens, your own "
        "certificate) are not part of it.\n\n"
        "restore FILE checks a backup and puts it in place with its keys, all or nothing. The "
        "server must be stopped. When a store is replaced, revisions continue from the newest of "
        "both, and watching clients have to list again.\n\n"
        "compact removes every value that was overwritten or deleted. A server does this "
        "automatically after some minutes; this removes all history now, and shrinks the "
        "file if the server is stopped.\n\n"
        "check [FILE] reads the whole store, or a backup, and compares its tables with each other "
        "and with their checksums. It exits with 1 if the file is damaged.\n\n"
        "salvage FILE writes every key of a damaged store whose newest value matches its checksum "
        "to a new store, without history, and lists the keys that are lost. It exits with 1 if "
        "there are any. The damaged store is not changed; restore puts FILE in its place.\n\n"
        "All except restore work while the server is running.\n\n"
        "migrate-versions KIND... asks the cluster of a kubeconfig to rewrite every object that is "
        "stored in another version than the storage version of its definition "
        "(StorageVersionMigration). Afterwards status.storedVersions names that version only, and "
        "the others can be removed from the definition. The migration goes on without this "
        "command, and after a restart of the server. If objects cannot be converted, the others "
        "are rewritten, and the migration fails with the reason: with --wait, this exits with 1. "
        "With --dry-run it exits with 1 if there is something to migrate. Works with every "
        "Kubernetes cluster that serves the API; how many objects are stored in which version "
        "only a Strake server tells.",
    .flags = kFlags,
    .sections = kStoreSections,
    .operands = {.usage = "ACTION [FILE|KIND]...",
                 .at_least = 1,
                 .at_most = kAnyNumber,
                 .files = true},
    .examples = kExamples,
    .run = run_store,
};

}  // namespace strake::cli

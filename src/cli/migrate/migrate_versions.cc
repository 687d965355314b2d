#include "cli/migrate/migrate_versions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "base/deadline.h"
#include "base/go_duration.h"
#include "base/quote.h"
#include "cli/cluster/cluster_flags.h"
#include "cli/command/shared_flags.h"
#include "cli/io/progress.h"
#include "cli/io/terminal.h"
#include "cli/migrate/version_migrations.h"

namespace strake::cli {
namespace {

using meta::GroupResource;
using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{100};
constexpr milliseconds kLongestPause{2000};

std::string objects(std::size_t count) {
  return fmt::format("{} object{}", count, count == 1 ? "" : "s");
}

void write_line(const std::string& text, Io& io) {
  io.out.write(printable(text) + "\n");
  static_cast<void>(io.out.flush());  // whoever reads a log wants to see how far it is
}

Result<Deadline> read_timeout(const Arguments& args) {
  const std::string_view text = args.text("timeout");
  const auto read = parse_go_duration(text);
  if (!read || read->count() < 0)
    return fail(Code::kUsage, "--timeout {}: not a duration such as 30s or 10m", quote(text));
  return read->count() == 0 ? Deadline::never() : Deadline::after(*read);
}

Result<std::vector<GroupResource>> chosen_resources(const Arguments& args,
                                                    std::span<const std::string> words,
                                                    const VersionMigrations& migrations) {
  if (args.on("all")) return migrations.unfinished();
  std::vector<GroupResource> out;
  for (const std::string& word : words) {
    STRAKE_TRY(GroupResource found, migrations.find(word));
    if (std::ranges::find(out, found) == out.end()) out.push_back(std::move(found));
  }
  return out;
}

// True when there is something to migrate.
Result<bool> show_stored(const GroupResource& resource, const VersionMigrations& migrations,
                         Io& io) {
  const std::string name = resource_text(resource);
  STRAKE_TRY(const std::optional<StoredObjects> stored, migrations.stored(resource));
  if (!stored) {
    write_line(fmt::format("{}: no custom resource; its server decides how it is stored", name),
               io);
    return false;
  }
  write_line(fmt::format("{}: storage version {}", name, stored->storage_version), io);
  if (!stored->counts) {
    write_line(fmt::format("  stored versions: {}; the server does not tell how many objects are "
                           "stored in each",
                           fmt::join(stored->versions, ", ")),
               io);
    return stored->needs_migration();
  }
  for (const auto& [version, count] : *stored->counts)
    write_line(fmt::format("  {}: {}", version, objects(count)), io);
  // Those in which nothing is stored, and nobody has said so yet.
  for (const std::string& version : stored->versions) {
    if (!stored->counts->contains(version)) write_line(fmt::format("  {}: 0 objects", version), io);
  }
  return stored->needs_migration();
}

// How far one migration has come: a bar on a terminal, a line for each change elsewhere.
class Following {
 public:
  Following(std::string name, const VersionMigrations& migrations, GroupResource resource, Io& io)
      : name_(std::move(name)), migrations_(migrations), resource_(std::move(resource)), io_(io) {}

  Result<> look() {
    STRAKE_TRY(const std::optional<StoredObjects> stored, migrations_.stored(resource_));
    if (!stored || !stored->counts) return {};
    const std::size_t total = stored->total();
    const std::size_t done = total - stored->elsewhere();
    if (shown_ && done == done_) return {};
    if (io_.err_is_terminal) {
      if (!bar_) bar_ = std::make_unique<Progress>(io_, printable(name_), total);
      for (std::size_t i = shown_ ? done_ : 0; i < done; ++i) bar_->step();
    } else {
      write_line(fmt::format("{}: {} of {} stored in {}", name_, done, objects(total),
                             stored->storage_version),
                 io_);
    }
    shown_ = true;
    done_ = done;
    return {};
  }
  void end() { bar_.reset(); }

 private:
  std::string name_;
  const VersionMigrations& migrations_;
  GroupResource resource_;
  Io& io_;
  bool shown_ = false;
  std::size_t done_ = 0;
  std::unique_ptr<Progress> bar_;
};

Result<ExitCode> wait_for_end(const std::string& migration, const GroupResource& resource,
                              const VersionMigrations& migrations, Deadline deadline, Io& io) {
  const std::string name = resource_text(resource);
  Following following(name, migrations, resource, io);
  for (milliseconds pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    STRAKE_TRY(const MigrationState state, migrations.state(migration));
    STRAKE_CHECK(following.look());
    if (state.phase == MigrationState::Phase::kSucceeded) {
      following.end();
      STRAKE_TRY(const std::optional<StoredObjects> stored, migrations.stored(resource));
      write_line(stored ? fmt::format("{}: migrated; stored versions: {}", name,
                                      fmt::join(stored->versions, ", "))
                        : fmt::format("{}: migrated", name),
                 io);
      return ExitCode::kFine;
    }
    if (state.phase == MigrationState::Phase::kFailed) {
      following.end();
      print_error(fmt::format("{}: {}", name, state.message), io);
      return ExitCode::kFindings;
    }
    if (deadline.expired()) {
      following.end();
      return fail(Code::kTimeout, "{}: not finished in time; the migration {} goes on", name,
                  migration);
    }
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(pause, deadline.remaining()));
  }
}

Result<ExitCode> migrate(std::span<const std::string> words, const Arguments& args, Io& io) {
  if (args.on("all") == !words.empty())
    return fail(Code::kUsage, "name the resources to migrate, or give --all");
  if (args.given("timeout") && !args.on("wait"))
    return fail(Code::kUsage, "--timeout is for --wait");
  if (args.on("dry-run") && args.on("wait"))
    return fail(Code::kUsage, "--dry-run changes nothing that could be waited for");
  STRAKE_TRY(const Deadline deadline, read_timeout(args));
  STRAKE_TRY(const kube::Client cluster,
             connect_cluster(args.text("kubeconfig"), args.text("context"), io));
  const VersionMigrations migrations(cluster);
  STRAKE_TRY(const std::vector<GroupResource> resources, chosen_resources(args, words, migrations));
  if (resources.empty()) {
    io.err.write("nothing to migrate: every definition has one stored version\n");
    return ExitCode::kFine;
  }
  ExitCode code = ExitCode::kFine;
  if (args.on("dry-run")) {
    for (const GroupResource& one : resources) {
      STRAKE_TRY(const bool needed, show_stored(one, migrations, io));
      if (needed) code = ExitCode::kFindings;
    }
    return code;
  }
  // All are begun first: the server works on them at the same time.
  std::vector<std::string> begun;
  for (const GroupResource& one : resources) {
    STRAKE_TRY(std::string name, migrations.begin(one));
    write_line(fmt::format("{}: migration {}", resource_text(one), name), io);
    begun.push_back(std::move(name));
  }
  if (!args.on("wait")) return code;
  for (std::size_t i = 0; i < begun.size(); ++i) {
    STRAKE_TRY(const ExitCode one, wait_for_end(begun[i], resources[i], migrations, deadline, io));
    code = std::max(code, one);
  }
  return code;
}

}  // namespace

ExitCode migrate_versions(std::span<const std::string> kinds, const Arguments& args, Io& io) {
  const Result<ExitCode> done = migrate(kinds, args, io);
  return done ? *done : failed(done.error(), io);
}

}  // namespace strake::cli

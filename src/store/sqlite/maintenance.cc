#include "store/sqlite/maintenance.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/sha256.h"
#include "store/sqlite/file_lock.h"
#include "store/sqlite/ledger.h"
#include "store/sqlite/new_file.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/verify.h"
#include "store/sqlite/wal_scan.h"

namespace strake::store::sqlite {
namespace {

// Each counts rows that should not be there.
struct Law {
  std::string_view broken;  // said when there are some
  std::string_view sql;
};
constexpr Law kLaws[] = {
    {"the row of the counters is not alone", "SELECT count(*) != 1 FROM state"},
    {"the counters contradict each other",
     "SELECT count(*) FROM state WHERE NOT (0 <= swept AND swept <= compacted AND "
     "compacted <= revision)"},
    {"the log is ahead of its counter",
     "SELECT count(*) FROM log WHERE revision > (SELECT revision FROM state)"},
    {"revisions are missing in the log",
     // The first revision is that of the empty store.
     "SELECT (SELECT revision - max(compacted, 1) FROM state) != "
     "(SELECT count(*) FROM log WHERE revision > (SELECT compacted FROM state))"},
    {"keys stand that the log does not have",
     "SELECT count(*) FROM live LEFT JOIN log USING (revision) WHERE log.revision IS NULL OR "
     "log.deleted OR log.key != live.key OR log.create_revision != live.create_revision"},
    {"the log has values that neither stand nor were replaced",
     "SELECT count(*) FROM log WHERE NOT deleted AND "
     "revision NOT IN (SELECT revision FROM live) AND "
     "revision NOT IN (SELECT previous FROM past)"},
    {"replaced values are missing in the log",
     "SELECT count(*) FROM past LEFT JOIN log AS later ON later.revision = past.revision "
     "LEFT JOIN log AS before ON before.revision = past.previous "
     "WHERE later.revision IS NULL OR before.revision IS NULL OR later.key != past.key OR "
     "before.key != past.key OR later.previous != past.previous"},
    {"keys have a time to live from the future",
     "SELECT count(*) FROM lease WHERE revision > (SELECT revision FROM state)"},
};

constexpr std::int64_t kVersionWithChecksums = 2;

Result<> check_version(Database& database) {
  STRAKE_TRY(const std::int64_t version, database.number("PRAGMA user_version"));
  if (version == 0) return fail(Code::kIo, "{} is empty, not a store", database.path());
  return refuse_newer(database);
}

// ---- Files beside the store, in a table that only backups have.

constexpr const char* kAttachedTable =
    "CREATE TABLE attached(name TEXT PRIMARY KEY, content BLOB NOT NULL, sha256 BLOB NOT NULL) "
    "STRICT";

Result<bool> has_attached(Database& database) {
  STRAKE_TRY(const std::int64_t count,
             database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'attached'"));
  return count != 0;
}

std::string fingerprint(const AttachedFile& file) {
  Sha256 sum;
  sum.update(file.name);
  sum.update(std::string_view("\0", 1));
  sum.update(file.content.reveal());
  const Sha256::Digest digest = sum.digest();
  return std::string(digest.begin(), digest.end());
}

// Fails when one is not as it was written.
Result<std::vector<AttachedFile>> read_attached(Database& database) {
  std::vector<AttachedFile> out;
  STRAKE_TRY(const bool any, has_attached(database));
  if (!any) return out;
  STRAKE_TRY(Statement rows,
             database.prepare("SELECT name, content, sha256 FROM attached ORDER BY name"));
  while (true) {
    STRAKE_TRY(const bool row, rows.step());
    if (!row) return out;
    AttachedFile file{.name = std::string(rows.bytes(0)),
                      .content = Secret(std::string(rows.bytes(1)))};
    if (fingerprint(file) != rows.bytes(2))
      return damaged(database.path(), fmt::format("the file {} in it", file.name));
    out.push_back(std::move(file));
  }
}

// What is removed is overwritten: it holds keys.
Result<> remove_attached(Database& database) {
  return database.execute("PRAGMA secure_delete = ON; DROP TABLE IF EXISTS attached");
}

Result<> attach(Database& database, std::span<const AttachedFile> files) {
  STRAKE_CHECK(remove_attached(database));
  if (files.empty()) return {};
  STRAKE_CHECK(database.execute(kAttachedTable));
  STRAKE_TRY(Statement add,
             database.prepare("INSERT INTO attached VALUES (CAST(?1 AS TEXT), ?2, ?3)"));
  for (const AttachedFile& file : files) {
    const std::string sum = fingerprint(file);
    STRAKE_CHECK(add.bind(1, file.name).bind(2, file.content.reveal()).bind(3, sum).run());
  }
  return {};
}

Result<FileReport> report_on(Database& database) {
  FileReport report;
  STRAKE_TRY(const std::int64_t version, database.number("PRAGMA user_version"));
  report.schema_version = static_cast<int>(version);
  STRAKE_TRY(report.revision, database.number("SELECT revision FROM state"));
  STRAKE_TRY(report.compacted, database.number("SELECT compacted FROM state"));
  STRAKE_TRY(report.keys, database.number("SELECT count(*) FROM live"));
  STRAKE_TRY(report.revisions, database.number("SELECT count(*) FROM log"));
  STRAKE_TRY(const std::int64_t pages, database.number("PRAGMA page_count"));
  STRAKE_TRY(const std::int64_t page_bytes, database.number("PRAGMA page_size"));
  report.bytes = static_cast<std::uint64_t>(pages * page_bytes);
  STRAKE_TRY(const bool attached, has_attached(database));
  if (attached) {
    STRAKE_TRY(report.attached, database.number("SELECT count(*) FROM attached"));
  }
  return report;
}

// In one transaction, so that all of it looks at one state.
Result<FileReport> check_open(Database& database, const std::optional<Mark>& mark) {
  STRAKE_CHECK(check_file(database, FileCheck::kFull));
  STRAKE_CHECK(check_version(database));
  for (const Law& law : kLaws) {
    STRAKE_TRY(const std::int64_t count, database.number(law.sql));
    if (count != 0) return damaged(database.path(), fmt::format("{} ({})", law.broken, count));
  }
  STRAKE_CHECK(read_attached(database));
  STRAKE_TRY(const std::int64_t version, database.number("PRAGMA user_version"));
  // Older ones have no checksums, and get them when they are opened.
  if (version >= kVersionWithChecksums) STRAKE_CHECK(verify(database, mark));
  return report_on(database);
}

Result<FileReport> check_in_transaction(Database& database, const CancelToken& cancel = {},
                                        const std::optional<Mark>& mark = std::nullopt) {
  STRAKE_CHECK(database.execute("BEGIN"));
  auto report = check_open(database, mark);
  database.rollback();
  // What was interrupted may look like damage.
  if (!report && cancel.cancelled()) return fail(Code::kCancelled, "{}: stopped", database.path());
  if (!report) return std::unexpected(as_refusal(database.path(), report.error()));
  return report;
}

// One file without companions, readable by its owner alone; `finish` may change it before it is
// checked.
Result<FileReport> copy(Database& source, const std::string& target,
                        const std::function<Result<>(Database&)>& finish,
                        const CancelToken& cancel = {}) {
  STRAKE_CHECK(make_private_file(target));
  STRAKE_TRY(Database copied, Database::open(target, Access::kWrite, kBusyTimeout));
  copied.stop_when(cancel);
  STRAKE_CHECK(source.execute("BEGIN"));
  STRAKE_CHECK(source.number("SELECT count(*) FROM state"));
  const Result<> done = source.copy_to(copied, cancel);
  source.rollback();
  if (!done) return std::unexpected(done.error());
  STRAKE_TRY(const std::string mode, copied.text("PRAGMA journal_mode = DELETE"));
  if (mode != "delete") return fail(Code::kIo, "{}: could not be made a single file", target);
  STRAKE_CHECK(finish(copied));
  return check_in_transaction(copied, cancel);
}

// Folds the write-ahead log into the file, so that it is no longer needed. A file that is too
// damaged for that is about to be replaced anyway: then the log goes as it is. Returns its newest
// revision, or 0.
Revision settle_old_file(const std::string& path) {
  Revision newest = 0;
  if (auto old = Database::open(path, Access::kWrite, kBusyTimeout)) {
    // A damaged counter says nothing.
    if (const auto state = read_state(*old)) newest = state->revision;
    if (old->number("PRAGMA user_version").value_or(0) < kVersionWithChecksums)
      newest = old->number("SELECT revision FROM state").value_or(0);
    (void)old->text("PRAGMA journal_mode = DELETE");
  }
  if (const auto mark = MarkFile::read(path)) newest = std::max(newest, mark->revision);
  for (const char* end : {"-wal", "-shm"}) ::unlink((path + end).c_str());
  return newest;
}

Result<> go_on_from(const std::string& path, Revision newest) {
  STRAKE_TRY(Database database, Database::open(path, Access::kWrite, kBusyTimeout));
  // A backup of an older version may have no checksums yet.
  STRAKE_CHECK(migrate(database));
  STRAKE_TRY(StateRow state, read_state(database));
  state.revision = state.compacted = newest;
  return write_state(database, state);
}

Result<Compacted> compact_stopped(const std::string& path) {
  STRAKE_TRY(Database database, open_existing(path, Access::kWrite));
  STRAKE_CHECK(check_file(database, FileCheck::kQuick));
  STRAKE_CHECK(check_version(database));
  STRAKE_CHECK(prepare_for_writing(database));
  Result<> good = migrate(database);
  if (good) good = verify(database, MarkFile::read(path));
  if (!good) return std::unexpected(as_refusal(path, good.error()));
  {
    STRAKE_TRY(Database connection, Database::open(path, Access::kWrite, kBusyTimeout));
    STRAKE_TRY(Ledger ledger, Ledger::open(std::move(connection)));
    do {
      STRAKE_CHECK(ledger.begin());
      STRAKE_CHECK(ledger.set_compacted(ledger.state().revision));
      STRAKE_CHECK(ledger.sweep(std::chrono::seconds(1)));
      STRAKE_CHECK(ledger.commit());
    } while (ledger.state().swept < ledger.state().compacted);
    STRAKE_CHECK(ledger.mark_closed());
  }
  STRAKE_CHECK(database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
  STRAKE_TRY(FileReport report, report_on(database));
  return Compacted{.file = report, .shrunk = true};
}

// The one who has the store open sees the counter within seconds, and sweeps.
Result<Compacted> compact_running(const std::string& path, std::chrono::seconds patience) {
  STRAKE_TRY(Database database, open_existing(path, Access::kWrite));
  STRAKE_CHECK(check_version(database));
  STRAKE_CHECK(database.execute("BEGIN IMMEDIATE"));
  STRAKE_TRY(StateRow state, read_state(database));
  const Revision wanted = state.compacted = state.revision;
  STRAKE_CHECK(write_state(database, state));
  STRAKE_CHECK(database.execute("COMMIT"));
  const auto end = std::chrono::steady_clock::now() + patience;
  while (true) {
    STRAKE_TRY(const Revision swept, database.number("SELECT swept FROM state"));
    if (swept >= wanted) break;
    if (std::chrono::steady_clock::now() >= end) {
      return fail(Code::kTimeout,
                  "{}: the server that has it open has not compacted up to revision {}", path,
                  wanted);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  STRAKE_TRY(FileReport report, report_on(database));
  return Compacted{.file = report, .shrunk = false};
}

}  // namespace

Result<FileReport> check(const std::string& path, const CancelToken& cancel) {
  // While a server writes, its log and its mark are ahead of what is read here. A file that was
  // never served has no lock, and gets none.
  Result<FileLock> lock;
  if (exists(path + ".lock")) lock = FileLock::take(path);
  const bool in_use = !lock && lock.error().code() == Code::kServiceUnavailable;
  std::optional<Mark> mark;
  if (!in_use) {
    mark = MarkFile::read(path);
    if (!mark || !mark->failed) {
      const Result<> log = check_wal(path);
      if (!log) return std::unexpected(as_refusal(path, log.error()));
    }
  }
  STRAKE_TRY(Database database, open_existing(path, Access::kRead));
  database.stop_when(cancel);
  return check_in_transaction(database, cancel, mark);
}

Result<Database> open_existing(const std::string& path, Access access) {
  if (!exists(path)) return fail(Code::kIo, "{}: {}", path, std::strerror(errno));
  // SQLite must make files beside the store to read it, which only a file that nobody can write to
  // and that has no log can do without.
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const bool frozen = access == Access::kRead &&
                      ::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0 && errno == EROFS;
  if (!frozen) return Database::open(path, access, kBusyTimeout);
  std::error_code ignored;
  if (std::filesystem::file_size(path + "-wal", ignored) > 0 && !ignored) {
    return fail(Code::kIo,
                "{}: the file system is read-only, and the write-ahead log beside the file can be "
                "read only where it can be written: copy both to another place",
                path);
  }
  return Database::open(path, Access::kReadFrozen, kBusyTimeout);
}

Result<FileReport> backup(const std::string& path, const std::string& target, bool overwrite,
                          std::span<const AttachedFile> attached, const CancelToken& cancel) {
  STRAKE_CHECK(refuse_existing(target, overwrite));
  STRAKE_TRY(Database source, open_existing(path, Access::kRead));
  STRAKE_CHECK(check_version(source));
  const Partial partial(target);
  STRAKE_TRY(FileReport report,
             copy(
                 source, partial.path(), [&](Database& copied) { return attach(copied, attached); },
                 cancel));
  STRAKE_CHECK(rename_durably(partial.path(), target));
  return report;
}

Result<FileReport> restore(const std::string& backup, const std::string& path, bool overwrite,
                           const Receive& receive) {
  STRAKE_TRY(Database source, open_existing(backup, Access::kRead));
  STRAKE_CHECK(check_file(source, FileCheck::kAuto));
  STRAKE_CHECK(refuse_existing(path, overwrite));
  STRAKE_TRY(const FileLock lock, FileLock::take(path));
  const Partial partial(path);
  std::vector<AttachedFile> attached;
  STRAKE_TRY(FileReport report, copy(source, partial.path(), [&](Database& copied) -> Result<> {
               STRAKE_TRY(attached, read_attached(copied));
               return remove_attached(copied);
             }));
  report.attached = attached.size();
  if (receive) STRAKE_CHECK(receive(attached));
  if (exists(path)) {
    const Revision newest = settle_old_file(path);
    if (newest > report.revision) {
      STRAKE_CHECK(go_on_from(partial.path(), newest));
      report.revision = report.compacted = newest;
    }
  }
  // The mark is about the old file.
  ::unlink(MarkFile::path_of(path).c_str());
  STRAKE_CHECK(rename_durably(partial.path(), path));
  return report;
}

Result<Compacted> compact(const std::string& path, std::chrono::seconds patience) {
  if (!exists(path)) return fail(Code::kIo, "{}: {}", path, std::strerror(ENOENT));
  const auto lock = FileLock::take(path);
  if (lock) return compact_stopped(path);
  if (lock.error().code() != Code::kServiceUnavailable) return std::unexpected(lock.error());
  return compact_running(path, patience);
}

}  // namespace strake::store::sqlite

#include "store/sqlite/schema.h"

#include "store/sqlite/verify.h"

namespace strake::store::sqlite {
namespace {

// "Strk": tells a store from the databases of other programs.
constexpr std::int64_t kApplicationId = 0x5374726b;

// Below this size looking at all of a file takes milliseconds.
constexpr std::int64_t kSmallFile = 64 << 20;

// log    every write that is not compacted, by revision; a deletion is a row without a value
// live   where the keys that stand now are in the log
// past   for every write that replaced something: which revision it replaced. So what stood at a
//        revision is: what is live and not younger, and what was replaced since and not younger.
// lease  which writes are to be deleted, and when, in milliseconds since 1970
// state  the counters; the log alone cannot say them, because compaction may take its newest row;
//        `probes` counts attempts to see whether a disk that failed works again
constexpr Step kSteps[] = {
    {R"(
CREATE TABLE state(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL,
  compacted INTEGER NOT NULL,
  swept INTEGER NOT NULL,
  probes INTEGER NOT NULL,
  closed INTEGER NOT NULL
) STRICT;
INSERT INTO state VALUES (1, 1, 0, 0, 0, 1);
CREATE TABLE log(
  revision INTEGER PRIMARY KEY,
  key BLOB NOT NULL,
  create_revision INTEGER NOT NULL,
  previous INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  value BLOB
) STRICT;
CREATE TABLE live(
  key BLOB NOT NULL,
  revision INTEGER NOT NULL,
  create_revision INTEGER NOT NULL,
  PRIMARY KEY (key)
) STRICT, WITHOUT ROWID;
CREATE TABLE past(
  key BLOB NOT NULL,
  revision INTEGER NOT NULL,
  previous INTEGER NOT NULL,
  PRIMARY KEY (key, revision)
) STRICT, WITHOUT ROWID;
CREATE TABLE lease(
  expires INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  key BLOB NOT NULL,
  PRIMARY KEY (expires, revision)
) STRICT, WITHOUT ROWID;
)"},
    // Checksums (docs/adr/0002-store-checksums.md).
    {R"(
ALTER TABLE log ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN chain INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN swept_chain INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN live_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN past_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN lease_sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE state ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
)",
     add_checksums},
};

Result<std::int64_t> file_bytes(Database& database) {
  STRAKE_TRY(const std::int64_t pages, database.number("PRAGMA page_count"));
  STRAKE_TRY(const std::int64_t page_bytes, database.number("PRAGMA page_size"));
  return pages * page_bytes;
}

// Whether the store that had it open last said goodbye.
Result<bool> was_closed(Database& database) {
  STRAKE_TRY(const std::int64_t tables,
             database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'state'"));
  if (tables == 0) return true;
  STRAKE_TRY(const std::int64_t closed, database.number("SELECT closed FROM state"));
  return closed != 0;
}

}  // namespace

Error as_refusal(const std::string& path, const Error& error) {
  if (!is_damage(error)) return error;
  std::string_view what = error.message();
  if (what.starts_with("damaged: ")) what.remove_prefix(9);
  return {
      Code::kIo,
      fmt::format("{} is damaged: {}; restore a backup with `strake store restore`, or take out "
                  "what can be read with `strake store salvage`",
                  path, what)};
}

int schema_version() { return static_cast<int>(std::size(kSteps)); }

Result<> prepare_for_writing(Database& database) {
  STRAKE_TRY(const std::string mode, database.text("PRAGMA journal_mode = WAL"));
  if (mode != "wal")
    return fail(Code::kIo, "{}: no write-ahead log on this file system", database.path());
  // A write-ahead log that once grew large shrinks again. Deleted values are overwritten where that
  // costs no further page.
  return database.execute(
      "PRAGMA synchronous = FULL;"
      "PRAGMA secure_delete = FAST;"
      "PRAGMA journal_size_limit = 67108864;"
      "PRAGMA cache_size = -8192;"
      "PRAGMA temp_store = MEMORY");
}

Result<> refuse_newer(Database& database, std::int64_t known) {
  STRAKE_TRY(const std::int64_t found, database.number("PRAGMA user_version"));
  if (found <= known) return {};
  return fail(Code::kUnsupported,
              "{} has schema version {}, written by a newer strake, and this strake knows versions "
              "up to {}: use the newer strake, or go back with `strake store restore --overwrite` "
              "and a backup from before the upgrade",
              database.path(), found, known);
}

Result<> check_file(Database& database, FileCheck check) {
  const auto refuse = [&](const Error& why) {
    return std::unexpected(as_refusal(database.path(), why));
  };
  const auto application = database.number("PRAGMA application_id");
  if (!application) return refuse(application.error());
  const auto tables = database.number("SELECT count(*) FROM sqlite_schema");
  if (!tables) return refuse(tables.error());
  if (*application != kApplicationId && (*application != 0 || *tables != 0))
    return fail(Code::kIo, "{} is a database, but not a store of Strake", database.path());
  // Before anything is read from tables that a newer version may have changed.
  if (const Result<> known = refuse_newer(database); !known) return refuse(known.error());
  if (check == FileCheck::kAuto) {
    const auto size = file_bytes(database);
    if (!size) return refuse(size.error());
    const auto closed = was_closed(database);
    if (!closed) return refuse(closed.error());
    if (*size > kSmallFile && *closed) return {};
  }
  const auto verdict = database.text(check == FileCheck::kFull ? "PRAGMA integrity_check(1)"
                                                               : "PRAGMA quick_check(1)");
  if (!verdict) return refuse(verdict.error());
  if (*verdict != "ok") return refuse(damaged(database.path(), *verdict).error());
  return {};
}

Result<> migrate(Database& database) { return migrate(database, kSteps); }

Result<> migrate(Database& database, std::span<const Step> steps) {
  const auto newest = static_cast<std::int64_t>(steps.size());
  STRAKE_CHECK(refuse_newer(database, newest));
  STRAKE_TRY(const std::int64_t found, database.number("PRAGMA user_version"));
  for (std::int64_t version = found; version < newest; ++version) {
    const Step& step = steps[version];
    const std::string sql =
        fmt::format("BEGIN IMMEDIATE; {} PRAGMA user_version = {}; PRAGMA application_id = {}",
                    step.sql, version + 1, kApplicationId);
    Result<> outcome = database.execute(sql.c_str());
    if (outcome && step.fill != nullptr) outcome = step.fill(database);
    if (outcome) outcome = database.execute("COMMIT");
    if (!outcome) {
      database.rollback();
      return std::unexpected(std::move(outcome).error().prefixed(
          fmt::format("migration to schema version {}", version + 1)));
    }
  }
  return {};
}

}  // namespace strake::store::sqlite

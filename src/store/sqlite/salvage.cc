#include "store/sqlite/salvage.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "store/sqlite/mark.h"
#include "store/sqlite/new_file.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/verify.h"

// Builds a new store from what can be trusted in a damaged one. Which keys stand is asked of the
// table `live` when its sum is right; else it is worked out from the log, revision by revision: the
// last row of a key decides. A value is taken only when its own checksum fits and its key and
// creation agree; a key whose newest value is damaged is left out and named, because an older value
// would bring back a state that was overwritten. The new store has no history, so it begins at the
// newest revision that anyone was told of: clients that watch from an older one are sent to list
// again.

namespace strake::store::sqlite {
namespace {

struct Standing {
  Revision revision = 0;
  Revision create_revision = 0;
};
using Keys = std::map<std::string, Standing, std::less<>>;

class Source {
 public:
  explicit Source(Database database) : database_(std::move(database)) {}

  Result<> open() {
    STRAKE_TRY(const std::int64_t version, database_.number("PRAGMA user_version"));
    // Before version 2 there were no checksums: what can be read is taken as it is. The number
    // itself may be damaged, so the table has to look like that too.
    constexpr std::int64_t kColumnsWithoutSum = 6;
    STRAKE_TRY(const std::int64_t columns,
               database_.number("SELECT COUNT(*) FROM pragma_table_info('log')"));
    checked_ = version >= 2 || columns > kColumnsWithoutSum;
    STRAKE_TRY(find_, database_.prepare(checked_ ? "SELECT revision, key, create_revision, "
                                                   "previous, deleted, value, sum FROM log "
                                                   "WHERE revision = ?1"
                                                 : "SELECT revision, key, create_revision, "
                                                   "previous, deleted, value, 0 FROM log "
                                                   "WHERE revision = ?1"));
    return {};
  }

  std::optional<StateRow> state() {
    if (!checked_) return std::nullopt;
    auto found = read_state(database_);
    return found ? std::optional(*found) : std::nullopt;
  }

  // As the counters say; nothing when they are damaged.
  std::optional<Revision> newest() {
    if (const auto counters = state()) return counters->revision;
    if (checked_) return std::nullopt;
    const auto found = database_.number("SELECT revision FROM state");
    return found ? std::optional(*found) : std::nullopt;
  }

  // The keys that stand, when their table is whole.
  std::optional<Keys> keys() {
    Keys out;
    Checksum sum = 0;
    auto rows = database_.prepare("SELECT key, revision, create_revision FROM live");
    while (rows) {
      const auto row = rows->step();
      if (!row) return std::nullopt;
      if (!*row) break;
      sum = plus(sum, live_term(rows->bytes(0), rows->number(1), rows->number(2)));
      out[std::string(rows->bytes(0))] = {.revision = rows->number(1),
                                          .create_revision = rows->number(2)};
    }
    if (!rows) return std::nullopt;
    const std::optional<StateRow> counters = state();
    if (checked_ && (!counters || counters->live_sum != sum)) return std::nullopt;
    return out;
  }

  // Nothing when the revision is not there or is damaged. Valid until the next call.
  std::optional<LogRow> row(Revision revision) {
    find_.reset();
    const auto found = find_.bind(1, revision).step();
    if (!found || !*found) return std::nullopt;
    if (checked_) {
      auto row = verified_row(find_, 0, database_.path());
      return row && row->revision == revision ? std::optional(*row) : std::nullopt;
    }
    return LogRow{.revision = find_.number(0),
                  .key = find_.bytes(1),
                  .create_revision = find_.number(2),
                  .previous = find_.number(3),
                  .deleted = find_.number(4) != 0,
                  .value = find_.bytes(5)};
  }

  // Without the table of keys: the newest write of each key in the log. Where the log cannot be
  // followed it is probed revision by revision, but not for ever: what is damaged may claim any
  // number.
  struct Found {
    Keys keys;
    Revision newest = 1;
  };
  Result<Found> keys_of_log() {
    // In proportion to what the file can hold; each takes two searches, and may fail in each.
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(database_.path(), ignored);
    const std::uintmax_t most =
        std::min<std::uintmax_t>(200'000, 10'000 + (ignored ? 0 : bytes / 64));
    STRAKE_TRY(Statement next, database_.prepare("SELECT revision FROM log WHERE revision > ?1 "
                                                 "ORDER BY revision LIMIT 1"));
    Found out;
    Revision cursor = 0;
    for (std::uintmax_t probes = 0; probes < most;) {
      next.reset();
      const auto more = next.bind(1, cursor).step();
      if (more && !*more) break;
      // A damaged tree is not in order: what comes next may have come before.
      const bool follows = more && next.number(0) > cursor;
      const Revision wanted = follows ? next.number(0) : cursor + 1;
      if (!follows) ++probes;
      const auto found = row(wanted);
      if (!found) {
        ++probes;
        cursor = wanted;  // past all that compaction took away
        continue;
      }
      cursor = out.newest = wanted;
      const auto standing = out.keys.find(found->key);
      if (!found->deleted) {
        out.keys[std::string(found->key)] = {.revision = wanted,
                                             .create_revision = found->create_revision};
      } else if (standing != out.keys.end()) {
        out.keys.erase(standing);
      }
    }
    return out;
  }

  struct Lease {
    std::int64_t expires;
    Revision revision;
    std::string key;
  };
  std::optional<std::vector<Lease>> leases() {
    std::vector<Lease> out;
    Checksum sum = 0;
    auto rows = database_.prepare("SELECT expires, revision, key FROM lease");
    while (rows) {
      const auto row = rows->step();
      if (!row) return std::nullopt;
      if (!*row) break;
      sum = plus(sum, lease_term(rows->bytes(2), rows->number(1), rows->number(0)));
      out.push_back({rows->number(0), rows->number(1), std::string(rows->bytes(2))});
    }
    if (!rows) return std::nullopt;
    const std::optional<StateRow> counters = state();
    if (checked_ && (!counters || counters->lease_sum != sum)) return std::nullopt;
    return out;
  }

 private:
  Database database_;
  Statement find_;
  bool checked_ = false;
};

class Target {
 public:
  static Result<Target> make(const std::string& path) {
    STRAKE_CHECK(make_private_file(path));
    STRAKE_TRY(Database database, Database::open(path, Access::kWrite, kBusyTimeout));
    STRAKE_CHECK(migrate(database));
    Target out(std::move(database));
    STRAKE_CHECK(out.database_.execute("BEGIN IMMEDIATE"));
    STRAKE_TRY(out.log_, out.database_.prepare("INSERT INTO log(revision, key, create_revision, "
                                               "previous, deleted, value, sum) VALUES "
                                               "(?1, ?2, ?3, 0, 0, ?4, ?5)"));
    STRAKE_TRY(out.live_, out.database_.prepare("INSERT INTO live VALUES (?1, ?2, ?3)"));
    STRAKE_TRY(out.lease_, out.database_.prepare("INSERT INTO lease VALUES (?1, ?2, ?3)"));
    return out;
  }

  Result<> add(const LogRow& row) {
    const Checksum sum = row_sum({.revision = row.revision,
                                  .key = row.key,
                                  .create_revision = row.create_revision,
                                  .value = row.value});
    STRAKE_CHECK(log_.bind(1, row.revision)
                     .bind(2, row.key)
                     .bind(3, row.create_revision)
                     .bind(4, row.value)
                     .bind(5, sum)
                     .run());
    state_.live_sum = plus(state_.live_sum, live_term(row.key, row.revision, row.create_revision));
    return live_.bind(1, row.key).bind(2, row.revision).bind(3, row.create_revision).run();
  }
  Result<> add(const Source::Lease& lease) {
    state_.lease_sum = plus(state_.lease_sum, lease_term(lease.key, lease.revision, lease.expires));
    return lease_.bind(1, lease.expires).bind(2, lease.revision).bind(3, lease.key).run();
  }
  Result<> finish(Revision revision) {
    state_.revision = state_.compacted = state_.swept = revision;
    STRAKE_CHECK(write_state(database_, state_));
    return database_.execute("COMMIT");
  }

 private:
  explicit Target(Database database) : database_(std::move(database)) {}
  Database database_;
  Statement log_, live_, lease_;
  StateRow state_;
};

}  // namespace

Result<Salvaged> salvage(const std::string& path, const std::string& target, bool overwrite) {
  STRAKE_CHECK(refuse_existing(target, overwrite));
  STRAKE_TRY(Database database, open_existing(path, Access::kRead));
  Source source(std::move(database));
  STRAKE_CHECK(source.open());
  Salvaged out;
  if (const auto mark = MarkFile::read(path)) out.acknowledged = mark->revision;
  std::optional<Keys> keys = source.keys();
  out.keys_unknown = !keys;
  if (!keys) {
    STRAKE_TRY(auto found, source.keys_of_log());
    keys = std::move(found.keys);
    out.newest = found.newest;
  }
  if (const auto counted = source.newest()) out.newest = *counted;
  for (const auto& [key, standing] : *keys) out.newest = std::max(out.newest, standing.revision);

  const Partial partial(target);
  {
    STRAKE_TRY(Target made, Target::make(partial.path()));
    std::set<Revision> kept;
    for (const auto& [key, standing] : *keys) {
      const auto row = source.row(standing.revision);
      if (!row || row->deleted || row->key != key ||
          row->create_revision != standing.create_revision) {
        out.lost_keys.push_back(key);
        continue;
      }
      STRAKE_CHECK(made.add(*row));
      kept.insert(row->revision);
    }
    const auto leases = source.leases();
    out.leases_lost = !leases;
    if (leases) {
      for (const auto& lease : *leases) {
        if (kept.contains(lease.revision)) STRAKE_CHECK(made.add(lease));
      }
    }
    // Revisions go on from the newest that anyone has seen.
    STRAKE_CHECK(made.finish(std::max(out.newest, out.acknowledged)));
  }
  STRAKE_TRY(out.file, check(partial.path()));
  STRAKE_CHECK(rename_durably(partial.path(), target));
  return out;
}

}  // namespace strake::store::sqlite

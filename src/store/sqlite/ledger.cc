#include "store/sqlite/ledger.h"

#include "base/log.h"
#include "base/metrics.h"
#include "base/quote.h"
#include "store/rules.h"
#include "store/sqlite/verify.h"

// The tables, and what a write does to them. `log` holds every revision with its value, and is the
// history; `live` maps a key to its newest revision; `past` maps a key to its older ones, for reads
// of the past; `lease` orders what expires. A put is one row of log, one of live, and one of past
// when it replaces something. Values are stored once, in log, where revisions only grow: inserts
// append to its B-tree, and a list of the newest objects reads live and looks each up in log.
//
// The state (newest revision, compaction, the chain of checksums) is a row of its own, read at the
// start of a transaction and written at its end. If its revision is not what this process wrote
// last, another process has written, and the transaction fails instead of going on beside it.

namespace strake::store::sqlite {
namespace {

// As etcd calls what is closest to it: here it is the whole of making a write durable.
HistogramFamily commit_durations("etcd_disk_backend_commit_duration_seconds",
                                 "The latency distributions of commit called by backend.", {},
                                 {0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256,
                                  0.512, 1.024, 2.048, 4.096, 8.192});

std::int64_t to_milliseconds(WallTime time) {
  return std::chrono::ceil<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

// How many rows are looked at before the clock is.
constexpr std::int64_t kSweepRows = 64;

}  // namespace

Result<Ledger> Ledger::open(Database database) {
  Ledger ledger(std::move(database));
  STRAKE_CHECK(ledger.prepare());
  STRAKE_CHECK(ledger.begin_anew());
  ledger.working_.closed = false;
  STRAKE_CHECK(ledger.commit());
  STRAKE_CHECK(ledger.find_next_expiry());
  return ledger;
}

Result<> Ledger::prepare() {
  const std::pair<Statement*, std::string_view> all[] = {
      {&sql_.begin, "BEGIN IMMEDIATE"},
      {&sql_.commit, "COMMIT"},
      {&sql_.read_state, kReadState},
      {&sql_.write_state, kWriteState},
      {&sql_.find_live, "SELECT revision, create_revision FROM live WHERE key = ?1"},
      {&sql_.add_live,
       "INSERT INTO live(key, revision, create_revision) VALUES (?1, ?2, ?2) "
       "ON CONFLICT DO NOTHING"},
      {&sql_.put_live, "REPLACE INTO live(key, revision, create_revision) VALUES (?1, ?2, ?3)"},
      {&sql_.remove_live, "DELETE FROM live WHERE key = ?1"},
      {&sql_.append,
       "INSERT INTO log(revision, key, create_revision, previous, deleted, value, sum) "
       "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"},
      {&sql_.read_value,
       "SELECT revision, key, create_revision, previous, deleted, value, sum FROM log "
       "WHERE revision = ?1"},
      {&sql_.add_past, "INSERT INTO past(key, revision, previous) VALUES (?1, ?2, ?3)"},
      {&sql_.add_lease, "INSERT INTO lease(expires, revision, key) VALUES (?1, ?2, ?3)"},
      {&sql_.due_leases,
       "SELECT expires, revision, key FROM lease WHERE expires <= ?1 "
       "ORDER BY expires, revision LIMIT ?2"},
      {&sql_.remove_lease, "DELETE FROM lease WHERE expires = ?1 AND revision = ?2"},
      {&sql_.first_lease, "SELECT expires FROM lease ORDER BY expires LIMIT 1"},
      {&sql_.to_sweep,
       "SELECT revision, previous, deleted, key, sum FROM log WHERE revision > ?1 AND "
       "revision <= ?2 ORDER BY revision LIMIT ?3"},
      {&sql_.remove_row, "DELETE FROM log WHERE revision = ?1"},
      {&sql_.remove_past, "DELETE FROM past WHERE key = ?1 AND revision = ?2"},
  };
  for (const auto& [statement, sql] : all) {
    STRAKE_TRY(*statement, database_.prepare(sql));
  }
  return {};
}

Result<> Ledger::reload() {
  STRAKE_TRY(committed_, read_state(sql_.read_state, database_.path()));
  return {};
}

Result<> Ledger::begin_anew() {
  STRAKE_CHECK(sql_.begin.run());
  STRAKE_TRY(working_, read_state(sql_.read_state, database_.path()));
  return {};
}

Result<> Ledger::begin() {
  STRAKE_CHECK(begin_anew());
  if (working_.revision != committed_.revision) {
    return std::unexpected(
        Error(Code::kIo, fmt::format("written by another process: revision {} became {}",
                                     committed_.revision, working_.revision))
            .in(database_.path()));
  }
  return {};
}

Result<> Ledger::commit() {
  if (probing_) ++working_.probes;
  STRAKE_CHECK(write_state(sql_.write_state, working_));
  const SteadyTime begun = system_clock().steady_now();
  STRAKE_CHECK(sql_.commit.run());
  commit_durations.observe(
      {}, std::chrono::duration<double>(system_clock().steady_now() - begun).count());
  committed_ = working_;
  probing_ = false;
  mark(marked_failure_);
  if (leases_changed_) {
    // The commit stands, whatever this says; it is asked for again after the next one.
    leases_changed_ = !find_next_expiry();
  }
  return {};
}

void Ledger::rollback() {
  database_.rollback();
  probing_ = true;
  // The log may now hold a commit that was refused.
  if (!marked_failure_) mark(true);
}

Result<> Ledger::keep_mark(bool failed) {
  STRAKE_TRY(mark_, MarkFile::open(database_.path()));
  mark(failed);
  return {};
}

void Ledger::mark(bool failed) {
  if (!mark_) return;
  const bool written =
      mark_->write({.revision = committed_.revision, .chain = committed_.chain, .failed = failed});
  // Flushed only where it matters and nobody waits.
  const bool kept = written && (failed == marked_failure_ || mark_->sync());
  marked_failure_ = failed;
  if (!kept) log::get("store").warn("could not write the mark of the newest revision");
}

Result<> Ledger::mark_closed() {
  STRAKE_CHECK(begin());
  working_.closed = true;
  STRAKE_CHECK(commit());
  if (mark_) (void)mark_->sync();
  return {};
}

Result<std::int64_t> Ledger::free_bytes() {
  STRAKE_TRY(const std::int64_t pages, database_.number("PRAGMA freelist_count"));
  STRAKE_TRY(const std::int64_t page_bytes, database_.number("PRAGMA page_size"));
  return pages * page_bytes;
}

Result<Ledger::Standing> Ledger::find(std::string_view key) {
  const ResetAtEnd reset(sql_.find_live);
  STRAKE_TRY(const bool row, sql_.find_live.bind(1, key).step());
  if (!row) return Standing{};
  return Standing{.revision = sql_.find_live.number(0),
                  .create_revision = sql_.find_live.number(1)};
}

Result<Bytes> Ledger::value_at(Revision revision, std::string_view key) {
  const ResetAtEnd reset(sql_.read_value);
  STRAKE_TRY(const bool found, sql_.read_value.bind(1, revision).step());
  if (found) {
    STRAKE_TRY(const LogRow row, verified_row(sql_.read_value, 0, database_.path()));
    if (row.key == key && !row.deleted) return std::make_shared<const std::string>(row.value);
  }
  return damaged(database_.path(),
                 fmt::format("revision {} of {} is missing", revision, quote(key)));
}

Result<bool> Ledger::add_if_new(std::string_view key) {
  STRAKE_TRY(const std::int64_t added,
             sql_.add_live.bind(1, key).bind(2, working_.revision + 1).run_and_count());
  return added > 0;
}

Result<Event> Ledger::append(std::string key, Bytes value, Standing before, bool added) {
  const Revision revision = ++working_.revision;
  Event event{.key = std::move(key),
              .value = std::move(value),
              .revision = revision,
              .create_revision = before.revision > 0 ? before.create_revision : revision,
              .previous_revision = before.revision};
  if (before.revision > 0) {
    STRAKE_TRY(event.previous, value_at(before.revision, event.key));
    STRAKE_CHECK(sql_.add_past.bind(1, event.key).bind(2, revision).bind(3, before.revision).run());
    working_.past_sum = plus(working_.past_sum, past_term(event.key, revision, before.revision));
    working_.live_sum =
        minus(working_.live_sum, live_term(event.key, before.revision, before.create_revision));
  }
  const Checksum sum = row_sum({.revision = revision,
                                .key = event.key,
                                .create_revision = event.create_revision,
                                .previous = before.revision,
                                .deleted = !event.value,
                                .value = event.value ? *event.value : std::string_view()});
  working_.chain = chain_sum(working_.chain, sum);
  sql_.append.bind(1, revision)
      .bind(2, event.key)
      .bind(3, event.create_revision)
      .bind(4, before.revision)
      .bind(5, event.value ? 0 : 1)
      .bind(7, sum);
  if (event.value) {
    sql_.append.bind(6, *event.value);
  } else {
    sql_.append.bind_null(6);
  }
  STRAKE_CHECK(sql_.append.run());
  if (event.value) {
    working_.live_sum =
        plus(working_.live_sum, live_term(event.key, revision, event.create_revision));
    if (!added) {
      STRAKE_CHECK(
          sql_.put_live.bind(1, event.key).bind(2, revision).bind(3, event.create_revision).run());
    }
  } else {
    STRAKE_CHECK(sql_.remove_live.bind(1, event.key).run());
  }
  return event;
}

Result<Written> Ledger::apply(Write& write, WallTime now, std::vector<Event>& events) {
  // A key that should be new mostly is: one search of the keys then, not two.
  bool added = false;
  if (write.expected == 0 && write.value) {
    STRAKE_TRY(added, add_if_new(write.key));
  }
  Standing before;
  if (!added) {
    STRAKE_TRY(before, find(write.key));
  }
  const bool pointless = before.revision == 0 && !write.value;
  if (pointless || before.revision != write.expected) {
    Written refused{.revision = working_.revision};
    if (before.revision > 0) {
      STRAKE_TRY(Bytes value, value_at(before.revision, write.key));
      refused.current = Entry{.key = std::move(write.key),
                              .value = std::move(value),
                              .create_revision = before.create_revision,
                              .mod_revision = before.revision};
    }
    return refused;
  }
  const bool leased = write.value && write.ttl.count() > 0;
  STRAKE_TRY(Event event, append(std::move(write.key), std::move(write.value), before, added));
  if (leased) {
    leases_changed_ = true;
    const std::int64_t expires = to_milliseconds(expiry(now, write.ttl));
    working_.lease_sum = plus(working_.lease_sum, lease_term(event.key, event.revision, expires));
    STRAKE_CHECK(sql_.add_lease.bind(1, expires).bind(2, event.revision).bind(3, event.key).run());
  }
  const Revision revision = event.revision;
  events.push_back(std::move(event));
  return Written{.applied = true, .revision = revision};
}

Result<> Ledger::expire(WallTime now, std::size_t limit, std::vector<Event>& events) {
  if (!next_expiry_ || *next_expiry_ > now) return {};
  struct Due {
    std::int64_t expires;
    Revision revision;
    std::string key;
  };
  std::vector<Due> due;
  {
    const ResetAtEnd reset(sql_.due_leases);
    sql_.due_leases
        .bind(1, std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count())
        .bind(2, static_cast<std::int64_t>(limit));
    while (true) {
      STRAKE_TRY(const bool row, sql_.due_leases.step());
      if (!row) break;
      due.push_back({.expires = sql_.due_leases.number(0),
                     .revision = sql_.due_leases.number(1),
                     .key = std::string(sql_.due_leases.bytes(2))});
    }
  }
  leases_changed_ = true;
  for (Due& one : due) {
    STRAKE_CHECK(sql_.remove_lease.bind(1, one.expires).bind(2, one.revision).run());
    working_.lease_sum = minus(working_.lease_sum, lease_term(one.key, one.revision, one.expires));
    STRAKE_TRY(const Standing standing, find(one.key));
    // A later write has its own time to live, or none.
    if (standing.revision != one.revision) continue;
    STRAKE_TRY(Event event, append(std::move(one.key), nullptr, standing));
    events.push_back(std::move(event));
  }
  return {};
}

Result<> Ledger::find_next_expiry() {
  const ResetAtEnd reset(sql_.first_lease);
  STRAKE_TRY(const bool row, sql_.first_lease.step());
  next_expiry_.reset();
  if (row) next_expiry_ = WallTime(std::chrono::milliseconds(sql_.first_lease.number(0)));
  leases_changed_ = false;
  return {};
}

Result<> Ledger::set_compacted(Revision revision) {
  working_.compacted = std::max(working_.compacted, revision);
  return {};
}

// Walks the log once over its lifetime: the row of a write says which row it replaced. A deletion
// goes with what it deleted, so that nothing ever rises again.
Result<> Ledger::sweep(std::chrono::nanoseconds budget) {
  struct Row {
    Revision revision;
    Revision previous;
    bool deleted;
    std::string key;
    Checksum sum;
  };
  const auto end = std::chrono::steady_clock::now() + budget;
  std::vector<Row> rows;
  do {
    rows.clear();
    {
      const ResetAtEnd reset(sql_.to_sweep);
      sql_.to_sweep.bind(1, working_.swept).bind(2, working_.compacted).bind(3, kSweepRows);
      while (true) {
        STRAKE_TRY(const bool row, sql_.to_sweep.step());
        if (!row) break;
        rows.push_back({.revision = sql_.to_sweep.number(0),
                        .previous = sql_.to_sweep.number(1),
                        .deleted = sql_.to_sweep.number(2) != 0,
                        .key = std::string(sql_.to_sweep.bytes(3)),
                        .sum = sql_.to_sweep.number(4)});
      }
    }
    for (const Row& row : rows) {
      working_.swept_chain = chain_sum(working_.swept_chain, row.sum);
      if (row.previous > 0) {
        working_.past_sum =
            minus(working_.past_sum, past_term(row.key, row.revision, row.previous));
        STRAKE_CHECK(sql_.remove_row.bind(1, row.previous).run());
        STRAKE_CHECK(sql_.remove_past.bind(1, row.key).bind(2, row.revision).run());
      }
      if (row.deleted) STRAKE_CHECK(sql_.remove_row.bind(1, row.revision).run());
    }
    working_.swept = static_cast<std::int64_t>(rows.size()) < kSweepRows ? working_.compacted
                                                                         : rows.back().revision;
  } while (working_.swept < working_.compacted && std::chrono::steady_clock::now() < end);
  return {};
}

}  // namespace strake::store::sqlite

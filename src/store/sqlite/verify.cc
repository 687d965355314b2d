#include "store/sqlite/verify.h"

#include "base/quote.h"

namespace strake::store::sqlite {
namespace {

#define STRAKE_LOG_ROW(table)                                                             \
  table ".revision, " table ".key, " table ".create_revision, " table ".previous, " table \
        ".deleted, " table ".value, " table ".sum"

LogRow row_at(const Statement& row, int first) {
  return {.revision = row.number(first),
          .key = row.bytes(first + 1),
          .create_revision = row.number(first + 2),
          .previous = row.number(first + 3),
          .deleted = row.number(first + 4) != 0,
          .value = row.bytes(first + 5)};
}

// Calls `each` for every row.
template <typename Each>
Result<> for_rows(Database& database, std::string_view sql, Each each) {
  STRAKE_TRY(Statement rows, database.prepare(sql));
  while (true) {
    STRAKE_TRY(const bool row, rows.step());
    if (!row) return {};
    STRAKE_CHECK(each(rows));
  }
}

Result<> verify_log(Database& database, const StateRow& state, const std::optional<Mark>& mark) {
  Checksum chain = state.swept_chain;
  Revision last = std::max<Revision>(state.compacted, 1);
  const auto check_mark = [&](Revision revision) -> Result<> {
    if (!mark || mark->revision != revision || mark->chain == chain) return {};
    return damaged(database.path(),
                   fmt::format("revision {} is not the one that was acknowledged", revision));
  };
  STRAKE_CHECK(for_rows(database, "SELECT " STRAKE_LOG_ROW("log") " FROM log ORDER BY revision",
                        [&](const Statement& rows) -> Result<> {
                          STRAKE_TRY(const LogRow row, verified_row(rows, 0, database.path()));
                          if (row.revision <= state.swept) return {};
                          chain = chain_sum(chain, rows.number(6));
                          if (row.revision > state.compacted && row.revision != ++last)
                            return damaged(database.path(),
                                           fmt::format("revision {} is missing", last));
                          return check_mark(row.revision);
                        }));
  if (last != std::max<Revision>(state.revision, 1))
    return damaged(database.path(), fmt::format("revision {} is missing", last + 1));
  STRAKE_CHECK(check_mark(state.revision));
  if (chain != state.chain)
    return damaged(database.path(), "the log does not match the checksum of its revisions");
  return {};
}

Result<> compare(Database& database, std::string_view what, Checksum found, Checksum wanted) {
  if (found == wanted) return {};
  return damaged(database.path(), fmt::format("the {} do not match their checksum", what));
}

Result<Checksum> live_sum(Database& database) {
  Checksum sum = 0;
  STRAKE_CHECK(for_rows(
      database,
      "SELECT live.key, live.revision, live.create_revision, log.key, log.create_revision, "
      "log.deleted FROM live LEFT JOIN log ON log.revision = live.revision",
      [&](const Statement& row) -> Result<> {
        const std::string_view key = row.bytes(0);
        if (row.is_null(3) || row.bytes(3) != key || row.number(4) != row.number(2) ||
            row.number(5) != 0) {
          return damaged(database.path(),
                         fmt::format("revision {} of {} is missing", row.number(1), quote(key)));
        }
        sum = plus(sum, live_term(key, row.number(1), row.number(2)));
        return {};
      }));
  return sum;
}

Result<Checksum> past_sum(Database& database) {
  Checksum sum = 0;
  STRAKE_CHECK(for_rows(database, "SELECT key, revision, previous FROM past",
                        [&](const Statement& row) -> Result<> {
                          sum = plus(sum, past_term(row.bytes(0), row.number(1), row.number(2)));
                          return {};
                        }));
  return sum;
}

Result<Checksum> lease_sum(Database& database) {
  Checksum sum = 0;
  STRAKE_CHECK(for_rows(database, "SELECT key, revision, expires FROM lease",
                        [&](const Statement& row) -> Result<> {
                          sum = plus(sum, lease_term(row.bytes(0), row.number(1), row.number(2)));
                          return {};
                        }));
  return sum;
}

}  // namespace

Result<LogRow> verified_row(const Statement& row, int first_column, const std::string& path) {
  const LogRow out = row_at(row, first_column);
  if (row.number(first_column + 6) == row_sum(out)) return out;
  return damaged(path, fmt::format("revision {} of {} does not match its checksum", out.revision,
                                   quote(out.key.substr(0, kMaxKeyBytes))));
}

Result<> verify(Database& database, const std::optional<Mark>& mark) {
  STRAKE_TRY(const StateRow state, read_state(database));
  if (mark && mark->revision > state.revision) {
    return damaged(database.path(),
                   fmt::format("revision {} was acknowledged, and the newest that can be read is "
                               "{}: the write-ahead log is damaged, or an older file was put in "
                               "its place",
                               mark->revision, state.revision));
  }
  STRAKE_CHECK(verify_log(database, state, mark));
  STRAKE_TRY(const Checksum live, live_sum(database));
  STRAKE_CHECK(compare(database, "keys", live, state.live_sum));
  STRAKE_TRY(const Checksum past, past_sum(database));
  STRAKE_CHECK(compare(database, "replaced revisions", past, state.past_sum));
  STRAKE_TRY(const Checksum lease, lease_sum(database));
  return compare(database, "times to live", lease, state.lease_sum);
}

Result<> add_checksums(Database& database) {
  STRAKE_TRY(Statement set, database.prepare("UPDATE log SET sum = ?2 WHERE revision = ?1"));
  StateRow state{.revision = 1};
  {
    STRAKE_TRY(Statement counters, database.prepare("SELECT revision, compacted, swept, probes, "
                                                    "closed FROM state"));
    STRAKE_TRY(const bool row, counters.step());
    if (!row) return damaged(database.path(), "the row of the counters is missing");
    state = {.revision = counters.number(0),
             .compacted = counters.number(1),
             .swept = counters.number(2),
             .probes = counters.number(3),
             .closed = counters.number(4) != 0};
  }
  STRAKE_TRY(Statement next, database.prepare("SELECT " STRAKE_LOG_ROW(
                                 "log") " FROM log WHERE revision > ?1 ORDER BY revision "
                                        "LIMIT 1"));
  for (Revision last = 0;;) {
    // Found anew each time: the row that is read is not the one that is being written.
    const ResetAtEnd reset(next);
    STRAKE_TRY(const bool row, next.bind(1, last).step());
    if (!row) break;
    const Checksum sum = row_sum(row_at(next, 0));
    last = next.number(0);
    if (last > state.swept) state.chain = chain_sum(state.chain, sum);
    next.reset();
    STRAKE_CHECK(set.bind(1, last).bind(2, sum).run());
  }
  STRAKE_TRY(state.live_sum, live_sum(database));
  STRAKE_TRY(state.past_sum, past_sum(database));
  STRAKE_TRY(state.lease_sum, lease_sum(database));
  return write_state(database, state);
}

}  // namespace strake::store::sqlite

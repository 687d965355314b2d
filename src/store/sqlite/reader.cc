#include "store/sqlite/reader.h"

#include <limits>

#include "store/rules.h"

namespace strake::store::sqlite {
namespace {

// What stood at revision ?4: what is live and not younger, and what was replaced since and is not
// younger. No key is in both.
#define STRAKE_STANDING_THEN                         \
  "SELECT key, revision FROM live "                  \
  "WHERE key >= ?1 AND key < ?2 AND revision <= ?4 " \
  "UNION ALL "                                       \
  "SELECT key, previous FROM past "                  \
  "WHERE key >= ?1 AND key < ?2 AND revision > ?4 AND previous <= ?4 "

// The same in the order of keys, for the first of them. Both sides are merged row by row, and only
// then is it asked what stood: one side alone may have to be walked to its end before it finds a
// row. LIMIT -1 limits nothing, but keeps SQLite from moving the condition inside.
#define STRAKE_STANDING_IN_ORDER                                      \
  "SELECT key, revision FROM ("                                       \
  "SELECT key, revision, revision <= ?4 AS stood FROM live "          \
  "WHERE key >= ?1 AND key < ?2 "                                     \
  "UNION ALL "                                                        \
  "SELECT key, previous, revision > ?4 AND previous <= ?4 FROM past " \
  "WHERE key >= ?1 AND key < ?2 "                                     \
  "ORDER BY 1 LIMIT -1) WHERE stood "

// Events are told in portions of so many, or of so many bytes.
constexpr std::size_t kPortion = 256;
constexpr std::size_t kPortionBytes = 4 << 20;

Bytes value_of(const Statement& row, int column) {
  return std::make_shared<const std::string>(row.bytes(column));
}

}  // namespace

Result<Reader> Reader::open(Database database) {
  Reader reader(std::move(database));
  const std::pair<Statement*, std::string_view> all[] = {
      {&reader.sql_.begin, "BEGIN"},
      {&reader.sql_.end, "COMMIT"},
      {&reader.sql_.state, "SELECT revision, compacted FROM state"},
      {&reader.sql_.now,
       "SELECT live.key, live.revision, live.create_revision, log.value "
       "FROM live CROSS JOIN log ON log.revision = live.revision "
       "WHERE live.key >= ?1 AND live.key < ?2 ORDER BY live.key LIMIT ?3"},
      {&reader.sql_.now_keys,
       "SELECT key, revision, create_revision FROM live "
       "WHERE key >= ?1 AND key < ?2 ORDER BY key LIMIT ?3"},
      {&reader.sql_.count_now, "SELECT count(*) FROM live WHERE key > ?1 AND key < ?2"},
      {&reader.sql_.then,
       "SELECT standing.key, standing.revision, log.create_revision, log.value "
       "FROM (" STRAKE_STANDING_IN_ORDER "LIMIT ?3) AS standing "
       "CROSS JOIN log ON log.revision = standing.revision ORDER BY standing.key"},
      {&reader.sql_.then_keys,
       "SELECT standing.key, standing.revision, log.create_revision "
       "FROM (" STRAKE_STANDING_IN_ORDER "LIMIT ?3) AS standing "
       "CROSS JOIN log ON log.revision = standing.revision ORDER BY standing.key"},
      {&reader.sql_.count_then, "SELECT count(*) FROM (" STRAKE_STANDING_THEN ") WHERE key > ?3"},
      {&reader.sql_.events,
       "SELECT log.revision, log.key, log.create_revision, log.previous, log.deleted, log.value, "
       "before.value FROM log LEFT JOIN log AS before ON before.revision = log.previous "
       "WHERE log.revision > ?1 AND log.revision <= ?2 AND log.key >= ?3 AND log.key < ?4 "
       "ORDER BY log.revision"},
  };
  for (const auto& [statement, sql] : all) {
    STRAKE_TRY(*statement, reader.database_.prepare(sql));
  }
  return reader;
}

Result<> Reader::begin() {
  STRAKE_CHECK(sql_.begin.run());
  const ResetAtEnd reset(sql_.state);
  STRAKE_TRY(const bool row, sql_.state.step());
  if (!row) return fail(Code::kIo, "{}: the row of the counters is missing", database_.path());
  revision_ = sql_.state.number(0);
  compacted_ = sql_.state.number(1);
  return {};
}

Result<Page> Reader::range(const Range& range, Revision newest) {
  Page page{.revision = range.revision > 0 ? range.revision : newest};
  if (page.revision > newest) return future_error();
  const Result<> begun = begin();
  Result<Page> out = begun ? range_in_transaction(range, std::move(page))
                           : Result<Page>(std::unexpected(begun.error()));
  // Nothing was written: however it ends, it has ended.
  if (auto ended = sql_.end.run(); !ended) database_.rollback();
  return out;
}

Result<Page> Reader::range_in_transaction(const Range& range, Page page) {
  if (page.revision < compacted_) return compacted_error();
  const std::string_view first = first_key(range);
  const std::string end = after_prefix(range.prefix);
  const bool now = page.revision == revision_;
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  const bool limited = range.limit > 0 && range.limit < kMost;
  // One more tells whether there is more, where nobody asks how many.
  const std::int64_t limit =
      limited ? static_cast<std::int64_t>(range.limit) + (range.count ? 0 : 1) : -1;
  Statement& rows =
      range.keys_only ? (now ? sql_.now_keys : sql_.then_keys) : (now ? sql_.now : sql_.then);
  {
    const ResetAtEnd reset(rows);
    rows.bind(1, first).bind(2, end).bind(3, limit);
    if (!now) rows.bind(4, page.revision);
    while (true) {
      STRAKE_TRY(const bool row, rows.step());
      if (!row) break;
      page.entries.push_back({.key = std::string(rows.bytes(0)),
                              .value = range.keys_only ? nullptr : value_of(rows, 3),
                              .create_revision = rows.number(2),
                              .mod_revision = rows.number(1)});
    }
  }
  if (!limited || page.entries.size() < range.limit) return page;
  if (!range.count) {
    page.remaining = page.entries.size() - range.limit;
    page.entries.resize(range.limit);
    return page;
  }
  Statement& count = now ? sql_.count_now : sql_.count_then;
  const ResetAtEnd reset(count);
  const std::string& last = page.entries.back().key;
  count.bind(1, last).bind(2, end);
  if (!now) count.bind(3, last).bind(4, page.revision);
  STRAKE_TRY(const bool row, count.step());
  if (row) page.remaining = static_cast<std::uint64_t>(count.number(0));
  return page;
}

std::int64_t Reader::range_work() {
  return sql_.now.work() + sql_.now_keys.work() + sql_.count_now.work() + sql_.then.work() +
         sql_.then_keys.work() + sql_.count_then.work();
}

Result<> Reader::history(std::string_view prefix, Revision after, Revision until,
                         const Sink& sink) {
  Result<> out = begin();
  if (out) out = history_in_transaction(prefix, after, until, sink);
  if (auto ended = sql_.end.run(); !ended) database_.rollback();
  return out;
}

Result<> Reader::history_in_transaction(std::string_view prefix, Revision after, Revision until,
                                        const Sink& sink) {
  if (after < compacted_) return compacted_error();
  std::vector<Event> portion;
  std::size_t bytes = 0;
  const std::string end = after_prefix(prefix);
  const ResetAtEnd reset(sql_.events);
  sql_.events.bind(1, after).bind(2, until).bind(3, prefix).bind(4, end);
  while (true) {
    STRAKE_TRY(const bool row, sql_.events.step());
    if (!row) break;
    Event event{.key = std::string(sql_.events.bytes(1)),
                .revision = sql_.events.number(0),
                .create_revision = sql_.events.number(2),
                .previous_revision = sql_.events.number(3)};
    if (sql_.events.number(4) == 0) event.value = value_of(sql_.events, 5);
    if (event.previous_revision > 0) event.previous = value_of(sql_.events, 6);
    bytes += sql_.events.bytes(5).size() + sql_.events.bytes(6).size();
    portion.push_back(std::move(event));
    if (portion.size() < kPortion && bytes < kPortionBytes) continue;
    sink(portion);
    portion.clear();
    bytes = 0;
  }
  if (!portion.empty()) sink(portion);
  return {};
}

}  // namespace strake::store::sqlite

#pragma once
// The one row of the table of counters, with a checksum of its own.
#include <string_view>

#include "store/sqlite/checksum.h"
#include "store/sqlite/database.h"
#include "store/store.h"

namespace strake::store::sqlite {

struct StateRow {
  Revision revision = 1;
  Revision compacted = 0;  // history before it is not shown any more
  Revision swept = 0;      // up to where its rows are gone
  std::int64_t probes = 0;
  bool closed = true;  // by a store that had the time to say so
  // Sums of the tables (checksum.h): of the log up to its newest row, and up to `swept`.
  Checksum chain = 0;
  Checksum swept_chain = 0;
  Checksum live_sum = 0;
  Checksum past_sum = 0;
  Checksum lease_sum = 0;
};

// For statements that are prepared once.
inline constexpr std::string_view kReadState =
    "SELECT revision, compacted, swept, probes, closed, chain, swept_chain, live_sum, past_sum, "
    "lease_sum, sum FROM state";
inline constexpr std::string_view kWriteState =
    "UPDATE state SET revision = ?1, compacted = ?2, swept = ?3, probes = ?4, closed = ?5, "
    "chain = ?6, swept_chain = ?7, live_sum = ?8, past_sum = ?9, lease_sum = ?10, sum = ?11 "
    "WHERE id = 1";

// Steps and resets a statement of kReadState; kIo when the row is missing or is not as it was
// written.
Result<StateRow> read_state(Statement& statement, const std::string& path);
Result<> write_state(Statement& statement, const StateRow& state);

Result<StateRow> read_state(Database& database);
Result<> write_state(Database& database, const StateRow& state);

}  // namespace strake::store::sqlite

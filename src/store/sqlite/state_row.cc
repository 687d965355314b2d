#include "store/sqlite/state_row.h"

namespace strake::store::sqlite {
namespace {

Checksum sum_of_state(const StateRow& state) {
  const std::int64_t fields[] = {
      state.revision, state.compacted,   state.swept,    state.probes,   state.closed ? 1 : 0,
      state.chain,    state.swept_chain, state.live_sum, state.past_sum, state.lease_sum};
  return static_cast<Checksum>(
      xxh64({reinterpret_cast<const char*>(fields), sizeof fields}, 0x7374617465));
}

}  // namespace

Result<StateRow> read_state(Statement& statement, const std::string& path) {
  const ResetAtEnd reset(statement);
  STRAKE_TRY(const bool row, statement.step());
  if (!row) return damaged(path, "the row of the counters is missing");
  const StateRow state{.revision = statement.number(0),
                       .compacted = statement.number(1),
                       .swept = statement.number(2),
                       .probes = statement.number(3),
                       .closed = statement.number(4) != 0,
                       .chain = statement.number(5),
                       .swept_chain = statement.number(6),
                       .live_sum = statement.number(7),
                       .past_sum = statement.number(8),
                       .lease_sum = statement.number(9)};
  if (statement.number(10) != sum_of_state(state))
    return damaged(path, "the row of the counters does not match its checksum");
  return state;
}

Result<> write_state(Statement& statement, const StateRow& state) {
  return statement.bind(1, state.revision)
      .bind(2, state.compacted)
      .bind(3, state.swept)
      .bind(4, state.probes)
      .bind(5, state.closed ? 1 : 0)
      .bind(6, state.chain)
      .bind(7, state.swept_chain)
      .bind(8, state.live_sum)
      .bind(9, state.past_sum)
      .bind(10, state.lease_sum)
      .bind(11, sum_of_state(state))
      .run();
}

Result<StateRow> read_state(Database& database) {
  STRAKE_TRY(Statement statement, database.prepare(kReadState));
  return read_state(statement, database.path());
}

Result<> write_state(Database& database, const StateRow& state) {
  STRAKE_TRY(Statement statement, database.prepare(kWriteState));
  return write_state(statement, state);
}

}  // namespace strake::store::sqlite

#pragma once
// The reading side of the tables, over one connection: a range as it was at a revision, and the
// events after one. Every call sees one state of the file, whatever is written meanwhile. Belongs
// to one thread at a time.
#include <functional>
#include <span>

#include "store/sqlite/database.h"
#include "store/store.h"

namespace strake::store::sqlite {

class Reader {
 public:
  static Result<Reader> open(Database database);

  // `newest` is what revision 0 means, and was committed before the call.
  Result<Page> range(const Range& range, Revision newest);

  // What ranges have cost since this was last asked, in operations of SQLite's machine.
  std::int64_t range_work();

  using Sink = std::function<void(std::span<const Event>)>;
  Result<> history(std::string_view prefix, Revision after, Revision until, const Sink& sink);

 private:
  explicit Reader(Database database) : database_(std::move(database)) {}
  Result<> begin();
  Result<Page> range_in_transaction(const Range& range, Page page);
  Result<> history_in_transaction(std::string_view prefix, Revision after, Revision until,
                                  const Sink& sink);

  struct Statements {
    Statement begin, end, state;
    Statement now, now_keys, count_now;
    Statement then, then_keys, count_then;
    Statement events;
  };
  Database database_;
  Statements sql_;
  Revision revision_ = 0;  // of the state that is being read
  Revision compacted_ = 0;
};

}  // namespace strake::store::sqlite

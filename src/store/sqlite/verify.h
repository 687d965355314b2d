#pragma once
// Compares a store's tables with their checksums, row by row (docs/adr/0002-store-checksums.md).
#include <optional>

#include "store/sqlite/checksum.h"
#include "store/sqlite/mark.h"
#include "store/sqlite/state_row.h"

namespace strake::store::sqlite {

// A row of the log in a statement that selects
//   revision, key, create_revision, previous, deleted, value, sum
// from the given column on. kIo, naming the revision and the key, when it is not as it was written.
Result<LogRow> verified_row(const Statement& row, int first_column, const std::string& path);

// Everything, against the counters; one state of the file, in a transaction of the caller's or
// while nobody writes. With a mark, also that the revision it names is in this file's past. kIo,
// naming the first thing that does not fit.
Result<> verify(Database& database, const std::optional<Mark>& mark = std::nullopt);

// Fills in all checksums of a file that had none.
Result<> add_checksums(Database& database);

}  // namespace strake::store::sqlite

#pragma once
// The checksums that a store's file carries (docs/adr/0002-store-checksums.md). They find damage by
// chance, not by design. What they give is part of the file format: it never changes.
#include <cstdint>
#include <string_view>

#include "store/store.h"

namespace strake::store::sqlite {

// XXH64, as published by its author.
std::uint64_t xxh64(std::string_view bytes, std::uint64_t seed = 0);

// A checksum as SQLite keeps it.
using Checksum = std::int64_t;

// One write, as the log has it.
struct LogRow {
  Revision revision = 0;
  std::string_view key;
  Revision create_revision = 0;
  Revision previous = 0;
  bool deleted = false;
  std::string_view value;  // nothing when deleted
};
Checksum row_sum(const LogRow& row);

// The chain up to a write, from the one before it.
Checksum chain_sum(Checksum before, Checksum row);

// What one row of the other tables adds to the sum of its table. Rows come and go in any order, so
// these are added and taken away, modulo 2^64.
Checksum live_term(std::string_view key, Revision revision, Revision create_revision);
Checksum past_term(std::string_view key, Revision revision, Revision previous);
Checksum lease_term(std::string_view key, Revision revision, std::int64_t expires);
Checksum plus(Checksum sum, Checksum term);
Checksum minus(Checksum sum, Checksum term);

}  // namespace strake::store::sqlite

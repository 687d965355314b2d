#pragma once
// The tables of a store's file, the version they have, and the way from an older version.
#include <cstdint>
#include <span>

#include "store/sqlite/database.h"
#include "store/store.h"

namespace strake::store::sqlite {

// How much of a file is looked at when it is opened.
enum class FileCheck : std::uint8_t {
  kAuto,   // all of it when it is small or was not closed in order, else its head
  kQuick,  // all of it, but not whether the indices agree
  kFull,   // all of it
};

// The newest version this build knows.
int schema_version();

// Sets up a connection that writes: write-ahead log, every commit made durable.
Result<> prepare_for_writing(Database& database);

// kUnsupported when a newer version wrote it, with both versions and what to do. Asks for nothing
// that another version may have in another way.
Result<> refuse_newer(Database& database, std::int64_t known = schema_version());

// kIo with the file's name when it is damaged or not a store, kUnsupported when it is newer than
// this build; an empty file is fine.
Result<> check_file(Database& database, FileCheck check);

// What is said of a damaged file as a whole, with what to do about it. Other errors stay as they
// are.
Error as_refusal(const std::string& path, const Error& error);

// Brings the file to schema_version(), each step in a transaction of its own. kUnsupported when it
// is newer than this build.
Result<> migrate(Database& database);
// The same with given steps: step i makes version i + 1.
struct Step {
  const char* sql;
  Result<> (*fill)(Database& database) = nullptr;  // then, in the same transaction
};
Result<> migrate(Database& database, std::span<const Step> steps);

}  // namespace strake::store::sqlite

#pragma once
// What an administrator does to a store's file. All of it works while a server has the store open
// and while none has, save for restoring. Errors name the file.
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "store/sqlite/database.h"
#include "store/store.h"

namespace strake::store::sqlite {

struct FileReport {
  int schema_version = 0;
  Revision revision = 0;
  Revision compacted = 0;
  std::uint64_t keys = 0;       // that stand now
  std::uint64_t revisions = 0;  // writes that are kept, those included
  std::uint64_t bytes = 0;      // of the file
  std::uint64_t attached = 0;   // files that a backup holds beside the store
};

// A file that a backup holds beside the store: the keys of the server that the store belongs to.
struct AttachedFile {
  std::string name;
  Secret content;
};

// A store or backup that must be there; kIo when it is not. Works on a read-only file system too.
Result<Database> open_existing(const std::string& path, Access access);

// Whether SQLite finds the file whole, its tables agree with each other and with their checksums,
// and nothing that was acknowledged is missing. kIo when not. Here and below: kCancelled when the
// token is.
Result<FileReport> check(const std::string& path, const CancelToken& cancel = {});

// One consistent state of the store as a file of its own, checked before it has its name.
// kAlreadyExists when something has that name, unless it may be overwritten.
Result<FileReport> backup(const std::string& path, const std::string& target, bool overwrite,
                          std::span<const AttachedFile> attached = {},
                          const CancelToken& cancel = {});

// Puts a backup in the store's place, after checking it. kServiceUnavailable when a server has the
// store open, kAlreadyExists when there is a store already, unless it may be overwritten. Then
// revisions go on from the newest of both, and older ones count as compacted, so that no client
// mistakes new objects for old ones. The files that the backup holds beside the store are given to
// `receive`, while no server can start; when that fails, the store is left as it was.
using Receive = std::function<Result<>(const std::vector<AttachedFile>&)>;
Result<FileReport> restore(const std::string& backup, const std::string& path, bool overwrite,
                           const Receive& receive = {});

struct Compacted {
  FileReport file;
  // Gave its free pages back. A store that is open keeps them for what comes.
  bool shrunk = false;
};

// Forgets all history. While a server has the store open it is asked to do so, and waited for.
Result<Compacted> compact(const std::string& path, std::chrono::seconds patience);

}  // namespace strake::store::sqlite

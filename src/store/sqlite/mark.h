#pragma once
// A small file beside the store that says which revision was acknowledged last. SQLite ends the
// recovery of its write-ahead log at the first frame that is damaged, and what came after is gone
// without a word: the mark tells. It is written after each commit and never flushed on the way, so
// a write costs no more than one call; it survives the end of the process, and after a power cut it
// may be older than the store, but never newer.
#include <optional>
#include <string>

#include "base/owned_fd.h"
#include "base/result.h"
#include "store/sqlite/checksum.h"

namespace strake::store::sqlite {

struct Mark {
  Revision revision = 0;
  Checksum chain = 0;  // of the log up to there
  // A transaction has failed since the log began: it may hold commits that nobody was told of.
  bool failed = false;
};

class MarkFile {
 public:
  // Made when it is not there; kIo when it cannot be.
  static Result<MarkFile> open(const std::string& database_path);
  static std::string path_of(const std::string& database_path) { return database_path + ".mark"; }
  // Nothing when there is none, or it is damaged itself: then it says nothing.
  static std::optional<Mark> read(const std::string& database_path);

  // False when it could not be written: the old one stays, which is older and so still true.
  bool write(const Mark& mark) const;
  bool sync() const;

 private:
  OwnedFd fd_;
};

}  // namespace strake::store::sqlite

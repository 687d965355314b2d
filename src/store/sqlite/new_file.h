#pragma once
// Files that appear under their name only when they are whole, and are their owner's alone.
#include <string>

#include "store/sqlite/database.h"

namespace strake::store::sqlite {

bool exists(const std::string& path);
// kAlreadyExists, unless it may be overwritten.
Result<> refuse_existing(const std::string& path, bool overwrite);

// Makes an empty file, mode 0600, that was not there before.
Result<> make_private_file(const std::string& path);

// Flushes the file, renames it and flushes the folder.
Result<> rename_durably(const std::string& from, const std::string& to);

// A name beside the target for a file that goes away, with what SQLite puts beside it, unless it
// was renamed.
class Partial {
 public:
  // What an attempt that was killed has left behind is removed.
  explicit Partial(const std::string& target) : path_(target + ".partial") { remove(); }
  ~Partial() { remove(); }
  Partial(const Partial&) = delete;
  Partial& operator=(const Partial&) = delete;
  const std::string& path() const { return path_; }

 private:
  void remove() const;
  std::string path_;
};

}  // namespace strake::store::sqlite

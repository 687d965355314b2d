#pragma once
// Room on the disk that is kept for the day it is full: a file beside the store that holds nothing.
// When a write finds no space, the room goes to the store's own files, where nobody else can take
// it: enough for deletions and for folding the log. It is filled again when there is room. Used by
// one thread at a time; must not go before the store's connections.
#include <cstdint>
#include <string>
#include <utility>

#include "base/owned_fd.h"
#include "store/sqlite/checkpointer.h"

namespace strake::store::sqlite {

class Reserve {
 public:
  // What the log may grow by, and what it holds that the file has no room for yet: twice the pages
  // for which the writer would wait, since readers may hold folding up.
  static constexpr std::int64_t kLogBytes = 3 << 20;
  static constexpr std::int64_t kFileBytes = std::int64_t{2} * Checkpointer::kMostUnfolded * 4096;
  static constexpr std::int64_t kBytes = kLogBytes + kFileBytes + (1 << 20);

  explicit Reserve(std::string database_path) : database_(std::move(database_path)) {}
  Reserve(Reserve&&) = default;
  Reserve& operator=(Reserve&&) = delete;

  // False when there is no room for it. A place that can hold none for another reason is taken as
  // it is.
  bool fill() const;
  // As much of it as there is room for: a start needs little.
  void fill_some() const;
  // Whether there was something to give, to whoever comes first.
  bool release() const;
  // To the log and the file of the store, beyond their ends.
  void hand_over();

 private:
  std::string path() const { return database_ + ".reserve"; }
  bool hold(std::int64_t bytes) const;

  std::string database_;
  // Of the store's file and of the index of its log, once they were needed. Closing them would give
  // up SQLite's locks, which belong to the process and not to a descriptor.
  OwnedFd fd_;
  OwnedFd index_fd_;
};

}  // namespace strake::store::sqlite

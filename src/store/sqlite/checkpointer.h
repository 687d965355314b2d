#pragma once
// Folds the write-ahead log into the file, on a thread and a connection of its own, so that writers
// do not wait for it. The log can begin anew only when all of it was folded, which a busy writer
// never lets happen: so past a size the writer itself does the little that is left. A writer that
// is too far ahead of the folding waits for it, or a disk that is full now would have no room for
// what is only in the log.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "store/sqlite/database.h"

namespace strake::store::sqlite {

class Checkpointer {
 public:
  // How many pages of the log may be missing in the file: the Reserve has room for these.
  static constexpr int kMostUnfolded = 2000;

  explicit Checkpointer(Database database);
  ~Checkpointer();  // stop()
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  // Called by the writer after a commit, with the pages that the log has now. Waits when too many
  // of them are not folded. True when the writer should fold the rest itself.
  bool after_commit(int log_pages);
  // Finishes what was begun, joins the thread and closes the connection.
  void stop();

 private:
  void run();
  void ask_for_folding();
  void wait_for_folding(int log_pages);

  static constexpr int kLargeLog = 8000;  // pages: 32 MiB
  Database database_;
  std::mutex mu_;
  std::condition_variable changed_;
  std::condition_variable folded_more_;
  bool wanted_ = false;    // guarded by mu_
  bool folding_ = false;   // guarded by mu_
  bool stopping_ = false;  // guarded by mu_
  int folded_ = 0;         // pages of the log, as the last round left it; guarded by mu_
  // The writer's own: how many pages the log had when folding was last asked for, how many it must
  // have for the writer to wait, and how many for it to take part.
  int asked_ = 0;
  int far_ahead_ = kMostUnfolded;
  int large_ = kLargeLog;
  std::once_flag joined_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace strake::store::sqlite

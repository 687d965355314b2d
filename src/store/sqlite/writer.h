#pragma once
// The one thread that writes. Writes that come while it is busy are committed together: one
// transaction and one flush to disk for all of them, though each has its own revision and is
// compared by itself. Then observers are told, in order, and only then the writers. What expires
// and what compaction gives up is removed by this thread too, in between. When the disk is full it
// gives up its reserve, and takes deletions only until there is room again.
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "async/one_shot.h"
#include "base/time.h"
#include "store/observers.h"
#include "store/sqlite/checkpointer.h"
#include "store/sqlite/ledger.h"
#include "store/sqlite/reserve.h"
#include "store/store.h"

namespace strake::store::sqlite {

class Writer {
 public:
  // The second connection is for folding the log.
  Writer(Ledger ledger, Database folding, std::shared_ptr<Observers> observers, const Clock& clock,
         Reserve reserve);
  ~Writer();  // stop()
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Any thread. After stop() they are answered with kServiceUnavailable.
  void write(Write write, async::OneShot<Written> done);
  void compact(Revision revision, async::OneShot<> done);
  // Looks at the clock soon.
  void nudge();

  Revision compacted() const { return compacted_.load(std::memory_order_acquire); }
  Result<> health() const;

  // Finishes what was begun, marks the file as closed, joins the thread, and lets go of the file.
  void stop();

 private:
  struct Job {
    Write write;
    async::OneShot<Written> done;
    std::optional<Written> outcome;
    std::string deleted_key;  // of a deletion, which may be tried twice
    bool deletes() const { return !deleted_key.empty(); }
  };
  struct Compaction {
    Revision revision = 0;
    async::OneShot<> done;
  };

  void run();
  // Waits for something to do, and takes it. False when there will be nothing any more.
  bool take_work();
  std::chrono::milliseconds longest_nap() const;
  bool is_idle() const;  // under mu_
  void take_jobs();      // under mu_
  void commit_jobs();
  Result<> transact();
  // Refuses what needs room, and tries the rest with the reserve.
  Result<> transact_on_full_disk(const Error& why);
  void refuse_growth(const Error& why);
  void look_for_space();
  void sweep();
  void answer_compactions();
  void refuse_compactions(const Error& why);
  void note(const Result<>& outcome);

  Checkpointer checkpointer_;
  std::optional<Ledger> ledger_;  // until stopped
  const std::shared_ptr<Observers> observers_;
  const Clock& clock_;
  std::atomic<Revision> compacted_;

  // The writer's own.
  std::vector<Job> batch_;
  std::vector<Event> events_;
  std::vector<Compaction> sweeping_;
  int log_pages_ = 0;
  Reserve reserve_;
  bool short_of_space_ = false;  // the reserve is given up
  bool probing_ = false;         // the last transaction failed: see whether the next can succeed

  mutable std::mutex mu_;
  std::condition_variable changed_;
  std::vector<Job> queue_;               // guarded by mu_
  std::vector<Compaction> compactions_;  // guarded by mu_
  bool nudged_ = false;                  // guarded by mu_
  bool stopping_ = false;                // guarded by mu_
  // Of the last transaction. Guarded by mu_, but the thread itself, which alone changes it, may
  // read it without.
  std::optional<Error> failure_;

  std::once_flag joined_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace strake::store::sqlite

#pragma once
// Backups of a store by a schedule, while a server runs: one consistent state as a file, opened
// anew and checked as a whole, kept in a folder, given to a program, or both. What fails is logged,
// counted and tried again; it never stops the server.
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "async/gate.h"
#include "async/progress.h"
#include "async/signal.h"
#include "async/workers.h"
#include "backup/command.h"
#include "backup/history.h"
#include "backup/retention.h"
#include "backup/schedule.h"
#include "base/cancel.h"
#include "base/time.h"
#include "store/sqlite/maintenance.h"

namespace strake::backup {

struct Options {
  Schedule schedule;
  std::string folder;  // that has nothing but backups; empty for none
  Retention retention{.keep = 7};
  Command command;  // without arguments there is none
};

// What is backed up.
struct Source {
  std::string data_folder;  // where the last success is noted
  std::string store;        // the file in it
  // What goes into each backup beside the store.
  std::function<Result<std::vector<store::sqlite::AttachedFile>>()> keys;
};

struct Made {
  WallTime time;
  std::string name;
  std::uint64_t bytes = 0;
  store::Revision revision = 0;
  std::chrono::nanoseconds took{0};
};

struct Status {
  bool running = false;
  std::optional<WallTime> next;          // nothing while one is running
  std::optional<WallTime> last_success;  // also that of an earlier process
  std::optional<Made> last_made;         // of this process
  std::optional<WallTime> last_failure;  // of this process
  std::size_t failures_in_a_row = 0;
  std::uint64_t successes = 0;
  std::uint64_t failures = 0;
};

class Backups {
 public:
  // The clock must outlive it.
  Backups(Options options, Source source, const Clock& clock);
  ~Backups();
  Backups(const Backups&) = delete;
  Backups& operator=(const Backups&) = delete;

  // From now on, on the loop of the executor and a thread of its own.
  void start(const async::Executor& executor);
  // Stops one that is under way, with its program, and makes no more. Any thread; does not wait.
  void cancel();
  // The same, and waits for it. On that loop.
  async::Task<> stop();
  // Looks at the clock now: for tests, whose clock moves by hand.
  void look_again();

  // Any thread.
  Status status() const;
  // kIo while the last attempt is one that failed. Does not say why.
  Result<> health() const;
  void write_metrics(std::string& out) const;
  // Counts attempts, whatever came of them.
  async::Progress& attempts() { return attempts_; }

 private:
  boost::asio::awaitable<void> run();
  // When the next one is due; noted for the status.
  WallTime next(WallTime now);
  void attempt();
  Result<Made> make(WallTime now);
  Result<store::sqlite::FileReport> write_verified(const std::string& path, bool overwrite);
  void remove_old(const std::string& newest, WallTime now);
  Result<> give_to_command(const std::string& file, const Made& made);
  void note_success(const Made& made);
  void note_failure(const Error& error, WallTime now);

  const Options options_;
  const Source source_;
  const Clock& clock_;
  const WallTime started_;
  CancelSource stopping_;
  async::Executor executor_;
  std::unique_ptr<async::Signal> wake_;  // once started
  async::Gate running_;
  async::Progress attempts_;
  std::unique_ptr<async::Workers> worker_;  // once started

  // Of the worker: one that is whole in the folder and that the program did not take.
  std::optional<Made> untaken_;

  mutable std::mutex mu_;
  History history_;  // guarded by mu_
  Status status_;    // guarded by mu_
};

}  // namespace strake::backup

#pragma once
// The file that audit events go to, a line each. A thread of its own writes, so that no loop waits
// for the disk; who writes can be told when an event is in the file. When the file is large enough
// it gets another name, and a new one begins.
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "audit/sink.h"
#include "audit/truncation.h"
#include "base/owned_fd.h"
#include "base/result.h"
#include "base/time.h"

namespace strake::audit {

class LogFile final : public Sink {
 public:
  struct Options {
    std::string path;              // "-" for standard output
    std::int64_t most_bytes = 0;   // of one file; 0 for no limit
    std::size_t most_backups = 0;  // files with other names that are kept; 0 for all
    std::chrono::hours oldest{0};  // of those; 0 for any age
    // Bytes that have yet to be written. What comes when so much has gathered is lost, and the log
    // says so once a minute: who waits may give up, so waiting does not limit what gathers.
    std::size_t most_waiting = 16 << 20;
    TruncateOptions truncate = {};
    const Clock* clock = &system_clock();
  };
  // Opens the file for appending, mode 0600.
  static Result<std::unique_ptr<LogFile>> open(Options options);
  ~LogFile() override;  // writes what is left
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  void write(std::string line, Done done) override;
  // Waits until everything is in the file.
  void flush();
  std::uint64_t lost() const;
  // Opens the path again, after someone has moved the file away.
  Result<> reopen();

 private:
  explicit LogFile(Options options) : options_(std::move(options)) {}
  Result<> open_file();
  void run();
  bool put(std::string_view lines);
  void rotate();
  void remove_old_backups() const;
  void fail(std::string_view what);
  void lose(std::unique_lock<std::mutex> lock, std::string_view why);

  const Options options_;
  std::mutex file_mu_;
  OwnedFd own_;             // guarded by file_mu_; none for standard output
  std::int64_t bytes_ = 0;  // guarded by file_mu_
  bool failing_ = false;    // guarded by file_mu_

  mutable std::mutex mu_;
  std::condition_variable changed_;
  std::condition_variable written_;
  std::string waiting_;       // guarded by mu_
  std::vector<Done> done_;    // of those that wait; guarded by mu_
  bool writing_ = false;      // guarded by mu_
  bool stopping_ = false;     // guarded by mu_
  std::uint64_t lost_ = 0;    // guarded by mu_
  std::uint64_t untold_ = 0;  // of those; guarded by mu_
  SteadyTime told_{};         // guarded by mu_
  std::thread thread_;
};

}  // namespace strake::audit

#pragma once
// The log of one run of operate: a file of its own, the error stream, or nothing. A line is a
// symbol (`msg`), and attributes. What the libraries below log goes there as well. Secrets do not
// get here: who logs, leaves them out.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "base/time.h"

namespace strake::cli {

enum class LogFormat : std::uint8_t { kJson, kHuman, kText };
// Empty is JSON. Fails with kUsage: `unsupported log format: <f>`.
Result<LogFormat> parse_log_format(std::string_view text);
// debug, info, warn(ing), err(or) in any case of letters; anything else is info.
log::Level parse_run_log_level(std::string_view text);

struct RunLogOptions {
  LogFormat format = LogFormat::kJson;
  log::Level level = log::Level::kInfo;
  std::string output;  // a path, "-" for the error stream, "none"; empty: a new file in `folder`
  std::string folder;
  std::int64_t retention_days = 7;  // of files in `folder`; 0: for ever
  const Clock* clock = &system_clock();
};

// May be written from any thread. There is one at a time: libraries log to the last one.
class RunLog {
 public:
  using Fields = std::vector<std::pair<std::string_view, std::string>>;

  // Makes the folder when it is not there, and removes files of older runs. Fails with kIo.
  static Result<RunLog> open(const RunLogOptions& options);
  RunLog(RunLog&&) noexcept;
  RunLog& operator=(RunLog&&) = delete;
  ~RunLog();

  void write(log::Level level, std::string_view msg, const Fields& fields = {}) const;
  // With a number behind the fields: exitCode, elapsed.
  void write(log::Level level, std::string_view msg, const Fields& fields, std::string_view name,
             double number) const;
  // Where the log is; empty when that is no file.
  const std::string& file() const;
  // The reason of the first failure to write; empty when all is there.
  std::string failure() const;

 private:
  struct State;
  explicit RunLog(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// "kompoxops-20240101-000000-000.log", in UTC.
std::string run_log_name(WallTime time);

}  // namespace strake::cli

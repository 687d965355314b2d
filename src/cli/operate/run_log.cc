#include "cli/operate/run_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>

#include "base/owned_fd.h"
#include "base/quote.h"
#include "base/replacement_file.h"
#include "base/rfc3339.h"
#include "cli/io/terminal.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

constexpr std::string_view kLogPrefix = "kompoxops-";
constexpr std::string_view kLogSuffix = ".log";

std::string_view level_word(log::Level level) {
  switch (level) {
    case log::Level::kDebug: return "DEBUG";
    case log::Level::kInfo: return "INFO";
    case log::Level::kWarn: return "WARN";
    case log::Level::kError:
    case log::Level::kOff: return "ERROR";
  }
  return "INFO";
}

// 2024-01-01T00:00:00.000Z: always three digits, so that lines stand below each other.
std::string log_time(WallTime time) {
  const Instant at = Instant::from(time);
  const std::string seconds = format_rfc3339({.seconds = at.seconds, .nanoseconds = 0});
  return fmt::format("{}.{:03}Z", std::string_view(seconds).substr(0, seconds.size() - 1),
                     at.nanoseconds / 1'000'000);
}

// As it is when it is one word, quoted otherwise.
std::string log_word(std::string_view text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return c > ' ' && c < '\x7f' && c != '"' && c != '=' && c != '\\';
  });
  return plain ? std::string(text) : quote(text);
}

void append_json(std::string& line, std::string_view key, std::string_view text) {
  line += line.size() == 1 ? "" : ",";
  value::write_json_string(key, line, false);
  line += ':';
  value::write_json_string(text, line, false);
}

// What is older goes; what cannot be removed is left for the next run.
void remove_old_logs(const std::string& folder, std::int64_t days, const Clock& clock) {
  if (days <= 0) return;
  const std::string first_kept = run_log_name(clock.now() - std::chrono::hours(24 * days));
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const std::string name = entry.path().filename().string();
    // Names sort by time, and say it whatever has been done with the file since.
    if (name.size() != first_kept.size() || !name.starts_with(kLogPrefix) ||
        !name.ends_with(kLogSuffix) || name >= first_kept)
      continue;
    std::error_code ignored;
    std::filesystem::remove(entry.path(), ignored);
  }
}

}  // namespace

Result<LogFormat> parse_log_format(std::string_view text) {
  if (text.empty() || text == "json") return LogFormat::kJson;
  if (text == "human") return LogFormat::kHuman;
  if (text == "text") return LogFormat::kText;
  return fail(Code::kUsage, "unsupported log format: {}", text);
}

log::Level parse_run_log_level(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (small == "debug") return log::Level::kDebug;
  if (small == "warn" || small == "warning") return log::Level::kWarn;
  if (small == "err" || small == "error") return log::Level::kError;
  return log::Level::kInfo;
}

std::string run_log_name(WallTime time) {
  const Instant at = Instant::from(time);
  std::string digits = format_rfc3339({.seconds = at.seconds, .nanoseconds = 0});
  std::erase_if(digits, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
  std::ranges::replace(digits, 'T', '-');
  return fmt::format("{}{}-{:03}{}", kLogPrefix, digits, at.nanoseconds / 1'000'000, kLogSuffix);
}

struct RunLog::State {
  RunLogOptions options;
  std::string file;
  OwnedFd owned;
  int fd = -1;  // -1: nothing is written
  std::mutex mu;
  std::string failure;  // guarded by mu

  void put(std::string line) {
    if (fd < 0) return;
    line += '\n';
    const std::lock_guard lock(mu);
    if (!write_all(fd, line) && failure.empty()) failure = std::strerror(errno);
  }
};

RunLog::RunLog(std::unique_ptr<State> state) : state_(std::move(state)) {}
RunLog::RunLog(RunLog&&) noexcept = default;

RunLog::~RunLog() {
  if (state_ != nullptr) log::configure({});
}

Result<RunLog> RunLog::open(const RunLogOptions& options) {
  auto state = std::make_unique<State>();
  state->options = options;
  constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY;
  if (options.output == "-") {
    state->fd = STDERR_FILENO;
  } else if (options.output != "none") {
    int flags = kAppend;
    if (options.output.empty()) {
      std::error_code failed;
      std::filesystem::create_directories(options.folder, failed);
      if (failed)
        return fail(Code::kIo, "log folder {}: {}", quote(options.folder), failed.message());
      remove_old_logs(options.folder, options.retention_days, *options.clock);
      state->file = fmt::format("{}/{}", options.folder, run_log_name(options.clock->now()));
    } else {
      state->file = options.output;
    }
    // Two runs of one millisecond share a file; lines stay whole.
    state->owned = OwnedFd(::open(state->file.c_str(), flags, 0600));
    if (!state->owned)
      return fail(Code::kIo, "log file {}: {}", quote(state->file), std::strerror(errno));
    state->fd = state->owned.get();
  }
  const bool json = options.format == LogFormat::kJson;
  log::configure({.style = json ? log::Style::kJson : log::Style::kText,
                  .level = options.level,
                  .sink = [&to = *state](std::string_view line) { to.put(std::string(line)); },
                  .clock = options.clock});
  return RunLog(std::move(state));
}

void RunLog::write(log::Level level, std::string_view msg, const Fields& fields) const {
  write(level, msg, fields, {}, 0);
}

void RunLog::write(log::Level level, std::string_view msg, const Fields& fields,
                   std::string_view name, double number) const {
  if (level < state_->options.level || state_->fd < 0) return;
  const std::string time = log_time(state_->options.clock->now());
  const std::string digits = value::to_json(value::Value::number(number));
  std::string line;
  if (state_->options.format == LogFormat::kJson) {
    line = "{";
    append_json(line, "time", time);
    append_json(line, "level", level_word(level));
    append_json(line, "msg", msg);
    for (const auto& [key, text] : fields) append_json(line, key, text);
    if (!name.empty()) line += fmt::format(",\"{}\":{}", name, digits);
    state_->put(printable_json(line) + "}");
    return;
  }
  line = state_->options.format == LogFormat::kHuman
             ? fmt::format("{} {:<5} {}", time, level_word(level), log_word(msg))
             : fmt::format("time={} level={} msg={}", time, level_word(level), log_word(msg));
  for (const auto& [key, text] : fields)
    line += fmt::format(" {}={}", log_word(key), log_word(text));
  if (!name.empty()) line += fmt::format(" {}={}", name, digits);
  state_->put(printable(line));
}

const std::string& RunLog::file() const { return state_->file; }

std::string RunLog::failure() const {
  const std::lock_guard lock(state_->mu);
  return state_->failure;
}

}  // namespace strake::cli

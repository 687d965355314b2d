#include "audit/log_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "audit/metrics.h"
#include "base/log.h"
#include "base/replacement_file.h"
#include "base/rfc3339.h"

namespace strake::audit {
namespace {

namespace fs = std::filesystem;

// "audit-2026-01-02T03-04-05.678.log" for "audit.log": sorts by time.
std::string backup_name(const fs::path& path, WallTime now) {
  std::string stamp = format_rfc3339_micro(Instant::from(now)).substr(0, 23);
  std::ranges::replace(stamp, ':', '-');
  return fmt::format("{}-{}{}", path.stem().string(), stamp, path.extension().string());
}

bool is_backup(const fs::path& file, const fs::path& of) {
  const std::string name = file.filename().string();
  const std::string head = of.stem().string() + "-";
  const std::string tail = of.extension().string();
  constexpr std::string_view kShape = "0000-00-00T00-00-00.000";
  if (name.size() != head.size() + kShape.size() + tail.size() || !name.starts_with(head) ||
      !name.ends_with(tail))
    return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const char c = name[head.size() + i];
    if (kShape[i] == '0' ? c < '0' || c > '9' : c != kShape[i]) return false;
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<LogFile>> LogFile::open(Options options) {
  std::unique_ptr<LogFile> out(new LogFile(std::move(options)));
  STRAKE_CHECK(out->open_file());
  out->thread_ = std::thread([self = out.get()] { self->run(); });
  return out;
}

LogFile::~LogFile() {
  {
    const std::lock_guard lock(mu_);
    stopping_ = true;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

Result<> LogFile::open_file() {
  if (options_.path == "-") return {};
  OwnedFd fd(
      ::open(options_.path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  struct stat found = {};
  if (!fd || ::fstat(fd.get(), &found) != 0)
    return strake::fail(Code::kIo, "{}: {}", options_.path, std::strerror(errno));
  own_ = std::move(fd);
  bytes_ = found.st_size;
  return {};
}

Result<> LogFile::reopen() {
  const std::lock_guard lock(file_mu_);
  return open_file();
}

void LogFile::write(std::string line, Done done) {
  if (options_.truncate.enabled) {
    line = truncated(std::move(line), options_.truncate.most_event_bytes);
    if (line.empty()) {
      lose(std::unique_lock(mu_), kTooLarge);
      if (done) done(true);
      return;
    }
  }
  std::unique_lock lock(mu_);
  if (waiting_.size() >= options_.most_waiting) {
    lose(std::move(lock), "the log is not written fast enough");
    if (done) done(false);
    return;
  }
  const bool first = waiting_.empty();
  waiting_ += line;
  if (done) done_.push_back(std::move(done));
  lock.unlock();
  if (first) changed_.notify_one();
}

void LogFile::lose(std::unique_lock<std::mutex> lock, std::string_view why) {
  constexpr std::chrono::minutes kBetween{1};
  ++lost_;
  ++untold_;
  count_lost("log", 1);
  const SteadyTime now = options_.clock->steady_now();
  const bool tells = told_ == SteadyTime() || now - told_ >= kBetween;
  const std::uint64_t untold = tells ? std::exchange(untold_, 0) : 0;
  if (tells) told_ = now;
  lock.unlock();
  if (!tells) return;
  log::get("audit").error("audit events are lost",
                          {{"path", options_.path}, {"events", untold}, {"error", why}});
}

std::uint64_t LogFile::lost() const {
  const std::lock_guard lock(mu_);
  return lost_;
}

void LogFile::flush() {
  std::unique_lock lock(mu_);
  written_.wait(lock, [this] { return waiting_.empty() && !writing_; });
}

void LogFile::run() {
  std::string lines;
  std::vector<Done> done;
  std::unique_lock lock(mu_);
  while (true) {
    changed_.wait(lock, [this] { return !waiting_.empty() || stopping_; });
    if (waiting_.empty()) return;
    lines.clear();
    lines.swap(waiting_);
    done.clear();
    done.swap(done_);
    writing_ = true;
    lock.unlock();
    const bool stored = put(lines);
    for (Done& one : done) one(stored);
    lock.lock();
    writing_ = false;
    written_.notify_all();
  }
}

// Whether all of them are in the file.
bool LogFile::put(std::string_view lines) {
  const std::lock_guard lock(file_mu_);
  bool all = true;
  while (!lines.empty()) {
    std::string_view part = lines;
    if (options_.most_bytes > 0) {
      if (bytes_ > 0 &&
          bytes_ + static_cast<std::int64_t>(lines.find('\n') + 1) > options_.most_bytes)
        rotate();
      // Whole lines, as many as fit, but at least one.
      const auto room =
          static_cast<std::size_t>(std::max<std::int64_t>(options_.most_bytes - bytes_, 0));
      if (part.size() > room) {
        const std::size_t last = room > 0 ? part.rfind('\n', room - 1) : std::string_view::npos;
        part = part.substr(0, (last != std::string_view::npos ? last : part.find('\n')) + 1);
      }
    }
    if (!write_all(own_ ? own_.get() : STDOUT_FILENO, part)) {
      fail(std::strerror(errno));
      all = false;
    } else if (failing_) {
      failing_ = false;
      log::get("audit").info("the audit log is written again");
    }
    bytes_ += static_cast<std::int64_t>(part.size());
    lines.remove_prefix(part.size());
  }
  return all;
}

// Said once, until it works again.
void LogFile::fail(std::string_view what) {
  if (!failing_)
    log::get("audit").error("events are lost: the audit log cannot be written",
                            {{"path", options_.path}, {"error", what}});
  failing_ = true;
}

void LogFile::rotate() {
  if (!own_) return;
  const fs::path path = options_.path;
  std::error_code error;
  fs::rename(path, path.parent_path() / backup_name(path, options_.clock->now()), error);
  if (error) return fail(error.message());
  if (const auto opened = open_file(); !opened) return fail(opened.error().message());
  remove_old_backups();
}

void LogFile::remove_old_backups() const {
  if (options_.most_backups == 0 && options_.oldest.count() == 0) return;
  const fs::path path = options_.path;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::vector<fs::path> backups;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (is_backup(entry.path(), path)) backups.push_back(entry.path());
  }
  std::ranges::sort(backups, std::greater<>());
  const std::string oldest = options_.oldest.count() > 0
                                 ? backup_name(path, options_.clock->now() - options_.oldest)
                                 : std::string();
  for (std::size_t i = 0; i < backups.size(); ++i) {
    const bool too_many = options_.most_backups > 0 && i >= options_.most_backups;
    if (too_many || backups[i].filename().string() < oldest) fs::remove(backups[i], error);
  }
}

}  // namespace strake::audit

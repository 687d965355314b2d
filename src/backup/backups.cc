#include "backup/backups.h"

#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/input_file.h"
#include "base/log.h"
#include "base/metrics_text.h"
#include "base/replacement_file.h"
#include "base/rfc3339.h"

namespace strake::backup {
namespace {

namespace sqlite = store::sqlite;

// A wall clock may be set, which no timer tells of.
constexpr std::chrono::minutes kLongestNap{1};

std::string shown(WallTime time) { return format_rfc3339(Instant::from(time)); }

double seconds_of(WallTime time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

std::string note_path(const Source& source) { return source.data_folder + "/last-backup"; }

std::optional<WallTime> read_note(const Source& source) {
  constexpr std::uint64_t kMostNote = 64;
  const auto file = InputFile::open(note_path(source), Pipes::kRefused);
  if (!file) return std::nullopt;
  const auto text = file->read_all(kMostNote);
  return text ? last_success_of(*text) : std::nullopt;
}

class RemovedAtEnd {
 public:
  explicit RemovedAtEnd(std::string path) : path_(std::move(path)) {}
  ~RemovedAtEnd() { ::unlink(path_.c_str()); }
  RemovedAtEnd(const RemovedAtEnd&) = delete;
  RemovedAtEnd& operator=(const RemovedAtEnd&) = delete;

 private:
  std::string path_;
};

}  // namespace

Backups::Backups(Options options, Source source, const Clock& clock)
    : options_(std::move(options)),
      source_(std::move(source)),
      clock_(clock),
      started_(clock.now()) {
  status_.last_success = history_.last_success = read_note(source_);
}

Backups::~Backups() { stopping_.cancel(); }

void Backups::start(const async::Executor& executor) {
  executor_ = executor;
  wake_ = std::make_unique<async::Signal>(executor);
  worker_ = std::make_unique<async::Workers>(1);
  boost::asio::co_spawn(executor, run(), boost::asio::detached);
}

void Backups::cancel() { stopping_.cancel(); }

async::Task<> Backups::stop() {
  cancel();
  if (wake_) wake_->notify();
  const Result<> closed = co_await running_.close();
  attempts_.end();
  co_return closed;
}

void Backups::look_again() {
  boost::asio::post(executor_, [this] { wake_->notify(); });
}

WallTime Backups::next(WallTime now) {
  const std::lock_guard lock(mu_);
  const WallTime due = next_due(options_.schedule, history_, started_, now);
  status_.next = due;
  return due;
}

boost::asio::awaitable<void> Backups::run() {
  const async::Gate::Pass pass = running_.enter();
  if (!pass) co_return;
  while (!stopping_.cancelled()) {
    const WallTime now = clock_.now();
    const WallTime due = next(now);
    if (due > now) {
      const auto nap = std::min<std::chrono::nanoseconds>(due - now, kLongestNap);
      if (!co_await wake_->wait(Deadline::after(nap))) co_return;
      continue;
    }
    static_cast<void>(co_await worker_->run([this]() -> Result<> {
      attempt();
      return {};
    }));
    // What is waited for finds the next time in the status.
    if (!stopping_.cancelled()) next(clock_.now());
    attempts_.reach(attempts_.reached() + 1);
  }
}

void Backups::attempt() {
  const WallTime now = clock_.now();
  {
    const std::lock_guard lock(mu_);
    status_.running = true;
    status_.next.reset();
  }
  const Result<Made> made = make(now);
  if (made) {
    note_success(*made);
  } else if (!stopping_.cancelled()) {
    note_failure(made.error(), now);
  }
  const std::lock_guard lock(mu_);
  status_.running = false;
}

Result<Made> Backups::make(WallTime now) {
  const SteadyTime begun = clock_.steady_now();
  // The program did not take the last one, which is still as good as new: then it gets that one
  // again. A new one with each attempt would drive the older ones out of the folder.
  if (untaken_ && now >= untaken_->time && options_.schedule.next(untaken_->time) > now) {
    Made again = *untaken_;
    STRAKE_CHECK(give_to_command(options_.folder + "/" + again.name, again));
    untaken_.reset();
    return again;
  }
  untaken_.reset();
  Made made{.time = now, .name = backup_name(now)};
  const bool keeps = !options_.folder.empty();
  const std::string path = keeps ? options_.folder + "/" + made.name : source_.store + ".backup";
  std::optional<RemovedAtEnd> removed;
  if (!keeps) removed.emplace(path);
  STRAKE_TRY(const sqlite::FileReport report, write_verified(path, !keeps));
  made.bytes = report.bytes;
  made.revision = report.revision;
  if (keeps) remove_old(made.name, now);
  if (!options_.command.arguments.empty()) {
    if (const Result<> taken = give_to_command(path, made); !taken) {
      if (keeps) untaken_ = made;
      return std::unexpected(taken.error());
    }
  }
  made.took = clock_.steady_now() - begun;
  return made;
}

// Whole when it was written, and whole when it is read again.
Result<sqlite::FileReport> Backups::write_verified(const std::string& path, bool overwrite) {
  STRAKE_TRY(const std::vector<sqlite::AttachedFile> keys, source_.keys());
  const CancelToken stop = stopping_.token();
  STRAKE_TRY(const sqlite::FileReport written,
             sqlite::backup(source_.store, path, overwrite, keys, stop));
  const auto read = sqlite::check(path, stop);
  if (read && read->revision == written.revision && read->attached == keys.size()) return read;
  ::unlink(path.c_str());
  if (!read) return std::unexpected(read.error());
  return fail(Code::kIo, "{}: what was read is not what was written", path);
}

void Backups::remove_old(const std::string& newest, WallTime now) {
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator entries(options_.folder, error), end;
       !error && entries != end; entries.increment(error)) {
    std::error_code ignored;
    // A link is somebody else's.
    if (entries->symlink_status(ignored).type() == std::filesystem::file_type::regular)
      names.push_back(entries->path().filename().string());
  }
  if (error) {
    log::get("backup").warn("cannot look for old backups",
                            {{"folder", options_.folder}, {"error", error.message()}});
    return;
  }
  for (const std::string& name : to_remove(names, newest, options_.retention, now)) {
    if (::unlink((options_.folder + "/" + name).c_str()) == 0) {
      log::get("backup").info("removed an old backup", {{"name", name}});
    } else {
      log::get("backup").warn("cannot remove an old backup",
                              {{"name", name}, {"error", std::strerror(errno)}});
    }
  }
}

Result<> Backups::give_to_command(const std::string& file, const Made& made) {
  return backup::run(options_.command,
                     {.file = file,
                      .name = made.name,
                      .environment = {fmt::format("STRAKE_BACKUP_BYTES={}", made.bytes),
                                      fmt::format("STRAKE_BACKUP_REVISION={}", made.revision)}},
                     stopping_.token());
}

void Backups::note_success(const Made& made) {
  {
    const std::lock_guard lock(mu_);
    history_ = {.last_success = made.time, .last_attempt = made.time, .failures = 0};
    status_.last_success = made.time;
    status_.last_made = made;
    status_.failures_in_a_row = 0;
    ++status_.successes;
  }
  log::get("backup").info(
      "made a backup",
      {{"name", made.name}, {"bytes", made.bytes}, {"revision", made.revision}, {"ms", made.took}});
  auto note = ReplacementFile::partial(AT_FDCWD, note_path(source_));
  const Result<> noted =
      note ? note->replace(to_text(made.time), 0600) : Result<>(std::unexpected(note.error()));
  if (!noted)
    log::get("backup").warn("the time of the last backup is not noted for the next start",
                            {{"error", noted.error()}});
}

void Backups::note_failure(const Error& error, WallTime now) {
  std::size_t failures = 0;
  {
    const std::lock_guard lock(mu_);
    history_.last_attempt = now;
    failures = ++history_.failures;
    status_.last_failure = now;
    status_.failures_in_a_row = failures;
    ++status_.failures;
  }
  const WallTime again = next(now);
  log::get("backup").error(
      "a backup failed",
      {{"error", error}, {"failures_in_a_row", failures}, {"next", shown(again)}});
}

Status Backups::status() const {
  const std::lock_guard lock(mu_);
  return status_;
}

Result<> Backups::health() const {
  const std::lock_guard lock(mu_);
  if (status_.failures_in_a_row == 0) return {};
  return fail(Code::kIo, "the last backup failed");
}

void Backups::write_metrics(std::string& out) const {
  const Status now = status();
  MetricsText text(out);
  text.family("strake_backups_total", "counter", "Scheduled backups by what came of them.");
  text.sample(metric_labels({{"result", "failure"}}), now.failures);
  text.sample(metric_labels({{"result", "success"}}), now.successes);
  text.single("strake_backup_consecutive_failures", "gauge",
              "Scheduled backups that failed since the last one that did not.",
              now.failures_in_a_row);
  text.single("strake_backup_last_success_timestamp_seconds", "gauge",
              "When the newest good scheduled backup was begun, in seconds since unix epoch; 0 "
              "when there is none.",
              now.last_success ? seconds_of(*now.last_success) : 0.0);
  text.single("strake_backup_next_timestamp_seconds", "gauge",
              "When the next scheduled backup is due, in seconds since unix epoch; 0 while one is "
              "being made.",
              now.next ? seconds_of(*now.next) : 0.0);
  text.single("strake_backup_last_duration_seconds", "gauge",
              "How long the newest good backup of this process took.",
              now.last_made ? std::chrono::duration<double>(now.last_made->took).count() : 0.0);
  text.single("strake_backup_last_size_bytes", "gauge",
              "The size of the newest good backup of this process.",
              now.last_made ? now.last_made->bytes : 0);
}

}  // namespace strake::backup

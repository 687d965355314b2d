#include "provider/local/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
extern "C" {  // glibc 2.36 forgot to say so
#include <sys/pidfd.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <memory>

#include "base/input_file.h"
#include "provider/local/files.h"
#include "provider/local/wait.h"

namespace strake::provider::local {
namespace {

constexpr std::uint64_t kMostLog = std::uint64_t{8} << 20;  // an older one is kept beside it
constexpr std::size_t kTail = 8 << 10;
constexpr std::size_t kMostLines = 8;
constexpr std::size_t kMostLineBytes = 300;
constexpr std::size_t kSecretBytes = 24;
constexpr int kAliveDescriptor = kReadyDescriptor + 1;

struct flock whole_file(int kind) {
  struct flock out = {};
  out.l_type = static_cast<short>(kind);
  out.l_whence = SEEK_SET;
  return out;
}

std::vector<char*> c_texts(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& one : texts) out.push_back(const_cast<char*>(one.c_str()));
  out.push_back(nullptr);
  return out;
}

struct Launch {
  char* const* arguments;
  char* const* environment;
  const char* folder;
  std::array<int, 6> descriptors;  // those of the server from 0 on, the last one to tell an error
};

// Between fork and exec only calls that a signal handler may make: other threads may have held any
// lock as the process was copied.
[[noreturn]] void tell_and_exit(int to, int reason) {
  [[maybe_unused]] const ssize_t written = ::write(to, &reason, sizeof reason);
  ::_exit(127);
}

[[noreturn]] void become_server(const Launch& launch) {
  // First out of the way of the numbers that they are to have.
  std::array<int, 6> moved{};
  const int failed = launch.descriptors.back();
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i] = ::fcntl(launch.descriptors[i], F_DUPFD, 64);
    if (moved[i] < 0) tell_and_exit(failed, errno);
  }
  for (std::size_t i = 0; i < moved.size(); ++i) {
    if (::dup2(moved[i], static_cast<int>(i)) < 0) tell_and_exit(moved.back(), errno);
  }
  constexpr int kFailed = 5;
  ::fcntl(kFailed, F_SETFD, FD_CLOEXEC);
  if (::close_range(kFailed + 1, ~0U, 0) != 0) tell_and_exit(kFailed, errno);
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &usual, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::umask(077);
  if (::chdir(launch.folder) != 0) tell_and_exit(kFailed, errno);
  ::execve(launch.arguments[0], launch.arguments, launch.environment);
  tell_and_exit(kFailed, errno);
}

// Twice forked, so that the server is nobody's child: whoever started it need not live to collect
// what it leaves.
int launch(const Launch& one) {
  const pid_t middle = ::fork();
  if (middle < 0) return errno;
  if (middle == 0) {
    ::setsid();
    const pid_t server = ::fork();
    if (server < 0) tell_and_exit(one.descriptors.back(), errno);
    if (server == 0) become_server(one);
    ::_exit(0);
  }
  while (::waitpid(middle, nullptr, 0) < 0 && errno == EINTR) {
  }
  return 0;
}

// Whether that process is a server that has the lock of the file, by what the system says about its
// descriptor of that number.
bool holds_lock(const std::string& pid, const struct stat& file) {
  struct stat found = {};
  if (::stat(fmt::format("/proc/{}/fd/{}", pid, kAliveDescriptor).c_str(), &found) != 0 ||
      found.st_dev != file.st_dev || found.st_ino != file.st_ino)
    return false;
  // It may only have looked at the file: the system lists the locks of each that is open.
  const auto about =
      InputFile::open(fmt::format("/proc/{}/fdinfo/{}", pid, kAliveDescriptor), Pipes::kRefused);
  const auto text = about ? about->read_all(kTail) : Result<std::string>(std::string());
  return text && text->contains("OFDLCK");
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> processes() {
  std::vector<std::string> out;
  const std::unique_ptr<DIR, int (*)(DIR*)> opened(::opendir("/proc"), &::closedir);
  while (opened != nullptr) {
    const dirent* entry = ::readdir(opened.get());
    if (entry == nullptr) break;
    if (is_number(entry->d_name)) out.emplace_back(entry->d_name);
  }
  return out;
}

// Keys, tokens and the like: long words of mixed letters and digits. Paths have slashes, and times
// colons, so they are left.
std::string without_secrets(std::string_view line) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '=' || c == '_' || c == '-' || c == '.';
  };
  const auto has = [](std::string_view word, char from, char to) {
    return std::ranges::any_of(word, [=](char c) { return c >= from && c <= to; });
  };
  std::string out;
  while (!line.empty()) {
    const auto end = std::ranges::find_if_not(line, is_letter);
    const std::string_view word(line.begin(), end);
    const bool secret = word.size() >= kSecretBytes && has(word, 'a', 'z') && has(word, 'A', 'Z') &&
                        has(word, '0', '9');
    out += secret ? std::string_view("***") : word;
    line.remove_prefix(word.size());
    if (line.empty()) break;
    const char c = line.front();
    out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    line.remove_prefix(1);
  }
  return out;
}

}  // namespace

Outcome<> start_server(const ServerProgram& program) {
  const OwnedFd alive(
      ::open(program.alive.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!alive) return cannot("open", program.alive, errno);
  struct flock lock = whole_file(F_WRLCK);
  if (::fcntl(alive.get(), F_OFD_SETLK, &lock) != 0) {
    if (errno == EAGAIN || errno == EACCES)
      return refuse(FailureClass::kConflict, "{} runs already", program.arguments[0]);
    return cannot("lock", program.alive, errno);
  }
  struct stat old = {};
  if (::stat(program.log.c_str(), &old) == 0 && static_cast<std::uint64_t>(old.st_size) > kMostLog)
    ::rename(program.log.c_str(), (program.log + ".old").c_str());
  const OwnedFd ready(
      ::open(program.ready.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!ready) return cannot("open", program.ready, errno);
  const OwnedFd log(
      ::open(program.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!log) return cannot("open", program.log, errno);
  const OwnedFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  int ends[2];
  if (!nothing || ::pipe2(ends, O_CLOEXEC) != 0)
    return cannot("start", program.arguments[0], errno);
  const OwnedFd told(ends[0]);
  OwnedFd tells(ends[1]);
  const std::vector<char*> arguments = c_texts(program.arguments);
  const std::vector<char*> environment = c_texts(program.environment);
  const int failed = launch({.arguments = arguments.data(),
                             .environment = environment.data(),
                             .folder = program.folder.c_str(),
                             .descriptors = {nothing.get(), log.get(), log.get(), ready.get(),
                                             alive.get(), tells.get()}});
  if (failed != 0) return cannot("start", program.arguments[0], failed);
  tells.close();
  // Ends without a word when the program runs.
  int reason = 0;
  ssize_t got = 0;
  do {
    got = ::read(told.get(), &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  if (got == sizeof reason) return cannot("start", program.arguments[0], reason);
  return {};
}

Outcome<std::optional<RunningServer>> RunningServer::find(const std::string& alive) {
  const OwnedFd file(::open(alive.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!file && errno == ENOENT) return std::nullopt;
  struct stat of = {};
  if (!file || ::fstat(file.get(), &of) != 0) return cannot("open", alive, errno);
  // It may end, or a lock that another thread is about to hand on may move, while we look.
  constexpr int kTries = 3;
  for (int tries = 0; tries < kTries; ++tries) {
    struct flock held = whole_file(F_WRLCK);
    if (::fcntl(file.get(), F_OFD_GETLK, &held) != 0) return cannot("look at", alive, errno);
    if (held.l_type == F_UNLCK) return std::nullopt;
    for (const std::string& name : processes()) {
      if (!holds_lock(name, of)) continue;
      pid_t pid = 0;
      std::from_chars(name.data(), name.data() + name.size(), pid);
      if (pid == ::getpid()) return std::nullopt;  // another thread is about to start it
      OwnedFd handle(::pidfd_open(pid, 0));
      // Looked at again now that the number cannot pass to another process unseen.
      if (handle && holds_lock(name, of)) return RunningServer(pid, std::move(handle));
    }
  }
  return refuse(FailureClass::kInternal,
                "{} is locked by a process that cannot be seen: end it, or run where it runs",
                alive);
}

Outcome<> RunningServer::stop(const Call& call, std::chrono::nanoseconds patience) const {
  constexpr std::chrono::seconds kKilled{30};
  for (const int signal : {SIGTERM, SIGKILL}) {
    if (::pidfd_send_signal(handle_.get(), signal, nullptr, 0) != 0 && errno != ESRCH)
      return cannot("end process", std::to_string(pid_), errno);
    STRAKE_TRY(const bool over,
               wait_readable(call, handle_.get(), signal == SIGTERM ? patience : kKilled));
    if (over) return {};
  }
  return refuse(FailureClass::kInternal, "process {} does not end", pid_);
}

std::string last_lines(const std::string& log) {
  const OwnedFd file(::open(log.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat of = {};
  if (!file || ::fstat(file.get(), &of) != 0) return {};
  std::array<char, kTail> buffer{};
  const off_t from = std::max<off_t>(0, of.st_size - static_cast<off_t>(kTail));
  const ssize_t got = ::pread(file.get(), buffer.data(), buffer.size(), from);
  std::string_view text(buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  std::vector<std::string> lines;
  bool in_key = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    in_key = in_key || line.contains("-----BEGIN");
    if (!in_key && !line.empty()) lines.push_back(without_secrets(line.substr(0, kMostLineBytes)));
    if (line.contains("-----END")) in_key = false;
  }
  if (lines.size() > kMostLines)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kMostLines));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace strake::provider::local

#include "backup/command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/owned_fd.h"

extern char** environ;

namespace strake::backup {
namespace {

// Between the request to end and the end.
constexpr std::chrono::seconds kGrace{3};

struct Spawning {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  Spawning() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  ~Spawning() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::string with_name(std::string argument, std::string_view name) {
  constexpr std::string_view kPlace = "{name}";
  for (std::size_t at = argument.find(kPlace); at != std::string::npos;
       at = argument.find(kPlace, at + name.size()))
    argument.replace(at, kPlace.size(), name);
  return argument;
}

std::vector<std::string> whole_environment(const CommandInput& input) {
  std::vector<std::string> own = input.environment;
  own.push_back("STRAKE_BACKUP_NAME=" + input.name);
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    // For systemd, and about this process alone.
    const bool ours = text.starts_with("NOTIFY_SOCKET=") || text.starts_with("WATCHDOG_") ||
                      text.starts_with("LISTEN_") || text.starts_with("STRAKE_BACKUP_");
    if (!ours) out.emplace_back(text);
  }
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

class Child {
 public:
  static Result<Child> start(const Command& command, const CommandInput& input) {
    std::vector<std::string> arguments;
    for (const std::string& one : command.arguments)
      arguments.push_back(with_name(one, input.name));
    std::vector<std::string> environment = whole_environment(input);
    Spawning spawn;
    ::posix_spawn_file_actions_addopen(&spawn.actions, STDIN_FILENO, input.file.c_str(), O_RDONLY,
                                       0);
    ::posix_spawn_file_actions_addopen(&spawn.actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    // The server has blocked the signals that it waits for, and ignores others.
    sigset_t none;
    sigemptyset(&none);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    ::posix_spawnattr_setsigmask(&spawn.attributes, &none);
    ::posix_spawnattr_setsigdefault(&spawn.attributes, &usual);
    ::posix_spawnattr_setpgroup(&spawn.attributes, 0);
    ::posix_spawnattr_setflags(
        &spawn.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    Child out;
    const int started =
        ::posix_spawnp(&out.pid_, arguments[0].c_str(), &spawn.actions, &spawn.attributes,
                       pointers(arguments).data(), pointers(environment).data());
    if (started != 0)
      return fail(started == ENOENT ? Code::kNotFound : Code::kIo, "cannot run {}: {}",
                  command.arguments[0], std::strerror(started));
    out.ended_ = OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, out.pid_, 0U)));
    if (!out.ended_) {
      const int number = errno;
      out.kill(SIGKILL);
      static_cast<void>(out.reap());
      return fail(Code::kIo, "cannot wait for {}: {}", command.arguments[0], std::strerror(number));
    }
    return out;
  }

  // False when the time is over, or there is something to read from the other descriptor.
  bool wait(std::chrono::milliseconds time, int other) const {
    const auto end = std::chrono::steady_clock::now() + time;
    while (true) {
      pollfd watched[] = {{ended_.get(), POLLIN, 0}, {other, POLLIN, 0}};
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      if (left.count() < 0) return false;
      const int ready =
          ::poll(watched, 2, static_cast<int>(std::min<std::int64_t>(left.count(), 1'000'000)));
      if (ready < 0 && errno != EINTR) return false;
      if (ready <= 0) continue;
      if (watched[0].revents != 0) return true;
      if (watched[1].revents != 0) return false;
    }
  }

  // To all that it has started, unless they went their own way.
  void kill(int signal) const {
    ::kill(-pid_, signal);
    ::kill(pid_, signal);
  }

  int reap() const {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

 private:
  pid_t pid_ = -1;
  OwnedFd ended_;
};

}  // namespace

Result<> run(const Command& command, const CommandInput& input, const CancelToken& cancel) {
  const OwnedFd stopped(::eventfd(0, EFD_CLOEXEC));
  if (!stopped) return fail(Code::kIo, "eventfd: {}", std::strerror(errno));
  const CancelRegistration registration = cancel.on_cancel([&stopped] {
    const std::uint64_t one = 1;
    static_cast<void>(::write(stopped.get(), &one, sizeof one) == sizeof one);
  });
  if (cancel.cancelled()) return fail(Code::kCancelled, "stopped");
  const std::string& program = command.arguments[0];
  STRAKE_TRY(const Child child, Child::start(command, input));
  if (!child.wait(command.timeout, stopped.get())) {
    child.kill(SIGTERM);
    static_cast<void>(child.wait(kGrace, -1));
    // What it has started may be left when it is gone itself.
    child.kill(SIGKILL);
    static_cast<void>(child.reap());
    if (cancel.cancelled()) return fail(Code::kCancelled, "{}: stopped", program);
    return fail(Code::kTimeout, "{} took longer than {}s", program, command.timeout.count());
  }
  const int status = child.reap();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFEXITED(status))
    return fail(Code::kIo, "{} ended with exit code {}", program, WEXITSTATUS(status));
  return fail(Code::kIo, "{} was ended by signal {}", program, WTERMSIG(status));
}

}  // namespace strake::backup

#include "cli/testserver/company.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/assert.h"
#include "base/owned_fd.h"

extern char** environ;

namespace strake::cli {
namespace {

// Readable when the process has ended. The C library of Debian 12 has no call for it.
OwnedFd process_fd(pid_t pid) {
  return OwnedFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

// Readable once the token is cancelled.
class StopFd {
 public:
  explicit StopFd(const CancelToken& stop)
      : fd_(::eventfd(0, EFD_CLOEXEC)), registration_(stop.on_cancel([fd = fd_.get()] {
          constexpr std::uint64_t kOne = 1;
          // Fails only when it is readable already.
          static_cast<void>(!::write(fd, &kOne, sizeof kOne));
        })) {}
  int get() const { return fd_.get(); }

 private:
  OwnedFd fd_;
  CancelRegistration registration_;
};

Error system_error(std::string_view what) {
  return Error(Code::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

// Waits until one of them is readable or closed.
template <std::size_t N>
Result<> wait_for_any(std::array<pollfd, N>& fds) {
  while (::poll(fds.data(), fds.size(), -1) < 0)
    if (errno != EINTR) return std::unexpected(system_error("cannot wait"));
  return {};
}

class SpawnAttributes {
 public:
  SpawnAttributes() {
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    ::sigemptyset(&none);
    sigset_t defaults = none;
    ::sigaddset(&defaults, SIGPIPE);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnAttributes() { ::posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// Ours, with the others in place of those of the same name.
std::vector<std::string> merged_environment(const std::vector<std::string>& others) {
  std::vector<std::string> out = others;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('=') + 1);
    const bool replaced =
        std::ranges::any_of(others, [&](const std::string& one) { return one.starts_with(name); });
    if (!replaced) out.emplace_back(text);
  }
  return out;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

bool ends_with_its_writer(int fd) {
  struct stat info{};
  return ::fstat(fd, &info) == 0 &&
         (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || ::isatty(fd) == 1);
}

// Drops what is there. False at the end.
bool read_on(int fd) {
  std::array<char, 4096> dropped;
  const ssize_t got = ::read(fd, dropped.data(), dropped.size());
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

}  // namespace

Result<int> run_in_company(const std::vector<std::string>& arguments,
                           const std::vector<std::string>& environment, const CancelToken& stop) {
  STRAKE_ASSERT(!arguments.empty());
  std::vector<std::string> own_arguments = arguments;
  std::vector<std::string> own_environment = merged_environment(environment);
  const SpawnAttributes attributes;
  pid_t pid = 0;
  const int failure =
      ::posix_spawnp(&pid, own_arguments.front().c_str(), nullptr, attributes.get(),
                     pointers(own_arguments).data(), pointers(own_environment).data());
  if (failure != 0)
    return fail(failure == ENOENT ? Code::kNotFound : Code::kIo, "cannot run {}: {}",
                own_arguments.front(), std::strerror(failure));
  {
    const StopFd stopped(stop);
    const OwnedFd ended = process_fd(pid);
    std::array<pollfd, 2> fds = {pollfd{.fd = ended.get(), .events = POLLIN, .revents = 0},
                                 pollfd{.fd = stopped.get(), .events = POLLIN, .revents = 0}};
    STRAKE_CHECK(wait_for_any(fds));
    if (fds[0].revents == 0) ::kill(pid, SIGTERM);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return std::unexpected(system_error("cannot wait for the command"));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

Parent::Parent() {
  const pid_t parent = ::getppid();
  OwnedFd found = process_fd(parent);
  // Otherwise it has ended meanwhile, and the number may be another's.
  if (::getppid() == parent) process_ = std::move(found);
}

Result<> Parent::wait_while_in_company(const CancelToken& stop) const {
  if (!process_) return {};
  const StopFd stopped(stop);
  const int input = ends_with_its_writer(STDIN_FILENO) ? STDIN_FILENO : -1;  // poll skips -1
  while (true) {
    std::array<pollfd, 3> fds = {pollfd{.fd = stopped.get(), .events = POLLIN, .revents = 0},
                                 pollfd{.fd = process_.get(), .events = POLLIN, .revents = 0},
                                 pollfd{.fd = input, .events = POLLIN, .revents = 0}};
    STRAKE_CHECK(wait_for_any(fds));
    if (fds[0].revents != 0 || fds[1].revents != 0) return {};
    if (fds[2].revents != 0 && !read_on(input)) return {};
  }
}

}  // namespace strake::cli

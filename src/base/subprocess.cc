#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <thread>

#include "base/owned_fd.h"

extern char** environ;

namespace strake {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 30;

struct Pipe {
  OwnedFd read_end;
  OwnedFd write_end;
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    read_end = OwnedFd(ends[0]);
    write_end = OwnedFd(ends[1]);
  }
};

struct SpawnActions {
  posix_spawn_file_actions_t actions{};
  SpawnActions() { ::posix_spawn_file_actions_init(&actions); }
  ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> whole_environment(const ProgramRun& run) {
  const std::vector<std::string>& more = run.environment;
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('=') + 1);
    bool replaced = false;
    for (const std::string& one : more) replaced = replaced || one.starts_with(name);
    for (const std::string& one : run.unset) replaced = replaced || name == one + "=";
    if (!replaced) out.emplace_back(text);
  }
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

// Programs such as git end those that they started when they are asked to end; killed, they would
// leave them behind.
void end_child(pid_t child) {
  ::kill(child, SIGTERM);
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == child)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ::kill(child, SIGKILL);
}

// Reads both streams until they end. False when it took too long or was too much.
Result<> drain(Pipe& out, Pipe& err, const ProgramRun& run, ProgramOutput& into) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = run.timeout ? Clock::now() + *run.timeout : Clock::time_point::max();
  std::array<pollfd, 2> watched = {
      {{out.read_end.get(), POLLIN, 0}, {err.read_end.get(), POLLIN, 0}}};
  std::array<std::string*, 2> texts = {&into.out, &into.err};
  while (watched[0].fd >= 0 || watched[1].fd >= 0) {
    int wait = -1;
    if (run.timeout) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) return fail(Code::kTimeout, "{} took too long", run.arguments[0]);
      wait = static_cast<int>(std::min<std::int64_t>(left.count(), 60'000));
    }
    if (::poll(watched.data(), watched.size(), wait) < 0 && errno != EINTR)
      return fail(Code::kIo, "poll: {}", std::strerror(errno));
    for (std::size_t i = 0; i < watched.size(); ++i) {
      if (watched[i].fd < 0 || watched[i].revents == 0) continue;
      std::array<char, 65536> buffer{};
      const ssize_t got = ::read(watched[i].fd, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        watched[i].fd = -1;
        continue;
      }
      texts[i]->append(buffer.data(), static_cast<std::size_t>(got));
      if (texts[i]->size() > kMostOutput)
        return fail(Code::kLimit, "{} printed more than {} bytes", run.arguments[0], kMostOutput);
    }
  }
  return {};
}

}  // namespace

Result<ProgramOutput> run_program(const ProgramRun& run) {
  std::vector<std::string> arguments = run.arguments;
  std::vector<std::string> environment = whole_environment(run);
  Pipe out;
  Pipe err;
  if (!out.read_end || !err.read_end) return fail(Code::kIo, "pipe: {}", std::strerror(errno));
  SpawnActions spawn;
  ::posix_spawn_file_actions_adddup2(&spawn.actions, out.write_end.get(), STDOUT_FILENO);
  if (!run.interactive) {
    ::posix_spawn_file_actions_addopen(&spawn.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&spawn.actions, err.write_end.get(), STDERR_FILENO);
  }
  if (!run.folder.empty())
    ::posix_spawn_file_actions_addchdir_np(&spawn.actions, run.folder.c_str());
  pid_t child = 0;
  const int started = ::posix_spawnp(&child, arguments[0].c_str(), &spawn.actions, nullptr,
                                     pointers(arguments).data(), pointers(environment).data());
  if (started != 0) {
    return fail(started == ENOENT ? Code::kNotFound : Code::kIo, "cannot run '{}': {}",
                arguments[0], std::strerror(started));
  }
  out.write_end.close();
  err.write_end.close();
  ProgramOutput output;
  Result<> drained = drain(out, err, run, output);
  if (!drained) end_child(child);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!drained) return std::unexpected(std::move(drained).error());
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

Result<ScratchFolder> ScratchFolder::make(const std::string& prefix) {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / (prefix + "XXXXXX")).string();
  if (error || ::mkdtemp(name.data()) == nullptr)
    return fail(Code::kIo, "cannot make a temporary folder: {}", std::strerror(errno));
  // Without links, as paths in builds are.
  const std::filesystem::path real = std::filesystem::canonical(name, error);
  return ScratchFolder(error ? name : real.string());
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace strake

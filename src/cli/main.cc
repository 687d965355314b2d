// The program: gives the command line and the real world to cli::run.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "cli/app.h"

namespace {

// A standard stream that the caller closed would lend its number to the next file that is opened,
// and output would land there. The stand-in is opened the wrong way round, so that using it fails.
void hold_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) == -1) {
      [[maybe_unused]] const int held =
          ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

// Everything is written and closed by now; what is left is memory, which the system takes back
// faster than we can. Sanitizers want to see it freed.
[[noreturn]] void leave(int code, strake::cli::Io& io) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
  io.freed_at_exit.clear();
  std::exit(code);
#else
  static_cast<void>(io);
  std::fflush(nullptr);
  std::_Exit(code);
#endif
}

// The limit that was set, for the message.
std::uint64_t memory_limit = 0;

// There is no memory to say it with, nor to unwind: the reports of commands are worth nothing when
// they are cut off, so nothing else is written.
[[noreturn]] void out_of_memory() {
  char text[256];
  int size = 0;
  if (memory_limit > 0) {
    size = std::snprintf(text, sizeof text,
                         "error: more than %llu MiB of memory would be needed; --max-memory of "
                         "validate, build and fmt, or ulimit, sets the limit\n",
                         static_cast<unsigned long long>(memory_limit >> 20));
  } else {
    size = std::snprintf(text, sizeof text, "error: the system has no memory left\n");
  }
  [[maybe_unused]] const ssize_t told =
      ::write(STDERR_FILENO, text, static_cast<std::size_t>(std::max(size, 0)));
  std::_Exit(static_cast<int>(strake::cli::ExitCode::kInput));
}

// Of private memory that can be written to; the program itself, and files that are mapped, do not
// count. A lower limit of whoever started the program stays.
void limit_memory(std::uint64_t bytes) {
  memory_limit = bytes;
  std::set_new_handler(out_of_memory);
#if !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
      __has_feature(memory_sanitizer))
  rlimit limit{};
  if (bytes == 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur <= bytes) return;
  limit.rlim_cur = bytes;
  static_cast<void>(::setrlimit(RLIMIT_DATA, &limit));
#endif
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  // A reader that left and a file that may grow no more are errors of the write that meets them.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);

  strake::cli::FdInput in(STDIN_FILENO, "-");
  strake::cli::FdOutput out(STDOUT_FILENO, "standard output");
  strake::cli::FdOutput err(STDERR_FILENO, "standard error");
  strake::cli::Io io{.in = in, .out = out, .err = err};
  io.in_is_terminal = ::isatty(STDIN_FILENO) == 1;
  io.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  io.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  io.env = [](std::string_view name) -> std::optional<std::string> {
    const char* value = std::getenv(std::string(name).c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  };
  io.environment = [] {
    std::map<std::string, std::string, std::less<>> out;
    for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
      const std::string_view pair = *one;
      const std::size_t end = pair.find('=');
      if (end != std::string_view::npos) out.emplace(pair.substr(0, end), pair.substr(end + 1));
    }
    return out;
  };

  io.limit_memory = limit_memory;

  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  const auto code = strake::cli::run(argc > 0 ? argv[0] : "strake", args, io);
  leave(static_cast<int>(code), io);
}

#include "server/service_manager.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "base/log.h"

namespace strake::server {
namespace {

// The first descriptor that is handed over, by the protocol.
constexpr int kFirstSocket = 3;

constexpr const char* kVariables[] = {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID",
                                      "LISTEN_FDS",    "LISTEN_PID",    "LISTEN_FDNAMES"};

using Environment = std::map<std::string, std::string>;

Result<std::optional<std::int64_t>> number(const Environment& environment,
                                           const std::string& name) {
  const auto found = environment.find(name);
  if (found == environment.end()) return std::nullopt;
  const std::string& text = found->second;
  std::int64_t out = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || out < 0)
    return fail(Code::kUsage, "{} must be a number, got \"{}\"", name, text);
  return out;
}

// Whether what is said is said to this process, and not to the one that has started it.
Result<bool> is_for(const Environment& environment, const std::string& name, int process) {
  STRAKE_TRY(const std::optional<std::int64_t> whose, number(environment, name));
  return !whose || *whose == process;
}

struct Address {
  sockaddr_un name{};
  socklen_t size = 0;
};

// A path, or a name that is in no file system, which begins with @.
Result<Address> address_of(std::string_view text) {
  Address out;
  out.name.sun_family = AF_UNIX;
  if ((!text.starts_with('/') && !text.starts_with('@')) || text.size() < 2 ||
      text.size() >= sizeof out.name.sun_path)
    return fail(Code::kUsage, "NOTIFY_SOCKET must be a path or begin with @, got \"{}\"", text);
  std::memcpy(out.name.sun_path, text.data(), text.size());
  if (text[0] == '@') out.name.sun_path[0] = '\0';
  out.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + text.size());
  return out;
}

}  // namespace

Result<ServiceManager> ServiceManager::from(const Environment& environment, int process) {
  ServiceManager out;
  if (const auto found = environment.find("NOTIFY_SOCKET"); found != environment.end()) {
    STRAKE_CHECK(address_of(found->second));
    out.address_ = found->second;
  }
  STRAKE_TRY(const std::optional<std::int64_t> usec, number(environment, "WATCHDOG_USEC"));
  STRAKE_TRY(const bool watched, is_for(environment, "WATCHDOG_PID", process));
  if (usec && *usec > 0 && watched && !out.address_.empty())
    out.watchdog_ = std::chrono::microseconds(*usec);
  STRAKE_TRY(const std::optional<std::int64_t> sockets, number(environment, "LISTEN_FDS"));
  STRAKE_TRY(const std::optional<std::int64_t> whose, number(environment, "LISTEN_PID"));
  if (sockets && *sockets > 0 && whose && *whose == process) {
    if (*sockets > 1)
      return fail(Code::kUsage, "one socket to listen on was expected, and {} were handed over",
                  *sockets);
    out.socket_ = kFirstSocket;
  }
  return out;
}

Result<ServiceManager> ServiceManager::from_environment() {
  Environment environment;
  for (const char* name : kVariables) {
    if (const char* value = ::getenv(name); value != nullptr) environment[name] = value;
    ::unsetenv(name);
  }
  return from(environment, ::getpid());
}

void ServiceManager::send(std::string_view state) const {
  if (address_.empty()) return;
  const auto to = address_of(address_);
  const OwnedFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const bool sent = to && fd &&
                    ::sendto(fd.get(), state.data(), state.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&to->name),
                             to->size) == static_cast<ssize_t>(state.size());
  if (!sent)
    log::get("server").warn("the service manager could not be told",
                            {{"error", std::strerror(errno)}});
}

void ServiceManager::ready(std::string_view status) const {
  send(fmt::format("READY=1\nSTATUS={}\nMAINPID={}\n", status, ::getpid()));
}

void ServiceManager::reloading() const {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}\n",
                   std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000));
}

void ServiceManager::stopping() const { send("STOPPING=1\nSTATUS=stopping\n"); }
void ServiceManager::alive() const { send("WATCHDOG=1\n"); }

}  // namespace strake::server

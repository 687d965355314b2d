#include "extension/resolver_file.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "async/pause.h"
#include "async/signal.h"
#include "base/input_file.h"
#include "base/owned_fd.h"
#include "base/replacement_file.h"

namespace strake::extension {
namespace {

constexpr std::uint64_t kMostResolverBytes = 4 << 20;
// Writing takes a moment, and nothing tells when the lock is free.
constexpr async::Backoff kLockBackoff{.first = std::chrono::milliseconds(5),
                                      .most = std::chrono::milliseconds(200)};

Result<kube::ServicePlaces> read_places(const std::string& file) {
  const Result<InputFile> opened = InputFile::open(file, Pipes::kRefused);
  if (!opened && opened.error().code() == Code::kNotFound) return kube::ServicePlaces();
  if (!opened) return std::unexpected(opened.error());
  STRAKE_TRY(const std::string text, opened->read_all(kMostResolverBytes));
  return kube::read_service_places(text);
}

// False while somebody else writes.
Result<bool> try_to_set(const std::string& file, const std::string& service,
                        const std::optional<kube::ServicePlace>& place) {
  const std::string lock_name = file + ".lock";
  const OwnedFd lock(::open(lock_name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (lock && errno == EWOULDBLOCK) return false;
    return fail(Code::kIo, "{}: {}", lock_name, std::strerror(errno));
  }
  STRAKE_TRY(kube::ServicePlaces places, read_places(file));
  const auto found = places.find(service);
  if (found == places.end() ? !place : place && found->second == *place) return true;
  if (place) {
    places[service] = *place;
  } else {
    places.erase(service);
  }
  STRAKE_TRY(ReplacementFile next, ReplacementFile::unique(file));
  STRAKE_CHECK(next.replace(kube::write_service_places(places), 0644));
  return true;
}

}  // namespace

async::Task<> set_service_place(async::Workers& workers, std::string file, std::string service,
                                std::optional<kube::ServicePlace> place, Deadline deadline) {
  for (std::size_t tries = 1;; ++tries) {
    Result<bool> set =
        co_await workers.run([file, service, place] { return try_to_set(file, service, place); });
    if (!set) co_return std::unexpected(std::move(set).error().in(file));
    if (*set) co_return Result<>();
    if (deadline.expired())
      co_return fail(Code::kTimeout, "{0}: cannot be written: another process holds {0}.lock",
                     file);
    STRAKE_CO_CHECK(co_await async::sleep_until(
        std::min(Deadline::after(async::pause_after(tries, kLockBackoff)), deadline)));
  }
}

}  // namespace strake::extension

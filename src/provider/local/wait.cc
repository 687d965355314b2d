#include "provider/local/wait.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace strake::provider::local {

struct Wakeup::Cancelled {
  OwnedFd event;
  CancelRegistration registration;  // before the descriptor goes, nobody writes to it any more
};

Outcome<Wakeup> Wakeup::make(const Call& call, std::span<const int> others) {
  Wakeup out;
  out.cancelled_ = std::make_shared<Cancelled>();
  out.all_ = OwnedFd(::epoll_create1(EPOLL_CLOEXEC));
  out.cancelled_->event = OwnedFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  const auto add = [&](int fd) {
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    wanted.data.fd = fd;
    return ::epoll_ctl(out.all_.get(), EPOLL_CTL_ADD, fd, &wanted) == 0;
  };
  bool done = out.all_ && out.cancelled_->event && add(out.cancelled_->event.get());
  for (const int fd : others) done = done && add(fd);
  if (!done)
    return refuse(FailureClass::kInternal, "cannot wait for the system: {}", std::strerror(errno));
  out.cancelled_->registration = call.cancel.on_cancel([event = out.cancelled_->event.get()] {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(event, &one, sizeof one);
  });
  return out;
}

Deadline system_deadline(const Call& call) {
  return call.deadline.is_never() ? Deadline::never()
                                  : Deadline::after(call.deadline.remaining(*call.clock));
}

Outcome<bool> wait_readable(const Call& call, int fd, std::chrono::nanoseconds most) {
  STRAKE_TRY(const Wakeup any, Wakeup::make(call, std::span(&fd, 1)));
  const Deadline until = Deadline::after(most);
  const Deadline first = until.or_earlier(system_deadline(call));
  while (true) {
    STRAKE_CHECK(call.check());
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        std::min<std::chrono::nanoseconds>(first.remaining(), std::chrono::hours(1)));
    pollfd waiting{.fd = any.descriptor(), .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, static_cast<int>(left.count())) < 0 && errno != EINTR)
      return refuse(FailureClass::kInternal, "cannot wait: {}", std::strerror(errno));
    STRAKE_CHECK(call.check());
    pollfd wanted{.fd = fd, .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, 0) > 0) return true;
    if (until.expired()) return false;
  }
}

}  // namespace strake::provider::local

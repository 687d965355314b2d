#include "kube/pods/descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/owned_fd.h"

namespace strake::kube {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kChunkBytes = 32 * 1024;
// So much a pipe that is ready takes without blocking.
constexpr std::size_t kSureBytes = 4096;

Error system_failure(std::string_view what) {
  return {Code::kIo, fmt::format("{}: {}", what, std::strerror(errno))};
}

}  // namespace

// Nothing of the loop is kept between two reads: this object may outlive it.
async::Task<std::string> DescriptorInput::read() {
  co_await asio::this_coro::throw_if_cancelled(false);
  const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) co_return std::unexpected(system_failure("cannot read the input"));
  asio::posix::stream_descriptor waiter(co_await asio::this_coro::executor, copy);
  boost::system::error_code error;
  co_await waiter.async_wait(asio::posix::descriptor_base::wait_read,
                             asio::redirect_error(asio::use_awaitable, error));
  if (error == asio::error::operation_aborted)
    co_return fail(Code::kCancelled, "the input is not wanted any more");
  // Files of a disk are always ready; they cannot be waited for.
  std::string out(kChunkBytes, '\0');
  ssize_t count = 0;
  do {
    count = ::read(descriptor_, out.data(), out.size());
  } while (count < 0 && errno == EINTR);
  // A terminal that is gone has no more to say.
  if (count < 0 && errno != EIO) co_return std::unexpected(system_failure("cannot read the input"));
  out.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  co_return out;
}

Result<> DescriptorOutput::wait() const {
  const OwnedFd wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake) return std::unexpected(system_failure("cannot write the output"));
  const CancelRegistration heard =
      cancel_.on_cancel([fd = wake.get()] { static_cast<void>(::eventfd_write(fd, 1)); });
  pollfd both[] = {{.fd = descriptor_, .events = POLLOUT, .revents = 0},
                   {.fd = wake.get(), .events = POLLIN, .revents = 0}};
  while (::poll(both, 2, -1) < 0) {
    if (errno != EINTR) return std::unexpected(system_failure("cannot write the output"));
  }
  return check(cancel_);
}

Result<> DescriptorOutput::write(std::string_view bytes) {
  while (!bytes.empty()) {
    STRAKE_CHECK(wait());
    const ssize_t count = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kSureBytes));
    if (count < 0 && errno != EINTR && errno != EAGAIN)
      return std::unexpected(system_failure("cannot write the output"));
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

// Listens before it looks, so that no change falls between the two.
async::Task<WindowSize> TerminalSizes::next() {
  co_await asio::this_coro::throw_if_cancelled(false);
  asio::signal_set changes(co_await asio::this_coro::executor, SIGWINCH);
  while (true) {
    winsize size{};
    if (::ioctl(descriptor_, TIOCGWINSZ, &size) != 0)
      co_return std::unexpected(system_failure("cannot ask for the size of the terminal"));
    if (!told_ || told_->width != size.ws_col || told_->height != size.ws_row) {
      told_ = WindowSize{.width = size.ws_col, .height = size.ws_row};
      co_return *told_;
    }
    boost::system::error_code error;
    co_await changes.async_wait(asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return fail(Code::kCancelled, "sizes are not wanted any more");
  }
}

struct TerminalMode::Saved {
  int descriptor;
  termios before;
};

TerminalMode::TerminalMode(int descriptor) {
  termios before{};
  if (::tcgetattr(descriptor, &before) != 0) return;
  termios raw = before;
  ::cfmakeraw(&raw);
  if (::tcsetattr(descriptor, TCSADRAIN, &raw) != 0) return;
  saved_ = std::make_unique<Saved>(Saved{.descriptor = descriptor, .before = before});
}

TerminalMode::~TerminalMode() {
  if (saved_) ::tcsetattr(saved_->descriptor, TCSADRAIN, &saved_->before);
}

}  // namespace strake::kube

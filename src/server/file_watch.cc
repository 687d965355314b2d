#include "server/file_watch.h"

#include <fmt/format.h>
#include <sys/inotify.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace strake::server {

struct FileWatch::Impl {
  explicit Impl(const async::Executor& executor) : events(executor) {}
  boost::asio::posix::stream_descriptor events;
  std::array<char, 4096> buffer{};
};

FileWatch::FileWatch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FileWatch::~FileWatch() = default;

Result<std::unique_ptr<FileWatch>> FileWatch::open(const async::Executor& executor,
                                                   const std::vector<std::string>& files) {
  auto impl = std::make_unique<Impl>(executor);
  const int fd = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (fd < 0) return fail(Code::kIo, "inotify: {}", std::strerror(errno));
  impl->events.assign(fd);
  constexpr std::uint32_t kChanges =
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM;
  for (const std::string& file : files) {
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    const std::string path = folder.empty() ? "." : folder.string();
    if (::inotify_add_watch(fd, path.c_str(), kChanges) < 0)
      return fail(Code::kIo, "{}: {}", path, std::strerror(errno));
  }
  return std::unique_ptr<FileWatch>(new FileWatch(std::move(impl)));
}

async::Task<> FileWatch::wait() {
  const auto [error, bytes] = co_await impl_->events.async_read_some(
      boost::asio::buffer(impl_->buffer), boost::asio::as_tuple(boost::asio::use_awaitable));
  if (error) co_return fail(Code::kCancelled, "nobody watches the files any more");
  co_return Result<>();
}

void FileWatch::close() {
  boost::system::error_code ignored;
  impl_->events.close(ignored);
}

}  // namespace strake::server

#include "async/file_watch.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <filesystem>

#include "base/file_watch.h"

namespace strake::async {
namespace {

constexpr auto kAwait = boost::asio::as_tuple(boost::asio::use_awaitable);

}  // namespace

struct FileWatch::Impl {
  explicit Impl(const Executor& executor) : ready(executor), timer(executor) {}
  ~Impl() {
    if (ready.is_open()) ready.release();  // it belongs to the watch
  }

  strake::FileWatch watch;
  boost::asio::posix::stream_descriptor ready;
  boost::asio::steady_timer timer;
  bool closed = false;
};

FileWatch::FileWatch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FileWatch::~FileWatch() = default;

Result<std::unique_ptr<FileWatch>> FileWatch::open(const Executor& executor,
                                                   const std::vector<std::string>& files) {
  auto impl = std::make_unique<Impl>(executor);
  std::vector<std::string> folders;
  for (const std::string& file : files) {
    const std::filesystem::path folder = std::filesystem::path(file).parent_path();
    folders.push_back(folder.empty() ? "." : folder.string());
  }
  STRAKE_CHECK(impl->watch.add({}, folders));
  impl->ready.assign(impl->watch.descriptor());
  return std::unique_ptr<FileWatch>(new FileWatch(std::move(impl)));
}

Task<> FileWatch::wait(std::chrono::milliseconds quiet) {
  bool seen = false;
  while (!impl_->closed) {
    if (seen) {
      impl_->timer.expires_after(quiet);
      co_await impl_->timer.async_wait(kAwait);
    } else {
      co_await impl_->ready.async_wait(boost::asio::posix::stream_descriptor::wait_read, kAwait);
    }
    if (impl_->closed) break;
    STRAKE_CO_TRY(const bool changed, impl_->watch.changed());
    if (seen) co_return Result<>();
    seen = changed;
  }
  co_return fail(Code::kCancelled, "nobody watches the files any more");
}

void FileWatch::close() {
  impl_->closed = true;
  impl_->timer.cancel();
  if (impl_->ready.is_open()) impl_->ready.release();
}

}  // namespace strake::async

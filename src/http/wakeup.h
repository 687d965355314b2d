#pragma once
// One coroutine waits; callbacks of the same loop wake it, on the spot. A wake that comes while
// nobody waits is kept, and many are one. Lighter than async::Signal: no timer is behind it.
// Internal to http.
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <utility>

namespace strake::http {

class Wakeup {
 public:
  // The waiting coroutine runs inside this call: whoever calls it must be ready for anything.
  void notify() {
    if (!resume_) {
      notified_ = true;
      return;
    }
    std::exchange(resume_, nullptr)();
  }

  boost::asio::awaitable<void> wait() {
    return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void()>(
        [this](auto handler) {
          if (std::exchange(notified_, false)) {
            handler();
          } else {
            resume_ = std::move(handler);
          }
        },
        boost::asio::use_awaitable);
  }

 private:
  bool notified_ = false;
  std::move_only_function<void()> resume_;
};

}  // namespace strake::http

#pragma once
// A loop that runs on the calling thread for as long as a call blocks, with an HTTP client on it.
// Heavy: for .cc files. Internal to kube.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>

#include "async/task.h"
#include "http/client.h"

namespace strake::kube {

class OwnLoop {
 public:
  OwnLoop()
      : http_(std::make_unique<http::Client>(context_.get_executor(), http::ClientOptions())) {}
  // The client closes its connections by posting to the loop; poll() lets that happen before the
  // loop goes.
  ~OwnLoop() {
    http_.reset();
    context_.restart();
    context_.poll();
  }
  OwnLoop(const OwnLoop&) = delete;
  OwnLoop& operator=(const OwnLoop&) = delete;

  http::Client& client() { return *http_; }
  async::Executor executor() { return context_.get_executor(); }

  template <typename T>
  Result<T> run(async::Task<T> task) {
    std::optional<Result<T>> outcome;
    boost::asio::co_spawn(context_, std::move(task),
                          [&outcome](std::exception_ptr error, Result<T> value) {
                            if (error)
                              value = fail(Code::kInternal, "a request ended with an exception");
                            outcome.emplace(std::move(value));
                          });
    context_.restart();
    while (!outcome) context_.run_one();
    return *std::move(outcome);
  }

 private:
  boost::asio::io_context context_{1};
  std::unique_ptr<http::Client> http_;
};

}  // namespace strake::kube

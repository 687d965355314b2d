#pragma once
// Bodies for tests that are made while they are sent.
#include <atomic>
#include <boost/asio/this_coro.hpp>
#include <memory>
#include <string>
#include <vector>

#include "async/signal.h"
#include "http/message.h"

namespace strake::http::testing {

// What happened to a stream, for the test to see.
struct StreamLog {
  std::atomic<std::size_t> pulls{0};
  std::atomic<std::size_t> bytes{0};
  std::atomic<bool> cancelled{false};
  std::atomic<bool> destroyed{false};
  std::atomic<bool> revoked{false};  // by the test
};

// `count` parts of the same text, each at once.
class CountedStream : public BodyStream {
 public:
  CountedStream(std::shared_ptr<StreamLog> log, std::string part, std::size_t count)
      : log_(std::move(log)),
        part_(std::make_shared<const std::string>(std::move(part))),
        left_(count) {}
  ~CountedStream() override { log_->destroyed = true; }

  async::Task<std::vector<Piece>> next() override {
    std::vector<Piece> parts;
    if (left_ > 0) {
      --left_;
      ++log_->pulls;
      log_->bytes += part_->size();
      parts.emplace_back(part_);
    }
    co_return parts;
  }

 private:
  std::shared_ptr<StreamLog> log_;
  std::shared_ptr<const std::string> part_;
  std::size_t left_;
};

// The same as a body that has an end, such as a list.
class FiniteStream final : public CountedStream {
 public:
  FiniteStream(std::shared_ptr<StreamLog> log, std::string part, std::size_t count)
      : CountedStream(log, std::move(part), count), revocable_(std::move(log)) {}
  bool is_finite() const override { return true; }
  bool is_revoked() const override { return revocable_->revoked; }

 private:
  std::shared_ptr<StreamLog> revocable_;
};

// One part, and then nothing until it is cancelled: a watch of what never changes.
class QuietStream final : public BodyStream {
 public:
  explicit QuietStream(std::shared_ptr<StreamLog> log) : log_(std::move(log)) {}
  ~QuietStream() override { log_->destroyed = true; }

  async::Task<std::vector<Piece>> next() override {
    std::vector<Piece> parts;
    if (log_->pulls++ == 0) {
      parts.emplace_back(std::string("first\n"));
      co_return parts;
    }
    async::Signal never(co_await boost::asio::this_coro::executor);
    const Result<bool> waited = co_await never.wait(Deadline::never());
    log_->cancelled = !waited;
    co_return fail(Code::kCancelled, "cancelled");
  }

 private:
  std::shared_ptr<StreamLog> log_;
};

// Breaks off after its first part.
class FailingStream final : public BodyStream {
 public:
  async::Task<std::vector<Piece>> next() override {
    if (begun_) co_return fail(Code::kInternal, "the source is gone");
    begun_ = true;
    std::vector<Piece> parts;
    parts.emplace_back(std::string("first\n"));
    co_return parts;
  }

 private:
  bool begun_ = false;
};

}  // namespace strake::http::testing

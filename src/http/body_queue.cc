#include "http/body_queue.h"

namespace strake::http {

class BodyQueue::Reader final : public BodyReader {
 public:
  explicit Reader(std::shared_ptr<BodyQueue> queue) : queue_(std::move(queue)) {}
  ~Reader() override {
    queue_->fail({.fault = Fault::kCancelled, .message = "the body was not read to its end"});
  }
  Exchange<std::string> next() override { return queue_->next(queue_); }
  const Headers& trailers() const override { return queue_->trailers_; }

 private:
  std::shared_ptr<BodyQueue> queue_;
};

std::shared_ptr<BodyReader> BodyQueue::reader() {
  return std::make_shared<Reader>(shared_from_this());
}

void BodyQueue::push(std::string_view bytes) {
  if (has_ended() || bytes.empty()) return;
  in_.append(bytes);
  signal_.notify();
}

void BodyQueue::end(Headers trailers) {
  if (has_ended()) return;
  ended_ = true;
  trailers_ = std::move(trailers);
  signal_.notify();
}

void BodyQueue::fail(Failure why) {
  if (has_ended()) return;
  failure_ = std::move(why);
  in_ = std::string();
  signal_.notify();
}

Exchange<std::string> BodyQueue::next(std::shared_ptr<BodyQueue> self) {
  (void)self;
  while (true) {
    // Zero says that somebody waits: that is when "100 Continue" is sent, and when the socket is
    // read again.
    if (in_.empty() && !has_ended() && on_room_) on_room_(0);
    if (failure_) co_return std::unexpected(*failure_);
    if (!in_.empty()) {
      std::string out = std::exchange(in_, std::string());
      if (on_room_) on_room_(out.size());
      co_return out;
    }
    if (ended_) co_return std::string();
    const Result<bool> notified = co_await signal_.wait(Deadline::after(patience_));
    if (!notified) co_return failed(Fault::kCancelled, "cancelled");
    if (!*notified) fail({.fault = Fault::kTimeout, .message = "the body took too long"});
  }
}

}  // namespace strake::http

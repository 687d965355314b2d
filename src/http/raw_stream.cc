#include "http/raw_stream.h"

#include "async/signal.h"

namespace strake::http {
namespace {

// What the two waits and the transport share. Closing it is what ends it: the stream's owner may be
// gone while a read or a write has yet to hear so.
struct State : std::enable_shared_from_this<State> {
  State(std::shared_ptr<Transport> taken, std::shared_ptr<void> kept)
      : transport(std::move(taken)),
        keeps(std::move(kept)),
        readable(transport->loop().executor()),
        writable(transport->loop().executor()) {}

  void close() {
    if (std::exchange(closed, true)) return;
    transport->close_now();
    keeps.reset();
    readable.notify();
    writable.notify();
  }

  Exchange<std::string> read(std::shared_ptr<State> self);
  Exchange<> write(std::shared_ptr<State> self, std::string bytes);

  std::shared_ptr<Transport> transport;
  std::shared_ptr<void> keeps;
  async::Signal readable;
  async::Signal writable;
  bool closed = false;
};

Exchange<std::string> State::read(std::shared_ptr<State> self) {
  (void)self;
  while (!closed) {
    transport->fill_now();
    if (const std::string_view in = transport->in(); !in.empty()) {
      std::string out(in.substr(0, kSlice));
      transport->take(out.size());
      co_return out;
    }
    if (transport->ended_cleanly()) co_return std::string();
    if (transport->ended()) break;
    transport->arm_read();
    if (!co_await readable.wait(Deadline::never()))
      co_return failed(Fault::kCancelled, "cancelled");
  }
  co_return failed(Fault::kClosed, "the connection was broken off");
}

Exchange<> State::write(std::shared_ptr<State> self, std::string bytes) {
  (void)self;
  std::string_view left(bytes);
  while (!closed && !transport->broken()) {
    if (transport->flush_now()) {
      if (left.empty()) co_return Outcome<>();
      transport->stage(left.substr(0, kSlice));
      left.remove_prefix(std::min(kSlice, left.size()));
      continue;
    }
    transport->arm_write();
    if (!co_await writable.wait(Deadline::never()))
      co_return failed(Fault::kCancelled, "cancelled");
  }
  co_return failed(Fault::kClosed, "the connection was broken off");
}

class TransportStream final : public RawStream {
 public:
  explicit TransportStream(std::shared_ptr<State> state) : state_(std::move(state)) {
    state_->transport->set_events(nullptr);
    state_->transport->clear_deadline();
    state_->transport->set_listener([weak = std::weak_ptr(state_)] {
      if (const auto state = weak.lock()) {
        state->readable.notify();
        state->writable.notify();
      }
    });
  }
  ~TransportStream() override { state_->close(); }

  Exchange<std::string> read() override { return state_->read(state_); }
  Exchange<> write(std::string bytes) override { return state_->write(state_, std::move(bytes)); }
  void finish_writing() override {
    if (!state_->closed) state_->transport->finish_writing();
  }
  void close() override { state_->close(); }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace

std::unique_ptr<RawStream> make_raw_stream(std::shared_ptr<Transport> transport,
                                           std::shared_ptr<void> keeps) {
  return std::make_unique<TransportStream>(
      std::make_shared<State>(std::move(transport), std::move(keeps)));
}

}  // namespace strake::http

#include "audit/sink.h"

#include <atomic>
#include <memory>

#include "async/one_shot.h"

namespace strake::audit {
namespace {

// What is still to come of the lines that somebody waits for.
struct Outstanding {
  std::atomic<std::size_t> left;
  std::atomic<bool> missed{false};
  std::atomic<bool> over{false};
  async::OneShot<> end;

  explicit Outstanding(std::size_t count) : left(count) {}
  void finish() {
    if (!over.exchange(true)) end.set({});
  }
  void note(bool stored, bool needed) {
    if (!stored && needed) missed = true;
    if (left.fetch_sub(1) == 1) finish();
  }
};

}  // namespace

void Sinks::add(Sink& sink, Mode mode) {
  all_.push_back({.sink = &sink, .mode = mode});
  blocking_ = blocking_ || mode != Mode::kBatch;
}

void Sinks::write(const std::string& line) const {
  for (const Entry& one : all_) one.sink->write(line, {});
}

boost::asio::awaitable<bool> Sinks::store(std::vector<std::string> lines,
                                          CancelToken cancel) const {
  std::size_t waited = 0;
  bool strict = false;
  for (const Entry& one : all_) {
    if (one.mode != Mode::kBatch) waited += lines.size();
    strict = strict || one.mode == Mode::kBlockingStrict;
  }
  const auto outstanding = std::make_shared<Outstanding>(waited);
  for (const Entry& one : all_) {
    for (const std::string& line : lines) {
      Sink::Done done;
      if (one.mode != Mode::kBatch) {
        done = [outstanding, needed = one.mode == Mode::kBlockingStrict](bool stored) {
          outstanding->note(stored, needed);
        };
      }
      one.sink->write(line, std::move(done));
    }
  }
  if (waited == 0) co_return true;
  const auto given_up = cancel.on_cancel([outstanding] { outstanding->finish(); });
  static_cast<void>(co_await outstanding->end.wait());
  if (outstanding->left > 0) co_return !strict;
  co_return !outstanding->missed;
}

}  // namespace strake::audit

#pragma once
// Puts named things right: those that were marked, one after the other, and those that could not be
// put right again after a pause that grows with the failures in a row.
#include <functional>
#include <set>
#include <string>

#include "async/gate.h"
#include "async/pause.h"
#include "async/signal.h"
#include "async/task.h"
#include "base/cancel.h"

namespace strake::extension {

class Settling {
 public:
  struct Options {
    // Whether there is nothing left to do about it for now.
    std::function<async::Task<bool>(std::string name)> settle;
    // The first failure in a row of rounds; the ones after it are not told.
    std::function<void(const std::string& name, const Error& why)> failed;
    async::Backoff backoff = {};
  };
  explicit Settling(Options options) : options_(std::move(options)) {}

  // What is marked before is settled by settle_all() or after start(). All on one loop.
  void mark(std::string name) { marked_.insert(std::move(name)); }
  void wake();
  bool is_done() const { return marked_.empty(); }

  // Goes on until stop(), on the loop that calls.
  boost::asio::awaitable<void> start();
  // One round: each that is marked, once.
  boost::asio::awaitable<void> settle_all();
  async::Task<> stop();

  CancelToken stopping() const { return stopping_.token(); }

 private:
  boost::asio::awaitable<void> run();

  const Options options_;
  std::set<std::string> marked_;
  std::size_t failures_ = 0;  // rounds in a row
  std::shared_ptr<async::Signal> signal_;
  CancelSource stopping_;
  async::Gate running_;
};

}  // namespace strake::extension

#pragma once
// Where audit events go, and who waits until they are there.
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/cancel.h"

namespace strake::audit {

// As kube-apiserver 1.36 names them. Requests wait until a blocking sink has their events. An event
// that a strict one could not take refuses its request, if that has only begun.
enum class Mode { kBatch, kBlocking, kBlockingStrict };

class Sink {
 public:
  // Called once, from any thread: whether the event is where it belongs, or nothing could bring it
  // there since it is too large.
  using Done = std::move_only_function<void(bool stored)>;
  virtual ~Sink() = default;
  // A whole line. From any thread; never waits. `done` may be empty.
  virtual void write(std::string line, Done done) = 0;
};

// All sinks of an audit log. They must outlive it.
class Sinks {
 public:
  void add(Sink& sink, Mode mode);
  bool is_blocking() const { return blocking_; }
  // Nobody waits.
  void write(const std::string& line) const;
  // Waits until the blocking sinks have the lines, or nobody waits any longer: they are on their
  // way then. False when a strict one does not have them.
  boost::asio::awaitable<bool> store(std::vector<std::string> lines, CancelToken cancel) const;

 private:
  struct Entry {
    Sink* sink;
    Mode mode;
  };
  std::vector<Entry> all_;
  bool blocking_ = false;
};

}  // namespace strake::audit

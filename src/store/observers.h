#pragma once
// Who is told of writes, for backends in this process. An observer joins at the newest revision,
// hears its history from whoever reads that, and then goes live: what was written meanwhile was
// kept for it. All calls may be made from any thread; publish() from one at a time.
#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "store/store.h"

namespace strake::store {

class Observers : public std::enable_shared_from_this<Observers> {
 public:
  explicit Observers(Revision revision) : revision_(revision) {}

  // The newest revision that all have been told of, or are being told of now.
  Revision revision() const { return revision_.load(std::memory_order_acquire); }

  // Events by revision, each newer than what was published before. `revision` is the newest.
  void publish(std::span<const Event> events, Revision revision);

  class Joined;
  // Takes part from the newest revision on, but hears nothing yet.
  std::unique_ptr<Joined> join(std::string prefix, Revision after, Observer& observer);

 private:
  struct Member {
    std::string prefix;
    Revision after = 0;
    Observer* observer = nullptr;
    bool live = false;
    std::vector<Event> kept;    // until it goes live
    std::size_t run_begin = 0;  // of the events being published, those to tell it next
    std::size_t run_end = 0;
  };

  void leave(Member& member);
  void go_live(Member& member);
  static void tell(Member& member, std::span<const Event> events);

  std::atomic<Revision> revision_;
  std::mutex mu_;
  // A key is looked up once for each length that some prefix has: there may be thousands of
  // observers, and most writes concern one.
  std::unordered_map<std::string, std::vector<Member*>, TextHash, std::equal_to<>>
      by_prefix_;                               // guarded by mu_
  std::map<std::size_t, std::size_t> lengths_;  // of prefixes, with their number; guarded by mu_
};

// Leaves when destroyed.
class Observers::Joined final : public Subscription {
 public:
  Joined(std::shared_ptr<Observers> observers, std::unique_ptr<Member> member, Revision revision)
      : observers_(std::move(observers)), member_(std::move(member)), revision_(revision) {}
  ~Joined() override { observers_->leave(*member_); }

  // History up to this one must be told by whoever reads it, before go_live().
  Revision revision() const { return revision_; }
  void go_live() { observers_->go_live(*member_); }

 private:
  std::shared_ptr<Observers> observers_;
  std::unique_ptr<Member> member_;
  Revision revision_;
};

}  // namespace strake::store

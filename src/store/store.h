#pragma once
// The revisioned key-value contract that the API rests on, with etcd's semantics: every write takes
// the next revision of the whole store, old revisions can be read until they are compacted, and
// observers see every write once, in order. One conformance suite (store/conformance.h) runs
// against every backend. All calls may be made from any thread.
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/cancel.h"

namespace strake::store {

// An empty store is at revision 1; its first write makes 2. They only grow.
using Revision = std::int64_t;
// Values are immutable and shared by everyone who holds them.
using Bytes = std::shared_ptr<const std::string>;

// Limits of etcd, which clients know: key and value together, and the key alone.
inline constexpr std::size_t kMaxWriteBytes = 1536 * 1024;
inline constexpr std::size_t kMaxKeyBytes = 4096;

struct Entry {
  std::string key;
  Bytes value;
  Revision create_revision = 0;
  Revision mod_revision = 0;
};

// A write as observers see it.
struct Event {
  std::string key;
  Bytes value;     // null when the key was deleted
  Bytes previous;  // null when the key was created
  Revision revision = 0;
  Revision create_revision = 0;    // of the key as it stands now, or stood
  Revision previous_revision = 0;  // mod revision of `previous`; 0 when the key was created
};

struct Write {
  std::string key;
  Bytes value;  // null deletes; a delete of what is not there is never applied
  // The mod revision that the key must have; 0 when it must not exist. Always compared.
  Revision expected = 0;
  // The store deletes the key this long after the write; zero for never.
  std::chrono::seconds ttl{0};
  // Ends the wait for the outcome with kCancelled. The write may or may not be made then: whoever
  // was told of neither must look.
  CancelToken cancel = {};
};

struct Written {
  bool applied = false;
  Revision revision = 0;         // of this write when applied, else the newest of the store
  std::optional<Entry> current;  // when not applied: what stands at the key, if anything
};

struct Range {
  std::string prefix;      // keys that start with it
  std::string start;       // and are not less than this, bytewise; empty for all
  std::size_t limit = 0;   // 0 for no limit
  Revision revision = 0;   // as it was then; 0 for now
  bool keys_only = false;  // entries come without values
  bool count = true;       // false when it is enough to know whether there is more
};

struct Page {
  std::vector<Entry> entries;  // by key, bytewise
  Revision revision = 0;       // at which the range was read
  // How many more there are past the limit: to count them costs a walk over all of them. Without
  // Range::count, 1 when there are any.
  std::uint64_t remaining = 0;
};

// Called by one thread at a time, in the order of revisions, without gaps. For a write made through
// the same store the call comes before the write returns, so that who was told of a write finds it
// everywhere. Must be quick, must not block, and must not call the store.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_events(std::span<const Event> events) = 0;
  // The stream has broken off (only a remote store does that): everything must be read anew.
  virtual void on_lost(const Error& why) = 0;
};

// Observing ends with it; no call is under way when the destructor returns.
class Subscription {
 public:
  virtual ~Subscription() = default;
};

class Store {
 public:
  virtual ~Store() = default;

  // Fails with kExpired when the wanted revision is less than the compacted one, and with kTimeout
  // ("future") when it is yet to come. What it returns is never newer than revision().
  virtual async::Task<Page> range(Range range) = 0;
  // Compare and swap. Fails with kRequestTooLarge past kMaxWriteBytes, kBadRequest when there is no
  // key, kIo when it could not be made durable: then nothing was written, and no observer heard of
  // it.
  virtual async::Task<Written> write(Write write) = 0;
  // Everything after the given revision, from history first and live from then on. Fails with
  // kExpired when that revision is less than the compacted one. A revision that is yet to come is
  // waited for. The observer must outlive the subscription, and is called before this returns when
  // there is history to tell.
  virtual async::Task<std::unique_ptr<Subscription>> subscribe(std::string prefix, Revision after,
                                                               Observer& observer) = 0;
  // Forgets values that were overwritten or deleted at or before the revision, and returns when
  // that is done. Nothing to do when it was compacted already; kTimeout when it is yet to come.
  virtual async::Task<> compact(Revision revision) = 0;

  // The newest revision that observers have been told of, or are being told of at this moment: an
  // observer that is called finds what it is told of.
  virtual Revision revision() const = 0;
  virtual Revision compacted_revision() const = 0;
  // Whether it can be written to now; the text of a health check.
  virtual Result<> health() const = 0;
  // Finishes what was begun, then refuses everything with kServiceUnavailable.
  virtual async::Task<> close() = 0;
};

}  // namespace strake::store

#pragma once
// The live objects of one resource and its recent changes, kept as bytes. Filled by the Hub from
// the store, in the order of revisions; read by everyone from any thread.
#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/cache/field_index.h"
#include "api/cache/object.h"
#include "api/cache/ordered_objects.h"
#include "async/loops.h"
#include "async/signal.h"
#include "store/store.h"

namespace strake::api {

struct Change {
  ObjectPtr object;    // the new state; of a deletion the last one
  ObjectPtr previous;  // what stood before; null for a creation
  bool deleted = false;
  Revision revision = 0;
};

class ResourceCache {
 public:
  ResourceCache(std::string prefix, std::size_t loops);

  const std::string& prefix() const { return prefix_; }

  ObjectPtr get(std::string_view key) const;  // null when there is none
  std::size_t size() const;
  // That all objects take, as they are stored.
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  Revision changed() const;  // the newest change to any of them

  struct Listed {
    std::vector<ObjectPtr> objects;  // by key
    Revision changed = 0;            // newest change that the list has
  };
  // Those whose key starts with `key_prefix`, which begins with prefix() and ends in a slash.
  Listed list(std::string_view key_prefix) const;

  struct Taken {
    OrderedObjects::Taken objects;  // by key, held as they were
    Revision changed = 0;           // newest change that they have
  };
  // The first `limit` of those that are not less than `start` (empty for all). Costs what it takes,
  // however many there are.
  Taken take(std::string_view key_prefix, std::string_view start,
             std::size_t limit = kNoLimit) const;
  static constexpr std::size_t kNoLimit = ~std::size_t{0};
  // Those of that name in any namespace. Costs the number of namespaces.
  Listed named(std::string_view name, std::string_view start, std::size_t limit = kNoLimit) const;

  // Fills the index with what is there and keeps it from then on, for as long as its owner holds
  // it, or until nobody has asked for a long time: then index->is_kept() is false again. Takes as
  // long as to look at every object. False when it was left, since go_on() was false or changes
  // came faster than they could be followed.
  bool add_index(const std::shared_ptr<FieldIndex>& index, const std::function<bool()>& go_on);
  struct Sought {
    std::shared_ptr<FieldIndex> index;
    std::string_view text;
  };
  // Those that have all of the texts are among these: by that index which finds the fewest. Nothing
  // when none of the indexes can tell.
  std::optional<Taken> take_by(std::span<const Sought> sought, std::string_view key_prefix,
                               std::string_view start) const;
  // Of the indexes that nobody has asked meanwhile, none is kept for more changes than these.
  static constexpr std::uint32_t kUnusedChanges = 20'000;

  // How many objects reading has touched so far: work is told by it, not by time.
  std::uint64_t objects_read() const { return objects_read_.load(std::memory_order_relaxed); }

  // Changes after a revision, oldest first, at most `limit` of them. False when changes between
  // have been forgotten.
  bool changes_after(Revision after, std::size_t limit, std::vector<Change>& out) const;
  // Every change after this revision is still here.
  Revision remembers_from() const;

  // Waking on changes. To be called on the loop of that index.
  void add_waiter(std::size_t loop, async::Signal& signal);
  void remove_waiter(std::size_t loop, async::Signal& signal);

  // The Hub's side: one thread at a time.
  void load(ObjectPtr object);
  void forget_before(Revision revision);  // changes up to there will not be asked for
  // What has changed, valid until the next call; null when the event changed nothing here.
  const Change* apply(const store::Event& event, std::chrono::steady_clock::time_point now);
  // The events that lead from what is here to `entries`, all that the store has of this resource.
  // Deletions are dated at `revision`, and those of objects that were made anew at their new
  // beginning: when they happened is not known.
  std::vector<store::Event> missed(std::span<const store::Entry> entries, Revision revision) const;
  // Changes up to the revision cannot be followed one by one any more: who is behind begins anew.
  void forget_all(Revision revision);
  bool has_waiters(std::size_t loop) const {
    return waiters_[loop].count.load(std::memory_order_acquire) > 0;
  }
  void wake(std::size_t loop);  // on that loop

 private:
  struct Remembered {
    Change change;
    std::chrono::steady_clock::time_point at;
  };
  struct LoopWaiters {
    std::atomic<std::size_t> count{0};
    std::vector<async::Signal*> signals;  // touched by the loop's own thread
  };
  // What a change means to an index.
  struct IndexMove {
    std::shared_ptr<FieldIndex> index;
    FieldIndex::Entry before;
    FieldIndex::Entry after;
  };
  std::vector<IndexMove> index_moves(std::string_view key, const ObjectPtr& now) const;
  void move_in_indexes(std::vector<IndexMove> prepared, const ObjectPtr& before,
                       const ObjectPtr& after);
  bool find_changes_after(Revision after, std::size_t limit, std::vector<Change>& out) const;
  void trim(std::chrono::steady_clock::time_point now);
  // Both return what stood there; null when nothing did.
  ObjectPtr put(ObjectPtr object);
  ObjectPtr take_out(std::string_view key);

  const std::string prefix_;
  mutable std::shared_mutex mu_;
  // What is asked for by its whole key is found by hash: comparing long keys that begin alike was a
  // tenth of a get. Keys point into the objects.
  OrderedObjects objects_;                                  // guarded by mu_
  std::unordered_map<std::string_view, ObjectPtr> by_key_;  // guarded by mu_
  std::atomic<std::size_t> bytes_{0};
  mutable std::atomic<std::uint64_t> objects_read_{0};
  std::deque<Remembered> changes_;  // guarded by mu_
  std::size_t change_bytes_ = 0;    // guarded by mu_
  Revision forgotten_ = 0;          // guarded by mu_: changes up to here may be missing
  Revision changed_ = 0;            // guarded by mu_
  std::vector<LoopWaiters> waiters_;
  std::atomic<std::size_t> index_count_{0};
  std::vector<std::weak_ptr<FieldIndex>> indexes_;  // guarded by mu_
};

}  // namespace strake::api

#include "store/memory_store.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "store/observers.h"
#include "store/rules.h"

// Every key has its versions, oldest first; a deletion is a version without a value. What stood at
// a revision is the last version that is not newer. `log` has the events after `compacted`, for
// those who subscribe from there.
//
// Compaction to a revision keeps of each key the version that stood then, unless that is a
// deletion, and all later ones. Only keys that the log names up to there can have anything else, so
// it walks the log and not the keys.
//
// One mutex: a write takes its revision, is visible and is told to observers under it, which is
// what keeps them in order. Nobody waits for a disk here.

namespace strake::store {
namespace {

struct Version {
  Revision revision = 0;
  Revision create_revision = 0;
  Bytes value;  // null when deleted
};
using Versions = std::vector<Version>;  // oldest first

// As it stood at the revision; null when it was not there.
const Version* version_at(const Versions& versions, Revision revision) {
  const auto after = std::ranges::upper_bound(versions, revision, {}, &Version::revision);
  if (after == versions.begin()) return nullptr;
  const Version& version = *std::prev(after);
  return version.value ? &version : nullptr;
}

// The thread sleeps no longer than this, so that a wall clock that jumps is noticed.
constexpr std::chrono::seconds kLongestNap{1};

}  // namespace

struct MemoryStore::Impl {
  explicit Impl(const Clock& its_clock) : clock(its_clock) {}

  const Clock& clock;
  std::shared_ptr<Observers> observers = std::make_shared<Observers>(1);

  mutable std::mutex mu;
  using Keys = std::map<std::string, Versions, std::less<>>;
  Keys keys;               // guarded by mu; no key is without versions
  std::deque<Event> log;   // after `compacted`; guarded by mu
  Revision compacted = 0;  // guarded by mu
  bool closed = false;     // guarded by mu

  struct Expiry {
    std::string key;
    Revision revision;
  };
  std::multimap<WallTime, Expiry> expiries;  // guarded by mu
  std::condition_variable changed;           // expiries or closed
  std::thread expirer;                       // started under mu, and never once closed
  std::once_flag joined;

  // Where the key is, or where it belongs.
  Keys::iterator place_of(std::string_view key) { return keys.lower_bound(key); }
  bool is_at(Keys::iterator place, std::string_view key) const {
    return place != keys.end() && place->first == key;
  }
  // The newest version; null when the key was never written or is deleted.
  const Version* current(Keys::iterator place, std::string_view key) const {
    if (!is_at(place, key)) return nullptr;
    const Version& newest = place->second.back();
    return newest.value ? &newest : nullptr;
  }

  // Observers are called under the lock: that is what keeps them in order.
  Revision apply(Keys::iterator place, std::string key, Bytes value) {
    const Revision revision = observers->revision() + 1;
    const Version* before = current(place, key);
    Event event{.key = std::move(key),
                .value = std::move(value),
                .previous = before ? before->value : nullptr,
                .revision = revision,
                .create_revision = before ? before->create_revision : revision,
                .previous_revision = before ? before->revision : 0};
    if (!is_at(place, event.key)) place = keys.emplace_hint(place, event.key, Versions());
    place->second.push_back(
        {.revision = revision, .create_revision = event.create_revision, .value = event.value});
    observers->publish({&event, 1}, revision);
    log.push_back(std::move(event));
    return revision;
  }

  void expire_due() {
    const WallTime now = clock.now();
    while (!expiries.empty() && expiries.begin()->first <= now) {
      const auto node = expiries.extract(expiries.begin());
      Expiry expiry = std::move(node.mapped());
      const auto place = place_of(expiry.key);
      const Version* version = current(place, expiry.key);
      // A later write has its own time to live, or none.
      if (version != nullptr && version->revision == expiry.revision)
        apply(place, std::move(expiry.key), nullptr);
    }
  }

  void expire_until_closed() {
    std::unique_lock lock(mu);
    while (!closed) {
      expire_due();
      if (expiries.empty()) {
        changed.wait(lock);
      } else {
        const auto nap =
            std::chrono::ceil<std::chrono::milliseconds>(expiries.begin()->first - clock.now());
        changed.wait_for(lock, std::clamp<std::chrono::milliseconds>(
                                   nap, std::chrono::milliseconds(1), kLongestNap));
      }
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mu);
      closed = true;
    }
    changed.notify_all();
    std::call_once(joined, [this] {
      if (expirer.joinable()) expirer.join();
    });
  }
};

MemoryStore::MemoryStore(const Clock& clock) : impl_(std::make_unique<Impl>(clock)) {}
MemoryStore::~MemoryStore() { impl_->stop(); }

async::Task<Page> MemoryStore::range(Range range) {
  const std::lock_guard lock(impl_->mu);
  if (impl_->closed) co_return closed_error();
  Page page{.revision = range.revision > 0 ? range.revision : impl_->observers->revision()};
  if (page.revision > impl_->observers->revision()) co_return future_error();
  if (page.revision < impl_->compacted) co_return compacted_error();
  for (auto at = impl_->keys.lower_bound(first_key(range));
       at != impl_->keys.end() && at->first.starts_with(range.prefix); ++at) {
    const Version* version = version_at(at->second, page.revision);
    if (version == nullptr) continue;
    if (range.limit > 0 && page.entries.size() == range.limit) {
      ++page.remaining;
      if (!range.count) break;
      continue;
    }
    page.entries.push_back({.key = at->first,
                            .value = range.keys_only ? nullptr : version->value,
                            .create_revision = version->create_revision,
                            .mod_revision = version->revision});
  }
  co_return page;
}

async::Task<Written> MemoryStore::write(Write write) {
  STRAKE_CO_CHECK(check_write(write));
  const std::lock_guard lock(impl_->mu);
  if (impl_->closed) co_return closed_error();
  const auto place = impl_->place_of(write.key);
  const Version* before = impl_->current(place, write.key);
  const bool pointless = before == nullptr && !write.value;
  if (pointless || (before ? before->revision : 0) != write.expected) {
    Written refused{.revision = impl_->observers->revision()};
    if (before != nullptr) {
      refused.current = Entry{.key = std::move(write.key),
                              .value = before->value,
                              .create_revision = before->create_revision,
                              .mod_revision = before->revision};
    }
    co_return refused;
  }
  const bool has_value = write.value != nullptr;
  const Revision revision = impl_->apply(place, write.key, std::move(write.value));
  if (has_value && write.ttl.count() > 0) {
    impl_->expiries.insert(
        {expiry(impl_->clock.now(), write.ttl), {std::move(write.key), revision}});
    if (!impl_->expirer.joinable()) {
      impl_->expirer = std::thread([impl = impl_.get()] { impl->expire_until_closed(); });
    }
    impl_->changed.notify_all();
  }
  co_return Written{.applied = true, .revision = revision};
}

async::Task<std::unique_ptr<Subscription>> MemoryStore::subscribe(std::string prefix,
                                                                  Revision after,
                                                                  Observer& observer) {
  const std::lock_guard lock(impl_->mu);
  if (impl_->closed) co_return closed_error();
  if (after < impl_->compacted) co_return compacted_error();
  auto joined = impl_->observers->join(prefix, after, observer);
  std::vector<Event> history;
  const auto first = std::ranges::upper_bound(impl_->log, after, {}, &Event::revision);
  std::ranges::copy_if(first, impl_->log.end(), std::back_inserter(history),
                       [&](const Event& event) { return event.key.starts_with(prefix); });
  if (!history.empty()) observer.on_events(history);
  joined->go_live();
  co_return std::unique_ptr<Subscription>(std::move(joined));
}

async::Task<> MemoryStore::compact(Revision revision) {
  const std::lock_guard lock(impl_->mu);
  if (impl_->closed) co_return closed_error();
  if (revision > impl_->observers->revision()) co_return future_error();
  if (revision <= impl_->compacted) co_return Result<>();
  impl_->compacted = revision;
  // Only keys that were written in between have something to forget.
  while (!impl_->log.empty() && impl_->log.front().revision <= revision) {
    const auto found = impl_->keys.find(impl_->log.front().key);
    if (found != impl_->keys.end()) {
      Versions& versions = found->second;
      const auto after = std::ranges::upper_bound(versions, revision, {}, &Version::revision);
      const bool kept = after != versions.begin() && std::prev(after)->value != nullptr;
      versions.erase(versions.begin(), kept ? std::prev(after) : after);
      if (versions.empty()) impl_->keys.erase(found);
    }
    impl_->log.pop_front();
  }
  co_return Result<>();
}

Revision MemoryStore::revision() const { return impl_->observers->revision(); }

Revision MemoryStore::compacted_revision() const {
  const std::lock_guard lock(impl_->mu);
  return impl_->compacted;
}

Result<> MemoryStore::health() const {
  const std::lock_guard lock(impl_->mu);
  if (impl_->closed) return closed_error();
  return {};
}

async::Task<> MemoryStore::close() {
  impl_->stop();
  co_return Result<>();
}

void MemoryStore::expire() {
  const std::lock_guard lock(impl_->mu);
  if (!impl_->closed) impl_->expire_due();
}

}  // namespace strake::store

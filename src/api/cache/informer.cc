#include "api/cache/informer.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/assert.h"
#include "base/log.h"

// A change comes in two halves. On the thread of the store it is only noted: pending_ has at most
// one entry for a key, with its latest object, so a commit never waits for parsing, nor for
// readers. The next who reads takes in what is pending: the facts of each object are read once, the
// indexes follow, and each follower gets a note for each key.
//
// Two locks, always in this order: mu_ guards what readers see, incoming_mu_ what is pending. The
// thread of the store takes the second alone. A reader that finds nothing pending (dirty_) takes
// mu_ shared.
//
// Nothing is missed between a write and a read: the store's thread sets dirty_ before the Hub shows
// the revision, and a reader that has seen the revision therefore sees dirty_ as well. Nothing is
// missed by a follower: take() clears woken_ before it looks, so what comes while it looks wakes it
// again.

namespace strake::api {

InformerBase::InformerBase(Hub& hub, Rules rules) : hub_(hub), rules_(std::move(rules)) {
  hub_.listen(listener_, rules_.prefixes);
}

InformerBase::~InformerBase() { hub_.ignore(listener_); }

void InformerBase::on_change(ResourceCache& cache, const Change& change) {
  const auto wants = [this](const Object& object) { return !rules_.wants || rules_.wants(object); };
  const bool wanted = !change.deleted && wants(*change.object);
  wanted_any_ = wanted_any_ || wanted;
  const bool matters = wanted || (change.previous && wants(*change.previous)) ||
                       (change.deleted && rules_.every_deletion && wanted_any_);
  if (!matters) return;
  Pending& one = told_.emplace_back(Pending{.key = change.object->key(),
                                            .cache = &cache,
                                            .object = wanted ? change.object : nullptr,
                                            .gone = {},
                                            .since = change.revision});
  if (change.deleted) one.gone.push_back(change.object);
}

// What was told since the last time becomes visible in one step.
void InformerBase::on_told(Revision revision) {
  if (told_.empty() && synced()) return;
  const std::lock_guard lock(incoming_mu_);
  for (Pending& one : told_) {
    // Deletions are for followers; for the view it is enough that the object is gone.
    if (followers_.empty()) one.gone.clear();
    const auto [place, added] = place_.try_emplace(one.key, pending_.size());
    if (added) {
      pending_.push_back(std::move(one));
      continue;
    }
    Pending& known = pending_[place->second];
    known.object = std::move(one.object);
    std::move(one.gone.begin(), one.gone.end(), std::back_inserter(known.gone));
  }
  told_.clear();
  told_to_ = revision;
  dirty_.store(true, std::memory_order_release);
  changed_.store(revision, std::memory_order_release);
  for (Follower* follower : followers_) follower->wake();
}

void InformerBase::take_in() {
  std::vector<Pending> changes;
  {
    const std::lock_guard lock(incoming_mu_);
    changes.swap(pending_);
    place_.clear();
    dirty_.store(false, std::memory_order_relaxed);
    revision_ = std::max(revision_, told_to_);
  }
  for (Pending& change : changes) {
    const AnyFacts before = replace(change);
    for (Follower* follower : followers_) {
      const auto [place, added] = follower->place_.try_emplace(change.key, follower->notes_.size());
      if (added) {
        follower->notes_.push_back({.key = change.key,
                                    .cache = change.cache,
                                    .since = change.since,
                                    .before = before,
                                    .gone = change.gone});
        continue;
      }
      std::vector<ObjectPtr>& gone = follower->notes_[place->second].gone;
      gone.insert(gone.end(), change.gone.begin(), change.gone.end());
    }
  }
}

// Returns the facts that stood there.
InformerBase::AnyFacts InformerBase::replace(const Pending& change) {
  AnyFacts before;
  auto found = entries_.find(change.key);
  if (found != entries_.end()) {
    before = found->second.facts;
    set_indexed(*found, false);
    if (!change.object) entries_.erase(found);
  }
  if (!change.object) return before;
  if (found == entries_.end()) found = entries_.try_emplace(change.key).first;
  found->second = {
      .cache = change.cache, .revision = change.object->revision(), .facts = read(*change.object)};
  set_indexed(*found, true);
  return before;
}

InformerBase::AnyFacts InformerBase::read(const Object& object) const {
  std::string why;
  try {
    Result<AnyFacts> facts = rules_.read(object);
    if (facts) return *std::move(facts);
    why = facts.error().to_string();
  } catch (const std::exception& error) {
    // An arena that reaches its limit throws (docs/adr/0003-memory-limit-of-a-document.md).
    why = error.what();
  }
  log::get("api").error("an object is set aside: it cannot be read",
                        {{"key", object.key()}, {"error", why}});
  return nullptr;
}

void InformerBase::set_indexed(const Entries::value_type& entry, bool there) {
  if (!entry.second.facts) return;
  for (AnyIndex& index : rules_.indexes) {
    for (const std::string& value : index.values(entry.second.facts.get())) {
      if (there) {
        index.buckets[value].insert(&entry);
        continue;
      }
      const auto bucket = index.buckets.find(value);
      if (bucket == index.buckets.end()) continue;  // the same value twice
      bucket->second.erase(&entry);
      if (bucket->second.empty()) index.buckets.erase(bucket);
    }
  }
}

InformerBase::Reading::Reading(InformerBase& informer) : informer_(informer) {
  // The hub tells before it shows a revision: what is told by now has everything up to it.
  const Revision shown = informer.synced() ? informer.hub_.revision() : 0;
  // While something is pending nobody takes the shared lock, so that whoever takes it in does not
  // wait for ever new readers.
  if (informer.dirty_.load(std::memory_order_acquire)) {
    const std::unique_lock alone(informer.mu_);
    informer.take_in();
  }
  lock_ = std::shared_lock(informer.mu_);
  revision_ = std::max(shown, informer.revision_);
}

const InformerBase::Entries::value_type* InformerBase::Reading::find(std::string_view key) const {
  const auto found = informer_.entries_.find(key);
  return found == informer_.entries_.end() ? nullptr : &*found;
}

const InformerBase::Bucket& InformerBase::Reading::bucket(std::string_view index,
                                                          std::string_view value) const {
  static const Bucket kNone;
  const auto& indexes = informer_.rules_.indexes;
  const auto named = std::ranges::find(indexes, index, &AnyIndex::name);
  STRAKE_ASSERT(named != indexes.end());
  const auto found = named->buckets.find(value);
  return found == named->buckets.end() ? kNone : found->second;
}

InformerBase::Follower::Follower(InformerBase& informer, async::Executor executor,
                                 std::shared_ptr<async::Signal> signal)
    : informer_(informer), executor_(std::move(executor)), signal_(std::move(signal)) {
  const std::unique_lock alone(informer_.mu_);
  {
    const std::lock_guard lock(informer_.incoming_mu_);
    informer_.followers_.push_back(this);
  }
  informer_.take_in();
  for (const auto& [key, entry] : informer_.entries_) {
    if (place_.try_emplace(key, notes_.size()).second)
      notes_.push_back({.key = key, .cache = entry.cache});
  }
  // All of it was there; in an order that does not depend on chance.
  std::ranges::sort(notes_, {}, &Note::key);
  for (std::size_t i = 0; i < notes_.size(); ++i) {
    notes_[i].since = 0;
    place_[notes_[i].key] = i;
  }
}

InformerBase::Follower::~Follower() {
  const std::unique_lock alone(informer_.mu_);
  const std::lock_guard lock(informer_.incoming_mu_);
  std::erase(informer_.followers_, this);
}

void InformerBase::Follower::wake() {
  if (woken_.exchange(true)) return;
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
}

InformerBase::Follower::Taken InformerBase::Follower::take() {
  // First: what comes from here on wakes again.
  woken_.store(false);
  const std::unique_lock alone(informer_.mu_);
  informer_.take_in();
  place_.clear();
  return {.notes = std::exchange(notes_, {}), .revision = informer_.revision_};
}

}  // namespace strake::api

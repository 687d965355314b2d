#include "api/cache/cache.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "base/log.h"

// Objects stand here twice: by hash for whoever names one, sorted for lists. A change goes into
// both, and into the record of changes, in one step under mu_: a list at changed_ and a watch from
// there on have each change in exactly one of them.
//
// The record gives up its oldest changes by age, number and size (trim). A change weighs what its
// previous object weighs, since the new one is held anyway. forgotten_ is the revision of the
// newest one given up, so whoever is there or further can be told everything, and whoever is behind
// is sent back to a list. Where several changes share a revision, either all of them can be asked
// for or none.

namespace strake::api {
namespace {

// How much of the past watchers may ask for: as long and as many as kube-apiserver 1.36 keeps, but
// never past a size.
constexpr std::size_t kFewestChanges = 100;
constexpr std::size_t kMostChanges = 102'400;
// Many small changes may take more than a few large ones.
constexpr std::size_t kMostChangeBytes = std::size_t{32} << 20;
constexpr std::size_t kMostLargeBytes = std::size_t{2} << 20;
constexpr std::size_t kManyChanges = 1'000;
constexpr std::size_t kFewestLargeChanges = 16;
constexpr std::chrono::seconds kRememberFor{75};

std::size_t weight(const Change& change) {
  return change.previous ? change.previous->bytes()->size() : 0;
}

// The store applies a commit change by change, while those who write look for the names of the next
// ones: with 64 of them every other creation met somebody here. A change holds the lock for less
// than a microsecond, and to sleep for it costs ten, so whoever comes asks a few times first.
constexpr int kTries = 64;

void pause_shortly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

std::shared_lock<std::shared_mutex> lock_to_read(std::shared_mutex& mu) {
  for (int i = 0; i < kTries; ++i) {
    if (std::shared_lock lock(mu, std::try_to_lock); lock) return lock;
    pause_shortly();
  }
  return std::shared_lock(mu);
}

std::unique_lock<std::shared_mutex> lock_to_change(std::shared_mutex& mu) {
  for (int i = 0; i < kTries; ++i) {
    if (std::unique_lock lock(mu, std::try_to_lock); lock) return lock;
    pause_shortly();
  }
  return std::unique_lock(mu);
}

store::Event deletion(const Object& object, Revision revision) {
  return {.key = object.key(),
          .value = nullptr,
          .previous = nullptr,
          .revision = revision,
          .create_revision = object.create_revision(),
          .previous_revision = object.revision()};
}

}  // namespace

ResourceCache::ResourceCache(std::string prefix, std::size_t loops)
    : prefix_(std::move(prefix)), objects_(prefix_.size()), waiters_(loops) {}

ObjectPtr ResourceCache::get(std::string_view key) const {
  const std::shared_lock lock = lock_to_read(mu_);
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : found->second;
}

ObjectPtr ResourceCache::put(ObjectPtr object) {
  const std::string_view key = object->key();
  bytes_ += object->bytes()->size();
  objects_.put(object);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    by_key_.emplace(key, std::move(object));
    return nullptr;
  }
  // The old object lives until its key is replaced.
  auto entry = by_key_.extract(found);
  ObjectPtr old = std::exchange(entry.mapped(), std::move(object));
  entry.key() = key;
  by_key_.insert(std::move(entry));
  bytes_ -= old->bytes()->size();
  return old;
}

ObjectPtr ResourceCache::take_out(std::string_view key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  ObjectPtr old = std::move(found->second);
  by_key_.erase(found);
  objects_.erase(old->key());
  bytes_ -= old->bytes()->size();
  return old;
}

std::size_t ResourceCache::size() const {
  const std::shared_lock lock(mu_);
  return objects_.size();
}

Revision ResourceCache::changed() const {
  const std::shared_lock lock(mu_);
  return changed_;
}

ResourceCache::Taken ResourceCache::take(std::string_view key_prefix, std::string_view start,
                                         std::size_t limit) const {
  Taken out;
  {
    const std::shared_lock lock(mu_);
    out.changed = changed_;
    out.objects = objects_.take(key_prefix, start, limit);
  }
  objects_read_.fetch_add(out.objects.size(), std::memory_order_relaxed);
  return out;
}

ResourceCache::Listed ResourceCache::list(std::string_view key_prefix) const {
  const Taken taken = take(key_prefix, {});
  return {.objects = taken.objects.slice(0, taken.objects.size()), .changed = taken.changed};
}

ResourceCache::Listed ResourceCache::named(std::string_view name, std::string_view start,
                                           std::size_t limit) const {
  Listed out;
  std::size_t read = 0;
  {
    const std::shared_lock lock(mu_);
    out.changed = changed_;
    const ObjectPtr* at = objects_.at_or_after(std::max(std::string_view(prefix_), start));
    while (at != nullptr && out.objects.size() < limit) {
      ++read;
      std::string wanted = prefix_;
      wanted.append((*at)->namespace_name()).append("/").append(name);
      if ((*at)->key() < wanted) {
        at = objects_.at_or_after(wanted);
        continue;
      }
      if ((*at)->key() == wanted) out.objects.push_back(*at);
      // On to the next namespace: '0' comes after the slash.
      wanted.resize(wanted.size() - name.size());
      wanted.back() = '0';
      at = objects_.at_or_after(wanted);
    }
  }
  objects_read_.fetch_add(read, std::memory_order_relaxed);
  return out;
}

bool ResourceCache::changes_after(Revision after, std::size_t limit,
                                  std::vector<Change>& out) const {
  const std::shared_lock lock(mu_);
  return find_changes_after(after, limit, out);
}

bool ResourceCache::find_changes_after(Revision after, std::size_t limit,
                                       std::vector<Change>& out) const {
  if (after < forgotten_) return false;
  auto at =
      std::upper_bound(changes_.begin(), changes_.end(), after,
                       [](Revision r, const Remembered& one) { return r < one.change.revision; });
  for (; at != changes_.end() && limit > 0; ++at, --limit) out.push_back(at->change);
  return true;
}

Revision ResourceCache::remembers_from() const {
  const std::shared_lock lock(mu_);
  return forgotten_;
}

void ResourceCache::add_waiter(std::size_t loop, async::Signal& signal) {
  waiters_[loop].signals.push_back(&signal);
  waiters_[loop].count.fetch_add(1, std::memory_order_release);
}

void ResourceCache::remove_waiter(std::size_t loop, async::Signal& signal) {
  auto& signals = waiters_[loop].signals;
  const auto found = std::find(signals.begin(), signals.end(), &signal);
  if (found == signals.end()) return;
  *found = signals.back();
  signals.pop_back();
  waiters_[loop].count.fetch_sub(1, std::memory_order_release);
}

void ResourceCache::wake(std::size_t loop) {
  for (async::Signal* signal : waiters_[loop].signals) signal->notify();
}

void ResourceCache::load(ObjectPtr object) {
  const std::unique_lock lock(mu_);
  changed_ = std::max(changed_, object->revision());
  put(std::move(object));
}

void ResourceCache::forget_before(Revision revision) {
  const std::unique_lock lock(mu_);
  forgotten_ = std::max(forgotten_, revision);
}

void ResourceCache::forget_all(Revision revision) {
  const std::unique_lock lock(mu_);
  changes_.clear();
  change_bytes_ = 0;
  forgotten_ = std::max(forgotten_, revision);
}

std::vector<store::Event> ResourceCache::missed(std::span<const store::Entry> entries,
                                                Revision revision) const {
  std::vector<store::Event> out;
  std::unordered_set<std::string_view> present;
  const std::shared_lock lock(mu_);
  for (const store::Entry& entry : entries) {
    present.insert(entry.key);
    const auto found = by_key_.find(entry.key);
    Revision known = found == by_key_.end() ? 0 : found->second->revision();
    if (known == entry.mod_revision) continue;
    if (known > 0 && found->second->create_revision() != entry.create_revision) {
      // Another object of that name: the one that is here has gone.
      out.push_back(deletion(*found->second, entry.create_revision));
      known = 0;
    }
    out.push_back({.key = entry.key,
                   .value = entry.value,
                   .previous = nullptr,
                   .revision = entry.mod_revision,
                   .create_revision = entry.create_revision,
                   .previous_revision = known});
  }
  for (const auto& [key, object] : by_key_) {
    if (!present.contains(key)) out.push_back(deletion(*object, revision));
  }
  return out;
}

const Change* ResourceCache::apply(const store::Event& event,
                                   std::chrono::steady_clock::time_point now) {
  Change change{.object = nullptr,
                .previous = nullptr,
                .deleted = event.value == nullptr,
                .revision = event.revision};
  if (event.value) {
    Result<ObjectPtr> object =
        Object::from_stored(event.key, *event.value, event.revision, event.create_revision);
    if (!object) {
      // Nothing the server writes gets here; another program wrote to the store.
      log::get("api").error("passed over an object that cannot be read",
                            {{"key", event.key}, {"error", object.error()}});
      return nullptr;
    }
    change.object = *std::move(object);
  }
  // Texts are looked for before anybody has to wait for the lock.
  std::vector<IndexMove> moves = index_moves(event.key, change.object);
  const std::unique_lock lock = lock_to_change(mu_);
  change.previous = change.deleted ? take_out(event.key) : put(change.object);
  changed_ = event.revision;
  if (!indexes_.empty()) move_in_indexes(std::move(moves), change.previous, change.object);
  if (change.deleted) {
    if (!change.previous) return nullptr;
    change.object = change.previous;
  }
  change_bytes_ += weight(change);
  changes_.push_back({std::move(change), now});
  trim(now);
  // Never the newest is trimmed, and nobody else changes the list.
  return &changes_.back().change;
}

std::vector<ResourceCache::IndexMove> ResourceCache::index_moves(std::string_view key,
                                                                 const ObjectPtr& now) const {
  std::vector<IndexMove> out;
  if (index_count_.load(std::memory_order_acquire) == 0) return out;
  ObjectPtr before;
  {
    const std::shared_lock lock = lock_to_read(mu_);
    if (const auto found = by_key_.find(key); found != by_key_.end()) before = found->second;
    for (const std::weak_ptr<FieldIndex>& one : indexes_)
      if (auto index = one.lock())
        out.push_back({.index = std::move(index), .before = {}, .after = {}});
  }
  for (IndexMove& move : out) {
    move.before = move.index->entry_of(before);
    move.after = move.index->entry_of(now);
  }
  return out;
}

void ResourceCache::move_in_indexes(std::vector<IndexMove> prepared, const ObjectPtr& before,
                                    const ObjectPtr& after) {
  std::erase_if(indexes_, [&](const std::weak_ptr<FieldIndex>& one) {
    const auto index = one.lock();
    if (!index) return true;
    if (index->count_change() > kUnusedChanges) {
      index->keep(false);
      return true;
    }
    const auto move = std::ranges::find(prepared, index, &IndexMove::index);
    if (move != prepared.end()) {
      index->replace(move->before, std::move(move->after));
    } else {
      // It has come since.
      index->replace(index->entry_of(before), index->entry_of(after));
    }
    return false;
  });
  index_count_.store(indexes_.size(), std::memory_order_release);
}

bool ResourceCache::add_index(const std::shared_ptr<FieldIndex>& index,
                              const std::function<bool()>& go_on) {
  constexpr int kTriesToFollow = 3;
  constexpr std::size_t kBetweenLooks = 256;
  // So many are followed while everybody waits.
  constexpr std::size_t kFewChanges = 16;
  for (int i = 0; i < kTriesToFollow; ++i) {
    index->clear();
    OrderedObjects::Taken all;
    Revision at = 0;
    {
      const std::shared_lock lock(mu_);
      all = objects_.take(prefix_, {}, kNoLimit);
      at = std::max(changed_, forgotten_);
    }
    std::size_t seen = 0;
    bool goes_on = true;
    all.for_each([&](const ObjectPtr& object) {
      goes_on = seen++ % kBetweenLooks != 0 || go_on();
      if (goes_on) index->replace({}, index->entry_of(object));
      return goes_on;
    });
    if (!goes_on) return false;
    // What has changed meanwhile, until that is little enough to be done under the lock. Changes
    // of one revision may come in parts, so those of the last one are followed again, which
    // changes nothing.
    const auto follow = [&](const std::vector<Change>& changes) {
      for (const Change& one : changes) {
        index->replace(index->entry_of(one.previous),
                       index->entry_of(one.deleted ? nullptr : one.object));
        at = one.revision;
      }
    };
    for (bool is_known = true; is_known && go_on();) {
      std::vector<Change> changes;
      {
        const std::unique_lock lock = lock_to_change(mu_);
        is_known =
            find_changes_after(std::max(at - 1, std::min(at, forgotten_)), kNoLimit, changes);
        if (is_known && changes.size() <= kFewChanges) {
          follow(changes);
          index->keep(true);
          indexes_.push_back(index);
          index_count_.store(indexes_.size(), std::memory_order_release);
          return true;
        }
      }
      follow(changes);
    }
  }
  return false;
}

std::optional<ResourceCache::Taken> ResourceCache::take_by(std::span<const Sought> sought,
                                                           std::string_view key_prefix,
                                                           std::string_view start) const {
  std::optional<Taken> out;
  {
    const std::shared_lock lock(mu_);
    for (const Sought& one : sought) {
      if (!one.index->is_kept()) continue;
      one.index->note_use();
      auto found = one.index->take(one.text, key_prefix, start);
      if (!found || (out && out->objects.size() <= found->size())) continue;
      out.emplace(*std::move(found), changed_);
    }
  }
  if (out) objects_read_.fetch_add(out->objects.size(), std::memory_order_relaxed);
  return out;
}

void ResourceCache::trim(std::chrono::steady_clock::time_point now) {
  const auto too_many = [&] {
    const std::size_t count = changes_.size();
    if (count <= kFewestLargeChanges) return false;
    const std::size_t most_bytes = count > kManyChanges ? kMostChangeBytes : kMostLargeBytes;
    return count > kMostChanges || change_bytes_ > most_bytes ||
           (count > kFewestChanges && now - changes_.front().at > kRememberFor);
  };
  while (too_many()) {
    forgotten_ = changes_.front().change.revision;
    change_bytes_ -= weight(changes_.front().change);
    changes_.pop_front();
  }
}

}  // namespace strake::api

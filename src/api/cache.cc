#include "api/cache.h"

#include <algorithm>
#include <mutex>

#include "base/log.h"

namespace strake::api {
namespace {

// How much of the past watchers may ask for: as long and as many as the reference keeps, but never
// past a size.
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

}  // namespace

ResourceCache::ResourceCache(std::string prefix, std::size_t loops)
    : prefix_(std::move(prefix)), waiters_(loops) {}

ObjectPtr ResourceCache::get(std::string_view key) const {
  const std::shared_lock lock(mu_);
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : found->second->second;
}

ObjectPtr ResourceCache::put(ObjectPtr object) {
  const std::string_view key = object->key();
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) {
    by_key_.emplace(key, objects_.emplace(key, std::move(object)).first);
    return nullptr;
  }
  // The old object lives until its key is replaced in both.
  const auto behind = std::next(found->second);
  auto node = objects_.extract(found->second);
  ObjectPtr old = std::exchange(node.mapped(), std::move(object));
  node.key() = key;
  auto entry = by_key_.extract(found);
  entry.key() = key;
  entry.mapped() = objects_.insert(behind, std::move(node));
  by_key_.insert(std::move(entry));
  return old;
}

ObjectPtr ResourceCache::take(std::string_view key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  const auto place = found->second;
  by_key_.erase(found);
  ObjectPtr old = place->second;
  objects_.erase(place);
  return old;
}

bool ResourceCache::has_any(std::string_view key_prefix) const {
  const std::shared_lock lock(mu_);
  const auto found = objects_.lower_bound(key_prefix);
  return found != objects_.end() && found->first.starts_with(key_prefix);
}

std::size_t ResourceCache::size() const {
  const std::shared_lock lock(mu_);
  return objects_.size();
}

Revision ResourceCache::changed() const {
  const std::shared_lock lock(mu_);
  return changed_;
}

ResourceCache::Listed ResourceCache::list(std::string_view key_prefix,
                                          std::string_view start) const {
  Listed out;
  const std::shared_lock lock(mu_);
  out.changed = changed_;
  if (key_prefix == prefix_ && start.empty()) out.objects.reserve(objects_.size());
  for (auto at = objects_.lower_bound(std::max(key_prefix, start)); at != objects_.end(); ++at) {
    if (!at->first.starts_with(key_prefix)) break;
    out.objects.push_back(at->second);
  }
  return out;
}

bool ResourceCache::changes_after(Revision after, std::size_t limit,
                                  std::vector<Change>& out) const {
  const std::shared_lock lock(mu_);
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

std::size_t ResourceCache::waiters() const {
  std::size_t sum = 0;
  for (const LoopWaiters& one : waiters_) sum += one.count.load(std::memory_order_relaxed);
  return sum;
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

void ResourceCache::apply(const store::Event& event, std::chrono::steady_clock::time_point now) {
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
      return;
    }
    change.object = *std::move(object);
  }
  const std::unique_lock lock(mu_);
  change.previous = change.deleted ? take(event.key) : put(change.object);
  changed_ = event.revision;
  if (change.deleted) {
    if (!change.previous) return;
    change.object = change.previous;
  }
  change_bytes_ += weight(change);
  changes_.push_back({std::move(change), now});
  trim(now);
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

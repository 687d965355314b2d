#include "api/hub.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/log.h"

namespace strake::api {
namespace {

constexpr std::string_view kRoot = "/registry/";
constexpr std::size_t kPage = 2'000;

}  // namespace

std::string_view storage_prefix_of(std::string_view key) {
  if (!key.starts_with(kRoot)) return {};
  const std::size_t first = key.find('/', kRoot.size());
  if (first == std::string_view::npos) return {};
  const std::string_view segment = key.substr(kRoot.size(), first - kRoot.size());
  if (!segment.contains('.') && segment != "services") return key.substr(0, first + 1);
  const std::size_t second = key.find('/', first + 1);
  return second == std::string_view::npos ? std::string_view() : key.substr(0, second + 1);
}

Hub::Hub(store::Store& store, async::Loops& loops) : store_(store), loops_(loops) {}

Hub::~Hub() = default;

async::Task<> Hub::start() {
  store::Range range{.prefix = std::string(kRoot), .start = {}, .limit = kPage, .count = false};
  Revision revision = 0;
  while (true) {
    STRAKE_CO_TRY(store::Page page, co_await store_.range(range));
    revision = page.revision;
    for (store::Entry& entry : page.entries) {
      const std::string_view prefix = storage_prefix_of(entry.key);
      if (prefix.empty()) continue;
      ResourceCache& to = cache(prefix);
      Result<ObjectPtr> object =
          Object::from_stored(entry.key, *entry.value, entry.mod_revision, entry.create_revision);
      if (!object) {
        log::get("api").error("passed over an object that cannot be read",
                              {{"key", entry.key}, {"error", object.error()}});
        continue;
      }
      to.load(*std::move(object));
    }
    if (page.remaining == 0) break;
    range.start = page.entries.back().key + '\0';
    range.revision = page.revision;
  }
  {
    const std::lock_guard lock(mu_);
    started_ = revision;
    for (const auto& [prefix, cache] : caches_) cache->forget_before(revision);
  }
  revision_.store(revision, std::memory_order_release);
  STRAKE_CO_TRY(subscription_, co_await store_.subscribe(std::string(kRoot), revision, *this));
  co_return Result<>();
}

void Hub::stop() { subscription_.reset(); }

ResourceCache& Hub::cache(std::string_view prefix) {
  const std::lock_guard lock(mu_);
  auto found = caches_.find(prefix);
  if (found == caches_.end()) {
    auto made = std::make_unique<ResourceCache>(std::string(prefix), loops_.size());
    // What happened to it before this server began is known to the store alone.
    made->forget_before(started_);
    found = caches_.emplace(std::string(prefix), std::move(made)).first;
  }
  return *found->second;
}

ResourceCache* Hub::find(std::string_view key) {
  const std::string_view prefix = storage_prefix_of(key);
  return prefix.empty() ? nullptr : &cache(prefix);
}

std::size_t Hub::objects() const {
  const std::lock_guard lock(mu_);
  std::size_t sum = 0;
  for (const auto& [prefix, cache] : caches_) sum += cache->size();
  return sum;
}

std::vector<ResourceCache*> Hub::caches() const {
  const std::lock_guard lock(mu_);
  std::vector<ResourceCache*> out;
  for (const auto& [prefix, cache] : caches_) out.push_back(cache.get());
  return out;
}

void Hub::tell(OwnershipListener* listener) {
  const std::lock_guard lock(telling_);
  listener_ = listener;
}

void Hub::on_events(std::span<const store::Event> events) {
  const auto now = std::chrono::steady_clock::now();
  std::vector<ResourceCache*> touched;
  const std::lock_guard telling(telling_);
  for (const store::Event& event : events) {
    ResourceCache* to = find(event.key);
    if (to == nullptr) continue;
    const ResourceCache::Applied applied = to->apply(event, now);
    if (listener_ != nullptr && (applied.gone || applied.touches_owners))
      listener_->on_change(*to, event.key, applied.gone);
    if (std::find(touched.begin(), touched.end(), to) == touched.end()) touched.push_back(to);
  }
  if (!events.empty()) revision_.store(events.back().revision, std::memory_order_release);
  // One message a loop, however many watchers it has: they are woken where they live.
  for (ResourceCache* cache : touched) {
    for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
      if (!cache->has_waiters(loop)) continue;
      boost::asio::post(loops_.at(loop), [cache, loop] { cache->wake(loop); });
    }
  }
}

void Hub::on_lost(const Error& why) {
  log::get("api").error("lost the store's stream", {{"error", why}});
}

}  // namespace strake::api

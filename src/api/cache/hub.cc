#include "api/cache/hub.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "async/signal.h"
#include "base/log.h"

namespace strake::api {
namespace {

constexpr std::string_view kRoot = "/registry/";
constexpr std::size_t kPage = 2'000;
constexpr std::chrono::milliseconds kFirstPause{50};
constexpr std::chrono::milliseconds kLongestPause{5'000};
constexpr std::chrono::milliseconds kLookForStop{100};

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

template <typename Take>
async::Task<Revision> Hub::read_all(Take take) {
  store::Range range{.prefix = std::string(kRoot), .start = {}, .limit = kPage, .count = false};
  while (true) {
    STRAKE_CO_TRY(store::Page page, co_await store_.range(range));
    for (store::Entry& entry : page.entries) {
      const std::string_view prefix = storage_prefix_of(entry.key);
      if (!prefix.empty()) take(cache(prefix), std::move(entry));
    }
    if (page.remaining == 0) co_return page.revision;
    range.start = page.entries.back().key + '\0';
    range.revision = page.revision;
  }
}

async::Task<> Hub::start() {
  STRAKE_CO_TRY(
      const Revision revision, co_await read_all([](ResourceCache& to, store::Entry entry) {
        Result<ObjectPtr> object =
            Object::from_stored(entry.key, *entry.value, entry.mod_revision, entry.create_revision);
        if (object) return to.load(*std::move(object));
        log::get("api").error("passed over an object that cannot be read",
                              {{"key", entry.key}, {"error", object.error()}});
      }));
  {
    const std::lock_guard lock(mu_);
    started_ = revision;
    for (const auto& [prefix, cache] : caches_) cache->forget_before(revision);
  }
  revision_.store(revision, std::memory_order_release);
  co_return co_await subscribe(revision);
}

async::Task<> Hub::subscribe(Revision after) {
  STRAKE_CO_TRY(subscription_, co_await store_.subscribe(std::string(kRoot), after, *this));
  co_return Result<>();
}

async::Task<> Hub::stop() {
  stopped_ = true;
  static_cast<void>(co_await recovering_.close());
  subscription_.reset();
  co_return Result<>();
}

Result<> Hub::health() const {
  if (lost_) return fail(Code::kServiceUnavailable, "the caches do not follow the store");
  return {};
}

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
  wake(touched);
}

// One message a loop, however many watchers it has: they are woken where they live.
void Hub::wake(std::span<ResourceCache* const> touched) {
  for (ResourceCache* cache : touched) {
    for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
      if (!cache->has_waiters(loop)) continue;
      boost::asio::post(loops_.at(loop), [cache, loop] { cache->wake(loop); });
    }
  }
}

void Hub::on_lost(const Error& why) {
  log::get("api").warn("lost the store's stream", {{"error", why}});
  // Called by the store, which must not be called back.
  if (!lost_.exchange(true)) boost::asio::co_spawn(loops_.at(0), recover(), boost::asio::detached);
}

boost::asio::awaitable<void> Hub::recover() {
  const async::Gate::Pass pass = recovering_.enter();
  if (!pass) co_return;
  for (std::chrono::milliseconds pause = kFirstPause; !stopped_;
       pause = std::min(2 * pause, kLongestPause)) {
    const Result<> done = co_await catch_up();
    if (done) {
      log::get("api").info("follows the store again", {{"revision", revision()}});
      co_return;
    }
    log::get("api").warn("the store's stream cannot be taken up", {{"error", done.error()}});
    const Deadline until = Deadline::after(pause);
    while (!stopped_ && !until.expired()) {
      if (!co_await async::sleep_until(until.or_earlier(Deadline::after(kLookForStop)))) co_return;
    }
  }
}

async::Task<> Hub::catch_up() {
  subscription_.reset();
  // From here on a new loss begins a new recovery.
  lost_ = false;
  // History has what was missed, unless it was compacted meanwhile.
  Result<> done = co_await subscribe(revision());
  if (!done && done.error().code() == Code::kExpired) done = co_await read_anew();
  if (!done) lost_ = true;
  co_return done;
}

// What happened in between cannot be told any more, only what has become of it: caches are brought
// to the present state, and watchers that are behind are sent to start again.
async::Task<> Hub::read_anew() {
  std::map<ResourceCache*, std::vector<store::Entry>> found;
  STRAKE_CO_TRY(const Revision revision,
                co_await read_all([&found](ResourceCache& to, store::Entry entry) {
                  found[&to].push_back(std::move(entry));
                }));
  std::vector<ResourceCache*> touched = caches();
  const auto now = std::chrono::steady_clock::now();
  {
    const std::lock_guard telling(telling_);
    for (ResourceCache* cache : touched) {
      for (const store::Event& event : cache->missed(found[cache], revision)) {
        const ResourceCache::Applied applied = cache->apply(event, now);
        if (listener_ != nullptr && (applied.gone || applied.touches_owners))
          listener_->on_change(*cache, event.key, applied.gone);
      }
      cache->forget_all(revision);
    }
  }
  {
    const std::lock_guard lock(mu_);
    started_ = revision;
  }
  revision_.store(revision, std::memory_order_release);
  wake(touched);
  co_return co_await subscribe(revision);
}

}  // namespace strake::api

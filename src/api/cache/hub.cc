#include "api/cache/hub.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <tuple>

#include "base/log.h"

// One stream of the store's events fills all caches, on one thread at a time (telling_). The order
// within a step is what the rest of the server relies on: every cache has the change, then every
// listener has been told, then revision() shows it, then watchers are woken. And the store tells
// the Hub before it answers the writer. So whoever has an answer, or waited for a revision, finds
// the change in every cache and every view.
//
// A stream that breaks off is taken up where it ended, from the store's history. If that was
// compacted, the store is read anew and compared with the caches (ResourceCache::missed): listeners
// hear changes that lead to the present state, and watchers, which were promised every change, are
// sent back to a list (forget_all).

namespace strake::api {
namespace {

constexpr std::string_view kRoot = "/registry/";
constexpr std::size_t kPage = 2'000;
constexpr std::chrono::milliseconds kFirstRetry{50};
constexpr std::chrono::milliseconds kLongestRetry{5'000};

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

Hub::Hub(store::Store& store, async::Loops& loops)
    : store_(store), loops_(loops), stopping_(std::make_shared<async::Signal>(loops.at(0))) {}

Hub::~Hub() = default;

template <typename Take>
async::Task<Revision> Hub::read_all(Take take) {
  store::Range range{.prefix = std::string(kRoot), .start = {}, .limit = kPage, .count = false};
  while (true) {
    STRAKE_CO_TRY(store::Page page, co_await store_.range(range));
    // Before the entries are handed on, and their keys with them.
    if (page.remaining > 0) range.start = page.entries.back().key + '\0';
    for (store::Entry& entry : page.entries) {
      const std::string_view prefix = storage_prefix_of(entry.key);
      if (!prefix.empty()) take(slot(prefix), std::move(entry));
    }
    if (page.remaining == 0) co_return page.revision;
    range.revision = page.revision;
  }
}

async::Task<> Hub::start() {
  STRAKE_CO_TRY(const Revision revision, co_await read_all([](Slot& to, store::Entry entry) {
                  Result<ObjectPtr> object = Object::from_stored(
                      entry.key, *entry.value, entry.mod_revision, entry.create_revision);
                  if (object) return to.cache->load(*std::move(object));
                  log::get("api").error("passed over an object that cannot be read",
                                        {{"key", entry.key}, {"error", object.error()}});
                }));
  {
    const std::lock_guard telling(telling_);
    {
      const std::lock_guard lock(mu_);
      started_ = revision;
      for (const auto& [prefix, slot] : slots_) slot.cache->forget_before(revision);
    }
    following_ = true;
    for (const Listening& one : listening_) tell_all(one);
    finish_step(revision);
  }
  co_return co_await subscribe(revision);
}

async::Task<> Hub::subscribe(Revision after) {
  STRAKE_CO_TRY(subscription_, co_await store_.subscribe(std::string(kRoot), after, *this));
  co_return Result<>();
}

async::Task<> Hub::stop() {
  stopped_ = true;
  boost::asio::post(loops_.at(0), [signal = stopping_] { signal->notify(); });
  revision_.end();
  static_cast<void>(co_await recovering_.close());
  subscription_.reset();
  co_return Result<>();
}

Result<> Hub::health() const {
  if (lost_) return fail(Code::kServiceUnavailable, "the caches do not follow the store");
  return {};
}

bool Hub::Listening::to(std::string_view prefix) const {
  return prefixes.empty() || std::find(prefixes.begin(), prefixes.end(), prefix) != prefixes.end();
}

ResourceCache& Hub::cache(std::string_view prefix) { return *slot(prefix).cache; }

Hub::Slot& Hub::slot(std::string_view prefix) {
  const std::lock_guard lock(mu_);
  const auto found = slots_.find(prefix);
  if (found != slots_.end()) return found->second;
  Slot made{.cache = std::make_unique<ResourceCache>(std::string(prefix), loops_.size()),
            .listeners = {}};
  // What happened to it before this server began is known to the store alone.
  made.cache->forget_before(started_);
  for (const Listening& one : listening_) {
    if (one.to(prefix)) made.listeners.push_back(one.listener);
  }
  return slots_.emplace(std::string(prefix), std::move(made)).first->second;
}

Hub::Slot* Hub::find(std::string_view key) {
  const std::string_view prefix = storage_prefix_of(key);
  return prefix.empty() ? nullptr : &slot(prefix);
}

std::size_t Hub::objects() const {
  const std::lock_guard lock(mu_);
  std::size_t sum = 0;
  for (const auto& [prefix, slot] : slots_) sum += slot.cache->size();
  return sum;
}

std::vector<Hub::Slot*> Hub::slots() {
  const std::lock_guard lock(mu_);
  std::vector<Slot*> out;
  for (auto& [prefix, slot] : slots_) out.push_back(&slot);
  return out;
}

void Hub::listen(HubListener& listener, std::vector<std::string> prefixes) {
  const std::lock_guard telling(telling_);
  Listening one{.listener = &listener, .prefixes = std::move(prefixes)};
  {
    const std::lock_guard lock(mu_);
    for (auto& [prefix, slot] : slots_) {
      if (one.to(prefix)) slot.listeners.push_back(&listener);
    }
    listening_.push_back(one);
  }
  if (!following_) return;
  tell_all(one);
  finish_step(revision());
}

void Hub::ignore(HubListener& listener) {
  const std::lock_guard telling(telling_);
  const std::lock_guard lock(mu_);
  for (auto& [prefix, slot] : slots_) std::erase(slot.listeners, &listener);
  std::erase_if(listening_, [&](const Listening& one) { return one.listener == &listener; });
}

// Under telling_: nothing changes meanwhile.
void Hub::tell_all(const Listening& one) {
  for (Slot* slot : slots()) {
    if (!one.to(slot->cache->prefix())) continue;
    slot->cache->take(slot->cache->prefix(), {}).objects.for_each([&](const ObjectPtr& object) {
      one.listener->on_change(*slot->cache, {.object = object,
                                             .previous = nullptr,
                                             .deleted = false,
                                             .revision = object->revision()});
      return true;
    });
  }
  told_.push_back(one.listener);
}

void Hub::apply(Slot& to, const store::Event& event, std::chrono::steady_clock::time_point now) {
  const Change* change = to.cache->apply(event, now);
  if (change == nullptr) return;
  for (HubListener* listener : to.listeners) {
    listener->on_change(*to.cache, *change);
    if (std::find(told_.begin(), told_.end(), listener) == told_.end()) told_.push_back(listener);
  }
}

void Hub::finish_step(Revision revision) {
  for (HubListener* listener : told_) listener->on_told(revision);
  told_.clear();
  revision_.reach(revision);
}

void Hub::on_events(std::span<const store::Event> events) {
  if (events.empty()) return;
  const auto now = std::chrono::steady_clock::now();
  std::vector<ResourceCache*> touched;
  const std::lock_guard telling(telling_);
  for (const store::Event& event : events) {
    Slot* to = find(event.key);
    if (to == nullptr) continue;
    apply(*to, event, now);
    if (std::find(touched.begin(), touched.end(), to->cache.get()) == touched.end())
      touched.push_back(to->cache.get());
  }
  finish_step(events.back().revision);
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
  for (std::chrono::milliseconds pause = kFirstRetry; !stopped_;
       pause = std::min(2 * pause, kLongestRetry)) {
    const Result<> done = co_await catch_up();
    if (done) {
      log::get("api").info("follows the store again", {{"revision", revision()}});
      co_return;
    }
    log::get("api").warn("the store's stream cannot be taken up", {{"error", done.error()}});
    if (!co_await stopping_->wait(Deadline::after(pause))) co_return;
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
  std::map<Slot*, std::vector<store::Entry>> found;
  STRAKE_CO_TRY(const Revision revision, co_await read_all([&found](Slot& to, store::Entry entry) {
                  found[&to].push_back(std::move(entry));
                }));
  std::vector<ResourceCache*> touched;
  {
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard telling(telling_);
    std::vector<std::pair<Slot*, store::Event>> missed;
    for (Slot* slot : slots()) {
      for (store::Event& event : slot->cache->missed(found[slot], revision))
        missed.emplace_back(slot, std::move(event));
      touched.push_back(slot->cache.get());
    }
    // An object that was made anew goes before it comes.
    std::ranges::sort(missed, {}, [](const auto& one) {
      const store::Event& event = one.second;
      return std::tuple(event.revision, std::string_view(event.key), event.value != nullptr);
    });
    for (const auto& [slot, event] : missed) apply(*slot, event, now);
    for (ResourceCache* cache : touched) cache->forget_all(revision);
    {
      const std::lock_guard lock(mu_);
      started_ = revision;
    }
    finish_step(revision);
  }
  wake(touched);
  co_return co_await subscribe(revision);
}

}  // namespace strake::api

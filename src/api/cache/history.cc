#include "api/cache/history.h"

#include <mutex>

namespace strake::api {
namespace {

constexpr std::size_t kMostSent = 50'000;
// What is held at a time: so many changes, or bytes.
constexpr std::size_t kHeldChanges = 2'000;
constexpr std::size_t kHeldBytes = 1024 * 1024;

// Collects until it meets what the cache has.
class Collector final : public store::Observer {
 public:
  explicit Collector(Revision until) : until_(until) {}

  void on_events(std::span<const store::Event> events) override {
    const std::lock_guard lock(mu_);
    for (const store::Event& event : events) {
      if (event.revision > until_) return;
      if (++seen_ > kMostSent) return;
      // What one commit changed stays together.
      const bool is_new = out_.changes.empty() || event.revision != out_.changes.back().revision;
      full_ =
          full_ || (is_new && (out_.changes.size() >= kHeldChanges || out_.bytes >= kHeldBytes));
      if (!full_) add(event);
    }
  }
  void on_lost(const Error&) override {}

  Result<History> take() {
    const std::lock_guard lock(mu_);
    if (seen_ > kMostSent) return fail(Code::kExpired, "too many changes to send");
    out_.until = until_;
    out_.read_to = full_ ? out_.changes.back().revision : until_;
    return std::move(out_);
  }

 private:
  void add(const store::Event& event) {
    Change change{.object = nullptr,
                  .previous = nullptr,
                  .deleted = event.value == nullptr,
                  .revision = event.revision};
    if (event.previous) {
      Result<ObjectPtr> previous = Object::from_stored(
          event.key, *event.previous, event.previous_revision, event.create_revision);
      if (previous) change.previous = *std::move(previous);
    }
    if (event.value) {
      Result<ObjectPtr> object =
          Object::from_stored(event.key, *event.value, event.revision, event.create_revision);
      if (!object) return;
      change.object = *std::move(object);
    } else {
      change.object = change.previous;
    }
    if (!change.object) return;
    for (const store::Bytes& text : {event.value, event.previous}) {
      if (text) out_.bytes += text->size();
    }
    out_.changes.push_back(std::move(change));
  }

  const Revision until_;
  std::mutex mu_;
  History out_;           // guarded by mu_
  bool full_ = false;     // guarded by mu_
  std::size_t seen_ = 0;  // guarded by mu_
};

}  // namespace

async::Task<History> read_history(Hub& hub, const ResourceCache& cache, Revision after) {
  Collector collector(cache.remembers_from());
  // History is delivered before the call returns; what comes live is not wanted here.
  STRAKE_CO_TRY(const auto subscription,
                co_await hub.store().subscribe(cache.prefix(), after, collector));
  co_return collector.take();
}

}  // namespace strake::api

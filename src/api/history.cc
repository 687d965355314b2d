#include "api/history.h"

#include <mutex>

namespace strake::api {
namespace {

constexpr std::size_t kMostChanges = 50'000;

// Collects until it meets what the cache has.
class Collector final : public store::Observer {
 public:
  explicit Collector(Revision until) : until_(until) {}

  void on_events(std::span<const store::Event> events) override {
    const std::lock_guard lock(mu_);
    for (const store::Event& event : events) {
      if (event.revision > until_) return;
      if (changes_.size() >= kMostChanges) {
        too_many_ = true;
        return;
      }
      add(event);
    }
  }
  void on_lost(const Error&) override {}

  Result<std::vector<Change>> take() {
    const std::lock_guard lock(mu_);
    if (too_many_) return fail(Code::kExpired, "too many changes to send");
    return std::move(changes_);
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
    if (change.object) changes_.push_back(std::move(change));
  }

  const Revision until_;
  std::mutex mu_;
  std::vector<Change> changes_;  // guarded by mu_
  bool too_many_ = false;        // guarded by mu_
};

}  // namespace

async::Task<std::vector<Change>> read_history(Hub& hub, const ResourceCache& cache,
                                              Revision after) {
  Collector collector(cache.remembers_from());
  // History is delivered before the call returns; what comes live is not wanted here.
  STRAKE_CO_TRY(const auto subscription,
                co_await hub.store().subscribe(cache.prefix(), after, collector));
  co_return collector.take();
}

}  // namespace strake::api

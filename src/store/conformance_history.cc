// Random histories, held against a model that is too simple to be wrong: a list of all states.
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <random>

#include "store/conformance.h"

namespace strake::store {
namespace {

struct ModelEntry {
  std::string value;
  Revision mod = 0;
  Revision create = 0;
};
using State = std::map<std::string, ModelEntry>;

class Model {
 public:
  Revision newest() const { return static_cast<Revision>(states_.size()) - 1; }
  const State& at(Revision revision) const { return states_[revision]; }
  const State& now() const { return states_.back(); }

  void put(const std::string& key, const std::string& value) {
    State next = now();
    ModelEntry& entry = next[key];
    events_.push_back(entry.mod == 0 ? fmt::format("{}:+{}={}", newest() + 1, key, value)
                                     : fmt::format("{}:{}={}({}@{})", newest() + 1, key, value,
                                                   entry.value, entry.mod));
    entry.mod = newest() + 1;
    if (entry.create == 0) entry.create = entry.mod;
    entry.value = value;
    states_.push_back(std::move(next));
  }
  void remove(const std::string& key) {
    State next = now();
    const ModelEntry entry = next.extract(key).mapped();
    events_.push_back(fmt::format("{}:-{}({}@{})", newest() + 1, key, entry.value, entry.mod));
    states_.push_back(std::move(next));
  }

  std::string range(const std::string& prefix, const std::string& start, std::size_t limit,
                    Revision revision, std::size_t& remaining) const {
    std::string out;
    std::size_t count = 0;
    remaining = 0;
    for (const auto& [key, entry] : at(revision)) {
      if (!key.starts_with(prefix) || key < start) continue;
      if (limit > 0 && count == limit) {
        ++remaining;
        continue;
      }
      if (count++ > 0) out += ' ';
      out += fmt::format("{}={}@{}/{}", key, entry.value, entry.mod, entry.create);
    }
    return out;
  }
  std::string events_after(Revision revision, const std::string& prefix) const {
    std::string out;
    // The first event made revision 2.
    for (std::size_t i = std::max<Revision>(revision - 1, 0); i < events_.size(); ++i) {
      const std::size_t key = events_[i].find('/');
      if (events_[i].compare(key, prefix.size(), prefix) != 0) continue;
      if (!out.empty()) out += ' ';
      out += events_[i];
    }
    return out;
  }

 private:
  std::vector<State> states_{{}, {}};  // by revision; 0 is never asked for
  std::vector<std::string> events_;
};

std::uint64_t seed_of_run() {
  if (const char* given = std::getenv("STRAKE_SEED")) return std::strtoull(given, nullptr, 10);
  return std::random_device{}();
}

}  // namespace

TEST_P(StoreConformance, AgreesWithTheModelOverARandomHistory) {
  const std::uint64_t seed = seed_of_run();
  SCOPED_TRACE(fmt::format("to see this again: STRAKE_SEED={}", seed));
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  const auto any_key = [&] {
    return fmt::format("/{}/{}", static_cast<char>('a' + below(3)), below(6));
  };
  Model model;
  struct Watcher {
    RecordingObserver observer;
    std::unique_ptr<Subscription> subscription;
    Revision after = 0;
    std::string prefix;
  };
  std::vector<std::unique_ptr<Watcher>> watchers;
  Revision compacted = 0;

  for (int step = 0; step < 600 && !HasFailure(); ++step) {
    const std::uint64_t what = below(100);
    if (what < 50) {
      const std::string key = any_key();
      const auto stands = model.now().find(key);
      const bool there = stands != model.now().end();
      const bool wrong = below(5) == 0;
      const bool remove = there && below(4) == 0;
      const std::string value(below(20) == 0 ? 5000 : 1 + below(30),
                              static_cast<char>('A' + below(26)));
      Revision expected = there ? stands->second.mod : 0;
      if (wrong) expected = there ? expected - 1 : 9999;
      const auto written =
          write({.key = key, .value = remove ? nullptr : bytes(value), .expected = expected});
      ASSERT_TRUE(written) << written.error().to_string();
      ASSERT_EQ(written->applied, !wrong);
      if (wrong) {
        EXPECT_EQ(written->current.has_value(), there);
        if (written->current) EXPECT_EQ(*written->current->value, stands->second.value);
      } else if (remove) {
        model.remove(key);
      } else {
        model.put(key, value);
      }
      EXPECT_EQ(written->revision, model.newest());
    } else if (what < 85) {
      const Revision revision = below(3) == 0 ? 0 : 1 + below(model.newest() + 1);
      const std::string prefix = below(2) ? "/" : std::string(any_key(), 0, 3);
      const std::string start = below(2) ? "" : any_key();
      const std::size_t limit = below(4);
      const auto page =
          range({.prefix = prefix, .start = start, .limit = limit, .revision = revision});
      if (revision > model.newest()) {
        EXPECT_EQ(page.error().code(), Code::kTimeout);
      } else if (revision != 0 && revision < compacted) {
        EXPECT_EQ(page.error().code(), Code::kExpired);
      } else {
        const Revision at = revision == 0 ? model.newest() : revision;
        std::size_t remaining = 0;
        const std::string want = model.range(prefix, start, limit, at, remaining);
        EXPECT_EQ(shown({.prefix = prefix, .start = start, .limit = limit, .revision = revision}),
                  want);
        ASSERT_TRUE(page);
        EXPECT_EQ(page->revision, at);
        EXPECT_EQ(page->remaining, remaining);
      }
    } else if (what < 93) {
      auto watcher = std::make_unique<Watcher>();
      watcher->after = below(model.newest() + 1);
      watcher->prefix = below(2) ? "/" : std::string(any_key(), 0, 3);
      auto subscription = subscribe(watcher->prefix, watcher->after, watcher->observer);
      if (watcher->after < compacted) {
        EXPECT_EQ(subscription.error().code(), Code::kExpired);
      } else {
        ASSERT_TRUE(subscription);
        watcher->subscription = *std::move(subscription);
        watchers.push_back(std::move(watcher));
      }
    } else if (what < 97) {
      compacted = std::max<Revision>(compacted, below(model.newest() + 1));
      ASSERT_TRUE(compact(compacted));
    } else {
      for (const auto& watcher : watchers) {
        EXPECT_EQ(store::shown(watcher->observer.events()),
                  model.events_after(watcher->after, watcher->prefix));
      }
      watchers.clear();
      if (below(3) == 0) reopen();
    }
  }
  for (const auto& watcher : watchers) {
    EXPECT_EQ(store::shown(watcher->observer.events()),
              model.events_after(watcher->after, watcher->prefix));
  }
}

}  // namespace strake::store

#include "store/observers.h"

#include <gtest/gtest.h>

#include "store/conformance.h"

namespace strake::store {
namespace {

Event created(std::string key, Revision revision) {
  return {.key = std::move(key), .value = bytes("v"), .revision = revision};
}

// Counts how often it was called.
class CountingObserver final : public Observer {
 public:
  void on_events(std::span<const Event> events) override { batches.push_back(events.size()); }
  void on_lost(const Error&) override {}
  std::vector<std::size_t> batches;
};

TEST(Observers, HearNeighboursTogether) {
  const auto observers = std::make_shared<Observers>(1);
  CountingObserver all;
  CountingObserver a;
  const auto for_all = observers->join("/", 1, all);
  const auto for_a = observers->join("/a/", 1, a);
  for_all->go_live();
  for_a->go_live();
  const std::vector<Event> events = {created("/a/1", 2), created("/a/2", 3), created("/b/1", 4),
                                     created("/a/3", 5)};
  observers->publish(events, 5);
  EXPECT_EQ(all.batches, (std::vector<std::size_t>{4}));
  EXPECT_EQ(a.batches, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(observers->revision(), 5);
}

TEST(Observers, HearWhatWasKeptWhenTheyGoLive) {
  const auto observers = std::make_shared<Observers>(7);
  RecordingObserver observer;
  const auto joined = observers->join("/", 1, observer);
  EXPECT_EQ(joined->revision(), 7);
  const std::vector<Event> first = {created("/a", 8)};
  observers->publish(first, 8);
  EXPECT_EQ(shown(observer.events()), "");
  joined->go_live();
  EXPECT_EQ(shown(observer.events()), "8:+/a=v");
  const std::vector<Event> second = {created("/b", 9)};
  observers->publish(second, 9);
  EXPECT_EQ(shown(observer.events()), "8:+/a=v 9:+/b=v");
}

TEST(Observers, OfOnePrefixHearAllOfIt) {
  const auto observers = std::make_shared<Observers>(1);
  RecordingObserver one;
  RecordingObserver other;
  const auto for_one = observers->join("/a/", 1, one);
  auto for_other = observers->join("/a/", 2, other);
  for_one->go_live();
  for_other->go_live();
  const std::vector<Event> events = {created("/a/1", 2), created("/a/2", 3)};
  observers->publish(events, 3);
  for_other.reset();
  const std::vector<Event> last = {created("/a/3", 4)};
  observers->publish(last, 4);
  EXPECT_EQ(shown(one.events()), "2:+/a/1=v 3:+/a/2=v 4:+/a/3=v");
  EXPECT_EQ(shown(other.events()), "3:+/a/2=v");
}

}  // namespace
}  // namespace strake::store

#include "api/cache/hub.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "api/cache/test_remote_store.h"
#include "async/run.h"

namespace strake::api {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kThings = "/registry/a.example/things/";

class HubTest : public ::testing::Test {
 protected:
  HubTest() { EXPECT_TRUE(async::run_blocking(loops_.at(0), hub_.start())); }
  ~HubTest() override {
    EXPECT_TRUE(async::run_blocking(loops_.at(0), hub_.stop()));
    loops_.stop();
  }

  Revision put(std::string_view name, Revision expected = 0) {
    return write(
        name,
        std::make_shared<const std::string>(fmt::format(
            R"({{"kind":"Thing","apiVersion":"a.example/v1","metadata":{{"name":"{}"}}}})", name)),
        expected);
  }
  Revision remove(std::string_view name, Revision expected) { return write(name, {}, expected); }
  Revision write(std::string_view name, Bytes value, Revision expected) {
    return async::run_blocking(loops_.at(0),
                               store_.write({.key = std::string(kThings) + std::string(name),
                                             .value = std::move(value),
                                             .expected = expected}))
        .value()
        .revision;
  }
  void wait_for(Revision revision) {
    for (int i = 0; i < 10'000 && hub_.revision() < revision; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_GE(hub_.revision(), revision);
  }
  // "name@revision" of each cached object.
  std::vector<std::string> cached() {
    std::vector<std::string> out;
    for (const ObjectPtr& one : cache().list(kThings).objects)
      out.push_back(fmt::format("{}@{}", one->name(), one->revision()));
    return out;
  }
  ResourceCache& cache() { return hub_.cache(kThings); }

  RemoteStore store_;
  async::Loops loops_{1};
  Hub hub_{store_, loops_};
};

TEST_F(HubTest, HasEveryWriteInItsCachesBeforeTheWriteReturns) {
  const Revision at = put("a");
  EXPECT_EQ(hub_.revision(), at);
  EXPECT_THAT(cached(), ElementsAre(fmt::format("a@{}", at)));
}

// The store is read in pages.
TEST_F(HubTest, ReadsManyObjectsAtItsStart) {
  constexpr std::size_t kMany = 4'500;
  for (std::size_t i = 0; i < kMany; ++i) put(fmt::format("thing-with-a-long-name-{:05}", i));
  Hub second(store_, loops_);
  ASSERT_TRUE(async::run_blocking(loops_.at(0), second.start()));
  EXPECT_EQ(second.cache(kThings).size(), kMany);
  EXPECT_TRUE(async::run_blocking(loops_.at(0), second.stop()));
}

TEST_F(HubTest, TellsWatchersOfEveryChangeThatALostStreamMissed) {
  const Revision first = put("a");
  store_.cut();
  const Revision second = put("a", first);
  const Revision third = put("b");
  EXPECT_EQ(hub_.revision(), first);
  store_.tell();
  wait_for(third);
  std::vector<Change> changes;
  ASSERT_TRUE(cache().changes_after(first, 10, changes));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].revision, second);
  EXPECT_EQ(changes[1].revision, third);
  put("c");
  EXPECT_EQ(cached().size(), 3u) << "and follows again";
}

TEST_F(HubTest, ReadsEverythingAnewWhenHistoryIsGone) {
  const Revision a = put("a");
  const Revision b = put("b");
  const Revision kept = put("kept");
  store_.cut();
  const Revision changed = put("a", a);
  const Revision gone = remove("b", b);
  const Revision added = put("c");
  ASSERT_TRUE(async::run_blocking(loops_.at(0), store_.compact(added)));
  store_.tell();
  wait_for(added);
  EXPECT_THAT(cached(), ElementsAre(fmt::format("a@{}", changed), fmt::format("c@{}", added),
                                    fmt::format("kept@{}", kept)));
  std::vector<Change> changes;
  EXPECT_FALSE(cache().changes_after(gone - 1, 10, changes)) << "watchers begin again";
  EXPECT_TRUE(cache().changes_after(added, 10, changes));
  EXPECT_THAT(changes, IsEmpty());
  const Revision next = put("d");
  ASSERT_TRUE(cache().changes_after(added, 10, changes));
  EXPECT_EQ(changes.back().revision, next);
}

// Notes what it is told, as "+name", "~name" or "-name", and the end of each step as "=revision".
struct Notes final : HubListener {
  explicit Notes(const Hub& of) : hub(of) {}
  void on_change(ResourceCache& cache, const Change& change) override {
    EXPECT_EQ(cache.get(change.object->key()), change.deleted ? nullptr : change.object)
        << "the cache has it already";
    if (!begun) return;
    EXPECT_LT(hub.revision(), change.revision) << "and the revision is not shown before";
    told.push_back(fmt::format("{}{}", change.deleted ? "-" : (change.previous ? "~" : "+"),
                               change.object->name()));
  }
  void on_told(Revision revision) override {
    if (!begun) return;
    EXPECT_LT(hub.revision(), revision) << "whoever sees the revision finds what was told";
    told.push_back(fmt::format("={}", revision));
  }
  const Hub& hub;
  bool begun = false;  // what was there has been told
  std::vector<std::string> told;
};

TEST_F(HubTest, TellsListenersOfChangesInTheOrderOfTheStore) {
  Notes notes(hub_);
  hub_.listen(notes, {std::string(kThings)});
  notes.begun = true;
  const Revision a = put("a");
  const Revision again = put("a", a);
  const Revision b = put("b");
  const Revision gone = remove("a", again);
  hub_.ignore(notes);
  put("c");
  EXPECT_THAT(notes.told, ElementsAre("+a", fmt::format("={}", a), "~a", fmt::format("={}", again),
                                      "+b", fmt::format("={}", b), "-a", fmt::format("={}", gone)));
}

TEST_F(HubTest, TellsListenersFirstOfWhatIsThere) {
  struct Names final : HubListener {
    void on_change(ResourceCache&, const Change& change) override {
      told.emplace_back(change.object->name());
    }
    void on_told(Revision revision) override { told.push_back(fmt::format("={}", revision)); }
    std::vector<std::string> told;
  } names;
  put("a");
  const Revision b = put("b");
  hub_.listen(names, {});
  hub_.ignore(names);
  EXPECT_THAT(names.told, ElementsAre("a", "b", fmt::format("={}", b)));
}

TEST_F(HubTest, TellsListenersOfTheirResourcesAlone) {
  Notes others(hub_);
  Notes things(hub_);
  Notes all(hub_);
  // The caches of both are made later.
  hub_.listen(others, {"/registry/a.example/others/"});
  hub_.listen(things, {std::string(kThings)});
  hub_.listen(all, {});
  for (Notes* one : {&others, &things, &all}) one->begun = true;
  const Revision a = put("a");
  for (Notes* one : {&others, &things, &all}) hub_.ignore(*one);
  EXPECT_THAT(others.told, IsEmpty());
  EXPECT_THAT(things.told, ElementsAre("+a", fmt::format("={}", a)));
  EXPECT_THAT(all.told, ElementsAre("+a", fmt::format("={}", a)));
}

TEST_F(HubTest, TellsListenersWhatALostStreamMissedInOneStep) {
  const Revision a = put("a");
  const Revision b = put("b");
  const Revision replaced = put("replaced");
  Notes notes(hub_);
  hub_.listen(notes, {});
  notes.begun = true;
  store_.cut();
  put("a", a);
  remove("b", b);
  remove("replaced", replaced);
  put("replaced");
  const Revision last = put("c");
  ASSERT_TRUE(async::run_blocking(loops_.at(0), store_.compact(last)));
  store_.tell();
  wait_for(last);
  hub_.ignore(notes);
  EXPECT_THAT(notes.told,
              ElementsAre("~a", "-replaced", "+replaced", "-b", "+c", fmt::format("={}", last)))
      << "when b went is not known: not after the present";
}

TEST_F(HubTest, HasNoCallUnderWayWhenAListenerIsIgnored) {
  struct Slow final : HubListener {
    void on_change(ResourceCache&, const Change&) override {
      entered = true;
      entered.notify_all();
      leave.wait(false);
    }
    void on_told(Revision) override { ended = true; }
    std::atomic<bool> entered = false;
    std::atomic<bool> leave = false;
    std::atomic<bool> ended = false;
  } slow;
  hub_.listen(slow, {});
  slow.ended = false;
  std::thread writer([&] { put("a"); });
  slow.entered.wait(false);
  std::atomic<bool> about_to = false;
  std::thread ignoring([&] {
    about_to = true;
    about_to.notify_all();
    hub_.ignore(slow);
    EXPECT_TRUE(slow.ended);
  });
  about_to.wait(false);
  // Time for a removal that would not wait.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  slow.leave = true;
  slow.leave.notify_all();
  ignoring.join();
  writer.join();
}

TEST_F(HubTest, WakesWhoWaitsForARevision) {
  const Revision next = put("a") + 1;
  std::future<Result<bool>> waited = std::async(std::launch::async, [&] {
    return async::run_blocking(loops_.at(0), hub_.wait_for(next, Deadline::never()));
  });
  EXPECT_EQ(put("b"), next);
  EXPECT_TRUE(waited.get().value());
}

TEST_F(HubTest, LetsNobodyWaitForARevisionOnceStopped) {
  std::future<Result<bool>> waited = std::async(std::launch::async, [&] {
    return async::run_blocking(loops_.at(0), hub_.wait_for(1'000'000, Deadline::never()));
  });
  EXPECT_TRUE(async::run_blocking(loops_.at(0), hub_.stop()));
  EXPECT_FALSE(waited.get().value());
}

TEST_F(HubTest, TriesAgainUntilTheStoreIsBackAndIsUnhealthyMeanwhile) {
  put("a");
  store_.cut();
  store_.refused = 1'000'000;
  const Revision missed = put("b");
  store_.tell();
  const int before = store_.attempts;
  while (store_.attempts < before + 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(hub_.health());
  store_.refused = 0;
  wait_for(missed);
  for (int i = 0; i < 10'000 && !hub_.health(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(hub_.health());
}

TEST_F(HubTest, StopsWhileTheStoreIsAway) {
  store_.cut();
  store_.refused = 1'000'000;
  store_.tell();
}

}  // namespace
}  // namespace strake::api

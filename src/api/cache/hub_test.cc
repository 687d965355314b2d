#include "api/cache/hub.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "async/run.h"
#include "store/memory_store.h"

namespace strake::api {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kThings = "/registry/a.example/things/";

// A store whose stream can be cut, as that of a remote one.
class RemoteStore final : public store::Store {
 public:
  async::Task<store::Page> range(store::Range range) override {
    return inner_.range(std::move(range));
  }
  async::Task<store::Written> write(store::Write write) override {
    return inner_.write(std::move(write));
  }
  async::Task<std::unique_ptr<store::Subscription>> subscribe(std::string prefix, Revision after,
                                                              store::Observer& observer) override {
    ++attempts;
    if (refused > 0) {
      --refused;
      return refuse();
    }
    observer_ = &observer;
    return inner_.subscribe(std::move(prefix), after, *this_wire());
  }
  async::Task<> compact(Revision revision) override { return inner_.compact(revision); }
  Revision revision() const override { return inner_.revision(); }
  Revision compacted_revision() const override { return inner_.compacted_revision(); }
  Result<> health() const override { return {}; }
  async::Task<> close() override { return inner_.close(); }

  // Events are lost from now on; the observer is told when `tell` is called.
  void cut() { wire_.connected = false; }
  void tell() { observer_->on_lost(Error(Code::kServiceUnavailable, "the connection was reset")); }

  std::atomic<int> refused = 0;  // so many subscriptions fail
  std::atomic<int> attempts = 0;

 private:
  struct Wire final : store::Observer {
    RemoteStore* store = nullptr;
    std::atomic<bool> connected = true;
    void on_events(std::span<const store::Event> events) override {
      if (connected) store->observer_->on_events(events);
    }
    void on_lost(const Error&) override {}
  };
  Wire* this_wire() {
    wire_.store = this;
    wire_.connected = true;
    return &wire_;
  }
  static async::Task<std::unique_ptr<store::Subscription>> refuse() {
    co_return fail(Code::kServiceUnavailable, "connection refused");
  }

  store::MemoryStore inner_;
  Wire wire_;
  store::Observer* observer_ = nullptr;
};

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

TEST_F(HubTest, TellsWhoCollectsGarbageOfDeletionsThatItMissed) {
  struct Listener final : OwnershipListener {
    std::vector<std::string> gone;
    void on_change(ResourceCache&, const std::string&, const ObjectPtr& object) override {
      if (object) gone.emplace_back(object->name());
    }
  } listener;
  hub_.tell(&listener);
  const Revision a = put("a");
  store_.cut();
  const Revision removed = remove("a", a);
  ASSERT_TRUE(async::run_blocking(loops_.at(0), store_.compact(removed)));
  store_.tell();
  wait_for(removed);
  hub_.tell(nullptr);
  EXPECT_THAT(listener.gone, ElementsAre("a"));
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

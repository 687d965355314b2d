// The loop of the server's own work: sees what is there, follows changes, tries again, and sets
// aside what fails without losing the rest.
#include "api/controllers/controller.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "api/cache/test_remote_store.h"
#include "api/test_server.h"
#include "async/run.h"
#include "base/log.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kPrefix = "/registry/configmaps/";

// Notes what it is told of ConfigMaps.
class Notes final : public Controller {
 public:
  Notes(Core& core, InformerBase& informer, const async::Executor& executor)
      : Controller(core, informer, executor) {}

  // Waits until all of these have been noted.
  bool saw(const std::vector<std::string>& wanted) {
    std::unique_lock lock(mu_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] {
      for (const std::string& one : wanted) {
        if (!seen_.contains(one)) return false;
      }
      return true;
    });
  }
  std::size_t times(const std::string& what) {
    const std::lock_guard lock(mu_);
    return seen_.count(what);
  }
  void note(std::string what) {
    const std::lock_guard lock(mu_);
    seen_.insert(std::move(what));
    changed_.notify_all();
  }

 private:
  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string key,
                                                         ObjectPtr object) override {
    const std::string name = key.substr(key.rfind('/') + 1);
    note(fmt::format("{}{}", object ? "+" : "-", name));
    if (name.starts_with("bad")) throw std::runtime_error("cannot be handled");
    const bool again = name == "again" && times("+again") < 3;
    co_return std::chrono::milliseconds(again ? 1 : 0);
  }
  boost::asio::awaitable<void> report_failure(std::string key, std::string why) override {
    note(fmt::format("!{} {}", key.substr(key.rfind('/') + 1), why));
    co_return;
  }

  std::mutex mu_;
  std::condition_variable changed_;
  std::multiset<std::string> seen_;  // guarded by mu_
};

class Controllers : public ::testing::Test {
 protected:
  void SetUp() override { log::configure({.level = log::Level::kOff}); }
  void TearDown() override {
    if (notes) {
      notes->stop();
      ended.get();
    }
    log::configure({});
  }
  void start() {
    const async::Executor executor = server.core().hub.loops().at(0);
    notes = std::make_unique<Notes>(server.core(), maps, executor);
    ended = boost::asio::co_spawn(executor, notes->run(), boost::asio::use_future);
  }
  void add(std::string_view name) { server.create(kMaps, config_map_json(name)); }
  RemoteStore store;
  TestServer server{{.store = &store}};
  struct Nothing {};
  Informer<Nothing> maps{server.core().hub,
                         {.prefixes = {std::string(kPrefix)},
                          .read = [](const Object&) -> Result<Nothing> { return Nothing(); }}};
  std::unique_ptr<Notes> notes;
  std::future<void> ended;
};

TEST_F(Controllers, SeeWhatIsThereAndWhatChanges) {
  add("before");
  start();
  EXPECT_TRUE(notes->saw({"+before"}));
  add("after");
  EXPECT_TRUE(notes->saw({"+after"}));
  expect_ok(server.remove(fmt::format("{}/before", kMaps)));
  EXPECT_TRUE(notes->saw({"-before"}));
}

TEST_F(Controllers, AreCaughtUpWhenAllIsHandled) {
  start();
  ASSERT_TRUE(notes->health());
  for (int i = 0; i < 20; ++i) add(fmt::format("m{}", i));
  const Result<bool> caught_up =
      async::run_blocking(server.core().hub.loops().at(1),
                          notes->wait_until_caught_up(Deadline::after(std::chrono::seconds(20))));
  EXPECT_TRUE(caught_up.value());
  EXPECT_TRUE(notes->has_begun());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(notes->times(fmt::format("+m{}", i)), 1u);
}

TEST_F(Controllers, AreToldOfDeletionsThatALostStreamMissed) {
  const Answered map = server.create(kMaps, config_map_json("a"));
  start();
  ASSERT_TRUE(notes->saw({"+a"}));
  store.cut();
  const async::Executor loop = server.core().hub.loops().at(1);
  const store::Written removed =
      async::run_blocking(loop, store.write({.key = std::string(kPrefix) + "default/a",
                                             .value = nullptr,
                                             .expected = std::stoll(map.version())}))
          .value();
  ASSERT_TRUE(removed.applied);
  ASSERT_TRUE(async::run_blocking(loop, store.compact(removed.revision)));
  store.tell();
  EXPECT_TRUE(notes->saw({"-a"}));
}

TEST_F(Controllers, LookAgainWhenTheyAreAskedTo) {
  start();
  add("again");
  for (int attempt = 0; attempt < 2'000 && notes->times("+again") < 3; ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(notes->times("+again"), 3u);
}

TEST_F(Controllers, SetAsideWhatFailsAndGoOn) {
  add("bad");
  start();
  add("good");
  EXPECT_TRUE(notes->saw({"+good", "!bad cannot be handled"}));
  EXPECT_TRUE(notes->health());
  // It is tried again by itself, and at once when it changes.
  expect_ok(server.merge(fmt::format("{}/bad", kMaps), R"({"data":{"k":"v"}})"));
  for (int attempt = 0; attempt < 2'000 && notes->times("+bad") < 3; ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GE(notes->times("+bad"), 3u);
}

TEST_F(Controllers, EndWhenTheyAreStopped) {
  start();
  EXPECT_TRUE(notes->saw({}));
  notes->stop();
  EXPECT_EQ(ended.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  ended.get();
  notes.reset();
  add("later");
}

TEST(InternalCalls, AreMadeByTheServerItself) {
  TestServer server;
  server.create(kMaps, config_map_json("a"));
  Core& core = server.core();
  const EndpointPtr maps = core.registry.find("", "configmaps");
  const Call named = internal_call(core, maps, "default", "a");
  EXPECT_EQ(named.user->name, "system:apiserver");
  EXPECT_TRUE(named.user->in_group("system:masters"));
  EXPECT_EQ(named.info.namespace_name, "default");
  EXPECT_EQ(named.info.name, "a");
  EXPECT_EQ(named.now_text(), "2024-01-01T00:00:00Z");
  const ObjectPtr object = maps->cache().get("/registry/configmaps/default/a");
  const Call about = internal_call(core, maps, *object);
  EXPECT_EQ(about.info.name, "a");
  EXPECT_EQ(about.info.namespace_name, "default");
  EXPECT_EQ(about.version->name, "v1");
}

}  // namespace
}  // namespace strake::api::testing

// Changes from before a server began, read from the store.
#include "api/cache/history.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/test_server.h"
#include "async/run.h"

namespace strake::api::testing {
namespace {

TEST(HistoryOfAWatch, EndsWhereTheCacheBegins) {
  store::MemoryStore store;
  Revision before = 0;
  {
    TestServer first({.store = &store});
    before = first.core().hub.revision();
    for (const std::string_view name : {"a", "b", "c"})
      first.create("/api/v1/namespaces/default/configmaps", config_map_json(name));
    expect_ok(first.remove("/api/v1/namespaces/default/configmaps/b"));
  }
  TestServer second({.store = &store});
  Core& core = second.core();
  const ResourceCache& cache = core.hub.cache("/registry/configmaps/");
  const auto read =
      async::run_blocking(core.hub.loops().at(0), read_history(core.hub, cache, before));
  ASSERT_TRUE(read) << read.error().to_string();
  std::string told;
  for (const Change& change : read->changes)
    told += fmt::format("{}{} ", change.deleted ? "-" : "+", change.object->name());
  EXPECT_EQ(told, "+a +b +c -b ");
  EXPECT_EQ(read->until, cache.remembers_from());
  EXPECT_EQ(read->read_to, read->until);
  EXPECT_GT(read->bytes, 0u);
  // From where the cache remembers there is nothing to read.
  const auto none =
      async::run_blocking(core.hub.loops().at(0), read_history(core.hub, cache, read->until));
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->changes.empty());
}

TEST(HistoryOfAWatch, IsReadInParts) {
  store::MemoryStore store;
  Revision before = 0;
  {
    TestServer first({.store = &store});
    before = first.core().hub.revision();
    const std::string data = fmt::format(R"({{"k":"{}"}})", std::string(300'000, 'x'));
    for (int i = 0; i < 10; ++i)
      first.create("/api/v1/namespaces/default/configmaps",
                   config_map_json(fmt::format("m{}", i), data));
  }
  TestServer second({.store = &store});
  Core& core = second.core();
  const ResourceCache& cache = core.hub.cache("/registry/configmaps/");
  std::size_t changes = 0;
  std::size_t parts = 0;
  for (Revision at = before; at < cache.remembers_from(); ++parts) {
    const auto read =
        async::run_blocking(core.hub.loops().at(0), read_history(core.hub, cache, at));
    ASSERT_TRUE(read);
    ASSERT_GT(read->read_to, at);
    EXPECT_LT(read->bytes, 2'000'000u);
    changes += read->changes.size();
    at = read->read_to;
  }
  EXPECT_EQ(changes, 10u);
  EXPECT_GT(parts, 1u);
}

TEST(HistoryOfAWatch, IsGoneWhenTheStoreForgot) {
  store::MemoryStore store;
  TestServer server({.store = &store});
  server.create("/api/v1/namespaces/default/configmaps", config_map_json("a"));
  server.compact(fmt::format("{}", server.core().hub.revision()));
  Core& core = server.core();
  const auto read = async::run_blocking(
      core.hub.loops().at(0), read_history(core.hub, core.hub.cache("/registry/configmaps/"), 1));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), Code::kExpired);
}

}  // namespace
}  // namespace strake::api::testing

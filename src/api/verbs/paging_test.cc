// Lists in pages: a page costs what it shows, and the pages of a list are the list, whatever is
// written meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <random>
#include <thread>

#include "api/cache/ordered_objects.h"
#include "api/test_server.h"
#include "async/run.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kPrefix = "/registry/configmaps/";

ObjectPtr object(const std::string& key, Revision revision) {
  return Object::from_stored(key, R"({"apiVersion":"v1","metadata":{"name":"n"}})", revision,
                             revision)
      .value();
}

std::vector<std::string> keys_of(const OrderedObjects::Taken& taken) {
  std::vector<std::string> out;
  taken.for_each([&](const ObjectPtr& one) {
    out.push_back(fmt::format("{}@{}", one->key(), one->revision()));
    return true;
  });
  return out;
}

TEST(OrderedObjects, AgreeWithAMapWhateverIsDone) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  OrderedObjects objects(kPrefix.size());
  std::map<std::string, ObjectPtr> model;
  const auto any_key = [&] {
    return fmt::format("{}ns{}/o{}", kPrefix, random() % 7, random() % 400);
  };
  struct Kept {
    OrderedObjects::Taken taken;
    std::vector<std::string> keys;
  };
  std::vector<Kept> kept;  // must stay as they were
  for (Revision step = 1; step < 12'000; ++step) {
    const std::string key = any_key();
    if (random() % 3 == 0 && !(step < 4'000)) {
      objects.erase(key);
      model.erase(key);
    } else {
      const ObjectPtr made = object(key, step);
      objects.put(made);
      model.insert_or_assign(key, made);
    }
    if (step % 50 != 0) continue;
    ASSERT_EQ(objects.size(), model.size());
    const std::string prefix =
        random() % 2 ? std::string(kPrefix) : fmt::format("{}ns{}/", kPrefix, random() % 8);
    const std::string start = random() % 2 ? "" : any_key();
    const std::size_t limit = random() % 2 ? ~std::size_t{0} : random() % 300;
    std::vector<std::string> want;
    std::size_t behind = 0;
    for (auto at = model.lower_bound(std::max(prefix, start)); at != model.end(); ++at) {
      if (!at->first.starts_with(prefix)) break;
      if (want.size() == limit) {
        ++behind;
      } else {
        want.push_back(fmt::format("{}@{}", at->first, at->second->revision()));
      }
    }
    OrderedObjects::Taken taken = objects.take(prefix, start, limit);
    ASSERT_EQ(keys_of(taken), want);
    ASSERT_EQ(taken.behind(), behind);
    const ObjectPtr* first = objects.at_or_after(key);
    const auto model_first = model.lower_bound(key);
    ASSERT_EQ(first == nullptr, model_first == model.end());
    if (first != nullptr) ASSERT_EQ((*first)->key(), model_first->first);
    if (!want.empty()) {
      const std::size_t from = random() % want.size();
      const std::vector<ObjectPtr> slice = taken.slice(from, 5);
      ASSERT_EQ(slice.size(), std::min<std::size_t>(5, want.size() - from));
      ASSERT_EQ(fmt::format("{}@{}", slice[0]->key(), slice[0]->revision()), want[from]);
    }
    if (step % 500 == 0) kept.push_back({std::move(taken), want});
  }
  for (const Kept& one : kept) EXPECT_EQ(keys_of(one.taken), one.keys);
}

class Pages : public ::testing::Test {
 protected:
  void fill(std::size_t count, std::size_t namespaces) {
    for (std::size_t i = 0; i < namespaces; ++i) {
      server.post(
          "/api/v1/namespaces",
          fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"ns{}"}}}})",
                      i));
    }
    // Straight into the store: this is about reading.
    for (std::size_t i = 0; i < count; ++i)
      write(i % namespaces, fmt::format("o{:05}", i / namespaces));
  }
  void write(std::size_t namespace_number, const std::string& name, bool remove = false,
             std::string_view data = "x") {
    const std::string key = fmt::format("{}ns{}/{}", kPrefix, namespace_number, name);
    const ObjectPtr present = cache().get(key);
    if (remove && !present) return;
    auto text = std::make_shared<const std::string>(fmt::format(
        R"({{"apiVersion":"v1","data":{{"d":"{}"}},"kind":"ConfigMap","metadata":{{"labels":{{"parity":"{}"}},"name":"{}","namespace":"ns{}","uid":"u"}}}})",
        data, name.back() % 2, name, namespace_number));
    const auto written = async::run_blocking(
        server.core().hub.loops().next(),
        server.core().hub.store().write({.key = key,
                                         .value = remove ? nullptr : text,
                                         .expected = present ? present->revision() : 0}));
    ASSERT_TRUE(written && written->applied);
  }
  ResourceCache& cache() { return server.core().hub.cache(kPrefix); }

  struct Walk {
    std::vector<std::string> items;  // namespace/name@resourceVersion
    std::string revision;
    std::vector<std::int64_t> remaining;
  };
  static void note(const Answered& answered, Walk& walk) {
    for (const value::Value& item : answered.json().find("items")->items()) {
      const value::Value& metadata = *item.find("metadata");
      walk.items.push_back(fmt::format("{}/{}@{}", metadata.find("namespace")->as_string(),
                                       metadata.find("name")->as_string(),
                                       metadata.find("resourceVersion")->as_string()));
    }
  }
  // All pages of a list. `between` runs after each of them.
  Walk walk(const std::string& base, std::size_t limit, const std::function<void()>& between = {}) {
    Walk out;
    std::string token;
    do {
      const Answered page = server.get(
          fmt::format("{}limit={}{}{}", base, limit, token.empty() ? "" : "&continue=", token));
      EXPECT_EQ(page.code, 200) << page.body;
      if (page.code != 200) return out;
      const value::Value& meta = *page.json().find("metadata");
      const std::string revision(meta.find("resourceVersion")->as_string());
      if (out.revision.empty()) out.revision = revision;
      EXPECT_EQ(revision, out.revision);
      note(page, out);
      const value::Value* left = meta.find("remainingItemCount");
      out.remaining.push_back(left != nullptr ? left->as_int() : -1);
      const value::Value* next = meta.find("continue");
      token = next != nullptr ? std::string(next->as_string()) : "";
      if (between) between();
    } while (!token.empty());
    return out;
  }

  TestServer server;
};

TEST_F(Pages, CostWhatTheyShow) {
  fill(5'000, 5);
  const std::uint64_t before = cache().objects_read();
  const Answered one = server.get("/api/v1/configmaps?limit=1");
  ASSERT_EQ(one.code, 200);
  EXPECT_EQ(cache().objects_read() - before, 1u);
  // kube-root-ca.crt is not made without a certificate.
  EXPECT_EQ(one.at("metadata.remainingItemCount"), "4999");

  const std::uint64_t all = cache().objects_read();
  const Walk walked = walk("/api/v1/configmaps?", 500);
  EXPECT_EQ(walked.items.size(), 5'000u);
  EXPECT_EQ(cache().objects_read() - all, 5'000u);
  EXPECT_EQ(walked.remaining.front(), 4'500);
  EXPECT_EQ(walked.remaining.back(), -1);
}

TEST_F(Pages, OfADeletedCollectionAreWhatAListOfTheSameSelectorShows) {
  fill(3'000, 3);
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  const auto shown = [](const Answered& answered) {
    Walk walk;
    note(answered, walk);
    return walk.items;
  };
  for (int round = 0; round < 12; ++round) {
    const std::string base = fmt::format("/api/v1/namespaces/ns{}/configmaps", random() % 3);
    const auto name = [&] { return fmt::format("o{:05}", random() % 1'100); };
    const std::string selectors[] = {
        "labelSelector=parity%3D1",
        "labelSelector=parity%20notin%20(1)",
        fmt::format("fieldSelector=metadata.name%3D{}", name()),
        fmt::format("fieldSelector=metadata.name%3D{}&labelSelector=parity%3D0", name()),
        fmt::format("fieldSelector=metadata.name!%3D{}&labelSelector=parity%3D0", name()),
        "fieldSelector=metadata.namespace%3Dns1",
        "labelSelector=nothing",
        "",
    };
    // Those that leave something for the next round come more often.
    const std::string& selector = selectors[round < 9 ? random() % 4 : random() % 8];
    const std::vector<std::string> everything = shown(server.get(base));
    const std::vector<std::string> wanted = shown(server.get(base + "?" + selector));
    const Answered dry = server.ask("DELETE", base + "?dryRun=All&" + selector);
    ASSERT_EQ(dry.code, 200) << dry.body;
    EXPECT_EQ(shown(dry), wanted) << selector;
    EXPECT_EQ(shown(server.get(base)), everything) << "a dry run leaves all there";
    const Answered deleted = server.ask("DELETE", base + "?" + selector);
    ASSERT_EQ(deleted.code, 200) << deleted.body;
    EXPECT_EQ(shown(deleted), wanted) << selector;
    std::vector<std::string> left;
    std::ranges::set_difference(everything, wanted, std::back_inserter(left));
    EXPECT_EQ(shown(server.get(base)), left) << selector;
  }
}

// One object of a large collection is found by its name, not by a look at all of them; and nothing
// of a selection is copied where requests are handled.
TEST_F(Pages, OfADeletedCollectionCostWhatTheyShow) {
  fill(5'000, 5);
  const std::uint64_t before = cache().objects_read();
  const Answered one = server.ask(
      "DELETE", "/api/v1/namespaces/ns1/configmaps?fieldSelector=metadata.name%3Do00007");
  ASSERT_EQ(one.code, 200) << one.body;
  EXPECT_EQ(one.json().find("items")->size(), 1u);
  EXPECT_LE(cache().objects_read() - before, 10u);
}

TEST_F(Pages, AreFoundByNameAndNamespace) {
  fill(5'000, 5);
  const auto cost = [&](const std::string& target, std::size_t items) {
    const std::uint64_t before = cache().objects_read();
    const Answered got = server.get(target);
    EXPECT_EQ(got.code, 200) << got.body;
    EXPECT_EQ(got.json().find("items")->size(), items) << target;
    return cache().objects_read() - before;
  };
  EXPECT_LE(cost("/api/v1/namespaces/ns1/configmaps?fieldSelector=metadata.name%3Do00007", 1), 1u);
  EXPECT_LE(cost("/api/v1/configmaps?fieldSelector=metadata.name%3Do00007", 5), 10u);
  EXPECT_LE(cost("/api/v1/configmaps?fieldSelector=metadata.name%3Do00007&limit=2", 2), 8u);
  EXPECT_LE(cost("/api/v1/configmaps?fieldSelector=metadata.namespace%3Dns3", 1'000), 1'000u);
  EXPECT_LE(
      cost("/api/v1/configmaps?fieldSelector=metadata.namespace%3Dns3,metadata.name%3Do00001", 1),
      1u);
  EXPECT_LE(cost("/api/v1/configmaps?fieldSelector=metadata.namespace%3Dnone", 0), 0u);
}

TEST_F(Pages, AreTheListAsItStoodWhileItChanges) {
  fill(600, 3);
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(seed);
  const auto disturb = [&] {
    for (int i = 0; i < 5; ++i) {
      write(random() % 3, fmt::format("o{:05}", random() % 260), random() % 3 == 0,
            fmt::format("{}", random()));
    }
  };
  for (const std::string& base :
       {std::string("/api/v1/configmaps?"), std::string("/api/v1/namespaces/ns1/configmaps?"),
        std::string("/api/v1/configmaps?labelSelector=parity%3D1&"),
        std::string("/api/v1/configmaps?fieldSelector=metadata.namespace%3Dns2&"),
        std::string("/api/v1/configmaps?fieldSelector=metadata.name%3Do00003&")}) {
    for (const std::size_t limit : {1u, 7u, 64u, 1000u}) {
      if (limit == 1 && !base.contains("name%3Do")) continue;
      Walk whole;
      std::size_t pages = 0;
      const Walk paged = walk(base, limit, [&] {
        if (pages++ == 0) {
          // Before anything changes: the list that the pages must add up to.
          note(server.get(base.substr(0, base.size() - 1)), whole);
        }
        disturb();
      });
      EXPECT_EQ(paged.items, whole.items) << base << limit;
      if (base.ends_with("configmaps?")) {
        std::int64_t left = static_cast<std::int64_t>(whole.items.size());
        for (std::size_t i = 0; i + 1 < paged.remaining.size(); ++i) {
          left -= static_cast<std::int64_t>(limit);
          EXPECT_EQ(paged.remaining[i], left) << base << limit << " page " << i;
        }
      }
      // The same by its revision, now that it is history.
      Walk exact;
      note(server.get(fmt::format("{}resourceVersion={}&resourceVersionMatch=Exact", base,
                                  paged.revision)),
           exact);
      EXPECT_EQ(exact.items, whole.items) << base << limit;
    }
  }
}

TEST_F(Pages, AddUpWhileOthersWrite) {
  fill(900, 3);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    std::mt19937 random(7);
    while (!stop) write(random() % 3, fmt::format("o{:05}", random() % 400), random() % 4 == 0);
  });
  for (int round = 0; round < 5; ++round) {
    const Walk paged = walk("/api/v1/configmaps?", 50);
    Walk exact;
    note(server.get(fmt::format("/api/v1/configmaps?resourceVersion={}&resourceVersionMatch=Exact",
                                paged.revision)),
         exact);
    EXPECT_EQ(paged.items, exact.items);
  }
  stop = true;
  writer.join();
}

TEST_F(Pages, OfALongListAreMadeAwayFromTheLoopAndAreWhole) {
  fill(3'000, 3);
  const Answered all = server.get("/api/v1/configmaps");
  EXPECT_EQ(all.json().find("items")->size(), 3'000u);
  const Answered odd = server.get("/api/v1/configmaps?labelSelector=parity%3D1");
  EXPECT_EQ(odd.json().find("items")->size(), 1'500u);
  const Answered table =
      server.ask("GET", "/api/v1/configmaps", "", "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(table.json().find("rows")->size(), 3'000u);
  const Answered watched = server.get("/api/v1/configmaps?watch=true&timeoutSeconds=1");
  std::size_t events = 0;
  for (std::size_t at = 0; (at = watched.body.find("\"type\":\"ADDED\"", at)) != std::string::npos;
       ++at)
    ++events;
  EXPECT_EQ(events, 3'000u);
}

}  // namespace
}  // namespace strake::api::testing

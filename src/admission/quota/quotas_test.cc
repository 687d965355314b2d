#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "admission/quota/count_names.h"
#include "admission/quota/test_quotas.h"

namespace strake::admission {
namespace {

using api::testing::Answered;
using api::testing::config_map_json;
using api::testing::expect_ok;
using api::testing::expect_status;
using api::testing::TestServer;
using api::testing::widget_json;
using api::testing::widgets_crd;
using testing::QuotaServer;

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

TEST(CountNames, AreThoseOfTheResourceAndOlderOnes) {
  EXPECT_EQ(count_names_of({"example.com", "widgets"}),
            std::vector<std::string>{"count/widgets.example.com"});
  EXPECT_EQ(count_names_of({"", "secrets"}),
            (std::vector<std::string>{"count/secrets", "secrets"}));
  EXPECT_EQ(count_names_of({"x.io", "secrets"}), std::vector<std::string>{"count/secrets.x.io"});
  EXPECT_EQ(counted_resource("count/widgets.example.com"),
            (meta::GroupResource{"example.com", "widgets"}));
  EXPECT_EQ(counted_resource("count/pods"), (meta::GroupResource{"", "pods"}));
  EXPECT_EQ(counted_resource("services"), (meta::GroupResource{"", "services"}));
  EXPECT_FALSE(counted_resource("requests.cpu"));
  EXPECT_FALSE(is_counted({"events.k8s.io", "events"}));
}

TEST(Quotas, RefuseWhatIsOneTooMany) {
  QuotaServer on;
  on.make_namespace("ns");
  on.limit("ns", "q", R"({"count/configmaps":"2"})");
  expect_ok(on.add("ns", "a"), 201);
  expect_status(on.add("ns", "b"), 403, "Forbidden",
                R"(configmaps "b" is forbidden: exceeded quota: q, requested: count/configmaps=1, )"
                "used: count/configmaps=2, limited: count/configmaps=2");
  EXPECT_EQ(on.used("ns", "q", R"({"count/configmaps":"2"})"), R"({"count/configmaps":"2"})");
  on.remove("ns", "a");
  // At once, whether or not the status tells it already.
  expect_ok(on.add("ns", "b"), 201);
  expect_ok(on.server.merge(QuotaServer::path("ns", "configmaps", "b"), R"({"data":{"a":"b"}})"));
  expect_ok(on.add("default", "b"), 201);
}

TEST(Quotas, CountCustomResourcesAndOlderNames) {
  QuotaServer on;
  on.server.create(kCrds, widgets_crd());
  on.make_namespace("ns");
  on.limit("ns", "q",
           R"({"count/widgets.example.com":"1","secrets":"1","count/secrets":"0","services":"1",)"
           R"("requests.cpu":"1","count/nothings.example.com":"3"})");
  const std::string widgets = "/apis/example.com/v1/namespaces/ns/widgets";
  on.server.wait_for(200, widgets);
  expect_ok(on.server.post(widgets, widget_json("a")), 201);
  expect_status(on.server.post(widgets, widget_json("b")), 403, "Forbidden",
                R"(widgets.example.com "b" is forbidden: exceeded quota: q, requested: )"
                "count/widgets.example.com=1, used: count/widgets.example.com=1, limited: "
                "count/widgets.example.com=1");
  // Both names fit, or nothing does.
  expect_status(on.server.post(QuotaServer::path("ns", "secrets"), R"({"metadata":{"name":"s"}})"),
                403, "Forbidden",
                R"(secrets "s" is forbidden: exceeded quota: q, requested: count/secrets=1, used: )"
                "count/secrets=0, limited: count/secrets=0");
  const std::string used =
      R"({"count/nothings.example.com":"0","count/secrets":"0","count/widgets.example.com":"1",)"
      R"("requests.cpu":"0","secrets":"0","services":"0"})";
  EXPECT_EQ(on.used("ns", "q", used), used);
}

TEST(Quotas, MustAllFit) {
  QuotaServer on;
  on.make_namespace("ns");
  on.limit("ns", "a", R"({"configmaps":"9"})");
  on.limit("ns", "b", R"({"count/configmaps":"2"})");
  on.limit("ns", "c", R"({"pods":"0"})", R"(,"scopes":["Terminating"])");
  expect_ok(on.add("ns", "one"), 201);
  expect_status(on.add("ns", "two"), 403, "Forbidden",
                R"(configmaps "two" is forbidden: exceeded quota: b, requested: )"
                "count/configmaps=1, used: count/configmaps=2, limited: count/configmaps=2");
  EXPECT_EQ(on.used("ns", "a", R"({"configmaps":"2"})"), R"({"configmaps":"2"})");
  EXPECT_EQ(on.used("ns", "c", R"({"pods":"0"})"), R"({"pods":"0"})");
}

TEST(Quotas, WithAScopeLimitNoOtherObjects) {
  QuotaServer on;
  on.make_namespace("ns");
  on.limit("ns", "q", R"({"count/configmaps":"0"})", R"(,"scopes":["BestEffort"])");
  expect_ok(on.add("ns", "a"), 201);
  EXPECT_EQ(on.used("ns", "q", R"({"count/configmaps":"0"})"), R"({"count/configmaps":"0"})");
}

TEST(Quotas, FollowTheirOwnLimits) {
  QuotaServer on;
  on.make_namespace("ns");
  on.limit("ns", "q", R"({"count/configmaps":"1"})");
  EXPECT_EQ(on.add("ns", "a").code, 403);
  const std::string quota = QuotaServer::path("ns", "resourcequotas", "q");
  expect_ok(on.server.merge(quota, R"({"spec":{"hard":{"count/configmaps":"2"}}})"));
  expect_ok(on.add("ns", "a"), 201);
  expect_ok(on.server.merge(quota, R"({"spec":{"hard":{"count/configmaps":"0"}}})"));
  EXPECT_EQ(on.add("ns", "b").code, 403);
  for (int i = 0;
       i < 400 && on.server.get(quota).at("status.hard") != R"({"count/configmaps":"0"})"; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(on.server.get(quota).at("status"),
            R"({"hard":{"count/configmaps":"0"},"used":{"count/configmaps":"2"}})");
  expect_ok(on.server.remove(quota));
  expect_ok(on.add("ns", "b"), 201);
}

TEST(Quotas, ChargeNothingInADryRun) {
  QuotaServer on;
  on.make_namespace("ns");
  on.limit("ns", "q", R"({"count/configmaps":"2"})");
  const std::string dry = QuotaServer::path("ns", "configmaps") + "?dryRun=All";
  for (int i = 0; i < 3; ++i) expect_ok(on.server.post(dry, config_map_json("a")), 201);
  expect_ok(on.add("ns", "a"), 201);
  EXPECT_EQ(on.server.post(dry, config_map_json("b")).code, 403);
}

TEST(Quotas, GiveBackWhatIsNotStored) {
  QuotaServer on;
  on.make_namespace("ns");
  on.limit("ns", "q", R"({"count/configmaps":"3"})");
  expect_ok(on.add("ns", "a"), 201);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(on.add("ns", "a").code, 409);
  on.barrier.closed = true;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(on.add("ns", "b").code, 403);
  on.barrier.closed = false;
  EXPECT_EQ(on.used("ns", "q", R"({"count/configmaps":"2"})"), R"({"count/configmaps":"2"})");
  expect_ok(on.add("ns", "b"), 201);
  EXPECT_EQ(on.add("ns", "c").code, 403);
}

TEST(Quotas, PutAStatusRightThatSomebodyElseWrote) {
  QuotaServer on;
  on.make_namespace("ns");
  on.limit("ns", "q", R"({"count/configmaps":"2"})");
  const std::string status = QuotaServer::path("ns", "resourcequotas", "q/status");
  expect_ok(on.server.merge(status, R"({"status":{"used":{"count/configmaps":"0"}}})"));
  expect_ok(on.add("ns", "a"), 201);
  expect_ok(on.server.merge(status, R"({"status":{"used":{"count/configmaps":"0"}}})"));
  EXPECT_EQ(on.add("ns", "b").code, 403);
  expect_ok(on.server.merge(status, R"({"status":{"used":{"count/configmaps":"7"}}})"));
  EXPECT_EQ(on.used("ns", "q", R"({"count/configmaps":"2"})"), R"({"count/configmaps":"2"})");
}

TEST(Quotas, AreCountedAnewAfterARestart) {
  store::MemoryStore store;
  {
    QuotaServer on(&store);
    on.make_namespace("ns");
    on.limit("ns", "q", R"({"count/configmaps":"4"})");
    expect_ok(on.add("ns", "a"), 201);
    expect_ok(on.add("ns", "b"), 201);
    EXPECT_EQ(on.used("ns", "q", R"({"count/configmaps":"3"})"), R"({"count/configmaps":"3"})");
  }
  {
    // Without quotas in force.
    TestServer other({.store = &store});
    expect_ok(other.remove(QuotaServer::path("ns", "configmaps", "a")));
    expect_ok(other.remove(QuotaServer::path("ns", "configmaps", "b")));
  }
  QuotaServer on(&store);
  EXPECT_EQ(on.used("ns", "q", R"({"count/configmaps":"1"})"), R"({"count/configmaps":"1"})");
}

// Many at a time: no limit is passed, nobody is refused while there is room that nobody else asks
// for, and in the end the status says what there is.
TEST(Quotas, HoldHoweverManyAskAtATime) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 60;
  constexpr int kNamespaces = 3;
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  QuotaServer on;
  std::vector<int> limits;
  std::mt19937 random(seed);
  for (int i = 0; i < kNamespaces; ++i) {
    const std::string where = fmt::format("ns{}", i);
    on.make_namespace(where);
    limits.push_back(3 + static_cast<int>(random() % 10));
    on.limit(where, "first", fmt::format(R"({{"count/configmaps":"{}"}})", limits.back()));
    on.limit(where, "second", fmt::format(R"({{"configmaps":"{}"}})", limits.back() + i));
  }
  const auto there = [&](int where) {
    const Answered list =
        on.server.get(QuotaServer::path(fmt::format("ns{}", where), "configmaps"));
    return static_cast<int>(list.json().get("items").items().size());
  };
  std::atomic<int> too_many = 0;
  std::atomic<int> created = 0;
  std::atomic<int> odd = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::mt19937 mine(seed + static_cast<unsigned>(thread) + 1);
      std::vector<std::pair<int, std::string>> own;
      for (int round = 0; round < kRounds; ++round) {
        const int where = static_cast<int>(mine() % kNamespaces);
        const std::string in = fmt::format("ns{}", where);
        if (!own.empty() && mine() % 3 == 0) {
          const std::size_t which = mine() % own.size();
          on.server.remove(QuotaServer::path(fmt::format("ns{}", own[which].first), "configmaps",
                                             own[which].second));
          own.erase(own.begin() + static_cast<std::ptrdiff_t>(which));
        } else {
          // Some names are wanted by several.
          const std::string name = mine() % 4 == 0 ? fmt::format("shared-{}", mine() % 5)
                                                   : fmt::format("t{}-{}", thread, round);
          const int code = on.add(in, name).code;
          if (code == 201) {
            ++created;
            own.emplace_back(where, name);
          } else if (code != 403 && code != 409) {
            ++odd;
          }
        }
        if (there(where) > limits[static_cast<std::size_t>(where)]) ++too_many;
      }
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(too_many, 0);
  EXPECT_EQ(odd, 0);
  EXPECT_GT(created, kNamespaces);
  for (int i = 0; i < kNamespaces; ++i) {
    const std::string in = fmt::format("ns{}", i);
    const std::string first = fmt::format(R"({{"count/configmaps":"{}"}})", there(i));
    EXPECT_EQ(on.used(in, "first", first), first);
    const std::string second = fmt::format(R"({{"configmaps":"{}"}})", there(i));
    EXPECT_EQ(on.used(in, "second", second), second);
    // What is left can be had, to the last one.
    for (int more = there(i); more < limits[static_cast<std::size_t>(i)]; ++more)
      expect_ok(on.add(in, fmt::format("more-{}", more)), 201);
    EXPECT_EQ(on.add(in, "too-many").code, 403);
  }
}

// All at once for the last places: as many as there are places get one.
TEST(Quotas, GiveEveryPlaceToSomebody) {
  QuotaServer on;
  on.make_namespace("ns");
  on.limit("ns", "q", R"({"count/configmaps":"11"})");
  std::atomic<int> created = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 5; ++i)
        created += on.add("ns", fmt::format("c{}-{}", thread, i)).code == 201 ? 1 : 0;
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(created, 10);
}

}  // namespace
}  // namespace strake::admission

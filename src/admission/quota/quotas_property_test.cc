// Random pods, services and claims of several clients under random quotas: no limit is ever passed,
// and whenever all is quiet each status says what a plain count of the objects finds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "admission/quota/test_quotas.h"
#include "kinds/limits/quota_evaluator.h"
#include "value/fields.h"

namespace strake::admission {
namespace {

using api::testing::Answered;
using api::testing::expect_ok;
using testing::QuotaServer;
using value::Value;

constexpr int kClients = 4;
constexpr int kPhases = 5;
constexpr int kSteps = 60;
constexpr std::string_view kPatch = "application/strategic-merge-patch+json";
constexpr std::string_view kScopes[] = {
    "",
    R"(,"scopes":["Terminating"])",
    R"(,"scopes":["NotTerminating"])",
    R"(,"scopes":["BestEffort"])",
    R"(,"scopes":["NotBestEffort","NotTerminating"])",
    R"(,"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass","operator":"In","values":["high"]}]})",
    R"(,"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass","operator":"DoesNotExist"}]})",
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int end) { return static_cast<int>(engine_() % static_cast<unsigned>(end)); }
  bool one_in(int n) { return below(n) == 0; }
  std::string_view scopes() { return kScopes[below(std::size(kScopes))]; }

 private:
  std::mt19937 engine_;
};

class World {
 public:
  explicit World(unsigned seed) : random_(seed) { on_.server.create_namespace("ns"); }

  void run(unsigned seed) {
    add_quota(
        "all",
        R"({"pods":"7","count/pods":"9","services":"5","services.nodeports":"3",)"
        R"("services.loadbalancers":"1","persistentvolumeclaims":"5",)"
        R"("requests.storage":"12Gi","gold.storageclass.storage.k8s.io/requests.storage":"6Gi"})",
        "");
    add_quota("cpu", R"({"requests.cpu":"2","pods":"5"})", R"(,"scopes":["NotBestEffort"])");
    add_quota("ends", R"({"pods":"2"})", R"(,"scopes":["Terminating"])");
    fixed_ = {"all", "cpu", "ends"};
    for (int phase = 0; phase < kPhases; ++phase) {
      std::vector<std::thread> threads;
      for (int client = 0; client < kClients; ++client) {
        threads.emplace_back([&, client] {
          Random mine(seed + static_cast<unsigned>(1 + client + 100 * phase));
          for (int step = 0; step < kSteps; ++step) {
            act(mine);
            if (step % 3 == 0) expect_no_limit_passed();
          }
        });
      }
      // Quotas come and go meanwhile.
      for (int i = 0; i < 2; ++i) {
        const std::string name = fmt::format("q{}", random_.below(4));
        if (random_.one_in(2)) on_.server.remove(at("resourcequotas", name));
        on_.server.post(at("resourcequotas"), other_quota(name));
      }
      for (std::thread& one : threads) one.join();
      // The clock has moved, timers have not: any change has the namespace looked at again.
      on_.server.advance(std::chrono::seconds(random_.below(60)));
      expect_ok(
          on_.server.merge(at("resourcequotas", "all"),
                           fmt::format(R"({{"metadata":{{"labels":{{"phase":"{}"}}}}}})", phase)));
      expect_exact();
    }
    EXPECT_GT(done_, kSteps);
    EXPECT_GT(refused_, kPhases);
    EXPECT_EQ(odd_, "");
  }

 private:
  static std::string at(std::string_view plural, std::string_view name = "") {
    return QuotaServer::path("ns", plural, name);
  }
  void add_quota(std::string_view name, std::string_view hard, std::string_view scopes) {
    on_.limit("ns", name, hard, scopes);
  }
  std::string other_quota(std::string_view name) {
    const std::string_view scopes = random_.scopes();
    return QuotaServer::quota_json(
        name,
        scopes.empty() ? R"({"pods":"6","services.nodeports":"2","requests.storage":"9Gi"})"
        : scopes.contains("\"BestEffort\"") ? R"({"pods":"4"})"
                                            : R"({"pods":"5","count/pods":"8"})",
        scopes);
  }

  void act(Random& mine) {
    const std::string name = fmt::format("n{}", mine.below(9));
    switch (mine.below(12)) {
      case 0:
      case 1:
      case 2: return note(on_.server.post(at("pods"), pod(mine, name)));
      case 3:
        return note(
            on_.server.patch(at("pods", name + "/resize"), kPatch,
                             fmt::format(R"({{"spec":{{"containers":[{{"name":"c",)"
                                         R"("resources":{{"requests":{{"cpu":"{}m"}}}}}}]}}}})",
                                         100 + mine.below(800))));
      case 4:
        return note(on_.server.merge(
            at("pods", name),
            fmt::format(R"({{"spec":{{"activeDeadlineSeconds":{}}}}})", 1 + mine.below(1000))));
      case 5:
        return note(on_.server.merge(at("pods", name + "/status"),
                                     mine.one_in(2)   ? R"({"status":{"message":"well"}})"
                                     : mine.one_in(2) ? R"({"status":{"phase":"Failed"}})"
                                                      : R"({"status":{"phase":"Succeeded"}})"));
      case 6:
        return note(
            on_.server.remove(at("pods", name) + (mine.one_in(2) ? "?gracePeriodSeconds=0" : "")));
      case 7:
        if (mine.one_in(3)) return note(on_.server.remove(at("services", name)));
        return note(on_.server.post(
            at("services"),
            fmt::format(
                R"({{"metadata":{{"name":"{}"}},"spec":{{"type":"{}","ports":[{{"port":80}}]}}}})",
                name, type(mine))));
      case 8:
        return note(on_.server.merge(
            at("services", name),
            fmt::format(R"({{"spec":{{"type":"{}","ports":[{{"port":80}}]}}}})", type(mine))));
      case 9:
        return note(on_.server.post(
            at("persistentvolumeclaims"),
            fmt::format(
                R"({{"metadata":{{"name":"{}"}},"spec":{{"accessModes":["ReadWriteOnce"],)"
                R"("storageClassName":"{}","resources":{{"requests":{{"storage":"{}Gi"}}}}}}}})",
                name, mine.one_in(2) ? "gold" : "tin", 1 + mine.below(3))));
      case 10:
        on_.server.merge(at("persistentvolumeclaims", name + "/status"),
                         R"({"status":{"phase":"Bound","capacity":{"storage":"1Gi"}}})");
        return note(on_.server.merge(
            at("persistentvolumeclaims", name),
            fmt::format(R"({{"spec":{{"resources":{{"requests":{{"storage":"{}Gi"}}}}}}}})",
                        1 + mine.below(6))));
      default: return note(on_.server.remove(at("persistentvolumeclaims", name)));
    }
  }
  static std::string_view type(Random& mine) {
    return mine.one_in(3) ? "ClusterIP" : mine.one_in(3) ? "LoadBalancer" : "NodePort";
  }
  static std::string pod(Random& mine, std::string_view name) {
    return fmt::format(
        R"({{"metadata":{{{}}},"spec":{{"containers":[{{"name":"c","image":"i","resources":{}}}]{}{}{}}}}})",
        mine.one_in(4) ? std::string(R"("generateName":"n")") : fmt::format(R"("name":"{}")", name),
        mine.one_in(4) ? "{}"
                       : fmt::format(R"({{"requests":{{"cpu":"{}m"}}}})", 100 + mine.below(800)),
        mine.one_in(3) ? R"(,"activeDeadlineSeconds":2000)" : "",
        mine.one_in(2) ? R"(,"nodeName":"n")" : "",
        mine.one_in(3) ? R"(,"priorityClassName":"high")" : "");
  }

  void note(const Answered& answered) {
    if (answered.code == 200 || answered.code == 201 || answered.code == 202) {
      ++done_;
    } else if (answered.code == 403) {
      ++refused_;
    } else if (answered.code != 404 && answered.code != 409 && answered.code != 422) {
      const std::lock_guard lock(mu_);
      odd_ += answered.body;
    }
  }

  // By the objects as one list has them.
  Amounts recount(const Value& quota) {
    const Value& spec = quota.get("spec");
    const Scopes scopes = kinds::read_quota_scopes(spec);
    Amounts out;
    for (const auto& [name, limit] : kinds::read_amounts(spec.get("hard")))
      out.emplace(name, Quantity());
    for (const meta::GroupResource& resource : kinds::evaluated_resources()) {
      const auto& evaluator = *kinds::find_quota_evaluator(resource);
      const Answered list = on_.server.get(at(resource.resource));
      for (const Value& object : list.json().get("items").items()) {
        if (!kinds::is_in_all(evaluator, object, scopes)) continue;
        for (const auto& [name, amount] : evaluator.usage(object, on_.server.clock().now())) {
          if (out.contains(name)) kinds::add_amount(out, name, amount);
        }
      }
    }
    return out;
  }
  static std::string show(const Amounts& amounts) {
    std::string out;
    for (const auto& [name, amount] : amounts)
      out += fmt::format("{}={} ", name, amount.value() * 1000 + amount.milli_value() % 1000);
    return out;
  }

  // Those that were there before all objects.
  void expect_no_limit_passed() {
    for (const std::string& name : fixed_) {
      const Answered quota = on_.server.get(at("resourcequotas", name));
      const Amounts limits = kinds::read_amounts(quota.json().get("spec").get("hard"));
      for (const auto& [amount_name, amount] : recount(quota.json()))
        EXPECT_LE(amount, limits.at(amount_name)) << name << ": " << amount_name;
    }
  }

  void expect_exact() {
    const Answered list = on_.server.get(at("resourcequotas"));
    for (const Value& quota : list.json().get("items").items()) {
      const std::string name(value::text_of(quota.get("metadata").get("name")));
      const std::string want = show(recount(quota));
      std::string got;
      for (int i = 0; i < 2000 && got != want; ++i) {
        if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        got = show(kinds::read_amounts(
            on_.server.get(at("resourcequotas", name)).json().get("status").get("used")));
      }
      EXPECT_EQ(got, want) << name;
    }
  }

  QuotaServer on_;
  Random random_;
  std::vector<std::string> fixed_;
  std::atomic<int> done_{0};
  std::atomic<int> refused_{0};
  std::mutex mu_;
  std::string odd_;  // guarded by mu_ while clients run
};

TEST(QuotasProperty, AreExactAndNeverPassed) {
  const char* given = std::getenv("STRAKE_SEED");
  const unsigned seed = given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                                         : std::random_device()();
  SCOPED_TRACE(fmt::format("STRAKE_SEED={}", seed));
  World world(seed);
  world.run(seed);
}

}  // namespace
}  // namespace strake::admission

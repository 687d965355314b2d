// Rules that take long are run by workers: which ones do is told by what they cost before.
#include <gtest/gtest.h>

#include <atomic>

#include "api/test_server.h"
#include "async/loops.h"
#include "rules/engine.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kCrds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::string_view kThings = "/apis/a.example/v1/namespaces/default/things";

// Writes down where rules are run.
class SeenRules final : public resource::RuleRunner {
 public:
  resource::RuleOutcome run(const value::Value& object, const schema::NodePtr& schema,
                            const value::Value* old) const override {
    resource::RuleOutcome out = engine_.run(object, schema, old);
    on_loop = loops != nullptr && loops->current() < loops->size();
    cost = out.cost;
    return out;
  }
  resource::RuleOutcome run_part(const resource::RulePart& part,
                                 std::optional<std::int64_t>& budget) const override {
    return engine_.run_part(part, budget);
  }
  bool has_rules(const schema::NodePtr& schema, const FieldPath& at) const override {
    return engine_.has_rules(schema, at);
  }
  const async::Loops* loops = nullptr;
  // Of the last run.
  mutable std::atomic<bool> on_loop = false;
  mutable std::atomic<std::int64_t> cost = 0;

 private:
  rules::Engine engine_;
};

class SlowRules : public ::testing::Test {
 protected:
  SlowRules() : server(TestServer::Options{.rules = &rules}) {
    rules.loops = &server.core().hub.loops();
    server.create(
        kCrds,
        things(
            {{"v1",
              R"("list":{"type":"array","maxItems":150,"items":{"type":"integer"},)"
              R"x("x-kubernetes-validations":[{"rule":"self.all(x, self.all(y, x + y >= 0))"}]})x"}}));
  }
  static std::string spec(std::size_t items) {
    std::string out;
    for (std::size_t i = 0; i < items; ++i) out += i == 0 ? "1" : ",1";
    return fmt::format(R"({{"spec":{{"list":[{}]}}}})", out);
  }
  // Whether the rules of the next object were run on a loop.
  bool create(std::size_t items) {
    const std::string name = fmt::format("t{}", ++made_);
    const std::string body = spec(items);
    server.create(kThings, fmt::format(R"({{"apiVersion":"a.example/v1","kind":"Thing",)"
                                       R"("metadata":{{"name":"{}"}},{})",
                                       name, std::string_view(body).substr(1)));
    return rules.on_loop;
  }
  SeenRules rules;
  TestServer server;
  int made_ = 0;
};

TEST_F(SlowRules, AreRunByWorkersAfterTheyWereSeenToBeSlow) {
  EXPECT_FALSE(create(1)) << "rules are compiled with the first object";
  EXPECT_TRUE(create(1));
  EXPECT_LT(rules.cost, kRulesAtOnce);
  create(140);
  EXPECT_GT(rules.cost, kRulesAtOnce);
  EXPECT_FALSE(create(1)) << "the last one was slow";
  EXPECT_FALSE(create(140));
  int until_quick = 0;
  while (!create(1) && until_quick < 100) ++until_quick;
  EXPECT_LT(until_quick, 100) << "that is forgotten with time";
}

TEST_F(SlowRules, AreRunByWorkersForUpdatesAndPatchesToo) {
  create(140);
  ASSERT_EQ(server.merge(std::string(kThings) + "/t1", spec(139)).code, 200);
  EXPECT_FALSE(rules.on_loop);
  std::string body = server.get(std::string(kThings) + "/t1").body;
  body.replace(body.find("[1,1"), 4, "[2,2");
  ASSERT_EQ(server.put(std::string(kThings) + "/t1", body).code, 200);
  EXPECT_FALSE(rules.on_loop);
}

TEST(RuleCosts, GrowWithTheObjectAndFade) {
  SeenRules rules;
  TestServer server(TestServer::Options{.rules = &rules});
  server.create(
      kCrds,
      things({{"v1", R"("a":{"type":"string","x-kubernetes-validations":[{"rule":"self != ''"}]})"},
              {"v2", R"("a":{"type":"string"})"}}));
  const EndpointPtr endpoint = server.core().registry.find("a.example", "things");
  const kinds::ServedVersion& v1 = *endpoint->resource().version("v1");
  const kinds::ServedVersion& v2 = *endpoint->resource().version("v2");
  EXPECT_TRUE(endpoint->has_slow_rules(v1, 100)) << "nothing is known of them";
  EXPECT_FALSE(endpoint->has_slow_rules(v2, 100)) << "it has none";
  endpoint->note_rules(v1, 100, kRulesAtOnce / 2);
  EXPECT_FALSE(endpoint->has_slow_rules(v1, 10));
  EXPECT_FALSE(endpoint->has_slow_rules(v1, 200));
  EXPECT_TRUE(endpoint->has_slow_rules(v1, 300));
  endpoint->note_rules(v1, 100, kRulesAtOnce * 2);
  EXPECT_TRUE(endpoint->has_slow_rules(v1, 100));
  endpoint->note_rules(v1, 100, 1);
  EXPECT_TRUE(endpoint->has_slow_rules(v1, 100)) << "the next may be like the one before";
  endpoint->note_rules(v1, 100, 1);
  endpoint->note_rules(v1, 100, 1);
  EXPECT_FALSE(endpoint->has_slow_rules(v1, 100));
}

}  // namespace
}  // namespace strake::api::testing

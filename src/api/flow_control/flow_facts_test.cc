#include "api/flow_control/flow_facts.h"

#include <gtest/gtest.h>

#include "api/filters/test_stages.h"
#include "value/json_reader.h"

namespace strake::api {
namespace {

value::Document parsed(std::string_view json) { return value::read_json(json).value(); }

FlowSchemaFacts schema(std::string_view rules, std::string_view more = "") {
  const std::string text =
      R"({"metadata":{"name":"s","uid":"u"},"spec":{"priorityLevelConfiguration":{"name":"p"},"matchingPrecedence":7,"rules":)" +
      std::string(rules) + std::string(more) + "}}";
  return read_flow_schema(parsed(text).root());
}

bool matches(const FlowRule& rule, std::string_view user, std::vector<std::string> groups,
             std::string_view method, std::string_view target) {
  const CallPtr call =
      testing::call_of(testing::user_named(std::string(user), std::move(groups)), method, target);
  return rule.is_about(*call->user) && rule.is_about(call->info);
}

TEST(FlowSchemaFacts, AreRead) {
  const FlowSchemaFacts facts = schema("[]", R"(,"distinguisherMethod":{"type":"ByNamespace"})");
  EXPECT_EQ(facts.name, "s");
  EXPECT_EQ(facts.uid, "u");
  EXPECT_EQ(facts.level, "p");
  EXPECT_EQ(facts.precedence, 7);
  const CallPtr call =
      testing::call_of(testing::user_named("jane", {}), "GET", "/api/v1/namespaces/n/configmaps");
  EXPECT_EQ(facts.flow_of(*call->user, call->info), "n");
  EXPECT_EQ(
      schema("[]", R"(,"distinguisherMethod":{"type":"ByUser"})").flow_of(*call->user, call->info),
      "jane");
  EXPECT_EQ(schema("[]").flow_of(*call->user, call->info), "");
}

TEST(FlowRule, PicksByWhoAsks) {
  constexpr std::string_view kAll =
      R"(,"resourceRules":[{"verbs":["*"],"apiGroups":["*"],"resources":["*"],"clusterScope":true,"namespaces":["*"]}]}])";
  const auto rule = [&](std::string_view subject) {
    return schema(R"([{"subjects":[)" + std::string(subject) + "]" + std::string(kAll)).rules[0];
  };
  const auto asks = [](const FlowRule& of, std::string_view user,
                       std::vector<std::string> groups = {}) {
    return matches(of, user, std::move(groups), "GET", "/api/v1/namespaces");
  };
  const FlowRule jane = rule(R"({"kind":"User","user":{"name":"jane"}})");
  EXPECT_TRUE(asks(jane, "jane"));
  EXPECT_FALSE(asks(jane, "joe", {"jane"}));
  EXPECT_TRUE(asks(rule(R"({"kind":"User","user":{"name":"*"}})"), "joe"));
  const FlowRule group = rule(R"({"kind":"Group","group":{"name":"g"}})");
  EXPECT_TRUE(asks(group, "joe", {"f", "g"}));
  EXPECT_FALSE(asks(group, "g"));
  EXPECT_TRUE(asks(rule(R"({"kind":"Group","group":{"name":"*"}})"), "joe"));
  const FlowRule account =
      rule(R"({"kind":"ServiceAccount","serviceAccount":{"namespace":"n","name":"a"}})");
  EXPECT_TRUE(asks(account, "system:serviceaccount:n:a"));
  EXPECT_FALSE(asks(account, "system:serviceaccount:n:ab"));
  EXPECT_FALSE(asks(account, "system:serviceaccount:nn:a"));
  EXPECT_FALSE(asks(account, "n:a"));
  const FlowRule accounts =
      rule(R"({"kind":"ServiceAccount","serviceAccount":{"namespace":"n","name":"*"}})");
  EXPECT_TRUE(asks(accounts, "system:serviceaccount:n:ab"));
  EXPECT_FALSE(asks(accounts, "system:serviceaccount:na:b"));
}

TEST(FlowRule, PicksByResource) {
  const FlowRule rule =
      schema(
          R"([{"subjects":[{"kind":"User","user":{"name":"*"}}],"resourceRules":[)"
          R"({"verbs":["get","list"],"apiGroups":["x.example"],"resources":["things","things/status"],"namespaces":["a"]},)"
          R"({"verbs":["*"],"apiGroups":[""],"resources":["*"],"clusterScope":true}]}])")
          .rules[0];
  const auto asks = [&](std::string_view method, std::string_view target) {
    return matches(rule, "joe", {}, method, target);
  };
  EXPECT_TRUE(asks("GET", "/apis/x.example/v1/namespaces/a/things"));
  EXPECT_TRUE(asks("GET", "/apis/x.example/v1/namespaces/a/things/t"));
  EXPECT_TRUE(asks("GET", "/apis/x.example/v1/namespaces/a/things/t/status"));
  EXPECT_FALSE(asks("GET", "/apis/x.example/v1/namespaces/a/things/t/scale"));
  EXPECT_FALSE(asks("GET", "/apis/x.example/v1/namespaces/b/things"));
  EXPECT_FALSE(asks("GET", "/apis/x.example/v1/things")) << "of all namespaces";
  EXPECT_FALSE(asks("DELETE", "/apis/x.example/v1/namespaces/a/things/t"));
  EXPECT_FALSE(asks("GET", "/apis/x.example/v1/namespaces/a/thing"));
  EXPECT_TRUE(asks("GET", "/api/v1/nodes"));
  EXPECT_FALSE(asks("GET", "/api/v1/namespaces/a/configmaps")) << "no namespaces";
  EXPECT_FALSE(asks("GET", "/version"));
}

TEST(FlowRule, PicksByPath) {
  const FlowRule rule =
      schema(
          R"([{"subjects":[{"kind":"User","user":{"name":"*"}}],"nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/healthz","/metrics/*"]}]}])")
          .rules[0];
  const auto asks = [&](std::string_view method, std::string_view target) {
    return matches(rule, "joe", {}, method, target);
  };
  EXPECT_TRUE(asks("GET", "/healthz"));
  EXPECT_TRUE(asks("GET", "/healthz/ping"));
  EXPECT_FALSE(asks("GET", "/healthzz"));
  EXPECT_TRUE(asks("GET", "/metrics/slis"));
  EXPECT_FALSE(asks("GET", "/metrics"));
  EXPECT_FALSE(asks("POST", "/healthz"));
  EXPECT_FALSE(asks("GET", "/api/v1/nodes"));
}

TEST(PriorityLevelFacts, AreRead) {
  const PriorityLevelFacts queued = read_priority_level(
      parsed(
          R"({"metadata":{"name":"l","uid":"u"},"spec":{"type":"Limited","limited":{"nominalConcurrencyShares":3,"lendablePercent":10,"borrowingLimitPercent":0,)"
          R"("limitResponse":{"type":"Queue","queuing":{"queues":64,"handSize":6,"queueLengthLimit":50}}}}})")
          .root());
  EXPECT_EQ(queued.name, "l");
  EXPECT_EQ(queued.shares.shares, 3);
  EXPECT_EQ(queued.shares.lendable_percent, 10);
  EXPECT_EQ(queued.shares.borrowing_percent, 0);
  EXPECT_EQ(queued.settings.mode, FairQueues::Mode::kQueue);
  EXPECT_EQ(queued.settings.dealer.deck(), 64);
  EXPECT_EQ(queued.settings.dealer.hand(), 6);
  EXPECT_EQ(queued.settings.length, 50);
  const PriorityLevelFacts exempt = read_priority_level(
      parsed(R"({"metadata":{"name":"exempt"},"spec":{"type":"Exempt"}})").root());
  EXPECT_EQ(exempt.settings.mode, FairQueues::Mode::kExempt);
  EXPECT_EQ(exempt.shares.shares, 0);
  EXPECT_FALSE(exempt.shares.borrowing_percent);
}

}  // namespace
}  // namespace strake::api

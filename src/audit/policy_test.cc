#include "audit/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::audit {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHead = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";

Policy policy(std::string_view rules) {
  auto out = Policy::read(std::string(kHead) + std::string(rules), "policy.yaml");
  EXPECT_TRUE(out) << out.error().to_string();
  return out ? *std::move(out) : Policy();
}

api::RequestInfo resource(std::string_view verb, std::string_view group, std::string_view name_of,
                          std::string_view subresource = "", std::string_view namespace_name = "",
                          std::string_view name = "") {
  api::RequestInfo out;
  out.is_resource = true;
  out.verb = verb;
  out.group = group;
  out.version = "v1";
  out.resource = name_of;
  out.subresource = subresource;
  out.namespace_name = namespace_name;
  out.name = name;
  return out;
}

api::RequestInfo url(std::string_view path) {
  api::RequestInfo out;
  out.verb = "get";
  out.path = path;
  return out;
}

api::User user(std::string name, std::vector<std::string> groups = {}) {
  return {.name = std::move(name), .uid = {}, .groups = std::move(groups), .extra = {}};
}

TEST(AuditPolicy, TakesTheFirstRuleThatMatches) {
  const Policy one = policy(R"(
rules:
- {level: None, users: [system:kube-proxy], verbs: [watch]}
- {level: Metadata, userGroups: [devs]}
- {level: Request}
)");
  EXPECT_EQ(one.decide(user("system:kube-proxy"), resource("watch", "", "pods")).level,
            Level::kNone);
  EXPECT_EQ(one.decide(user("system:kube-proxy"), resource("get", "", "pods")).level,
            Level::kRequest);
  EXPECT_EQ(one.decide(user("eve", {"devs"}), resource("get", "", "pods")).level, Level::kMetadata);
}

TEST(AuditPolicy, RecordsNothingThatNoRuleNames) {
  const Policy one = policy("rules:\n- {level: Metadata, verbs: [create]}\n");
  EXPECT_EQ(one.decide(user("eve"), resource("get", "", "pods")).level, Level::kNone);
}

TEST(AuditPolicy, TellsResourcesFromSubresourcesAndUrls) {
  struct Case {
    std::string_view rule;
    api::RequestInfo request;
    bool matches;
  };
  const api::RequestInfo pods = resource("get", "", "pods", "", "here", "one");
  const api::RequestInfo log = resource("get", "", "pods", "log", "here", "one");
  const Case cases[] = {
      {R"(resources: [{group: ""}])", pods, true},
      {R"(resources: [{group: apps}])", pods, false},
      {R"(resources: [{group: "", resources: [pods]}])", pods, true},
      {R"(resources: [{group: "", resources: [pods]}])", log, false},
      {R"(resources: [{group: "", resources: [pods/log]}])", log, true},
      {R"(resources: [{group: "", resources: [pods/log]}])", pods, false},
      {R"(resources: [{group: "", resources: ["pods/*"]}])", log, true},
      {R"(resources: [{group: "", resources: ["pods/*"]}])", pods, true},
      {R"(resources: [{group: "", resources: ["*/log"]}])", log, true},
      {R"(resources: [{group: "", resources: ["*/log"]}])", pods, false},
      {R"(resources: [{group: "", resources: ["*"]}])", log, true},
      {R"(resources: [{group: "", resources: [pods], resourceNames: [one]}])", pods, true},
      {R"(resources: [{group: "", resources: [pods], resourceNames: [two]}])", pods, false},
      {R"(namespaces: [here])", pods, true},
      {R"(namespaces: [there])", pods, false},
      {R"(namespaces: [""])", resource("list", "", "nodes"), true},
      {R"(namespaces: [here])", url("/healthz"), false},
      {R"(nonResourceURLs: ["/healthz*"])", url("/healthz/etcd"), true},
      {R"(nonResourceURLs: ["/healthz"])", url("/healthz/etcd"), false},
      {R"(nonResourceURLs: ["*"])", url("/metrics"), true},
      {R"(nonResourceURLs: ["*"])", pods, false},
  };
  for (const Case& one : cases) {
    const Policy read = policy(fmt::format("rules:\n- {{level: Metadata, {}}}\n", one.rule));
    EXPECT_EQ(read.decide(user("eve"), one.request).level,
              one.matches ? Level::kMetadata : Level::kNone)
        << one.rule << " " << one.request.resource << "/" << one.request.subresource;
  }
}

TEST(AuditPolicy, OmitsTheStagesOfThePolicyAndOfTheRule) {
  const Policy one = policy(R"(
omitStages: [RequestReceived]
omitManagedFields: true
rules:
- {level: Metadata, verbs: [get], omitStages: [ResponseStarted], omitManagedFields: false}
- {level: Metadata}
)");
  const Decision get = one.decide(user("eve"), resource("get", "", "pods"));
  EXPECT_TRUE(get.omits(Stage::kRequestReceived));
  EXPECT_TRUE(get.omits(Stage::kResponseStarted));
  EXPECT_FALSE(get.omits(Stage::kResponseComplete));
  EXPECT_FALSE(get.omit_managed_fields);
  const Decision list = one.decide(user("eve"), resource("list", "", "pods"));
  EXPECT_FALSE(list.omits(Stage::kResponseStarted));
  EXPECT_TRUE(list.omit_managed_fields);
}

TEST(AuditPolicy, SaysWhatIsWrongAndWhere) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"rules: []\n", "policy.yaml:3:8: .rules: want at least one rule"},
      {"rules:\n- {level: All}\n",
       "policy.yaml:4:11: .rules[0].level: want a level: None, Metadata, Request, RequestResponse"},
      {"rules:\n- {level: None, user: [x]}\n", "user"},
      {"rules:\n- {level: None, omitStages: [Later]}\n", "want one of RequestReceived"},
      {"rules:\n- {level: None, nonResourceURLs: [healthz]}\n", "must begin with a '/' character"},
      {"rules:\n- {level: None, nonResourceURLs: ['/a*b']}\n", "must be the final character"},
      {"rules:\n- {level: None, namespaces: [a], nonResourceURLs: [/a]}\n", "cannot apply to both"},
      {"rules:\n- {level: None, resources: [{group: apps/v1}]}\n", "without a version"},
      {"rules:\n- {level: None, resources: [{group: '', resourceNames: [a]}]}\n",
       "requires at least one resource"},
  };
  for (const auto& [text, message] : cases) {
    const auto read = Policy::read(std::string(kHead) + std::string(text), "policy.yaml");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().to_string(), HasSubstr(message));
  }
  EXPECT_FALSE(Policy::read("kind: Policy\n", "policy.yaml"));
}

}  // namespace
}  // namespace strake::audit

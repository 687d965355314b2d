#include "auth/rbac/policy_rule.h"

#include <gtest/gtest.h>

#include "auth/rbac/coverage.h"
#include "auth/rbac/random_rules.h"
#include "value/document.h"

namespace strake::auth {
namespace {

TEST(PolicyRule, AllowsWhatItNames) {
  const PolicyRule pods{.verbs = {"get", "list"}, .api_groups = {""}, .resources = {"pods"}};
  EXPECT_TRUE(allows(pods, resource("get", "", "pods")));
  EXPECT_TRUE(allows(pods, resource("get", "", "pods", "a")));
  EXPECT_FALSE(allows(pods, resource("delete", "", "pods")));
  EXPECT_FALSE(allows(pods, resource("get", "apps", "pods")));
  EXPECT_FALSE(allows(pods, resource("get", "", "pods", "a", "log")));
  EXPECT_FALSE(allows(pods, resource("get", "", "podss")));
  EXPECT_FALSE(allows(pods, url("get", "pods")));
}

TEST(PolicyRule, TakesSubresourcesByTheirWholeName) {
  const auto rule = [](std::string one) {
    return PolicyRule{.verbs = {"*"}, .api_groups = {"*"}, .resources = {std::move(one)}};
  };
  const api::RequestInfo status = resource("get", "a.b", "widgets", "x", "status");
  EXPECT_TRUE(allows(rule("*"), status));
  EXPECT_TRUE(allows(rule("widgets/status"), status));
  EXPECT_TRUE(allows(rule("*/status"), status));
  for (const char* other : {"widgets", "widgets/*", "*/*", "status", "/status", "x*/status",
                            "widgets/statu", "wwidgets/status", "*/tatus"}) {
    EXPECT_FALSE(allows(rule(other), status)) << other;
  }
  EXPECT_FALSE(allows(rule("*/status"), resource("get", "a.b", "status")));
}

TEST(PolicyRule, WithNamesIsAboutNothingElse) {
  const PolicyRule one{
      .verbs = {"*"}, .api_groups = {""}, .resources = {"secrets"}, .resource_names = {"one"}};
  EXPECT_TRUE(allows(one, resource("get", "", "secrets", "one")));
  EXPECT_FALSE(allows(one, resource("get", "", "secrets", "two")));
  EXPECT_FALSE(allows(one, resource("list", "", "secrets")));
}

TEST(PolicyRule, TakesUrlsWholeOrByTheirBeginning) {
  const PolicyRule rule{.verbs = {"get"}, .non_resource_urls = {"/livez/*", "/metrics*", "/apis/"}};
  for (const char* path : {"/livez/ping", "/livez/", "/metrics", "/metricsandmore", "/apis/"})
    EXPECT_TRUE(allows(rule, url("get", path))) << path;
  for (const char* path : {"/livez", "/apis", "/apis/x", "/"})
    EXPECT_FALSE(allows(rule, url("get", path))) << path;
  EXPECT_FALSE(allows(rule, url("post", "/metrics")));
  EXPECT_FALSE(
      allows({.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}}, url("get", "/metrics")));
}

TEST(PolicyRule, IsDescribedWithTheVerbsOfOneResourceTogether) {
  EXPECT_EQ(describe(compare_rules({}, {{{.verbs = {"get", "list"},
                                          .api_groups = {""},
                                          .resources = {"secrets"},
                                          .resource_names = {"a", "b"}},
                                         {.verbs = {"get"}, .non_resource_urls = {"/x", "/y"}}}})
                         .missing),
            "{APIGroups:[\"\"], Resources:[\"secrets\"], ResourceNames:[\"a\"], Verbs:[\"get\" "
            "\"list\"]}\n"
            "{APIGroups:[\"\"], Resources:[\"secrets\"], ResourceNames:[\"b\"], Verbs:[\"get\" "
            "\"list\"]}\n"
            "{NonResourceURLs:[\"/x\"], Verbs:[\"get\"]}\n"
            "{NonResourceURLs:[\"/y\"], Verbs:[\"get\"]}");
}

// A second implementation, slow and obvious: everything that a rule can mean is written out.
class PlainRules {
 public:
  static bool allows(const PolicyRule& rule, const api::RequestInfo& request) {
    bool verb = false;
    for (const std::string& one : rule.verbs) verb = verb || one == "*" || one == request.verb;
    bool what = false;
    if (request.is_resource) {
      bool group = false;
      for (const std::string& one : rule.api_groups)
        group = group || one == "*" || one == request.group;
      const bool sub = !request.subresource.empty();
      const std::string whole = request.resource + (sub ? "/" + request.subresource : "");
      bool kind = false;
      for (const std::string& one : rule.resources)
        kind = kind || one == "*" || one == whole || (sub && one == "*/" + request.subresource);
      bool name = rule.resource_names.empty();
      for (const std::string& one : rule.resource_names) name = name || one == request.name;
      what = group && kind && name;
    } else {
      for (const std::string& one : rule.non_resource_urls) {
        const bool open = one.ends_with("*");
        what = what || one == request.path ||
               (open && request.path.starts_with(one.substr(0, one.size() - 1)));
      }
    }
    return verb && what;
  }
};

TEST(PolicyRules, AgreeWithThePlainReading) {
  RandomRules random(1);
  std::size_t allowed = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::vector<PolicyRule> rules = random.rules();
    const api::RequestInfo request = random.request();
    for (const PolicyRule& rule : rules) {
      const bool got = allows(rule, request);
      allowed += got;
      ASSERT_EQ(got, PlainRules::allows(rule, request))
          << describe({{rule}}) << " " << request.verb << " " << request.group << " "
          << request.resource << "/" << request.subresource << " " << request.name << request.path;
    }
  }
  EXPECT_GT(allowed, 10'000u);
}

// Whoever may grant a rule can do at least what it allows.
TEST(PolicyRules, ThatAreCoveredAllowNothingMore) {
  RandomRules random(2);
  std::size_t covered = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::vector<PolicyRule> held = random.rules();
    const PolicyRule wanted = random.rule();
    if (!compare_rules(held, {{wanted}}).is_covered()) continue;
    ++covered;
    for (int n = 0; n < 20; ++n) {
      const api::RequestInfo request = random.request();
      if (!allows(wanted, request)) continue;
      EXPECT_TRUE(
          std::ranges::any_of(held, [&](const PolicyRule& one) { return allows(one, request); }))
          << describe(held) << "\nwanted " << describe({{wanted}});
    }
  }
  EXPECT_GT(covered, 300u);
}

TEST(PolicyRules, AreReadAndWrittenAlike) {
  RandomRules random(3);
  for (int i = 0; i < 200; ++i) {
    value::Document document;
    document.root() = value::Value::object({});
    const std::vector<PolicyRule> rules = random.rules();
    document.root().set("rules", write_rules(rules, document.arena()), document.arena());
    EXPECT_EQ(read_rules(document.root()), rules);
  }
}

}  // namespace
}  // namespace strake::auth

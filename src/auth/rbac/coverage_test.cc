#include "auth/rbac/coverage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "auth/rbac/random_rules.h"
#include "base/cancel_scope.h"

namespace strake::auth {
namespace {

using Texts = std::vector<std::string>;

TEST(Coverage, IsWhatOneHeldRuleAllows) {
  const PolicyRule wanted{
      .verbs = {"get", "delete"}, .api_groups = {"", "apps"}, .resources = {"pods", "pods/log"}};
  EXPECT_TRUE(
      compare_rules({{{.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}}}}, {{wanted}})
          .is_covered());
  const PolicyRule held[] = {
      {.verbs = {"get"}, .api_groups = {"*"}, .resources = {"pods", "*/log"}},
      {.verbs = {"delete"}, .api_groups = {""}, .resources = {"*"}},
      {.verbs = {"delete"}, .api_groups = {"apps"}, .resources = {"pods"}, .resource_names = {"a"}},
  };
  EXPECT_EQ(describe(compare_rules(held, {{wanted}}).missing),
            "{APIGroups:[\"apps\"], Resources:[\"pods\"], Verbs:[\"delete\"]}\n"
            "{APIGroups:[\"apps\"], Resources:[\"pods/log\"], Verbs:[\"delete\"]}");
}

// A second implementation, slow and obvious: every part is compared with every held rule.
class PlainCoverage {
 public:
  static std::vector<PolicyRule> missing(const std::vector<PolicyRule>& held,
                                         const std::vector<PolicyRule>& wanted) {
    std::vector<PolicyRule> out;
    for (const PolicyRule& rule : wanted) {
      for (const PolicyRule& part : parts_of(rule)) {
        if (std::ranges::none_of(held, [&](const auto& one) { return covers(one, part); }))
          out.push_back(part);
      }
    }
    return out;
  }

 private:
  static std::vector<PolicyRule> parts_of(const PolicyRule& rule) {
    std::vector<PolicyRule> out;
    for (const std::string& group : rule.api_groups) {
      for (const std::string& resource : rule.resources) {
        for (const std::string& verb : rule.verbs) {
          const PolicyRule part{.verbs = {verb}, .api_groups = {group}, .resources = {resource}};
          if (rule.resource_names.empty()) out.push_back(part);
          for (const std::string& name : rule.resource_names) {
            out.push_back(part);
            out.back().resource_names = {name};
          }
        }
      }
    }
    for (const std::string& url : rule.non_resource_urls) {
      for (const std::string& verb : rule.verbs)
        out.push_back({.verbs = {verb}, .non_resource_urls = {url}});
    }
    return out;
  }
  static bool has(const Texts& texts, const std::string& one) {
    return std::ranges::find(texts, one) != texts.end();
  }
  static bool covers(const PolicyRule& held, const PolicyRule& part) {
    if (!has(held.verbs, "*") && !has(held.verbs, part.verbs[0])) return false;
    if (!part.non_resource_urls.empty()) {
      return std::ranges::any_of(held.non_resource_urls, [&](const std::string& url) {
        const std::string& wanted = part.non_resource_urls[0];
        return url == wanted ||
               (url.ends_with("*") && wanted.starts_with(url.substr(0, url.size() - 1)));
      });
    }
    const std::string& resource = part.resources[0];
    const std::size_t slash = resource.find('/');
    const bool resource_covered =
        has(held.resources, "*") || has(held.resources, resource) ||
        (slash != std::string::npos && has(held.resources, "*" + resource.substr(slash)));
    const bool name_covered =
        held.resource_names.empty() ||
        (!part.resource_names.empty() && has(held.resource_names, part.resource_names[0]));
    return resource_covered && name_covered &&
           (has(held.api_groups, "*") || has(held.api_groups, part.api_groups[0]));
  }
};

TEST(Coverage, AgreesWithThePlainReading) {
  RandomRules random(4);
  std::size_t covered = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::vector<PolicyRule> held = random.rules();
    const std::vector<PolicyRule> wanted = random.rules();
    const Coverage got = compare_rules(held, wanted);
    ASSERT_TRUE(got.complete);
    ASSERT_EQ(got.missing, PlainCoverage::missing(held, wanted))
        << describe(held) << "\nwanted " << describe(wanted);
    covered += got.is_covered();
  }
  EXPECT_GT(covered, 1'000u);
}

std::vector<PolicyRule> many_rules(int count) {
  std::vector<PolicyRule> out;
  for (int i = 0; i < count; ++i)
    out.push_back({.verbs = {"get"}, .api_groups = {fmt::format("g{}", i)}, .resources = {"all"}});
  return out;
}

// 20,000 rules against 20,000 took five seconds when each was compared with each.
TEST(Coverage, OfManyRulesTakesStepsByTheirNumber) {
  for (const int count : {1'000, 20'000}) {
    const std::vector<PolicyRule> rules = many_rules(count);
    const CoverageLimits limits{.steps = 20 * static_cast<std::size_t>(count)};
    EXPECT_TRUE(compare_rules(rules, rules, limits).is_covered()) << count;
  }
}

Texts many_texts(std::string_view beginning, int count) {
  Texts out;
  for (int i = 0; i < count; ++i) out.push_back(fmt::format("{}{}", beginning, i));
  return out;
}

// 10^9 parts: they took a minute and gigabytes, and the request was not even refused.
TEST(Coverage, EndsAtItsLimits) {
  const PolicyRule wanted{.verbs = many_texts("v", 1'000),
                          .api_groups = many_texts("g", 1'000),
                          .resources = many_texts("r", 1'000)};
  const Coverage nothing_held = compare_rules({}, {{wanted}});
  EXPECT_FALSE(nothing_held.complete);
  EXPECT_EQ(nothing_held.missing.size(), CoverageLimits().missing);
  // Two rules that each have half of it: no single one covers all.
  PolicyRule first = wanted, second = wanted;
  first.verbs.resize(500);
  second.verbs.erase(second.verbs.begin(), second.verbs.begin() + 500);
  const Coverage by_halves = compare_rules({{first, second}}, {{wanted}});
  EXPECT_FALSE(by_halves.is_covered());
  EXPECT_FALSE(by_halves.complete);
  EXPECT_TRUE(by_halves.missing.empty());
}

TEST(Coverage, OfAHugeRuleByOneThatHasItAllIsFoundAtOnce) {
  const PolicyRule wanted{.verbs = many_texts("v", 1'000),
                          .api_groups = many_texts("g", 1'000),
                          .resources = many_texts("r", 1'000)};
  EXPECT_TRUE(compare_rules({{wanted}}, {{wanted}}).is_covered());
}

TEST(Coverage, StopsWhenNobodyWaitsForIt) {
  const PolicyRule wanted{.verbs = many_texts("v", 100),
                          .api_groups = many_texts("g", 100),
                          .resources = many_texts("r", 100)};
  CancelSource client;
  const CancelScope scope(client.token());
  client.cancel();
  EXPECT_FALSE(compare_rules({}, {{wanted}}, {.missing = 1'000'000}).complete);
}

}  // namespace
}  // namespace strake::auth

// ResourceQuotas and LimitRanges.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kinds/test_requests.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using testing::builtin;
using testing::create;
using testing::row;
using testing::update;
using testing::update_status;
using value::Document;

const Resource& quotas() { return builtin("", "resourcequotas"); }
const Resource& limit_ranges() { return builtin("", "limitranges"); }

std::string quota(std::string_view spec, std::string_view status = "{}") {
  return fmt::format(R"({{"metadata":{{"name":"q"}},"spec":{},"status":{}}})", spec, status);
}
std::string limits(std::string_view items) {
  return fmt::format(R"({{"metadata":{{"name":"l"}},"spec":{{"limits":{}}}}})", items);
}

TEST(ResourceQuota, StartsWithoutAStatusAndWithCanonicalAmounts) {
  EXPECT_EQ(create(quotas(), quota(R"({"hard":{"memory":"1024Mi","count/configmaps":2,"cpu":1.5,
                                   "requests.cpu":"0.0001"}})",
                                   R"({"hard":{"pods":"99"}})")),
            R"({"metadata":{"name":"q","namespace":"ns"},"spec":{"hard":{"count/configmaps":"2",)"
            R"("cpu":"1500m","memory":"1Gi","requests.cpu":"1m"}},"status":{}})");
  EXPECT_EQ(create(quotas(), R"({"metadata":{"name":"q"}})"),
            R"({"metadata":{"name":"q","namespace":"ns"},"spec":{},"status":{}})");
}

TEST(ResourceQuota, IsRefusedWithNamesAmountsAndScopesThatMakeNoSense) {
  struct Case {
    std::string_view spec;
    std::string_view want;
  };
  const Case cases[] = {
      {R"({"hard":{"widgets":"1"}})",
       R"(422: spec.hard[widgets]: Invalid value: "widgets": must be a standard resource for quota; )"
       R"(spec.hard[widgets]: Invalid value: "widgets": must be a standard resource type or fully qualified)"},
      {R"({"hard":{"storage":"1"}})",
       R"(422: spec.hard[storage]: Invalid value: "storage": must be a standard resource for quota)"},
      {R"({"hard":{"configmaps":"1.5","pods":"-1","count/a.b":"1m"}})",
       R"(422: spec.hard[configmaps]: Invalid value: "1500m": must be an integer; )"
       R"(spec.hard[count/a.b]: Invalid value: "1m": must be an integer; )"
       R"(spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0)"},
      {R"({"hard":{"configmaps":"1"},"scopes":["BestEffort","NotBestEffort","Bogus"]})",
       R"(422: spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Bogus"]: conflicting scopes; )"
       R"(spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Bogus"]: unsupported scope; )"
       R"(spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Bogus"]: unsupported scope applied to resource)"},
      {R"({"hard":{"secrets":"1"},"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass","operator":"Exists"}]}})",
       R"(422: spec.scopeSelector.matchExpressions: Invalid value: {"MatchExpressions":[{"ScopeName":"PriorityClass","Operator":"Exists","Values":null}]}: unsupported scope applied to resource)"},
      {R"({"hard":{"pods":"1"},"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass","operator":"Exists","values":["a"]}]}})",
       R"(422: spec.scopeSelector.matchExpressions.values: Invalid value: ["a"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector)"},
  };
  for (const Case& one : cases) EXPECT_EQ(create(quotas(), quota(one.spec)), one.want) << one.spec;
  EXPECT_EQ(create(quotas(), quota(R"({"hard":{"cpu":"x"}})")),
            "400: quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

// Each error shows the whole list: rendered for each, so many would take half a minute.
TEST(ResourceQuota, IsRefusedWithAnyNumberOfScopes) {
  std::string scopes;
  for (int i = 0; i < 200'000; ++i) scopes += fmt::format(R"({}"item-{}")", i == 0 ? "" : ",", i);
  const std::string unknown =
      create(quotas(), quota(R"({"hard":{"pods":"1"},"scopes":[)" + scopes + "]}"));
  EXPECT_TRUE(unknown.starts_with(R"(422: spec.scopes: Invalid value: ["item-0","item-1",)"));
  EXPECT_LT(unknown.size(), 8u << 20);
}

// Neither is each scope looked up among all limits.
TEST(ResourceQuota, IsRefusedWithAnyNumberOfLimitsOutsideOfAnyNumberOfScopes) {
  constexpr int kCount = 50'000;
  std::string scopes;
  std::string hard;
  std::string selector;
  for (int i = 0; i < kCount; ++i) {
    const char* comma = i == 0 ? "" : ",";
    scopes += fmt::format(R"({}"BestEffort")", comma);
    selector += fmt::format(R"({}{{"scopeName":"PriorityClass","operator":"Exists"}})", comma);
    hard += fmt::format(R"({}"requests.hugepages-{}Mi":"1Gi")", comma, i);
  }
  const std::string refused =
      create(quotas(),
             quota(fmt::format(
                 R"({{"hard":{{{}}},"scopes":[{}],"scopeSelector":{{"matchExpressions":[{}]}}}})",
                 hard, scopes, selector)));
  EXPECT_TRUE(refused.contains("unsupported scope applied to resource")) << refused.substr(0, 200);
  EXPECT_LT(refused.size(), 8u << 20);
}

TEST(ResourceQuota, KeepsItsStatusAndItsScopesOnUpdate) {
  const std::string stored = quota(R"({"hard":{"pods":"1"},"scopes":["Terminating"]})",
                                   R"({"hard":{"pods":"1"},"used":{"pods":"0"}})");
  EXPECT_EQ(update(quotas(), stored, quota(R"({"hard":{"pods":"2"},"scopes":["Terminating"]})")),
            R"({"metadata":{"name":"q","namespace":"ns"},"spec":{"hard":{"pods":"2"},)"
            R"("scopes":["Terminating"]},"status":{"hard":{"pods":"1"},"used":{"pods":"0"}}})");
  EXPECT_EQ(update(quotas(), stored, quota(R"({"hard":{"pods":"2"}})")),
            "422: spec.scopes: Invalid value: null: field is immutable");
  EXPECT_EQ(
      update_status(quotas(), "status", stored,
                    quota("{}", R"({"hard":{"pods":"3"},"used":{"bogus":"-1"}})")),
      R"(422: status.used[bogus]: Invalid value: "-1": must be greater than or equal to 0; )"
      R"(status.used[bogus]: Invalid value: "bogus": must be a standard resource for quota; )"
      R"(status.used[bogus]: Invalid value: "bogus": must be a standard resource type or fully qualified)");
}

TEST(ResourceQuota, ShowsWhatIsUsedOfWhat) {
  EXPECT_EQ(row(quotas(),
                R"({"metadata":{"name":"q","creationTimestamp":"2024-01-01T00:00:00Z"},"status":{)"
                R"("hard":{"count/configmaps":"1","limits.cpu":"2","pods":"2"},)"
                R"("used":{"count/configmaps":"1","limits.cpu":"500m"}}})",
                "2024-01-02T00:00:00Z"),
            R"(["q","count/configmaps: 1/1, pods: 0/2","limits.cpu: 500m/2","24h"])");
}

TEST(ResourceQuota, WarnsOfRequestsAboveLimits) {
  const auto warnings = [](std::string_view json) {
    Document document = *value::read_json(json);
    return quotas().strategy->warnings(document.root(), nullptr);
  };
  EXPECT_EQ(
      warnings(quota(R"({"hard":{"cpu":"2","limits.cpu":"1500m","memory":"1Gi"}})")),
      std::vector<std::string>{"ResourceQuota cpu (2) should be less than limits.cpu (1500m)"});
  EXPECT_TRUE(warnings(quota(R"({"hard":{"requests.cpu":"1","limits.cpu":"1"}})")).empty());
}

TEST(LimitRange, FillsTheDefaultsOfContainers) {
  EXPECT_EQ(create(limit_ranges(),
                   limits(R"([{"type":"Container","max":{"cpu":"2","memory":"1Gi"},)"
                          R"("default":{"cpu":"500m"},"defaultRequest":{"memory":"64Mi"}},)"
                          R"({"type":"x.y/Container","min":{"cpu":"1"}},)"
                          R"({"type":"Pod","min":{"cpu":"1"}}])")),
            R"({"metadata":{"name":"l","namespace":"ns"},"spec":{"limits":[)"
            R"({"default":{"cpu":"500m","memory":"1Gi"},)"
            R"("defaultRequest":{"cpu":"500m","memory":"64Mi"},)"
            R"("max":{"cpu":"2","memory":"1Gi"},"type":"Container"},)"
            R"({"min":{"cpu":"1"},"type":"x.y/Container"},{"min":{"cpu":"1"},"type":"Pod"}]}})");
}

TEST(LimitRange, IsRefusedWhenItsAmountsContradictEachOther) {
  struct Case {
    std::string_view items;
    std::string_view want;
  };
  const Case cases[] = {
      {R"([{"type":"Container","min":{"cpu":"2"},"max":{"cpu":"1"},"default":{"cpu":"3"}},{"type":"Container"}])",
       R"(422: spec.limits[0].defaultRequest[cpu]: Invalid value: "3": default request value 3 is greater than max value 1; )"
       R"(spec.limits[0].default[cpu]: Invalid value: "1": default value 3 is greater than max value 1; )"
       R"(spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1; )"
       R"(spec.limits[1].type: Duplicate value: "Container")"},
      {R"([{"type":"Pod","min":{"cpu":"1"},"max":{"cpu":"2"},"maxLimitRequestRatio":{"cpu":"3"}}])",
       R"(422: spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000)"},
      {R"([{"type":"Pod","max":{"pods":"1"}}])",
       R"(422: spec.limits[0].max[pods]: Invalid value: "pods": must be a standard resource for containers)"},
      {R"([{"type":"Container","default":{"a.com/g":"2"},"defaultRequest":{"a.com/g":"1"}}])",
       R"(422: spec.limits[0].defaultRequest[a.com/g]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in a.com/g)"},
      {R"([{"type":"Pod","max":{"requests.a/b":"2"}}])",
       R"(422: spec.limits[0].max[requests.a/b]: Invalid value: "requests.a/b": doesn't follow extended resource name standard)"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(create(limit_ranges(), limits(one.items)), one.want) << one.items;
}

TEST(LimitKinds, AreAcceptedAndRefusedAsRecorded) {
  STRAKE_REQUIRE_VECTORS(folder, "builtin");
  testing::expect_recorded_verdicts(folder, "core.resourcequota", quotas(), 50);
  testing::expect_recorded_verdicts(folder, "core.limitrange", limit_ranges(), 50);
}

}  // namespace
}  // namespace strake::kinds

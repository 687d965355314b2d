#include "admission/match/match.h"

#include <gtest/gtest.h>

#include "admission/match/test_requests.h"

namespace strake::admission {
namespace {

using Operation = Attributes::Operation;
using testing::document;
using testing::NamespacesByName;
using testing::widgets;

class Matching : public ::testing::Test {
 protected:
  Matching() { namespaces.add("default", R"({"env":"prod"})"); }

  // The version that matches; "-" for none, "CODE MESSAGE" for a refusal.
  std::string find(const Match& match, const Attributes& request) const {
    const auto found = match.find(request, namespaces);
    if (!found) return fmt::format("{} {}", found.error().code, found.error().message);
    return *found != nullptr ? (*found)->name : "-";
  }
  Attributes request(std::string_view version = "v1", Operation operation = Operation::kCreate) {
    return {.operation = operation,
            .resource = resource,
            .version = *resource.version(version),
            .name = "a",
            .namespace_name = "default"};
  }
  static std::string rule(std::string_view versions, std::string_view resources = "widgets",
                          std::string_view more = "") {
    return fmt::format(
        R"({{"operations":["*"],"apiGroups":["a.example"],"apiVersions":[{}],"resources":["{}"]{}}})",
        versions, resources, more);
  }
  static Match webhook(std::string_view rules, std::string_view more = "") {
    const value::Document text = document(fmt::format(R"({{"rules":[{}]{}}})", rules, more));
    return Match::of_webhook(text.root());
  }
  static Match resources(std::string_view json) {
    const value::Document text = document(json);
    return Match::of_resources(text.root());
  }

  kinds::Resource resource = widgets();
  NamespacesByName namespaces;
};

constexpr std::string_view kEquivalent = R"(,"matchPolicy":"Equivalent")";
constexpr std::string_view kExact = R"(,"matchPolicy":"Exact")";

TEST_F(Matching, WebhooksByTheirRules) {
  EXPECT_EQ(find(webhook(""), request()), "-");
  EXPECT_EQ(find(webhook(rule(R"("v1")")), request()), "v1");
  EXPECT_EQ(find(webhook(rule(R"("v2")") + "," + rule(R"("v1")")), request()), "v1");
  EXPECT_EQ(find(webhook(rule(R"("*")", "gadgets")), request()), "-");
}

TEST_F(Matching, OtherVersionsWhereTheyAreEquivalent) {
  EXPECT_EQ(find(webhook(rule(R"("v2")"), kExact), request()), "-");
  EXPECT_EQ(find(webhook(rule(R"("v2")")), request()), "-");
  EXPECT_EQ(find(webhook(rule(R"("v2")"), kEquivalent), request()), "v2");
  // The one that was asked for goes first.
  EXPECT_EQ(find(webhook(rule(R"("v2")") + "," + rule(R"("v1")"), kEquivalent), request()), "v1");
  // Then rules in their order, and versions in the order of the definition.
  EXPECT_EQ(find(webhook(rule(R"("v3","v2")"), kEquivalent), request()), "v2");
  EXPECT_EQ(find(webhook(rule(R"("v1","v3")"), kEquivalent), request("v2")), "v3");
  EXPECT_EQ(find(webhook(rule(R"("v3")") + "," + rule(R"("v2")"), kEquivalent), request()), "v3");
  EXPECT_EQ(find(webhook(rule(R"("v9")"), kEquivalent), request()), "-");
}

TEST_F(Matching, OtherVersionsThatHaveTheSubresource) {
  Attributes status = request("v1", Operation::kUpdate);
  status.subresource = "status";
  EXPECT_EQ(find(webhook(rule(R"("v2")", "widgets/status"), kEquivalent), status), "v2");
  EXPECT_EQ(find(webhook(rule(R"("v3")", "widgets/status"), kEquivalent), status), "-");
  EXPECT_EQ(find(webhook(rule(R"("v2")"), kEquivalent), status), "-");
}

TEST_F(Matching, ObjectsByTheirLabelsBeforeOrAfter) {
  const Match match =
      webhook(rule(R"("*")"), R"(,"objectSelector":{"matchLabels":{"case":"yes"}})");
  const value::Document yes = document(R"({"metadata":{"labels":{"case":"yes"}}})");
  const value::Document no = document(R"({"metadata":{"labels":{"case":"no"}}})");
  const value::Document none = document(R"({"metadata":{}})");
  const struct {
    const value::Document* object;
    const value::Document* old;
    std::string_view want;
  } cases[] = {
      {&yes, nullptr, "v1"}, {&no, nullptr, "-"}, {&none, nullptr, "-"},
      {&yes, &no, "v1"},     {&no, &yes, "v1"},   {&no, &none, "-"},
      {nullptr, &yes, "v1"}, {nullptr, &no, "-"}, {nullptr, nullptr, "-"},
  };
  for (const auto& one : cases) {
    Attributes asked = request();
    if (one.object != nullptr) asked.object = &one.object->root();
    if (one.old != nullptr) asked.old = &one.old->root();
    EXPECT_EQ(find(match, asked), one.want);
    EXPECT_EQ(find(webhook(rule(R"("*")"), R"(,"objectSelector":{})"), asked), "v1");
  }
}

TEST_F(Matching, NamespacesByTheirLabels) {
  const Match prod =
      webhook(rule(R"("*")"), R"(,"namespaceSelector":{"matchLabels":{"env":"prod"}})");
  const Match test =
      webhook(rule(R"("*")"), R"(,"namespaceSelector":{"matchLabels":{"env":"test"}})");
  EXPECT_EQ(find(prod, request()), "v1");
  EXPECT_EQ(find(test, request()), "-");
  Attributes elsewhere = request();
  elsewhere.namespace_name = "gone";
  EXPECT_EQ(find(prod, elsewhere), R"(404 namespaces "gone" not found)");
  EXPECT_EQ(find(webhook(rule(R"("*")")), elsewhere), "v1");
  EXPECT_EQ(find(webhook(rule(R"("v9")"), R"(,"namespaceSelector":{"matchLabels":{"env":"x"}})"),
                 elsewhere),
            "-")
      << "what is not asked for cannot be missing";
  Attributes outside = request();
  outside.namespace_name = "";
  EXPECT_EQ(find(test, outside), "v1") << "what is outside of namespaces is not left out";
}

TEST_F(Matching, NamespacesThemselvesByWhatTheyWillBe) {
  const value::Document text = document(
      R"({"rules":[{"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["*"]}],)"
      R"("namespaceSelector":{"matchLabels":{"env":"prod"}}})");
  const Match prod = Match::of_webhook(text.root());
  const value::Document now =
      document(R"({"metadata":{"name":"default","labels":{"env":"test"}}})");
  Attributes asked{.operation = Operation::kUpdate,
                   .resource = kinds::namespace_resource(),
                   .version = kinds::namespace_resource().versions[0],
                   .name = "default",
                   .namespace_name = "default",
                   .object = &now.root()};
  EXPECT_EQ(find(prod, asked), "-");
  asked.operation = Operation::kDelete;
  asked.object = nullptr;
  EXPECT_EQ(find(prod, asked), "v1") << "as it stands";
}

TEST_F(Matching, ResourcesOfPoliciesWithoutRulesAreAll) {
  EXPECT_EQ(find(resources("{}"), request()), "v1");
  EXPECT_TRUE(resources("{}").concerns(resource));
  EXPECT_FALSE(webhook("").concerns(resource));
}

TEST_F(Matching, ResourcesOfPoliciesByNameAndWithoutWhatIsExcluded) {
  const auto with = [&](std::string_view key, std::string_view one, std::string_view more = "") {
    return fmt::format(R"("{}":[{}]{})", key, one, more);
  };
  const std::string named = rule(R"("v2")", "widgets", R"(,"resourceNames":["a"])");
  const std::string other = rule(R"("v2")", "widgets", R"(,"resourceNames":["b"])");
  const struct {
    std::string text;
    std::string_view want;
  } cases[] = {
      {with("resourceRules", named), "-"},
      {with("resourceRules", named, kEquivalent), "v2"},
      {with("resourceRules", other, kEquivalent), "-"},
      {with("excludeResourceRules", rule(R"("v1")")), "-"},
      {with("excludeResourceRules", rule(R"("v2")")), "v1"},
      {with("excludeResourceRules", rule(R"("v2")"), kEquivalent), "-"},
      {with("excludeResourceRules", named, kEquivalent), "-"},
      {with("excludeResourceRules", other, kEquivalent), "v1"},
      {with("resourceRules", rule(R"("*")")) + "," + with("excludeResourceRules", named), "v1"},
  };
  for (const auto& one : cases)
    EXPECT_EQ(find(resources("{" + one.text + "}"), request()), one.want) << one.text;
}

TEST_F(Matching, TellsOfASelectorThatIsNoGoodOnlyWhoIsAskedOtherwise) {
  constexpr std::string_view kBad =
      R"(,"objectSelector":{"matchExpressions":[{"key":"k","operator":"Near"}]})";
  EXPECT_TRUE(find(webhook(rule(R"("v1")"), kBad), request()).starts_with("500 "));
  EXPECT_EQ(find(webhook(rule(R"("v2")"), kBad), request()), "-");
}

}  // namespace
}  // namespace strake::admission

#include "admission/match/rule.h"

#include <gtest/gtest.h>

#include "admission/match/test_requests.h"

namespace strake::admission {
namespace {

using Operation = Attributes::Operation;
using testing::document;
using testing::widgets;

struct RuleCase {
  std::string_view rule;
  bool matches;
  Operation operation = Operation::kCreate;
  std::string_view subresource = "";
  std::string_view namespace_name = "default";
  std::string_view name = "a";
};

TEST(Rule, MatchesWhatItNames) {
  const kinds::Resource resource = widgets();
  const auto rule = [](std::string_view operations, std::string_view groups,
                       std::string_view versions, std::string_view resources,
                       std::string_view more = "") {
    return fmt::format(R"({{"operations":{},"apiGroups":{},"apiVersions":{},"resources":{}{}}})",
                       operations, groups, versions, resources, more);
  };
  const auto of = [&](std::string_view resources, std::string_view more = "") {
    return rule(R"(["*"])", R"(["*"])", R"(["*"])", resources, more);
  };
  const std::string all = of(R"(["widgets"])");
  const std::pair<std::string, RuleCase> cases[] = {
      {all, {"", true}},
      {all, {"", true, Operation::kDelete}},
      {rule(R"(["CREATE"])", R"(["a.example"])", R"(["v1"])", R"(["widgets"])"), {"", true}},
      {rule(R"(["UPDATE"])", R"(["a.example"])", R"(["v1"])", R"(["widgets"])"), {"", false}},
      {rule(R"(["UPDATE","DELETE"])", R"(["*"])", R"(["v1"])", R"(["widgets"])"),
       {"", true, Operation::kDelete}},
      {rule(R"(["CONNECT"])", R"(["*"])", R"(["*"])", R"(["*/*"])"), {"", false}},
      {rule(R"(["CONNECT"])", R"(["*"])", R"(["*"])", R"(["*/proxy"])"),
       {"", true, Operation::kConnect, "proxy"}},
      {rule(R"(["CREATE","UPDATE"])", R"(["*"])", R"(["*"])", R"(["*/proxy"])"),
       {"", false, Operation::kConnect, "proxy"}},
      {rule(R"(["*"])", R"([""])", R"(["v1"])", R"(["widgets"])"), {"", false}},
      {rule(R"(["*"])", R"(["b.example","a.example"])", R"(["v2","v1"])", R"(["x","widgets"])"),
       {"", true}},
      {rule(R"(["*"])", R"(["*"])", R"(["v2"])", R"(["widgets"])"), {"", false}},
      {rule(R"([])", R"(["*"])", R"(["*"])", R"(["*"])"), {"", false}},
      // Subresources.
      {all, {"", false, Operation::kUpdate, "status"}},
      {of(R"(["*"])"), {"", true}},
      {of(R"(["*"])"), {"", false, Operation::kUpdate, "status"}},
      {of(R"(["*/*"])"), {"", true}},
      {of(R"(["*/*"])"), {"", true, Operation::kUpdate, "status"}},
      {of(R"(["widgets/*"])"), {"", true}},
      {of(R"(["widgets/*"])"), {"", true, Operation::kUpdate, "scale"}},
      {of(R"(["gadgets/*"])"), {"", false}},
      {of(R"(["widgets/status"])"), {"", false}},
      {of(R"(["widgets/status"])"), {"", true, Operation::kUpdate, "status"}},
      {of(R"(["*/status"])"), {"", true, Operation::kUpdate, "status"}},
      {of(R"(["*/status"])"), {"", false, Operation::kUpdate, "scale"}},
      // Scopes.
      {of(R"(["*"])", R"(,"scope":"*")"), {"", true}},
      {of(R"(["*"])", R"(,"scope":"Namespaced")"), {"", true}},
      {of(R"(["*"])", R"(,"scope":"Cluster")"), {"", false}},
      {of(R"(["*"])", R"(,"scope":"Cluster")"), {"", true, Operation::kCreate, "", ""}},
      {of(R"(["*"])", R"(,"scope":"Namespaced")"), {"", false, Operation::kCreate, "", ""}},
      {of(R"(["*"])", R"(,"scope":"Somewhere")"), {"", false}},
      // Names.
      {of(R"(["*"])", R"(,"resourceNames":["a","b"])"), {"", true}},
      {of(R"(["*"])", R"(,"resourceNames":["b"])"), {"", false}},
      {of(R"(["*"])", R"(,"resourceNames":["b"])"),
       {"", false, Operation::kCreate, "", "default", ""}},
      {of(R"(["*"])", R"(,"resourceNames":[])"), {"", true}},
  };
  for (const auto& [text, one] : cases) {
    const value::Document read = document(text);
    const Attributes request{.operation = one.operation,
                             .resource = resource,
                             .version = resource.versions[0],
                             .subresource = one.subresource,
                             .name = one.name,
                             .namespace_name = one.namespace_name};
    EXPECT_EQ(Rule(read.root()).matches(request, request.version), one.matches)
        << text << " of " << api::to_string(one.operation) << " " << one.subresource << " in "
        << one.namespace_name;
  }
}

TEST(Rule, TakesNamespacesForWhatIsOutsideOfThem) {
  const kinds::Resource& resource = kinds::namespace_resource();
  const Attributes request{.operation = Operation::kUpdate,
                           .resource = resource,
                           .version = resource.versions[0],
                           .name = "default",
                           .namespace_name = "default"};
  const auto scoped = [](std::string_view scope) {
    return document(fmt::format(
        R"({{"operations":["*"],"apiGroups":[""],"apiVersions":["v1"],"resources":["*"],"scope":"{}"}})",
        scope));
  };
  EXPECT_TRUE(Rule(scoped("Cluster").root()).matches(request, request.version));
  EXPECT_FALSE(Rule(scoped("Namespaced").root()).matches(request, request.version));
}

TEST(Rule, ConcernsResourcesWhateverTheRequest) {
  const kinds::Resource resource = widgets();
  const std::pair<std::string_view, bool> cases[] = {
      {R"({"apiGroups":["a.example"],"resources":["widgets/status"]})", true},
      {R"({"apiGroups":["*"],"resources":["*/scale"]})", true},
      {R"({"apiGroups":["a.example"],"resources":["gadgets"]})", false},
      {R"({"apiGroups":["b.example"],"resources":["*"]})", false},
  };
  for (const auto& [text, concerns] : cases)
    EXPECT_EQ(Rule(document(text).root()).concerns(resource), concerns) << text;
}

TEST(Rule, IsNotAskedAboutWhatSaysWhoIsAsked) {
  int exempt = 0;
  for (const kinds::ResourcePtr& one : kinds::builtin_resources())
    exempt += is_exempt(*one) ? 1 : 0;
  EXPECT_GE(exempt, 4);
  EXPECT_FALSE(is_exempt(widgets()));
  EXPECT_FALSE(is_exempt(kinds::namespace_resource()));
}

}  // namespace
}  // namespace strake::admission

#include "policy/access_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::policy {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kRequest =
    R"({"user":"jane","uid":"","groups":["devs"],"extra":{"a":["b"]},"resourceAttributes":{)"
    R"("namespace":"prod","verb":"list","group":"","version":"v1","resource":"pods",)"
    R"("subresource":"","name":"","labelSelector":{"requirements":[)"
    R"({"key":"app","operator":"In","values":["x"]}]}}})";

std::string outcome_of(std::vector<std::string_view> texts) {
  AccessConditions conditions;
  for (const std::string_view one : texts) {
    if (const std::string fault = conditions.add(one); !fault.empty()) return fault;
  }
  const auto request = value::read_json(kRequest);
  Arena arena;
  const auto outcome = conditions.evaluate(request->root(), arena);
  return outcome.matches ? "matches" : outcome.error.empty() ? "skipped" : outcome.error;
}

TEST(AccessConditions, SeeTheSpecOfTheReview) {
  for (const std::string_view text :
       {"request.user == 'jane'", "'devs' in request.groups", "request.extra['a'] == ['b']",
        "has(request.resourceAttributes)", "!has(request.nonResourceAttributes)",
        "request.resourceAttributes.namespace.startsWith('pr')", "request.uid == ''",
        "request.resourceAttributes.labelSelector.requirements.exists(r, r.key == 'app' && "
        "r.operator == 'In' && 'x' in r.values)",
        "!has(request.resourceAttributes.fieldSelector)"}) {
    EXPECT_EQ(outcome_of({text}), "matches") << text;
  }
}

TEST(AccessConditions, MustAllBeTrueAndOneThatIsFalseDecides) {
  constexpr std::string_view kFails = "request.nonResourceAttributes.path == '/'";
  EXPECT_EQ(outcome_of({}), "matches");
  EXPECT_EQ(outcome_of({"true", "request.user == 'joe'"}), "skipped");
  EXPECT_THAT(outcome_of({kFails, "true"}),
              StartsWith("cel evaluation error: expression 'request.nonResourceAttributes.path == "
                         "'/'' resulted in error: no such key: nonResourceAttributes"));
  EXPECT_EQ(outcome_of({kFails, "false"}), "skipped");
}

TEST(AccessConditions, MustCompileToABoolean) {
  EXPECT_EQ(outcome_of({"request.user"}), "must evaluate to bool but got string");
  EXPECT_THAT(outcome_of({"request.name == 'x'"}),
              StartsWith("compilation failed: ERROR: <input>:1:8: undefined field 'name'"));
  EXPECT_THAT(outcome_of({"object.spec"}), HasSubstr("undeclared reference to 'object'"));
  EXPECT_THAT(outcome_of({"authorizer.path('/').check('get').allowed()"}),
              HasSubstr("undeclared reference to 'authorizer'"));
}

}  // namespace
}  // namespace strake::policy

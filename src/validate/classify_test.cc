// The server's words are the input here: what a test passes in is what its engine prints.
#include "validate/classify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/compile.h"
#include "schema/validate.h"
#include "value/json_reader.h"

namespace strake::validate {
namespace {

using value::FieldError;
using value::Value;

// All issues that a schema finds in {"a": <value>}, with their params.
std::string issues(std::string_view schema_of_a, std::string_view a) {
  const std::string schema_text =
      fmt::format(R"({{"type":"object","properties":{{"a":{}}}}})", schema_of_a);
  const value::Document schema = value::read_json(schema_text).value();
  const value::Document object = value::read_json(fmt::format(R"({{"a":{}}})", a)).value();
  const schema::NodePtr node = schema::compile(schema.root()).value();
  value::FieldErrors errors = schema::validate(object.root(), *node);
  for (FieldError& error : schema::validate_list_types(object.root(), *node))
    errors.push_back(std::move(error));
  std::string out;
  for (const FieldError& error : errors) {
    const Fault fault = fault_from(error);
    if (!out.empty()) out += "; ";
    out += to_string(fault.issue);
    for (const Param& param : fault.params) out += fmt::format(" {}={}", param.name, param.json);
  }
  return out;
}

TEST(FaultFrom, TellsEveryKeywordOfASchema) {
  EXPECT_EQ(issues(R"({"type":"integer"})", "\"x\""),
            R"(invalid_type expected="integer" got="string")");
  EXPECT_EQ(issues(R"({"type":"object","required":["b"]})", "{}"), R"(required property="b")");
  EXPECT_EQ(issues(R"({"type":"integer","minimum":3})", "2"),
            "too_small minimum=3 exclusive=false got=2");
  EXPECT_EQ(issues(R"({"type":"number","maximum":3,"exclusiveMaximum":true})", "3"),
            "too_big maximum=3 exclusive=true got=3");
  EXPECT_EQ(issues(R"({"type":"integer","multipleOf":3})", "4"), "not_multiple multipleOf=3 got=4");
  EXPECT_EQ(issues(R"({"type":"string","minLength":3})", "\"ab\""),
            R"(too_short unit="characters" min=3)");
  EXPECT_EQ(issues(R"({"type":"string","maxLength":1})", "\"ab\""),
            R"(too_long unit="characters" max=1)");
  EXPECT_EQ(issues(R"({"type":"array","items":{"type":"integer"},"minItems":2})", "[1]"),
            R"(too_short unit="items" min=2)");
  EXPECT_EQ(issues(R"({"type":"array","items":{"type":"integer"},"maxItems":1})", "[1,2]"),
            R"(too_long unit="items" max=1 got=2)");
  EXPECT_EQ(issues(R"({"type":"object","minProperties":1})", "{}"),
            R"(too_short unit="properties" min=1)");
  EXPECT_EQ(issues(R"({"type":"string","pattern":"^it's$"})", "\"x\""),
            R"(pattern pattern="^it's$")");
  EXPECT_EQ(issues(R"({"type":"string","enum":["b","c"]})", "\"x\""),
            R"(invalid_enum allowed=["b", "c"] got="x")");
  EXPECT_EQ(issues(R"({"type":"string","format":"date"})", "\"x\""),
            R"(invalid_format format="date")");
  EXPECT_EQ(issues(R"({"type":"array","items":{"type":"integer"},"x-kubernetes-list-type":"set"})",
                   "[1,1]"),
            "duplicate_item");
}

TEST(FaultFrom, TellsCompositions) {
  EXPECT_EQ(issues(R"({"type":"integer","not":{"minimum":3}})", "4"), "not_allowed");
  EXPECT_EQ(issues(R"({"type":"integer","oneOf":[{"minimum":1},{"minimum":2}]})", "4"),
            "union_ambiguous matched=2");
  EXPECT_TRUE(issues(R"({"type":"integer","oneOf":[{"minimum":5},{"minimum":6}]})", "4")
                  .starts_with("no_match"));
  EXPECT_TRUE(issues(R"({"type":"integer","anyOf":[{"minimum":5},{"minimum":6}]})", "4")
                  .starts_with("no_match"));
}

TEST(FaultFrom, TellsMetadataAndOthers) {
  const FieldPath at = FieldPath() / "metadata" / "name";
  EXPECT_EQ(fault_from(FieldError::invalid(at, Value::string("A"),
                                           "a lowercase RFC 1123 subdomain must ..."))
                .issue,
            Issue::kInvalidFormat);
  EXPECT_EQ(fault_from(FieldError::invalid(at, Value::string("A"), "field is immutable")).issue,
            Issue::kNotAllowed);
  EXPECT_EQ(fault_from(FieldError::forbidden(at, "not allowed on this type")).issue,
            Issue::kNotAllowed);
}

TEST(FaultFrom, KeepsTheServersWords) {
  const Fault fault = fault_from(
      FieldError::invalid(FieldPath() / "spec" / "a", Value::integer(3), "must be even"));
  EXPECT_EQ(fault.field, "spec.a");
  EXPECT_EQ(fault.message, "Invalid value: 3: must be even");
  EXPECT_EQ(fault.reason, "FieldValueInvalid");
}

TEST(RuleFaultFrom, TellsViolationsFromRulesThatFailedToRun) {
  const auto issue = [](std::string detail) {
    return rule_fault_from(FieldError::invalid(FieldPath() / "spec", Value(), std::move(detail)))
        .issue;
  };
  EXPECT_EQ(issue("failed rule: self.a > 1"), Issue::kCelViolation);
  EXPECT_EQ(issue("should be greater than the other"), Issue::kCelViolation);
  EXPECT_EQ(issue("no such key: x evaluating rule: self.x > 1"), Issue::kCelError);
  EXPECT_EQ(issue("validation failed due to running out of cost budget, no further validation "
                  "rules will be run"),
            Issue::kCelBudget);
  EXPECT_EQ(issue("'operation cancelled: actual cost limit exceeded': no further validation rules "
                  "will be run due to call cost exceeds limit for rule: self.all(x, true)"),
            Issue::kCelBudget);
  EXPECT_EQ(issue("rule compile error: compilation failed: ERROR: 1:1"), Issue::kCelCompile);
}

}  // namespace
}  // namespace strake::validate

#include "kinds/storage/node_selector.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using value::Document;

std::string refused(std::string_view json, LabelValues values = LabelValues::kChecked) {
  const Document document = *value::read_json(json);
  value::FieldErrors errors;
  check_node_selector(document.root(), values, FieldPath() / "s", errors);
  return errors.empty() ? "" : value::aggregate(errors);
}

std::string with_expression(std::string_view expression) {
  return fmt::format(R"({{"nodeSelectorTerms":[{{"matchExpressions":[{}]}}]}})", expression);
}
std::string with_field(std::string_view field) {
  return fmt::format(R"({{"nodeSelectorTerms":[{{"matchFields":[{}]}}]}})", field);
}

TEST(NodeSelector, HasATermAtLeast) {
  EXPECT_EQ(refused("{}"),
            "s.nodeSelectorTerms: Required value: must have at least one node selector term");
  // It may be empty.
  EXPECT_EQ(refused(R"({"nodeSelectorTerms":[{}]})"), "");
}

TEST(NodeSelector, ComparesLabels) {
  constexpr std::string_view kAt = "s.nodeSelectorTerms[0].matchExpressions[0]";
  struct Case {
    std::string_view expression;
    std::string want;
  };
  const Case cases[] = {
      {R"({"key":"a","operator":"In","values":["b","c"]})", ""},
      {R"({"key":"a","operator":"Gt","values":["1"]})", ""},
      {R"({"key":"a","operator":"DoesNotExist"})", ""},
      {R"({"key":"a","operator":"NotIn"})",
       ".values: Required value: must be specified when `operator` is 'In' or 'NotIn'"},
      {R"({"key":"a","operator":"Exists","values":["b"]})",
       ".values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"},
      {R"({"key":"a","operator":"Lt","values":["1","2"]})",
       ".values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'"},
      {R"({"key":"a","operator":"Is"})",
       R"(.operator: Invalid value: "Is": not a valid selector operator)"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(refused(with_expression(one.expression)),
              one.want.empty() ? "" : std::string(kAt) + one.want)
        << one.expression;
  }
  const std::string bad = with_expression(R"({"key":"a","operator":"In","values":["-"]})");
  EXPECT_TRUE(refused(bad).contains("values[0]: Invalid value: \"-\""));
  EXPECT_EQ(refused(bad, LabelValues::kAny), "");
  EXPECT_TRUE(has_invalid_node_label_value(value::read_json(bad)->root()));
  EXPECT_TRUE(refused(with_expression(R"({"key":"-","operator":"Exists"})")).contains("].key: "));
}

TEST(NodeSelector, ComparesTheNameOfTheNode) {
  constexpr std::string_view kAt = "s.nodeSelectorTerms[0].matchFields[0]";
  EXPECT_EQ(refused(with_field(R"({"key":"metadata.name","operator":"In","values":["n"]})")), "");
  EXPECT_EQ(refused(with_field(R"({"key":"metadata.name","operator":"In","values":["n","m"]})")),
            std::string(kAt) +
                ".values: Required value: must be only one value when `operator` is 'In' or "
                "'NotIn' for node field selector");
  EXPECT_EQ(refused(with_field(R"({"key":"spec.x","operator":"Gt"})")),
            fmt::format(R"([{0}.operator: Invalid value: "Gt": not a valid selector operator, )"
                        R"({0}.key: Invalid value: "spec.x": not a valid field selector key])",
                        kAt));
  EXPECT_TRUE(refused(with_field(R"({"key":"metadata.name","operator":"In","values":["A"]})"))
                  .contains(".values[0]: Invalid value: \"A\""));
}

}  // namespace
}  // namespace strake::kinds

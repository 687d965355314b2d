#include "meta/selectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::meta {
namespace {

bool label_match(std::string_view selector, const char* labels) {
  const auto parsed = LabelSelector::parse(selector);
  EXPECT_TRUE(parsed) << selector << ": " << parsed.error().message();
  const auto document = value::read_json(labels);
  return parsed->matches(&document->root());
}

std::string label_error(std::string_view selector) {
  const auto parsed = LabelSelector::parse(selector);
  return parsed ? "" : parsed.error().message();
}

TEST(LabelSelectors, Match) {
  const char* labels = R"({"app":"web","tier":"front","n":"7","empty":""})";
  for (const char* yes :
       {"", "app=web", "app==web", "app!=db", "app in (db,web)", "app notin (db)", "app", "!nope",
        "nope!=x", "nope notin (a)", "n>6", "n<8", "app=web,tier=front", " app = web , tier ",
        "empty=", "empty in (,x)", "app in (in,web) ,!x"}) {
    EXPECT_TRUE(label_match(yes, labels)) << yes;
  }
  for (const char* no :
       {"app=db", "app!=web", "app in (db)", "app notin (web,db)", "!app", "nope", "nope=x", "n>7",
        "n<7", "app>1", "app=web,tier=back", "nope in (a)", "nope="}) {
    EXPECT_FALSE(label_match(no, labels)) << no;
  }
  EXPECT_TRUE(LabelSelector::parse("!a")->matches(nullptr));
  EXPECT_FALSE(LabelSelector::parse("a")->matches(nullptr));
}

TEST(LabelSelectors, TakeOperatorsAsWordsInTheirPlace) {
  EXPECT_TRUE(label_match("in in (notin)", R"({"in":"notin"})"));
  EXPECT_TRUE(label_match("notin", R"({"notin":""})"));
}

TEST(LabelSelectors, PrintSortedByKey) {
  EXPECT_EQ(LabelSelector::parse("c notin (z,y),!b,a==1,a!=2,d in (x),e>3,f")->to_string(),
            "a==1,a!=2,!b,c notin (y,z),d in (x),e>3,f");
  EXPECT_EQ(LabelSelector::parse("x in (foo,,baz),z notin ()")->to_string(),
            "x in (,baz,foo),z notin ()");
}

TEST(LabelSelectors, FailInTheServersWords) {
  EXPECT_EQ(label_error("a b c"),
            "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt");
  EXPECT_EQ(label_error(","), "found ',', expected: !, identifier, or 'end of string'");
  EXPECT_EQ(label_error("a,"), "found '', expected: identifier after ','");
  EXPECT_EQ(label_error("a=b c"), "found 'c', expected: ',' or 'end of string'");
  EXPECT_EQ(label_error("!a=b"), "found '=', expected: ',' or 'end of string'");
  EXPECT_EQ(label_error("a in b"), "unable to parse requirement: found 'b' expected: '('");
  EXPECT_EQ(label_error("a in (b"), "unable to parse requirement: found '', expected: ',' or ')'");
  EXPECT_EQ(label_error("a in (="),
            "unable to parse requirement: found '=', expected: ',', ')' or identifier");
  EXPECT_EQ(label_error("a=="), "");
  EXPECT_EQ(label_error("a===b"), "unable to parse requirement: found '=', expected: identifier");
  EXPECT_EQ(label_error("!"), "unable to parse requirement: found '', expected: identifier");
  EXPECT_EQ(label_error("a>x"),
            "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' "
            "operators, the value must be an "
            "integer");
  EXPECT_THAT(label_error("-a"),
              ::testing::StartsWith(
                  "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must"));
  EXPECT_THAT(label_error("a=-b"),
              ::testing::StartsWith(
                  "unable to parse requirement: values[0][a]: Invalid value: \"-b\": a valid"));
}

TEST(LabelSelectors, ReadTheirObjectForm) {
  const auto document = value::read_json(
      R"({"matchLabels":{"a":"1"},"matchExpressions":[{"key":"b","operator":"NotIn","values":["y","x"]},{"key":"c","operator":"Exists"},{"key":"d","operator":"DoesNotExist"}]})");
  const auto selector = LabelSelector::from_value(&document->root());
  ASSERT_TRUE(selector);
  EXPECT_EQ(selector->to_string(), "a=1,b notin (x,y),c,!d");
  EXPECT_TRUE(LabelSelector::from_value(nullptr)->empty());
  const auto bad = value::read_json(R"({"matchExpressions":[{"key":"b","operator":"Has"}]})");
  EXPECT_EQ(LabelSelector::from_value(&bad->root()).error().message(),
            "\"Has\" is not a valid label selector operator");
}

bool field_match(std::string_view text) {
  const auto selector = FieldSelector::parse(text);
  EXPECT_TRUE(selector) << text;
  return selector->matches([](std::string_view field) -> std::string_view {
    if (field == "metadata.name") return "a";
    if (field == "spec.x") return "1,2=3\\";
    return "";
  });
}

TEST(FieldSelectors, Match) {
  EXPECT_TRUE(field_match(""));
  EXPECT_TRUE(field_match("metadata.name=a"));
  EXPECT_TRUE(field_match("metadata.name==a,spec.y!=1"));
  EXPECT_TRUE(field_match("spec.y="));
  EXPECT_TRUE(field_match(R"(spec.x=1\,2\=3\\)"));
  EXPECT_FALSE(field_match("metadata.name!=a"));
  EXPECT_FALSE(field_match("metadata.name=a,spec.x=0"));
}

TEST(FieldSelectors, KnowTheValueTheyAskFor) {
  const auto selector = FieldSelector::parse("metadata.name=a,x!=b");
  EXPECT_EQ(selector->required_value("metadata.name"), "a");
  EXPECT_FALSE(selector->required_value("x"));
  EXPECT_EQ(FieldSelector::parse(R"(b==1\,,a!=2)")->to_string(), R"(a!=2,b=1\,)");
}

TEST(FieldSelectors, FailInTheServersWords) {
  EXPECT_EQ(FieldSelector::parse("zzz").error().message(),
            "invalid selector: 'zzz'; can't understand 'zzz'");
  EXPECT_EQ(FieldSelector::parse("a=b=c").error().message(),
            "invalid field selector: unescaped character in value: 61");
  EXPECT_EQ(FieldSelector::parse("a=\\x").error().message(),
            "invalid field selector: invalid escape sequence: \\x");
  EXPECT_EQ(FieldSelector::parse("a=\\").error().message(),
            "invalid field selector: invalid escape sequence: \\");
}

}  // namespace
}  // namespace strake::meta

#include "schema/loose/evaluate.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "schema/loose/import.h"
#include "schema/loose/stream.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::schema::loose {
namespace {

value::Document parse(std::string_view json) {
  auto read = value::read_json(json);
  EXPECT_TRUE(read.has_value()) << json;
  return read ? *std::move(read) : value::Document();
}

Imported import_text(std::string_view schema, const ImportOptions& options = {}) {
  auto imported = import_schema(parse(schema).root(), options);
  EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().to_string());
  return *std::move(imported);
}

Report judge(std::string_view schema, std::string_view instance, const Options& options = {}) {
  const Imported imported = import_text(schema);
  return evaluate(parse(instance).root(), *imported.schema, options);
}

// "code at /path" of each issue.
std::vector<std::string> found(const Report& report) {
  std::vector<std::string> out;
  for (const Issue& issue : report.issues)
    out.push_back(fmt::format("{} at {}", to_string(issue.code), issue.path.to_pointer()));
  return out;
}

using Texts = std::vector<std::string>;

TEST(Evaluate, RoundsNumbersToFloat64WhenAsked) {
  // 2^53 + 1 is no float64: it becomes 2^53.
  const auto codes_of = [](std::string_view schema, std::string_view value) {
    return std::pair(judge(schema, value, {.numbers = NumberMode::kFloat64}).issues.size(),
                     judge(schema, value, {.numbers = NumberMode::kK8s}).issues.size());
  };
  const std::pair<std::size_t, std::size_t> fits_when_rounded(0, 1), clashes_when_rounded(1, 0);
  EXPECT_EQ(codes_of(R"({"maximum":9007199254740992})", "9007199254740993"), fits_when_rounded);
  EXPECT_EQ(codes_of(R"({"minimum":9007199254740993})", "9007199254740992"), fits_when_rounded);
  EXPECT_EQ(codes_of(R"({"const":9007199254740992})", "9007199254740993"), fits_when_rounded);
  EXPECT_EQ(codes_of(R"({"const":{"a":[9007199254740993]}})", R"({"a":[9007199254740992]})"),
            fits_when_rounded);
  EXPECT_EQ(codes_of(R"({"enum":[1,9007199254740993,"x"]})", "9007199254740992"),
            fits_when_rounded);
  EXPECT_EQ(codes_of(R"({"exclusiveMaximum":9007199254740993})", "9007199254740992"),
            clashes_when_rounded);
  EXPECT_EQ(codes_of(R"({"uniqueItems":true})", "[9007199254740992,9007199254740993]"),
            clashes_when_rounded);
  EXPECT_EQ(codes_of(R"({"type":"integer"})", "9007199254740993"),
            (std::pair<std::size_t, std::size_t>(0, 0)));
}

TEST(LooseIssue, HasACodeForEachKindOfFault) {
  struct Case {
    const char* schema;
    const char* instance;
    const char* want;
    const char* message;
  };
  const Case cases[] = {
      {R"({"type":["string","null"]})", "1", "invalid_type at ",
       "expected null or string, got integer"},
      {R"({"required":["a"]})", "{}", "required at /a", "missing property \"a\""},
      {R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})", "required at /b",
       "missing property \"b\", which others here need"},
      {R"({"properties":{"a":{}},"additionalProperties":false})", R"({"b/c":1})",
       "unknown_key at /b~1c", "unknown property \"b/c\""},
      {R"({"unevaluatedProperties":false})", R"({"a":1})", "unknown_key at /a",
       "unknown property \"a\""},
      {R"({"uniqueItems":true})", "[1,2,1.0]", "duplicate_item at /2", "duplicate element"},
      {R"({"x-kubernetes-list-type":"set"})", R"([{"a":1,"b":[2]},{"b":[2],"a":1}])",
       "duplicate_item at /1", "duplicate element"},
      {R"({"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n","m"]})",
       R"([{"n":"a","m":1,"v":1},{"n":"b"},{"n":"a","m":1,"v":2}])", "duplicate_item at /2",
       "duplicate element in list keyed by n, m"},
      {R"({"minimum":2})", "1", "too_small at ", "must be at least 2, got 1"},
      {R"({"exclusiveMinimum":1.5})", "1.5", "too_small at ", "must be above 1.5, got 1.5"},
      {R"({"maximum":2})", "3", "too_big at ", "must be at most 2, got 3"},
      {R"({"exclusiveMaximum":3})", "3", "too_big at ", "must be below 3, got 3"},
      {R"({"multipleOf":0.01})", "1.001", "not_multiple at ",
       "must be a multiple of 0.01, got 1.001"},
      {R"({"minLength":3})", "\"\u00e9\u00e9\"", "too_short at ",
       "must have at least 3 characters, got 2"},
      {R"({"maxLength":1})", "\"ab\"", "too_long at ", "must have at most 1 characters, got 2"},
      {R"({"minItems":1})", "[]", "too_short at ", "must have at least 1 items, got 0"},
      {R"({"maxItems":1})", "[1,2]", "too_long at ", "must have at most 1 items, got 2"},
      {R"({"minProperties":1})", "{}", "too_short at ", "must have at least 1 properties, got 0"},
      {R"({"maxProperties":0})", R"({"a":1})", "too_long at ",
       "must have at most 0 properties, got 1"},
      {R"({"contains":{"type":"string"}})", "[1]", "too_short at ",
       "must have at least 1 matching items, got 0"},
      {R"({"contains":{"type":"string"},"maxContains":1})", R"(["a",1,"b"])", "too_long at /2",
       "must have at most 1 matching items, got 2"},
      {R"({"pattern":"^\\d+$"})", R"("x")", "pattern at ", "must match the pattern ^\\d+$"},
      {R"({"enum":["a",{"b":1}]})", R"({"b":2})", "invalid_enum at ",
       "must be one of [\"a\",{\"b\":1}]"},
      {R"({"const":null})", "0", "invalid_enum at ", "must be null"},
      {R"({"anyOf":[{"type":"string"},{"minimum":5}]})", "1", "no_match at ",
       "matches no branch of anyOf"},
      {R"({"oneOf":[{"type":"integer"},{"minimum":0}]})", "1", "union_ambiguous at ",
       "must match exactly one branch of oneOf, matches 2"},
      {R"({"not":{"type":"integer"}})", "1", "not_allowed at ", "must not match the schema of not"},
      {R"({"items":false})", "[1]", "not_allowed at /0", "no value is allowed here"},
      {R"({"prefixItems":[true],"unevaluatedItems":false})", "[1,2]", "not_allowed at /1",
       "no value is allowed here"},
      {R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})", "too_long at /ab",
       "must have at most 1 characters, got 2"},
      {R"({"patternProperties":{"^x":{"type":"string"}}})", R"({"xy":1})", "invalid_type at /xy",
       "expected string, got integer"},
  };
  for (const Case& c : cases) {
    const Report report = judge(c.schema, c.instance);
    EXPECT_EQ(report.verdict, Verdict::kInvalid) << c.schema;
    EXPECT_EQ(found(report), Texts{c.want}) << c.schema;
    if (!report.issues.empty()) EXPECT_EQ(report.issues.front().message, c.message) << c.schema;
  }
}

TEST(LooseIssue, IsWrittenAsJson) {
  const Report report = judge(
      R"({"properties":{"l":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"]}}})",
      R"({"l":[{"n":"a"},{"n":"a"},{"n":"a"}]})");
  ASSERT_EQ(report.issues.size(), 1u);  // said once, at the second of them
  EXPECT_EQ(report.issues.front().to_json(),
            R"({"code":"duplicate_item","severity":"error","path":"/l/1","fieldPath":"l[1]",)"
            R"("message":"duplicate element in list keyed by n","hint":"first at /l/0",)"
            R"("params":{"firstIndex":0,"index":1,"keys":{"n":"a"}},)"
            R"("schemaPath":"/properties/l/x-kubernetes-list-map-keys"})");
}

// A short text may be long as JSON, which has six characters for a control character.
TEST(LooseIssue, ShowsLongTextsCutAndShortOnesWhole) {
  const auto hint = [](const std::string& text) {
    const Report report = judge(R"({"enum":["a"]})", text);
    EXPECT_EQ(report.issues.size(), 1u);
    return report.issues.empty() ? std::string() : report.issues.front().to_json();
  };
  std::string controls = "\"";
  for (int i = 0; i < 50; ++i) controls += "\\u0001";
  controls += "\"";
  EXPECT_NE(hint(controls).find(controls.substr(1, controls.size() - 2)), std::string::npos);
  const std::string cut = hint("\"" + std::string(300, 'x') + "\"");
  EXPECT_NE(cut.find(std::string(200, 'x') + "..."), std::string::npos) << cut;
}

TEST(LooseIssue, ListsTheBranchThatCameClosest) {
  const Report report = judge(
      R"({"oneOf":[{"type":"string"},{"required":["a","b"]},{"properties":{"c":{"type":"string"}}}]})",
      R"({"c":1})");
  ASSERT_EQ(found(report), Texts{"no_match at "});
  const Issue& issue = report.issues.front();
  ASSERT_EQ(issue.branch.size(),
            1u);  // one violation each in branches 0 and 2; the latter looked further
  EXPECT_EQ(issue.branch.front().schema_path, "/oneOf/2/properties/c/type");
  EXPECT_EQ(issue.branch.front().path.to_pointer(), "/c");
}

TEST(LooseIssue, IsOrderedByPathWhateverTheOrderOfMembers) {
  const char* schema =
      R"({"additionalProperties":{"type":"string"},"required":["z"],"minProperties":9})";
  const Texts want{"too_short at ", "invalid_type at /a", "invalid_type at /b", "required at /z"};
  EXPECT_EQ(found(judge(schema, R"({"b":1,"a":2})")), want);
  EXPECT_EQ(found(judge(R"({"items":{"type":"string"}})", "[1,1,1,1,1,1,1,1,1,1,1]")).back(),
            "invalid_type at /10");
}

TEST(LooseIssue, NumbersAreCappedWithTheTotalTold) {
  Options options;
  options.max_issues = 3;
  const Report report = judge(R"({"items":{"type":"string"}})", "[1,2,3,4,5]", options);
  EXPECT_EQ(found(report), (Texts{"invalid_type at /0", "invalid_type at /1", "invalid_type at /2",
                                  "truncated at "}));
  EXPECT_EQ(report.total, 5u);
  EXPECT_EQ(report.issues.back().params.back(),
            (std::pair<std::string, std::string>("total", "5")));
}

TEST(LooseOptions, FailFastStopsAtTheFirstError) {
  Options options;
  options.strategy = Strategy::kFailFast;
  EXPECT_EQ(found(judge(R"({"items":{"type":"string"}})", "[1,2,3]", options)),
            Texts{"invalid_type at /0"});
}

TEST(LooseOptions, AmbiguityChoosesAmongMatchingBranches) {
  const char* schema =
      R"({"oneOf":[{"properties":{"a":true}},{"properties":{"a":{"type":"integer"},"b":{"minimum":1}}}],
                           "unevaluatedProperties":false})";
  Options options;
  EXPECT_EQ(found(judge(schema, R"({"a":1})", options)),
            (Texts{"union_ambiguous at ", "unknown_key at /a"}));
  options.ambiguity = Ambiguity::kFirstMatch;
  EXPECT_EQ(found(judge(schema, R"({"a":1,"b":2})", options)), Texts{"unknown_key at /b"});
  options.ambiguity = Ambiguity::kScoreBest;
  EXPECT_EQ(found(judge(schema, R"({"a":1,"b":2})", options)), Texts{});
}

TEST(LooseOptions, UnknownStrictReportsWhatNoSchemaLookedAt) {
  const char* schema =
      R"({"allOf":[{"properties":{"a":{"properties":{"x":true}}}},{"$ref":"#/$defs/more"}],
                           "$defs":{"more":{"properties":{"b":{"type":"object"}},"patternProperties":{"^p":true}}}})";
  Options options;
  EXPECT_EQ(found(judge(schema, R"({"a":{"y":1},"b":{"free":1},"c":1,"p1":1})", options)), Texts{});
  options.unknown = UnknownMode::kStrict;
  EXPECT_EQ(found(judge(schema, R"({"a":{"y":1},"b":{"free":1},"c":1,"p1":1})", options)),
            (Texts{"unknown_key at /a/y", "unknown_key at /c"}));
  EXPECT_EQ(found(judge(R"({"properties":{"a":true},"x-kubernetes-preserve-unknown-fields":true})",
                        R"({"b":1})", options)),
            Texts{});
  EXPECT_EQ(found(judge(R"({"properties":{"a":true},"additionalProperties":true})", R"({"b":1})",
                        options)),
            Texts{});
}

TEST(LooseOptions, FormatsAreAnnotationsUnlessEnforced) {
  const char* schema =
      R"({"properties":{"a":{"format":"ipv4"},"b":{"format":"int32"},"c":{"format":"cidr"}}})";
  const char* bad = R"({"a":"x","b":3000000000,"c":"y"})";
  Options options;
  EXPECT_EQ(judge(schema, bad, options).verdict, Verdict::kValid);
  options.formats = FormatMode::kEnforce;
  EXPECT_EQ(found(judge(schema, bad, options)),
            (Texts{"invalid_format at /a", "too_big at /b", "invalid_format at /c"}));
  EXPECT_EQ(judge(schema, R"({"a":"1.2.3.4","b":1,"c":"10.0.0.0/8"})", options).verdict,
            Verdict::kValid);
}

TEST(LooseOptions, NumberModesCompareAsTheyPromise) {
  value::ReadOptions literal;
  literal.numbers = value::NumberPolicy::kLiteral;
  const auto verdict = [&](const char* schema, const char* instance, NumberMode mode) {
    const auto imported =
        import_schema(value::read_json(std::string_view(schema), literal)->root());
    Options options;
    options.numbers = mode;
    return evaluate(value::read_json(std::string_view(instance), literal)->root(),
                    *imported->schema, options)
        .verdict;
  };
  EXPECT_EQ(verdict(R"({"maximum":9007199254740992})", "9007199254740993", NumberMode::kJsonNumber),
            Verdict::kInvalid);
  EXPECT_EQ(verdict(R"({"maximum":9007199254740992})", "9007199254740993", NumberMode::kFloat64),
            Verdict::kValid);
  EXPECT_EQ(verdict(R"({"multipleOf":0.1})", "0.3", NumberMode::kJsonNumber), Verdict::kValid);
  EXPECT_EQ(verdict(R"({"multipleOf":0.1})", "0.3", NumberMode::kFloat64), Verdict::kInvalid);
  EXPECT_EQ(verdict(R"({"multipleOf":12345678901234567890123})", "37037036703703703670369",
                    NumberMode::kJsonNumber),
            Verdict::kValid);
  EXPECT_EQ(verdict(R"({"multipleOf":12345678901234567890123})", "37037036703703703670368",
                    NumberMode::kJsonNumber),
            Verdict::kInvalid);
  EXPECT_EQ(verdict(R"({"multipleOf":0.0001})", "1e300", NumberMode::kJsonNumber), Verdict::kValid);
  EXPECT_EQ(verdict(R"({"multipleOf":3})", "1e300", NumberMode::kJsonNumber), Verdict::kInvalid);
  // Integers meet a bound cut to its whole part.
  const Imported imported = import_text(R"({"minimum":1.5})");
  Options k8s;
  k8s.numbers = NumberMode::kK8s;
  EXPECT_EQ(evaluate(value::Value::integer(1), *imported.schema, k8s).verdict, Verdict::kValid);
  EXPECT_EQ(evaluate(value::Value::integer(1), *imported.schema).verdict, Verdict::kInvalid);
}

TEST(LooseOptions, IntOrStringMayAskForDigits) {
  const char* schema = R"({"x-kubernetes-int-or-string":true})";
  Options options;
  EXPECT_EQ(judge(schema, R"("50%")", options).verdict, Verdict::kValid);
  EXPECT_EQ(judge(schema, "5", options).verdict, Verdict::kValid);
  EXPECT_EQ(found(judge(schema, "true", options)), Texts{"invalid_type at "});
  options.int_or_string_pattern = true;
  EXPECT_EQ(found(judge(schema, R"("50%")", options)), Texts{"pattern at "});
  EXPECT_EQ(judge(schema, R"("-50")", options).verdict, Verdict::kValid);
}

TEST(LooseOptions, EmbeddedResourcesNeedTheirThreeMembersWhenAsked) {
  const char* schema =
      R"({"properties":{"t":{"type":"object","x-kubernetes-embedded-resource":true}}})";
  Options options;
  EXPECT_EQ(judge(schema, R"({"t":{}})", options).verdict, Verdict::kValid);
  options.embedded_checks = true;
  EXPECT_EQ(judge(schema, R"({"t":{}})", options).issues.size(), 3u);
  EXPECT_EQ(
      judge(schema, R"({"t":{"apiVersion":"v1","kind":"Pod","metadata":{}}})", options).verdict,
      Verdict::kValid);
  EXPECT_EQ(
      judge(schema, R"({"t":{"apiVersion":"v1","kind":"","metadata":[]}})", options).issues.size(),
      2u);
}

TEST(LooseOptions, CanonicalTextRoundsFractionsWhereStructureDoesNot) {
  value::ReadOptions literal;
  literal.numbers = value::NumberPolicy::kLiteral;
  const Imported imported = import_text(R"({"x-kubernetes-list-type":"set"})");
  const auto list = value::read_json("[1.00000000000000001,1.0]", literal);
  Options options;
  EXPECT_EQ(evaluate(list->root(), *imported.schema, options).verdict, Verdict::kValid);
  options.equal = EqualMode::kCanonicalJson;
  EXPECT_EQ(evaluate(list->root(), *imported.schema, options).verdict, Verdict::kInvalid);
}

// The same over a tree and over a stream of small pieces.
Texts found_both_ways(std::string_view schema, std::string_view instance,
                      const Options& options = {}) {
  const Imported imported = import_text(schema);
  const Texts whole = found(evaluate(parse(instance).root(), *imported.schema, options));
  StreamEvaluator evaluator(*imported.schema, *imported.schema->root(), options);
  value::JsonPushParser parser(evaluator, {});
  for (std::size_t i = 0; i < instance.size(); i += 3) {
    if (!parser.feed(instance.substr(i, 3))) break;
  }
  static_cast<void>(parser.finish());
  EXPECT_EQ(found(evaluator.take()), whole) << schema << "\n" << instance;
  return whole;
}

TEST(LooseLists, OfTypeMapCompareOnlyElementsThatHaveTheirKeys) {
  const char* schema = R"({"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["a","b"]})";
  EXPECT_EQ(found_both_ways(schema, R"([{"a":1},{"a":1},{"b":2},{"b":2},{},{}])"), Texts{});
  EXPECT_EQ(found_both_ways(schema, R"([{"a":1},{"a":1,"b":2},{"b":2,"a":1},{"a":"1","b":2}])"),
            Texts{"duplicate_item at /2"});
  EXPECT_EQ(found_both_ways(schema, R"([1,1,null,null])"), Texts{});
}

TEST(LooseLists, OfTypeMapCompareOnlyElementsWhoseKeysAreOfTheirType) {
  const auto list_of = [](std::string_view items) {
    return fmt::format(
        R"({{"$defs":{{"item":{{"properties":{{"n":{{"type":"string"}}}}}}}},
            "x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],"items":{}}})",
        items);
  };
  const char* twice = R"([{"n":1},{"n":1},{"n":"a"},{"n":"a"}])";
  const Texts told{"invalid_type at /0/n", "invalid_type at /1/n", "duplicate_item at /3"};
  EXPECT_EQ(found_both_ways(list_of(R"({"properties":{"n":{"type":"string"}}})"), twice), told);
  EXPECT_EQ(found_both_ways(list_of(R"({"$ref":"#/$defs/item"})"), twice), told);
  EXPECT_EQ(found_both_ways(list_of(R"({"allOf":[{"$ref":"#/$defs/item"}]})"), twice), told);
  // A union none of whose types it is; and one of which it is.
  EXPECT_EQ(
      found_both_ways(
          list_of(R"({"properties":{"n":{"anyOf":[{"type":"string"},{"type":"null"}]}}})"), twice),
      (Texts{"no_match at /0/n", "no_match at /1/n", "duplicate_item at /3"}));
  const Texts both{"duplicate_item at /1", "duplicate_item at /3"};
  EXPECT_EQ(found_both_ways(
                list_of(R"({"properties":{"n":{"anyOf":[{"type":"string"},{"type":"integer"}]}}})"),
                twice),
            both);
  EXPECT_EQ(found_both_ways(list_of(R"({"anyOf":[{"$ref":"#/$defs/item"},true]})"), twice), both);
  // What names or other members are is beside the point.
  EXPECT_EQ(found_both_ways(list_of(R"({"properties":{"n":{"maxLength":1}}})"),
                            R"([{"n":"ab"},{"n":"ab"}])"),
            (Texts{"too_long at /0/n", "duplicate_item at /1", "too_long at /1/n"}));
  EXPECT_EQ(found_both_ways(list_of(R"({"properties":{"m":{"type":"string"}}})"),
                            R"([{"n":1,"m":1},{"m":1,"n":1}])"),
            (Texts{"invalid_type at /0/m", "duplicate_item at /1", "invalid_type at /1/m"}));
}

TEST(LooseUnknown, IsKeptWhereTheSchemaPreservesItWhateverElseTheSchemaSays) {
  const char* keep = R"("x-kubernetes-preserve-unknown-fields":true)";
  const char* forbid = R"("x-kubernetes-preserve-unknown-fields":false)";
  struct Case {
    const char* schema;  // with a place for the flag
    Texts kept;
    Texts forbidden;
  };
  const Case cases[] = {
      {R"({{"properties":{{"a":{{}}}},"additionalProperties":false,{}}})",
       {},
       {"unknown_key at /b"}},
      {R"({{"properties":{{"a":{{}}}},"unevaluatedProperties":false,{}}})",
       {},
       {"unknown_key at /b"}},
      {R"({{"additionalProperties":false,"unevaluatedProperties":false,{}}})",
       {},
       {"unknown_key at /a", "unknown_key at /b"}},
      // A schema beside the flag is still that of the values.
      {R"({{"properties":{{"a":{{}}}},"additionalProperties":{{"type":"string"}},{}}})",
       {"invalid_type at /b"},
       {"invalid_type at /b"}},
      {R"({{"properties":{{"a":{{}}}},"unevaluatedProperties":{{"type":"string"}},{}}})",
       {"invalid_type at /b"},
       {"invalid_type at /b"}},
      // Whoever preserves a member has looked at it.
      {R"({{"allOf":[{{"properties":{{"a":{{}}}},{}}}],"unevaluatedProperties":false}})",
       {},
       {"unknown_key at /b"}},
      // The flag of a node does not reach into its members.
      {R"({{"properties":{{"a":{{"additionalProperties":false}}}},"additionalProperties":false,{}}})",
       {"unknown_key at /a/x"},
       {"unknown_key at /a/x", "unknown_key at /b"}},
  };
  const char* instance = R"({"a":{"x":1},"b":2})";
  for (const Case& c : cases) {
    for (const UnknownMode mode :
         {UnknownMode::kPrune, UnknownMode::kStrict, UnknownMode::kPreserve}) {
      const Options options{.unknown = mode};
      EXPECT_EQ(found_both_ways(fmt::format(fmt::runtime(c.schema), keep), instance, options),
                c.kept)
          << c.schema;
      EXPECT_EQ(found_both_ways(fmt::format(fmt::runtime(c.schema), forbid), instance, options),
                c.forbidden)
          << c.schema;
    }
  }
}

TEST(LooseContains, CountsAtItsEdges) {
  const auto verdict = [](int least, int most, int matching) {
    std::string list = "[0";
    for (int i = 0; i < matching; ++i) list += ",\"x\"";
    return judge(fmt::format(
                     R"({{"contains":{{"type":"string"}},"minContains":{},"maxContains":{}}})",
                     least, most),
                 list + "]")
        .verdict;
  };
  EXPECT_EQ(verdict(0, 0, 0), Verdict::kValid);
  EXPECT_EQ(verdict(0, 0, 1), Verdict::kInvalid);
  EXPECT_EQ(verdict(1, 3, 0), Verdict::kInvalid);
  EXPECT_EQ(verdict(1, 3, 1), Verdict::kValid);
  EXPECT_EQ(verdict(2, 3, 3), Verdict::kValid);
  EXPECT_EQ(verdict(2, 3, 4), Verdict::kInvalid);
}

TEST(LooseDepth, IsLimitedWithoutNativeStack) {
  const Imported imported =
      import_text(R"({"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":"integer"}]})");
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + "1" + std::string(depth, ']');
  };
  Options options;
  EXPECT_EQ(evaluate(parse(nested(512)).root(), *imported.schema, options).verdict,
            Verdict::kValid);
  const Report report = evaluate(parse(nested(513)).root(), *imported.schema, options);
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
  EXPECT_EQ(report.issues.front().code, IssueCode::kParseError);
  options.max_depth = 10'000;
  EXPECT_EQ(evaluate(parse(nested(10'000)).root(), *imported.schema, options).verdict,
            Verdict::kValid);
}

TEST(LooseWork, DoesNotDoubleWithEveryBranch) {
  // Two ways to the same schema at each of 60 levels would be 2^60 runs.
  std::string schema = R"({"$defs":{"s0":{"type":"integer"})";
  for (int i = 1; i <= 60; ++i) {
    schema += fmt::format(
        R"(,"s{0}":{{"anyOf":[{{"$ref":"#/$defs/s{1}"}},{{"$ref":"#/$defs/s{1}"}}]}})", i, i - 1);
  }
  schema += R"(},"$ref":"#/$defs/s60"})";
  EXPECT_EQ(judge(schema, "1").verdict, Verdict::kValid);
  EXPECT_EQ(judge(schema, "\"x\"").verdict, Verdict::kInvalid);
  const Imported twice = import_text(
      R"({"anyOf":[{"items":{"$ref":"#"}},{"prefixItems":[{"$ref":"#"}],"items":{"$ref":"#"}}]})");
  EXPECT_EQ(
      evaluate(parse(std::string(400, '[') + std::string(400, ']')).root(), *twice.schema).verdict,
      Verdict::kValid);
}

TEST(LooseUnevaluated, GivesUpPastItsBuffer) {
  const Imported imported =
      import_text(R"({"anyOf":[{"patternProperties":{"^k":true}}],"unevaluatedProperties":false})");
  std::string object = "{";
  for (int i = 0; i < 1000; ++i) object += fmt::format("{}\"k{}\":1", i == 0 ? "" : ",", i);
  object += "}";
  Options options;
  EXPECT_EQ(evaluate(parse(object).root(), *imported.schema, options).verdict, Verdict::kValid);
  options.max_buffer = 1000;
  Report report = evaluate(parse(object).root(), *imported.schema, options);
  EXPECT_EQ(report.verdict, Verdict::kUnknown);
  EXPECT_EQ(found(report), Texts{"buffer_exceeded at "});
  options.strategy = Strategy::kFailFast;
  report = evaluate(parse(object).root(), *imported.schema, options);
  EXPECT_EQ(report.verdict, Verdict::kUnknown);
  EXPECT_EQ(found(report), Texts{"truncated at "});
  options.strategy = Strategy::kFullBuffer;
  EXPECT_EQ(evaluate(parse(object).root(), *imported.schema, options).verdict, Verdict::kValid);
}

}  // namespace
}  // namespace strake::schema::loose

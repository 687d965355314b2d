#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "rules/crd_rules.h"
#include "rules/engine.h"
#include "validate/checker.h"
#include "validate/schema_set.h"
#include "validate/test_crd.h"

namespace strake::validate {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Strategy = schema::StreamOptions::Strategy;

// Text that comes in small pieces, so that every token is cut somewhere.
class Pieces final : public ByteSource {
 public:
  Pieces(std::string_view text, bool again) : text_(text), again_(again) {}
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count =
        text_.substr(at_).copy(into.data(), std::min<std::size_t>(7, into.size()));
    at_ += count;
    return count;
  }
  bool seek(std::uint64_t offset) override {
    if (again_) at_ = static_cast<std::size_t>(offset);
    return again_;
  }

 private:
  std::string_view text_;
  bool again_;
  std::size_t at_ = 0;
};

struct Asked {
  std::string_view schema = kGardenCrd;
  JudgeOptions judge = {.unknown = UnknownFields::kStrict};
  CheckOptions check = {.max_bytes = UINT64_MAX};
  StreamLimits limits = {.hold = 100};
  bool again = true;  // the source can be read again
  std::string old = "";
};

std::string lines(const FileResult& result) {
  std::string out;
  for (const DocumentResult& document : result.documents) {
    out += fmt::format("{}{} {}\n", document.document,
                       document.items.empty() ? "" : fmt::format("[{}]", document.items[0]),
                       to_string(document.status));
    for (const Finding& f : document.findings) {
      const Position at = f.position.value_or(Position{.offset = 0, .line = 0, .column = 0});
      out += fmt::format(" {}:{} {} {} {} {}{}\n", at.line, at.column, to_string(f.fault.severity),
                         to_string(f.fault.issue), f.path.to_pointer(), f.fault.message,
                         f.fragment.empty() ? "" : fmt::format(" <{}>", f.fragment));
    }
  }
  if (result.unlisted_valid > 0) out += fmt::format("{} valid\n", result.unlisted_valid);
  if (result.unlisted_invalid > 0) out += fmt::format("{} invalid\n", result.unlisted_invalid);
  return out;
}

FileResult streamed(std::string_view text, Asked asked = {}) {
  const rules::Engine engine;
  rules::CrdRules compiler;
  asked.judge.rules = &engine;
  asked.judge.rule_compiler = &compiler;
  SchemaSet schemas(asked.judge);
  const auto added = schemas.add("s.yaml", std::make_shared<const std::string>(asked.schema));
  EXPECT_TRUE(added) << added.error().to_string();
  asked.check.any = schemas.any();
  OldObjects old;
  EXPECT_TRUE(old.add(asked.old, read_options("old.yaml", asked.check, false)));
  Pieces source(text, asked.again);
  return Checker(schemas.catalog(), asked.old.empty() ? nullptr : &old, asked.check)
      .check_stream("a.json", source, asked.limits);
}

std::string garden(std::string_view spec, std::string_view name = "a") {
  return fmt::format(
      R"({{"apiVersion":"example.dev/v1","kind":"Garden","metadata":{{"name":"{}"}},"spec":{}}})",
      name, spec);
}

std::string many_plants(int count, std::string_view last = R"({"name":"last"})") {
  std::string out = R"({"plants":[)";
  for (int i = 0; i < count; ++i) out += fmt::format(R"({{"name":"p{}"}},)", i);
  return out + std::string(last) + "]}";
}

TEST(StreamCheck, FindsWhatTheOrdinaryCheckFinds) {
  const std::string text = garden(
      many_plants(50, R"({"name":"p3","water":"plentty","junk":1},{"water":"little"})"), "Bad");
  const std::string want =
      "0 invalid\n"
      " 1:67 error invalid_format /metadata/name Invalid value: \"Bad\": a lowercase RFC 1123 "
      "subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
      "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
      "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*') <\"Bad\">\n"
      " 1:832 error duplicate_item /spec/plants/50 Duplicate value: {\"name\":\"p3\"} "
      "<{\"name\":\"p3\",\"water\":\"plentty\",\"junk\":1}>\n"
      " 1:863 error unknown_key /spec/plants/50/junk unknown field \"spec.plants[50].junk\" "
      "<\"junk\">\n"
      " 1:853 error invalid_enum /spec/plants/50/water Unsupported value: \"plentty\": supported "
      "values: \"little\", \"plenty\" <\"plentty\">\n"
      " 1:873 error required /spec/plants/51/name Required value <{\"water\":\"little\"}>\n";
  EXPECT_EQ(lines(streamed(text)), want);
  // Held whole, the answer is the same.
  EXPECT_EQ(lines(streamed(text, {.limits = {.hold = 10'000}})), want);
  // Without going back there are no places, but the same faults.
  const FileResult once = streamed(text, {.again = false});
  EXPECT_EQ(once.documents.at(0).findings.size(), 5u);
  EXPECT_FALSE(once.documents.at(0).findings.at(0).position);
}

TEST(StreamCheck, CountsDocumentsThatAreFine) {
  EXPECT_EQ(lines(streamed(garden(many_plants(50)) + "\n" + garden("{}") + garden("{\"beds\":2}"))),
            "3 valid\n");
}

TEST(StreamCheck, PlacesSmallDocumentsInTheWholeText) {
  EXPECT_EQ(lines(streamed(garden("{}") + "\n\n " + garden("{\"beds\":101}") + "\n7\n",
                           {.limits = {.hold = 1000}})),
            "1 invalid\n"
            " 3:88 error too_big /spec/beds Invalid value: 101: spec.beds in body should be less "
            "than or equal to 100 <101>\n"
            "2 error\n"
            " 4:1 error invalid_type  expected an object with apiVersion and kind, got an integer "
            "<7>\n"
            "1 valid\n");
}

TEST(StreamCheck, TakesListsApartAndTellsItemsByTheirPlace) {
  std::string text = R"({"apiVersion":"example.dev/v1","items":[)";
  for (int i = 0; i < 9; ++i)
    text += fmt::format("\n{{\"metadata\":{{\"name\":\"g{}\"}},\"spec\":{{\"beds\":{}}}}},", i,
                        i == 4 ? 200 : 1);
  text += "\n" + garden("{\"beds\":1,\"beds\":2}") + R"(],"kind":"GardenList"})";
  const std::string found =
      "0[4] invalid\n"
      " 6:42 error too_big /items/4/spec/beds Invalid value: 200: spec.beds in body should be "
      "less than or equal to 100 <200>\n"
      "0[9] valid\n"
      " 11:89 warning duplicate_key /items/9/spec/beds duplicate field \"spec.beds\" <\"beds\">\n"
      "8 valid\n";
  const FileResult result = streamed(text);
  EXPECT_EQ(lines(result), found);
  EXPECT_EQ(result.documents.at(1).findings.at(0).fault.hint, "first at 11:80");
}

TEST(StreamCheck, PassesOverItemsThatAreTooLarge) {
  const std::string text = R"({"apiVersion":"v1","kind":"List","items":[)" + garden("{}") + "," +
                           garden(many_plants(30)) + "," + garden("{}") + "]}";
  EXPECT_EQ(lines(streamed(text)),
            "0[1] unknown\n 1:125 warning buffer_exceeded /items/1 not checked: it has more than "
            "100 bytes\n2 valid\n");
  EXPECT_EQ(lines(streamed(text, {.check = {.max_bytes = 200}})),
            "0[1] invalid\n 1:125 error truncated /items/1 Request entity too large: limit is "
            "200\n2 valid\n");
}

TEST(StreamCheck, TakesWhatBeginsWithItemsForAListWhenItCannotLookAhead) {
  std::string text = R"({"apiVersion":"v1","items":[)";
  for (int i = 0; i < 5; ++i) text += (i > 0 ? "," : "") + garden("{}");
  EXPECT_EQ(lines(streamed(text + R"(],"kind":"List"})", {.again = false})), "5 valid\n");
  EXPECT_THAT(lines(streamed(text + R"(],"kind":"Garden"})", {.again = false})),
              HasSubstr("begins with items, and is no list"));
}

TEST(StreamCheck, LooksAheadForATypeThatComesLast) {
  const std::string text = fmt::format(
      R"({{"spec":{},"metadata":{{"name":"a"}},"kind":"Garden","apiVersion":"example.dev/v1"}})",
      many_plants(50, "{}"));
  EXPECT_THAT(lines(streamed(text)), HasSubstr("required /spec/plants/50/name"));
  EXPECT_THAT(lines(streamed(text, {.again = false})),
              HasSubstr("error required  no apiVersion and kind in the first 100 bytes"));
  EXPECT_THAT(
      lines(streamed(R"({"kind":"Nobody","apiVersion":"a/v1","spec":)" + many_plants(50) + "}")),
      StartsWith("0 error\n 1:9 error schema_missing /kind"));
}

TEST(StreamCheck, RefusesWhatTheServerWouldNotTake) {
  const std::string text = garden(many_plants(100));
  EXPECT_EQ(lines(streamed(text + garden("{}"), {.check = {.max_bytes = 1000}})),
            "0 invalid\n 1:1 error truncated  Request entity too large: limit is 1000 <" +
                text.substr(0, 80) + ">\n1 valid\n");
  // Measured as it would be sent: white space does not count.
  std::string spaced;
  for (const char c : text) spaced += std::string(1, c) + (c == ',' ? std::string(40, ' ') : "");
  EXPECT_EQ(lines(streamed(spaced, {.check = {.max_bytes = 2000}})), "1 valid\n");
}

constexpr std::string_view kWithUnion =
    "{type: object, properties: {u: {type: array, items: {type: integer}, anyOf: [{maxItems: 2}, "
    "{minItems: 5}]}, n: {type: integer, maximum: 3}}}";

TEST(StreamCheck, SaysWhatWasTooLargeToBeJudged) {
  std::string list = "[1";
  for (int i = 0; i < 200; ++i) list += ",1";
  const std::string text = fmt::format("{{\"u\":{}]}}", list);
  const auto run = [&](Strategy strategy, std::string_view what) {
    return lines(streamed(
        what,
        {.schema = kWithUnion, .limits = {.strategy = strategy, .max_buffer = 500, .hold = 100}}));
  };
  EXPECT_EQ(
      run(Strategy::kBestEffort, text),
      "0 unknown\n 1:6 warning buffer_exceeded /u not checked: it needs more than 500 bytes <" +
          list.substr(0, 80) + ">\n");
  EXPECT_THAT(run(Strategy::kFailFast, text), StartsWith("0 unknown\n 1:6 warning truncated /u"));
  EXPECT_EQ(run(Strategy::kFullBuffer, text), "1 valid\n");
  // An error that was found all the same decides.
  const std::string wrong = fmt::format("{{\"m\":0,\"u\":{}],\"x\":1}}", list);
  EXPECT_THAT(run(Strategy::kBestEffort, wrong), StartsWith("0 invalid\n"));
}

TEST(StreamCheck, StopsAtTheFirstErrorWhenItIsToldTo) {
  const std::string text = garden(many_plants(50, "{},{}"));
  const FileResult result =
      streamed(text, {.limits = {.strategy = Strategy::kFailFast, .hold = 100}});
  EXPECT_THAT(lines(result), StartsWith("0 invalid\n 1:830 error required /spec/plants/50/name"));
  EXPECT_EQ(result.documents.at(0).findings.size(), 1u);
}

TEST(StreamCheck, LeavesRulesAndEmbeddedMetadataOutAndSaysSo) {
  const std::string crd = [] {
    std::string out(kGardenCrd);
    out.replace(out.find("              beds:"), 0,
                "              pod: {type: object, x-kubernetes-embedded-resource: true, "
                "x-kubernetes-preserve-unknown-fields: true}\n");
    out.replace(out.find("            properties:\n              pod"), 0,
                "            x-kubernetes-validations: [{rule: 'has(self.plants)'}]\n");
    return out;
  }();
  const Asked tight{.schema = crd, .limits = {.max_buffer = 500, .hold = 100}};
  const std::string shown = many_plants(20).substr(0, 80);
  // What did not occur is not missed.
  EXPECT_EQ(
      lines(streamed(garden(many_plants(20)), tight)),
      "0 unknown\n 1:79 warning buffer_exceeded /spec the validation rules were not run: they "
      "need the whole object <" +
          shown + ">\n");
  std::string with_pod = many_plants(20);
  with_pod.insert(1, R"("pod":{"apiVersion":"v1","kind":"Pod","metadata":{"name":")" +
                         std::string(500, 'x') + "\"}},");
  EXPECT_THAT(lines(streamed(garden(with_pod), tight)),
              HasSubstr("1:86 warning buffer_exceeded /spec/pod the metadata of embedded resources "
                        "was not checked: it needs them whole"));
  // What fits is judged.
  EXPECT_EQ(lines(streamed(garden(many_plants(20)), {.schema = crd})), "1 valid\n");
  EXPECT_EQ(lines(streamed(garden("{\"plants\":[]}"), {.schema = crd, .limits = {.hold = 200}})),
            "1 valid\n");
  EXPECT_EQ(
      lines(streamed(garden(many_plants(20)),
                     {.schema = crd, .limits = {.strategy = Strategy::kFullBuffer, .hold = 100}})),
      "1 valid\n");
}

TEST(StreamCheck, CannotLetTheLastOfTwoKeysWin) {
  const std::string text =
      garden(fmt::format(R"({{"beds":1,"beds":200,{})", many_plants(20).substr(1)));
  EXPECT_EQ(lines(streamed(text)),
            "0 unknown\n"
            " 1:87 warning buffer_exceeded /spec/beds of duplicate keys the first value was "
            "checked, not the last <1>\n"
            " 1:89 warning duplicate_key /spec/beds duplicate field \"spec.beds\" <\"beds\">\n");
  const auto with = [&](DuplicateKeys duplicates) {
    return lines(streamed(text, {.check = {.duplicates = duplicates, .max_bytes = UINT64_MAX}}));
  };
  EXPECT_THAT(with(DuplicateKeys::kError),
              StartsWith("0 invalid\n 1:89 error duplicate_key /spec/beds"));
  EXPECT_EQ(with(DuplicateKeys::kFirstWins), "1 valid\n");
  EXPECT_THAT(with(DuplicateKeys::kLastWins), StartsWith("0 unknown\n"));
}

TEST(StreamCheck, JudgesArraysByASchemaWithoutAKind) {
  std::string text = "[";
  for (int i = 0; i < 200; ++i) text += fmt::format("{{\"a\":{}}},", i);
  text += "{\"a\":-1}]";
  for (const Profile profile : {Profile::kStructural, Profile::kLoose}) {
    const Asked asked{
        .schema =
            "{type: array, items: {type: object, properties: {a: {type: integer, minimum: "
            "0}}}}",
        .judge = {.profile = profile}};
    EXPECT_THAT(lines(streamed(text, asked)),
                StartsWith("0 invalid\n 1:1897 error too_small /200/a"));
  }
}

TEST(StreamCheck, BoundsWhatItKeeps) {
  std::string text = "[0";
  for (int i = 0; i < 2000; ++i) text += ",\"x\"";
  const FileResult result =
      streamed(text + "]", {.schema = "{type: array, items: {type: integer}}",
                            .check = {.max_bytes = UINT64_MAX, .max_issues = 5}});
  ASSERT_EQ(result.documents.at(0).findings.size(), 6u);
  EXPECT_TRUE(result.documents.at(0).truncated);
  EXPECT_EQ(result.documents.at(0).findings.back().fault.message,
            "1995 more findings are not shown");
  std::string documents;
  for (int i = 0; i < 20; ++i) documents += garden("{\"beds\":-1}");
  const FileResult list =
      streamed(documents, {.check = {.max_issues = 5}, .limits = {.hold = 1000}});
  EXPECT_EQ(list.documents.size(), 5u);
  EXPECT_EQ(list.unlisted_invalid, 15u);
  EXPECT_EQ(list.document_count(), 20u);
  EXPECT_TRUE(list.has_errors());
}

TEST(StreamCheck, TellsWhereTheTextBreaksOff) {
  const FileResult result = streamed(garden("{}") + "\n" + garden(many_plants(20)).substr(0, 300));
  EXPECT_TRUE(result.unreadable);
  EXPECT_THAT(lines(result),
              StartsWith("1 error\n 2:301 error parse_error  unexpected end of JSON"));
  EXPECT_THAT(lines(streamed("{\"a\":[1,}")), StartsWith("0 error\n 1:9 error parse_error"));
  EXPECT_THAT(lines(streamed(std::string(200, '['), {.check = {.max_depth = 100}})),
              HasSubstr("nesting is deeper than 100"));
  EXPECT_EQ(lines(streamed("")), "");
}

TEST(StreamCheck, SaysThatAnUpdateNeedsTheWholeObject) {
  EXPECT_THAT(lines(streamed(garden(many_plants(20)), {.old = garden("{}")})),
              HasSubstr("checked as a new object"));
}

TEST(StreamCheck, DropsTheStatusThatAServerWouldDrop) {
  std::string text = garden(many_plants(20));
  text.insert(text.size() - 1, R"(,"status":{"phase":7})");
  EXPECT_EQ(lines(streamed(text)), "1 valid\n");
}

// Everything that is said of the documents.
std::string in_full(const FileResult& result) {
  std::string out;
  for (const DocumentResult& document : result.documents) {
    out += fmt::format("{} {} {}/{} {}\n", document.api_version, document.kind,
                       document.namespace_name, document.name, to_string(document.status));
    for (const Finding& f : document.findings) {
      const Position at = f.position.value_or(Position{.offset = 0, .line = 0, .column = 0});
      out +=
          fmt::format(" {}:{}+{} {} {} {} field {} says {} hint {} schema {} rule {} shows {}",
                      at.line, at.column, f.length, to_string(f.fault.severity),
                      to_string(f.fault.issue), f.path.to_pointer(), f.fault.field, f.fault.message,
                      f.fault.hint, f.fault.schema_path, f.fault.rule, f.fragment);
      for (const Param& param : f.fault.params)
        out += fmt::format(" {}={}", param.name, param.json);
      out += "\n";
    }
  }
  return out;
}

// Rules of scalars, of elements, of objects and of the root; resources inside of resources; a
// schema that speaks of the metadata; a status that is dropped; and what scaling looks at.
constexpr std::string_view kShedCrd = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: sheds.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {kind: Shed, plural: sheds, singular: shed, listKind: ShedList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}
    schema:
      openAPIV3Schema:
        type: object
        required: [metadata]
        x-kubernetes-validations:
        - {rule: "self.metadata.name != 'nope'", message: not that name}
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata:
            type: object
            properties: {name: {type: string, maxLength: 9}}
          status:
            type: object
            properties:
              replicas: {type: integer}
              phase: {type: string, x-kubernetes-validations: [{rule: "self == 'fine'"}]}
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: "!has(self.low) || !has(self.high) || self.low <= self.high", fieldPath: .low, message: too high}
            properties:
              replicas: {type: integer}
              low: {type: integer, x-kubernetes-validations: [{rule: "self > 0", message: not above}]}
              high: {type: integer, default: 5}
              mode: {type: string, enum: [fast, slow], default: fast}
              tools:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  x-kubernetes-validations: [{rule: "self.name != 'axe' || self.sharp"}]
                  properties: {name: {type: string}, sharp: {type: boolean, default: false}}
              tags: {type: array, x-kubernetes-list-type: set, items: {type: string}}
              boxes:
                type: object
                additionalProperties:
                  type: object
                  x-kubernetes-validations: [{rule: "self.size < 10", reason: FieldValueForbidden}]
                  properties:
                    size: {type: integer, default: 20, x-kubernetes-validations: [{rule: "self != 13"}]}
              parts:
                type: array
                items: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              one:
                type: object
                oneOf: [{required: [a]}, {required: [b]}]
                properties: {a: {type: integer, x-kubernetes-validations: [{rule: "self != 4"}]}, b: {type: integer}}
)";

// Checks sheds again and again: their rules are compiled once.
class ShedChecker {
 public:
  ShedChecker() : schemas_({.unknown = UnknownFields::kStrict, .rules = &rules_}) {
    EXPECT_TRUE(schemas_.add("s.yaml", std::make_shared<const std::string>(kShedCrd)));
  }
  std::string check(std::string_view text, std::size_t hold) const {
    Pieces source(text, true);
    return in_full(Checker(schemas_.catalog(), nullptr, {.max_bytes = UINT64_MAX})
                       .check_stream("a.json", source, {.hold = hold}));
  }

 private:
  rules::Engine rules_;
  SchemaSet schemas_;
};

// The same document, held and passing by.
void expect_same(const std::string& text) {
  static const ShedChecker sheds;
  EXPECT_EQ(sheds.check(text, 1), sheds.check(text, 1 << 20)) << text;
}

std::string shed(std::string_view spec,
                 std::string_view metadata = R"({"name":"a","namespace":"n"})",
                 std::string_view rest = "") {
  return fmt::format(R"({{"apiVersion":"example.dev/v1","kind":"Shed","metadata":{},"spec":{}{}}})",
                     metadata, spec, rest);
}

TEST(StreamCheck, RunsTheRulesOfPartsThatFit) {
  const std::string text =
      shed(R"({"low":0,"high":-1,"boxes":{"b":{},"a":{"size":13}},"tools":[{"name":"axe"}]})");
  expect_same(text);
  const std::string found = lines(streamed(text, {.schema = kShedCrd, .limits = {.hold = 1}}));
  for (const char* one :
       {"cel_violation /spec/boxes/a Forbidden", "cel_violation /spec/boxes/a/size ",
        "cel_violation /spec/boxes/b Forbidden", "cel_violation /spec/low Invalid value: too high",
        "cel_violation /spec/low Invalid value: 0: not above", "cel_violation /spec/tools/0 "}) {
    EXPECT_THAT(found, HasSubstr(one));
  }
}

TEST(StreamCheck, SaysOfEachDocumentWhatIsSaidOfItInMemory) {
  for (const char* metadata :
       {R"({"name":"a"})", R"({"name":"nope","labels":{"a b":"c"},"lables":{}})", "3", "null", "{}",
        R"({"name":-1})", R"({"name":"much-too-long","finalizers":["x"]})",
        R"({"generateName":"b-","labels":{"x":null},"annotations":{"a.b/c":"d"}})",
        R"({"name":"A","namespace":7})"}) {
    expect_same(shed("{}", metadata));
    expect_same(shed(R"({"low":-1,"tools":[{}]})", metadata));
  }
  expect_same(R"({"apiVersion":"example.dev/v1","kind":"Shed","spec":{"low":0}})");
  for (
      const char* spec :
      {R"({"replicas":-1,"junk":{"a":1},"hihg":3,"a.b/c":1,"":2})", R"({"replicas":"x"})",
       R"({"replicas":[1]})", R"({"replicas":{"a":1}})",
       R"({"mode":"fats","tags":["a","b","a","a"]})",
       R"({"tools":[{"name":"x","shrap":1},{"name":"y"},{"name":"x"},{"sharp":null}]})",
       R"({"tools":[{"name":"axe","sharp":true},{"name":"axe"}]})",
       R"({"tools":[3,{"name":"axe"}]})",
       R"({"parts":[{"apiVersion":"v1","kind":"Pod","x":{"y":1}},{"kind":"7","metadata":{"name":"/"}}]})",
       R"({"parts":[{"apiVersion":"v1","kind":"Pod","metadata":{"nam":1,"labels":{"a":"b"}}}],"low":0})",
       R"({"parts":[{"apiVersion":"v1","kind":"P"},{"apiVersion":1,"kind":"P"},{"kind":2}],"low":0})",
       R"({"parts":[{"apiVersion":"v1","kind":"P","metadata":{"labels":3}}],"boxes":{"a":{}}})",
       R"({"parts":[[],3,null]})", R"({"one":{"a":4,"b":1,"c":2}})", R"({"one":{"a":4}})",
       R"({"one":{}})", R"({"low":null,"high":null,"boxes":{"x":null}})", "[]", "\"x\""}) {
    expect_same(shed(spec));
    expect_same(shed(spec, "{}", R"(,"status":{"phase":"bad","replicas":-1,"more":1})"));
  }
  expect_same(shed("{}", R"({"name":"a"})", R"(,"status":{"phase":7,"replicas":"x"})"));
}

// Values that a schema like the above may meet, and others.
std::string random_value(std::mt19937& random, int depth) {
  const auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random() % words.size()]);
  };
  const auto scalar = [&] {
    return pick({"0", "1", "4", "13", "-1", "7.5", "null", "true", "\"axe\"", "\"a\"", "\"fast\"",
                 "\"fats\"", "\"v1\"", "\"Pod\"", "\"\""});
  };
  if (depth == 0 || random() % 3 == 0) return scalar();
  std::string out;
  const std::size_t count = random() % 4;
  const bool object = random() % 3 != 0;
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string key =
        pick({"low", "high", "mode", "tools", "tags", "boxes", "parts", "one", "a", "b", "name",
              "sharp", "size", "apiVersion", "kind", "metadata", "labels", "replicas", "x.y"});
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    keys.push_back(key);
    out += out.empty() ? "" : ",";
    if (object) out += "\"" + key + "\":";
    out += random_value(random, depth - 1);
  }
  return object ? "{" + out + "}" : "[" + out + "]";
}

TEST(StreamCheck, AgreesWithMemoryOnRandomDocuments) {
  std::mt19937 random(20260);
  for (int i = 0; i < 400; ++i) {
    std::string spec;
    for (const char* key :
         {"boxes", "high", "low", "mode", "one", "parts", "replicas", "tags", "tools"}) {
      if (random() % 2 == 0) continue;
      spec += (spec.empty() ? "\"" : ",\"") + std::string(key) + "\":" + random_value(random, 3);
    }
    expect_same(shed("{" + spec + "}"));
    if (HasFailure()) break;
  }
}

TEST(StreamCheck, KnowsTheMetadataThatTheSchemaDoesNotName) {
  std::string text = garden(many_plants(20));
  text.replace(text.find("\"name\":\"a\""), 10, R"("name":"a","namespace":"n","labels":{"x":"y"})");
  const std::string crd = [] {
    std::string out(kGardenCrd);
    const std::size_t at = out.find("        properties:\n");
    out.insert(at + 20, "          metadata: {type: object}\n");
    return out;
  }();
  EXPECT_EQ(lines(streamed(text, {.schema = crd})), "1 valid\n");
  text.insert(text.size() - 1, R"(,"junk":1)");
  const FileResult result = streamed(text, {.schema = crd});
  ASSERT_EQ(result.documents.size(), 1u);
  EXPECT_EQ(result.documents[0].findings.size(), 1u);
  EXPECT_EQ(result.documents[0].name, "a");
  EXPECT_EQ(result.documents[0].namespace_name, "n");
}

TEST(StreamCheck, StopsReadingAtTheFirstErrorWhenItIsToldTo) {
  const std::string text = garden("{}") + garden("{\"beds\":-1}") + garden("{\"beds\":-1}") + "}}}";
  const FileResult result = streamed(text, {.limits = {.hold = 1000, .stop_at_error = true}});
  EXPECT_EQ(result.document_count(), 2u);
  EXPECT_EQ(result.unlisted_valid, 1u);
  EXPECT_EQ(result.count(Severity::kError), 1u);
  EXPECT_FALSE(result.unreadable);
}

TEST(StreamCheck, StopsAtTheFirstRuleThatFailsWhenItIsToldTo) {
  const std::string text = shed(R"({"low":0,"boxes":{"a":{"size":13}},"junk":1})");
  EXPECT_EQ(lines(streamed(text, {.schema = kShedCrd,
                                  .limits = {.strategy = Strategy::kFailFast, .hold = 1}})),
            "0 invalid\n 1:100 error cel_violation /spec/low Invalid value: 0: not above <0>\n");
}

TEST(StreamCheck, RunsTheRulesOfASchemaWithoutAKind) {
  constexpr std::string_view kRules =
      "{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: 'self > "
      "0'}]}, l: {type: array, items: {type: object, x-kubernetes-validations: [{rule: "
      "'size(self) < 2'}], additionalProperties: {type: string}}}}}";
  for (const char* text : {R"({"a":0,"l":[{},{"x":"1","y":"2"}]})", R"({"a":0,"l":[{"x":1}]})",
                           R"({"a":1,"l":[{"x":"y"}]})"}) {
    const auto with = [&](std::size_t hold) {
      return in_full(streamed(text, {.schema = kRules, .limits = {.hold = hold}}));
    };
    EXPECT_EQ(with(1), with(1000)) << text;
  }
  EXPECT_THAT(lines(streamed(R"({"a":0,"l":[{}]})", {.schema = kRules, .limits = {.hold = 1}})),
              HasSubstr("cel_violation /a"));
}

TEST(StreamCheck, KnowsHowLongThingsAre) {
  const std::string long_text = std::string(5000, 'x') + "\\\"";
  expect_same(shed(fmt::format(R"({{"mode":"{}","tools":[{{"sharp":true,"x":"{}"}}]}})", long_text,
                               std::string(9000, 'y'))));
  expect_same(R"({"kind":"Nobody","apiVersion":"a/v1","metadata":{"name":"x","namespace":"y"}})");
}

TEST(StreamCheck, ReadsCompressedDocuments) {
  // {"apiVersion":"example.dev/v1","kind":"Garden","spec":{"beds":-1}}, compressed.
  constexpr std::string_view kPacked(
      "\037\213\010\000\000\000\000\000\002\003\253\126\112\054\310\014\113\055\052\316\314\317\123"
      "\262\122\112\255\110\314\055\310\111\325\113\111\055\323\057\063\124\322\121\312\316\314\113"
      "\001\212\273\047\026\245\244\346\001\371\305\005\251\311\112\126\325\112\111\251\051\305\112"
      "\126\272\206\265\265\000\321\035\060\051\102\000\000\000",
      83);
  EXPECT_THAT(lines(streamed(kPacked, {.again = false})), HasSubstr("too_small /spec/beds"));
}

TEST(StreamCheck, SaysThatOnlyJsonStreams) {
  for (const char* text : {"apiVersion: v1\nkind: Pod\n", "---\na: 1\n", "# note\n"}) {
    EXPECT_THAT(lines(streamed(text)),
                HasSubstr("error parse_error  only JSON can be checked as a stream"))
        << text;
  }
  EXPECT_THAT(lines(streamed("{\"a\":tru}")), HasSubstr("invalid character"));
}

}  // namespace
}  // namespace strake::validate

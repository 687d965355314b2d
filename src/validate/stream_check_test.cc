#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
  const Asked asked{.schema = crd};
  EXPECT_EQ(
      lines(streamed(garden(many_plants(20)), asked)),
      "0 unknown\n"
      " 1:1 warning buffer_exceeded  the validation rules were not run: they need the whole "
      "object <" +
          garden(many_plants(20)).substr(0, 80) +
          ">\n"
          " 1:1 warning buffer_exceeded  the metadata of embedded resources was not checked: it "
          "needs them whole <" +
          garden(many_plants(20)).substr(0, 80) + ">\n");
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
            " 1:87 warning buffer_exceeded /spec/beds where a key stands twice the first value was "
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

}  // namespace
}  // namespace strake::validate

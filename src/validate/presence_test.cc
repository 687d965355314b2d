#include "validate/presence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "validate/checker.h"
#include "validate/schema_set.h"
#include "validate/test_crd.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::validate {
namespace {

std::string flags(const std::vector<Presence>& all) {
  std::string out;
  for (const Presence& one : all) {
    out +=
        fmt::format("{}:{}{}{}\n", one.pointer, one.seen ? " seen" : "",
                    one.was_null ? " wasNull" : "", one.default_applied ? " defaultApplied" : "");
  }
  return out;
}

constexpr std::string_view kStructural =
    "{type: object, properties: {a: {type: integer, default: 1}, s: {type: string}, m: {type: "
    "string, nullable: true}, o: {type: object, default: {}, properties: {x: {type: string, "
    "default: z}}}, l: {type: array, items: {type: object, properties: {b: {type: boolean, "
    "default: true}}}}, k/~: {type: integer}}}";

struct Asked {
  std::string_view schema = kStructural;
  JudgeOptions judge = {.unknown = UnknownFields::kPrune};
  CheckOptions check = {.presence = {.on = true}};
};

DocumentResult check(std::string_view text, Asked setup = {}) {
  SchemaSet schemas(setup.judge);
  const auto added = schemas.add("s.yaml", std::make_shared<const std::string>(setup.schema));
  EXPECT_TRUE(added) << added.error().to_string();
  setup.check.any = schemas.any();
  FileResult result = Checker(schemas.catalog(), nullptr, setup.check).check("a.yaml", text);
  EXPECT_EQ(result.documents.size(), 1u);
  return std::move(result.documents.at(0));
}

TEST(Presence, TellsWhatWasSentWhatWasNullAndWhatIsADefault) {
  EXPECT_EQ(flags(check("{a: null, s: null, m: null, junk: 1, l: [{}, {b: false}]}").presence),
            ": seen\n"
            "/a: seen wasNull defaultApplied\n"
            "/l: seen\n"
            "/l/0: seen\n"
            "/l/0/b: defaultApplied\n"
            "/l/1: seen\n"
            "/l/1/b: seen\n"
            "/m: seen wasNull\n"
            "/o: defaultApplied\n"
            "/o/x: defaultApplied\n"
            "/s: seen wasNull\n");
}

TEST(Presence, EscapesPointersAndKnowsTheRoot) {
  EXPECT_EQ(
      flags(check("{'k/~': 1}", {.check = {.presence = {.on = true, .exclude = {"/a", "/o"}}}})
                .presence),
      ": seen\n/k~1~0: seen\n");
}

TEST(Presence, SelectsByWholeSegments) {
  const PresenceOptions options{.include = {"/spec/a", "/status"}, .exclude = {"/spec/a/c"}};
  EXPECT_TRUE(options.selects("/spec/a"));
  EXPECT_TRUE(options.selects("/spec/a/b"));
  EXPECT_TRUE(options.selects("/status/x"));
  EXPECT_FALSE(options.selects("/spec/ab"));
  EXPECT_FALSE(options.selects("/spec/a/c"));
  EXPECT_FALSE(options.selects("/spec/a/c/d"));
  EXPECT_TRUE(options.selects("/spec/a/cd"));
  EXPECT_FALSE(options.selects(""));
  EXPECT_TRUE(PresenceOptions{.include = {""}}.selects("/anything"));
  EXPECT_TRUE(check_prefixes(options));
  EXPECT_FALSE(check_prefixes({.include = {"spec"}}));
  EXPECT_FALSE(check_prefixes({.exclude = {"/a~2"}}));
}

TEST(Presence, IsTheSameWhenDefaultsAreOnlyNoted) {
  const std::string_view text = "{a: null, l: [{}]}";
  const DocumentResult applied = check(text);
  const DocumentResult noted = check(
      text,
      {.judge = {.unknown = UnknownFields::kPrune, .defaults = DefaultMode::kAnnotate},
       .check = {.output = Output::kStored, .presence = {.on = true}, .note_defaults = true}});
  EXPECT_EQ(noted.presence, applied.presence);
  EXPECT_EQ(noted.defaults, (std::vector<std::string>{"/a", "/l/0/b", "/o"}));
  EXPECT_EQ(value::to_json(noted.output->root()), R"({"l":[{}]})");
  EXPECT_TRUE(applied.defaults.empty());
}

TEST(Presence, HasNoDefaultsWhereTheyAreIgnored) {
  const DocumentResult ignored =
      check("{a: null, s: null}", {.judge = {.defaults = DefaultMode::kIgnore},
                                   .check = {.output = Output::kStored, .presence = {.on = true}}});
  EXPECT_EQ(flags(ignored.presence), ": seen\n/a: seen wasNull\n/s: seen wasNull\n");
  EXPECT_EQ(value::to_json(ignored.output->root()), "{}");
}

TEST(Presence, IsToldUnderTheLooseProfileToo) {
  const Asked setup{
      .schema =
          "{type: object, properties: {a: {type: integer, default: 1}, b: {type: [string, "
          "'null']}, c: {type: object, properties: {d: {default: x}}}}}",
      .judge = {.unknown = UnknownFields::kPrune, .profile = Profile::kLoose}};
  EXPECT_EQ(flags(check("{a: null, b: null, c: {}, junk: null}", setup).presence),
            ": seen\n"
            "/a: seen wasNull defaultApplied\n"
            "/b: seen wasNull\n"
            "/c: seen\n"
            "/c/d: defaultApplied\n");
}

TEST(PreservingOutput, IsWhatWasSentWithoutWhatWasPruned) {
  const std::string held = fmt::format("{{openAPIV3Schema: {}}}", kStructural);
  const auto output = [&](std::string_view text, Profile profile) {
    const DocumentResult result =
        check(text, {.schema = held,
                     .judge = {.unknown = UnknownFields::kPrune, .profile = profile},
                     .check = {.output = Output::kPreserving}});
    return result.output ? value::to_json(result.output->root()) : "none";
  };
  for (const Profile profile : {Profile::kStructural, Profile::kLoose}) {
    EXPECT_EQ(output("{m: null, junk: {x: 1}, l: [{b: true, junk: 1}, {}], o: {}}", profile),
              R"({"l":[{"b":true},{}],"m":null,"o":{}})");
    EXPECT_EQ(output("{}", profile), "{}");
  }
  // Nulls that the server would drop or replace were sent all the same.
  EXPECT_EQ(output("{a: null, s: null, o: {x: null}}", Profile::kStructural),
            R"({"a":null,"o":{"x":null},"s":null})");
}

TEST(PreservingOutput, KeepsMetadataAndDropsWhatIsUnknownInIt) {
  const DocumentResult result = check(
      "{apiVersion: example.dev/v1, kind: Garden, metadata: {name: a, labels: null, junk: "
      "null}, spec: {beds: null}}",
      {.schema = kGardenCrd,
       .judge = {.unknown = UnknownFields::kPrune},
       .check = {.output = Output::kPreserving, .presence = {.on = true}}});
  EXPECT_EQ(value::to_json(result.output->root()),
            R"({"apiVersion":"example.dev/v1","kind":"Garden",)"
            R"("metadata":{"labels":null,"name":"a"},"spec":{"beds":null}})");
  EXPECT_EQ(
      flags(result.presence),
      ": seen\n/apiVersion: seen\n/kind: seen\n/metadata: seen\n/metadata/labels: seen "
      "wasNull\n/metadata/name: seen\n/spec: seen\n/spec/beds: seen wasNull defaultApplied\n");
}

TEST(Presence, WalksDeepValuesWithoutNativeStack) {
  std::string text;
  constexpr int kDepth = 9000;
  for (int i = 0; i < kDepth; ++i) text += "{\"a\":";
  text += "1";
  for (int i = 0; i < kDepth; ++i) text += "}";
  const DocumentResult result =
      check(text, {.schema = "{type: object, x-kubernetes-preserve-unknown-fields: true}",
                   .check = {.output = Output::kPreserving,
                             .presence = {.on = true, .include = {"/a/a/a/b"}}}});
  EXPECT_TRUE(result.presence.empty());
  EXPECT_EQ(value::to_json(result.output->root()), text);
}

TEST(Presence, StopsWhereThePointersWouldTakeTooMuch) {
  std::string text;
  const std::string key = fmt::format("{{\"{}\":", std::string(2000, 'k'));
  for (int i = 0; i < 300; ++i) text += key;
  text += "1" + std::string(300, '}');
  const DocumentResult result =
      check(text, {.schema = "{type: object, x-kubernetes-preserve-unknown-fields: true}"});
  EXPECT_LT(result.presence.size(), 301u);
  EXPECT_GT(result.presence.size(), 100u);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].fault.issue, Issue::kTruncated);
  EXPECT_TRUE(result.truncated);
}

}  // namespace
}  // namespace strake::validate

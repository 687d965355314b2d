#include "strake/check.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace strake::check {
namespace {

constexpr std::string_view kCrd = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: webs, singular: web, kind: Web, listKind: WebList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [image]
            properties:
              image: {type: string}
              replicas: {type: integer, minimum: 0, default: 1}
              max: {type: integer}
            x-kubernetes-validations:
            - {rule: "!has(self.max) || self.replicas <= self.max", message: too many}
            - {rule: "self.image == oldSelf.image", message: image is fixed}
)";

std::string web(std::string_view spec) {
  return "apiVersion: example.com/v1\nkind: Web\nmetadata: {name: shop}\nspec: " +
         std::string(spec) + "\n";
}

Schemas with_crd(const Options& options = Options::as_server()) {
  Schemas schemas(options);
  const auto added = schemas.add(kCrd, "crd.yaml");
  EXPECT_TRUE(added.has_value() && added->count == 1);
  return schemas;
}

// What a server does, and these.
template <typename Change>
Options as_server_with(Change change) {
  Options out = Options::as_server();
  change(out);
  return out;
}

TEST(Library, JudgesDocumentsAsTheyAreUnlessItIsAskedToActAsAServer) {
  const Report plain = with_crd({.keep_output = true}).check(web("{image: x}"));
  EXPECT_TRUE(plain.objects.at(0).output.ends_with(R"("spec":{"image":"x"}})"))
      << "defaults are not filled in: " << plain.objects.at(0).output;
  EXPECT_TRUE(with_crd({}).check(web("{image: x, replicas: 5, max: 3}")).ok()) << "no rules run";
  EXPECT_FALSE(with_crd().check(web("{image: x, replicas: 5, max: 3}")).ok());
}

TEST(Library, SaysWhatOfASchemaWasNotTakenAsWritten) {
  Schemas schemas({.profile = Profile::kLoose, .rules = true});
  const auto added = schemas.add(
      R"j({"properties":{"a":{"format":"colour"},"b":{"pattern":"^(?=x)"}}})j", "s.json");
  ASSERT_TRUE(added.has_value()) << added.error();
  EXPECT_EQ(added->count, 1u);
  EXPECT_TRUE(added->has_warnings());
  std::vector<std::string> told;
  for (const SchemaWarning& one : added->warnings) {
    EXPECT_EQ(one.file, "s.json");
    EXPECT_FALSE(one.message.empty());
    told.push_back(one.schema_path + " " + one.keyword);
  }
  EXPECT_EQ(told, (std::vector<std::string>{"/properties/a/format format",
                                            "/properties/b/pattern pattern"}));
  Schemas structural;
  EXPECT_FALSE(structural.add(kCrd).value().has_warnings());
  // Each call tells of its own: another definition of the same kind is not used.
  std::string other(kCrd);
  other.replace(other.find("minimum: 0"), 10, "minimum: 1");
  const auto second = structural.add(other, "other.yaml");
  ASSERT_TRUE(second.has_value());
  ASSERT_EQ(second->warnings.size(), 1u);
  EXPECT_EQ(second->warnings[0].file, "other.yaml");
}

TEST(Library, SaysWhatOfTheKindsOfAnOpenApiDocumentWasNotTakenAsWritten) {
  constexpr std::string_view kDescription = R"j({"openapi":"3.0.0","components":{"schemas":{
    "Web":{"type":"object","x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Web"}],
           "properties":{"spec":{"$ref":"#/components/schemas/Spec"}}},
    "Other":{"type":"object","x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Other"}],
           "properties":{"spec":{"$ref":"#/components/schemas/Spec"}}},
    "Spec":{"type":"object","properties":{"a":{"type":"string","format":"colour"}}}}}})j";
  for (const Profile profile : {Profile::kLoose, Profile::kStructural}) {
    Schemas schemas({.profile = profile});
    const auto added = schemas.add(kDescription, "api.json");
    ASSERT_TRUE(added.has_value()) << added.error();
    EXPECT_EQ(added->count, 2u);
    ASSERT_EQ(added->warnings.size(), 1u) << "once, though two kinds refer to it";
    EXPECT_EQ(added->warnings[0].file, "api.json");
    EXPECT_EQ(added->warnings[0].keyword, "format");
    EXPECT_EQ(added->warnings[0].schema_path, "/components/schemas/Spec/properties/a/format");
  }
}

TEST(Library, HandsOutAnObjectThatIsTooLargeToBeHeldInPieces) {
  constexpr std::string_view kLarge = R"(
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: webs.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: webs, singular: web, kind: Web, listKind: WebList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          parts: {type: array, items: {type: object, properties: {a: {type: integer, default: 1}, b: {type: integer}}}}
)";
  Options options = as_server_with([](Options& o) {
    o.keep_output = true;
    o.max_bytes = UINT64_MAX;
  });
  Schemas schemas(options);
  ASSERT_TRUE(schemas.add(kLarge, "crd.yaml").has_value());
  constexpr std::size_t kParts = 10'000;
  // Made as it is read, so that nothing of the input is held here either.
  const auto source = [](std::string_view last) {
    std::string pending =
        R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"w"},"parts":[)";
    return [part = std::size_t{0}, last, pending](std::span<char> into) mutable -> std::size_t {
      while (part < kParts && pending.size() < into.size()) {
        pending += (part > 0 ? R"(,{"b":2,"junk":")" : R"({"b":2,"junk":")") +
                   std::string(400, 'x') + R"("})";
        if (++part == kParts) pending += std::string(last) + "]}";
      }
      const std::size_t count = pending.copy(into.data(), into.size());
      pending.erase(0, count);
      return count;
    };
  };
  std::size_t bytes = 0;
  std::size_t longest = 0;
  std::string first;
  bool passed = false;
  const auto run = [&](std::string_view last) {
    bytes = longest = 0;
    first.clear();
    return schemas.check_stream(
        source(last), "a.json",
        [&](const Report& one) {
          passed = one.objects.at(0).output_passed;
          return true;
        },
        [&](std::string_view piece) {
          if (first.empty()) first = piece.substr(0, 100);
          bytes += piece.size();
          longest = std::max(longest, piece.size());
        });
  };
  const Report fine = run("");
  EXPECT_TRUE(fine.ok()) << fine.summary();
  EXPECT_TRUE(passed);
  EXPECT_TRUE(first.starts_with(
      R"({"apiVersion":"example.com/v1","kind":"Web","parts":[{"b":2,"a":1},{"b":2,"a":1},)"))
      << first;
  EXPECT_EQ(bytes, kParts * 14 + 78);
  EXPECT_LE(longest, std::size_t{128} << 10);
  // What has been handed out of an object that turns out to be wrong is to be thrown away.
  EXPECT_FALSE(run(R"(,{"b":"x"})").ok());
  EXPECT_FALSE(passed);
}

TEST(Library, AsksTheCallerForWhatASchemaRefersTo) {
  std::vector<std::string> asked;
  Options options{.profile = Profile::kLoose};
  options.resolve = [&](std::string_view uri) -> std::optional<std::string> {
    asked.emplace_back(uri);
    if (uri == "https://example.com/schemas/n.json") return R"({"$ref":"m.yaml#/$defs/whole"})";
    if (uri == "https://example.com/schemas/m.yaml") return "$defs: {whole: {type: integer}}";
    return std::nullopt;
  };
  Schemas schemas(options);
  const auto added = schemas.add(R"({"properties":{"a":{"$ref":"n.json"}}})",
                                 "https://example.com/schemas/s.json");
  ASSERT_TRUE(added.has_value()) << added.error();
  EXPECT_EQ(asked, (std::vector<std::string>{"https://example.com/schemas/n.json",
                                             "https://example.com/schemas/m.yaml"}));
  EXPECT_TRUE(schemas.check(R"({"a":1})").ok());
  EXPECT_FALSE(schemas.check(R"({"a":"x"})").ok());
  Schemas lost(options);
  const auto refused = lost.add(R"({"$ref":"https://example.com/none.json"})");
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().find("https://example.com/none.json"), std::string::npos)
      << refused.error();
}

TEST(Library, LimitsTheFunctionsOfRules) {
  const auto limited = [](std::vector<std::string> names) {
    return as_server_with([&](Options& o) { o.rule_functions = std::move(names); });
  };
  Schemas schemas(limited({"size"}));
  std::string crd(kCrd);
  crd.replace(crd.find("self.image == oldSelf.image"), 27, "self.image.startsWith('a')");
  ASSERT_TRUE(schemas.add(crd).has_value());
  const Report report = schemas.check(web("{image: abc}"));
  EXPECT_FALSE(report.ok());
  EXPECT_NE(report.summary().find("startsWith"), std::string::npos) << report.summary();
  Schemas unknown(limited({"sise"}));
  EXPECT_FALSE(unknown.add(kCrd).has_value());
}

TEST(Library, FindsWhatTheServerWouldRefuseAndWhere) {
  const Report report = with_crd().check(web("{image: x, replicas: -1}"), "web.yaml");
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.code, "too_small");
  EXPECT_EQ(finding.pointer, "/spec/replicas");
  EXPECT_EQ(finding.text(),
            "web.yaml:4:28: spec.replicas: Invalid value: -1: spec.replicas in body should be "
            "greater than or equal to 0");
  EXPECT_FALSE(report.ok());
}

TEST(Library, RunsRules) {
  const Schemas schemas = with_crd();
  EXPECT_TRUE(schemas.check(web("{image: x, max: 3}")).ok());
  const Report report = schemas.check(web("{image: x, replicas: 5, max: 3}"));
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].message, "Invalid value: too many");
}

TEST(Library, RunsTransitionRulesOnUpdates) {
  const Schemas schemas = with_crd();
  EXPECT_TRUE(schemas.check_update(web("{image: x}"), web("{image: x}")).ok());
  EXPECT_FALSE(schemas.check_update(web("{image: y}"), web("{image: x}")).ok());
}

TEST(Library, HandsOutTheObjectAsItWouldBeStored) {
  const Report report = with_crd(as_server_with([](Options& o) {
                          o.keep_output = true;
                        })).check(web("{image: x, junk: 1}"));
  ASSERT_EQ(report.objects.size(), 1u);
  EXPECT_EQ(
      report.objects[0].output,
      R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"shop"},"spec":{"image":"x","replicas":1}})");
  EXPECT_TRUE(report.ok()) << "an unknown field is a warning by default";
}

TEST(Library, HandsOutWhatWasSentWithoutDefaultsAndWithNulls) {
  const Report report = with_crd(as_server_with([](Options& o) {
                          o.keep_output = o.preserving = true;
                        })).check(web("{image: x, replicas: null, junk: 1}"));
  ASSERT_EQ(report.objects.size(), 1u);
  EXPECT_EQ(
      report.objects[0].output,
      R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"shop"},"spec":{"image":"x","replicas":null}})");
}

TEST(Library, SaysWhatBecameOfEachField) {
  const Report report = with_crd(as_server_with([](Options& o) {
                          o.presence = true;
                          o.presence_include = {"/spec"};
                          o.presence_exclude = {"/spec/max"};
                        })).check(web("{image: x, max: 3}"));
  ASSERT_EQ(report.objects.size(), 1u);
  std::vector<std::string> told;
  for (const Presence& one : report.objects[0].presence)
    told.push_back(one.pointer + (one.seen ? " seen" : "") + (one.was_null ? " null" : "") +
                   (one.default_applied ? " default" : ""));
  EXPECT_EQ(told,
            (std::vector<std::string>{"/spec seen", "/spec/image seen", "/spec/replicas default"}));
  EXPECT_FALSE(Schemas({.presence = true, .presence_include = {"spec"}}).add(kCrd));
}

TEST(Library, NotesOrIgnoresDefaults) {
  const Report noted =
      with_crd({.defaults = Defaults::kAnnotate, .keep_output = true}).check(web("{image: x}"));
  ASSERT_EQ(noted.objects.size(), 1u);
  EXPECT_EQ(noted.objects[0].defaults, std::vector<std::string>{"/spec/replicas"});
  EXPECT_TRUE(noted.objects[0].output.ends_with(R"("spec":{"image":"x"}})"));
  const Report ignored = with_crd({.defaults = Defaults::kIgnore}).check(web("{image: x}"));
  EXPECT_TRUE(ignored.objects.at(0).defaults.empty());
}

TEST(Library, TellsTheRuleTheSchemaAndThePlaceOfAFinding) {
  const Report report = with_crd().check(web("{image: x, replicas: 5, max: 3}"), "web.yaml");
  ASSERT_EQ(report.findings.size(), 1u);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.rule, "!has(self.max) || self.replicas <= self.max");
  EXPECT_EQ(finding.hint, finding.rule);
  EXPECT_EQ(finding.schema_path, "/properties/spec/x-kubernetes-validations/0");
  EXPECT_EQ(finding.reason, "FieldValueInvalid");
  EXPECT_EQ(finding.offset, 66u);
  EXPECT_EQ(finding.length, 31u);
  EXPECT_EQ(finding.fragment, "{image: x, replicas: 5, max: 3}");
}

TEST(Library, SpeaksJapaneseAndKeepsTheServersWords) {
  const Report report = with_crd(as_server_with([](Options& o) {
                          o.locale = "ja_JP.UTF-8";
                        })).check(web("{replicas: 1}"));
  ASSERT_EQ(report.findings.size(), 2u);
  EXPECT_EQ(report.findings[0].message, "必須の項目「image」がありません");
  EXPECT_EQ(report.findings[0].detail, "Required value");
  const Report typo = with_crd(as_server_with([](Options& o) {
                        o.locale = "ja";
                        o.unknown = UnknownFields::kStrict;
                      })).check(web("{image: x, replica: 1, a: 1, b: 2, c: 3}"));
  ASSERT_EQ(typo.findings.size(), 4u);
  EXPECT_EQ(typo.findings[3].hint, "「replicas」の間違いではありませんか");
  EXPECT_TRUE(
      typo.summary().starts_with("unknown_key /spec/a: 項目「spec.a」はスキーマにありません"))
      << typo.summary();
  EXPECT_TRUE(typo.summary().ends_with(" (全 4 件)")) << typo.summary();
  EXPECT_EQ(with_crd({.locale = "xx"}).check(web("{replicas: 1}")).findings.at(0).message,
            "Required value");
}

TEST(Library, SumsUpTheFirstThreeFindings) {
  const Report report = with_crd({.unknown = UnknownFields::kStrict})
                            .check(web("{image: x, a: 1, b: 2, c: 3, d: 4}"));
  EXPECT_EQ(report.summary(),
            "unknown_key at /spec/a: unknown field \"spec.a\"; unknown_key at /spec/b: unknown "
            "field \"spec.b\"; unknown_key at /spec/c: unknown field \"spec.c\" (4 in all)");
  EXPECT_EQ(Report{}.summary(), "");
}

TEST(Library, ChecksAnyDocumentBySchemasWithoutAKind) {
  Schemas schemas({.profile = Profile::kLoose, .ambiguity = Ambiguity::kFirstMatch});
  ASSERT_TRUE(schemas.add(R"({"oneOf":[{"type":"integer"},{"minimum":3}],"const":12})"));
  EXPECT_TRUE(schemas.check("12").ok());
  EXPECT_FALSE(schemas.check("13").ok());
  EXPECT_FALSE(schemas.add(R"({"type":"integer"})")) << "which one would be meant?";
}

TEST(Library, ChecksAStreamPieceByPiece) {
  std::string text = R"({"apiVersion":"v1","kind":"List","items":[)";
  for (int i = 0; i < 40'000; ++i) {
    text += i > 0 ? "," : "";
    text +=
        R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"a"},"spec":{"image":"x","replicas":)";
    text += i == 35'000 ? "-1}}" : "1}}";
  }
  text += "]}";
  std::string_view rest = text;
  const Report report = with_crd().check_stream([&](std::span<char> into) {
    const std::size_t count = rest.copy(into.data(), into.size());
    rest.remove_prefix(count);
    return count;
  });
  EXPECT_EQ(report.unlisted_valid, 39'999u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].pointer, "/items/35000/spec/replicas");
  EXPECT_FALSE(report.ok());
}

// Hands out a text once, and says how much of it was taken.
struct Once {
  std::string_view rest;
  std::size_t operator()(std::span<char> into) {
    const std::size_t count = rest.copy(into.data(), std::min<std::size_t>(into.size(), 100));
    rest.remove_prefix(count);
    return count;
  }
};

TEST(Library, TellsOfEachObjectOfAStreamAsItIsJudged) {
  const std::string good = R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"w"},)"
                           R"("spec":{"image":"x"}})";
  const std::string bad = R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"v"},)"
                          R"("spec":{"image":3}})";
  const std::string text =
      good + bad + R"({"kind":"List","apiVersion":"v1","items":[)" + bad + "," + good + "]}" + good;
  std::vector<std::string> heard;
  std::size_t most = 100;
  const auto on_document = [&](const Report& one) {
    EXPECT_EQ(one.objects.size(), 1u);
    const Object& object = one.objects.at(0);
    heard.push_back(std::to_string(object.document) +
                    (object.items.empty() ? "" : "/" + std::to_string(object.items[0])) + " " +
                    object.name + (one.ok() ? " fine" : " " + one.findings.front().pointer));
    return heard.size() < most;
  };
  const Report all = with_crd().check_stream(Once{text}, "a.ndjson", on_document);
  EXPECT_EQ(heard,
            (std::vector<std::string>{"0 w fine", "1 v /spec/image", "2/0 v /items/0/spec/image",
                                      "2/1 w fine", "3 w fine"}));
  EXPECT_EQ(all.unlisted_valid, 3u);
  EXPECT_EQ(all.objects.size(), 2u);
  heard.clear();
  most = 2;
  const Report first = with_crd().check_stream(Once{text}, "a.ndjson", on_document);
  EXPECT_EQ(heard.size(), 2u);
  EXPECT_EQ(first.objects.size() + first.unlisted_valid, 2u) << "the rest was not read";
}

TEST(Library, HandsOutEachObjectOfAStreamAsItWouldBeStored) {
  const std::string sent = R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"w"},)"
                           R"("spec":{"image":"x","junk":1}})";
  const std::string stored =
      R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"w"},)"
      R"("spec":{"image":"x","replicas":1}})";
  const std::string bad = R"({"apiVersion":"example.com/v1","kind":"Web","metadata":{"name":"v"},)"
                          R"("spec":{"image":3}})";
  const std::string text =
      sent + bad + R"({"kind":"List","apiVersion":"v1","items":[)" + sent + "]}";
  const Schemas schemas = with_crd(as_server_with([](Options& o) {
    o.keep_output = true;
    o.presence = true;
    o.presence_include = {"/spec/replicas"};
  }));
  std::vector<std::string> heard;
  const Report all = schemas.check_stream(Once{text}, "a.ndjson", [&](const Report& one) {
    const Object& object = one.objects.at(0);
    heard.push_back(object.output);
    EXPECT_EQ(object.presence.size(), 1u) << object.name;
    return true;
  });
  EXPECT_EQ(heard, (std::vector<std::string>{stored, "", stored}));
  for (const Object& object : all.objects)
    EXPECT_TRUE(object.output.empty()) << "the report must not grow with the input";
}

TEST(Library, HandsOutTheNumbersThatWereJudged) {
  const auto output = [](NumberMode mode) {
    Schemas schemas({.profile = Profile::kLoose, .keep_output = true, .numbers = mode});
    EXPECT_TRUE(schemas.add("{}").has_value());
    return schemas.check(R"({"a":[9007199254740993,0.10000000000000000001,1]})")
        .objects.at(0)
        .output;
  };
  EXPECT_EQ(output(NumberMode::kJsonNumber),
            R"({"a":[9007199254740993,0.10000000000000000001,1]})");
  EXPECT_EQ(output(NumberMode::kFloat64), R"({"a":[9007199254740992,0.1,1]})");
  EXPECT_EQ(output(NumberMode::kK8s), R"({"a":[9007199254740993,0.1,1]})");
}

TEST(Library, SaysWhyASchemaCannotBeRead) {
  Schemas schemas;
  const auto added = schemas.add("kind: CustomResourceDefinition\n\tx: [", "bad.yaml");
  ASSERT_FALSE(added);
  EXPECT_TRUE(added.error().starts_with("bad.yaml:")) << added.error();
}

TEST(Library, ChecksFromManyThreads) {
  const Schemas schemas = with_crd();
  std::vector<std::jthread> workers;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i) {
    workers.emplace_back([&, i] {
      for (int n = 0; n < 50; ++n) {
        const bool good = (n + i) % 2 == 0;
        wrong += schemas.check(web(good ? "{image: x}" : "{replicas: 1}")).ok() != good;
      }
    });
  }
  workers.clear();
  EXPECT_EQ(wrong, 0);
}

TEST(Check, FollowsReferencesToFilesOnlyBelowTheFoldersItIsGiven) {
  const auto folder = std::filesystem::temp_directory_path() / "strake-check-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "n.json") << R"({"type":"integer"})";
  const std::string schema = R"({"type":"object","properties":{"a":{"$ref":"n.json"}}})";
  const std::string name = (folder / "s.json").string();
  Schemas none({.profile = Profile::kLoose});
  EXPECT_FALSE(none.add(schema, name));
  Schemas some({.profile = Profile::kLoose, .schema_folders = {folder.string()}});
  ASSERT_TRUE(some.add(schema, name));
  EXPECT_FALSE(some.check(R"({"a":"x"})", "d.json").ok());
  EXPECT_TRUE(some.check(R"({"a":1})", "d.json").ok());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace strake::check

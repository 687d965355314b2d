#include "schema/loose/import.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "schema/loose/ecma_pattern.h"
#include "schema/loose/evaluate.h"
#include "schema/loose/uri.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/json_reader.h"

namespace strake::schema::loose {
namespace {

value::Document document(std::string_view json) {
  auto read = value::read_json(json);
  EXPECT_TRUE(read.has_value()) << json;
  return read ? *std::move(read) : value::Document();
}

Result<Imported> import_json(std::string_view json, const ImportOptions& options = {}) {
  return import_schema(document(json).root(), options);
}

bool accepts(const Schema& schema, const LooseNode& node, std::string_view instance) {
  return evaluate(document(instance).root(), schema, node).verdict == Verdict::kValid;
}

std::string failure(std::string_view json, const ImportOptions& options = {}) {
  const auto imported = import_json(json, options);
  return imported ? "" : imported.error().message();
}

std::vector<std::string> notes(std::string_view json) {
  const auto imported = import_json(json);
  EXPECT_TRUE(imported.has_value()) << (imported ? "" : imported.error().to_string());
  std::vector<std::string> out;
  for (const Diagnostic& d : imported->diagnostics)
    out.push_back(fmt::format("{}: {}", d.schema_path, d.message));
  return out;
}

using Texts = std::vector<std::string>;

TEST(LooseDialect, IsDetectedFromTheDocument) {
  EXPECT_EQ(detect_dialect(document(R"({"openapi":"3.0.3"})").root()), Dialect::kOpenApi30);
  EXPECT_EQ(detect_dialect(document(R"({"openapi":"3.1.0"})").root()), Dialect::kOpenApi31);
  EXPECT_EQ(detect_dialect(document(R"({"swagger":"2.0"})").root()), Dialect::kSwagger2);
  EXPECT_EQ(
      detect_dialect(document(R"({"$schema":"http://json-schema.org/draft-07/schema#"})").root()),
      Dialect::kDraft7);
  EXPECT_EQ(detect_dialect(document(R"({"nullable":true,"type":"string"})").root()),
            Dialect::kOpenApi30);
  EXPECT_EQ(detect_dialect(document(R"({"minimum":1,"exclusiveMinimum":true})").root()),
            Dialect::kOpenApi30);
  EXPECT_EQ(detect_dialect(document("true").root()), Dialect::kDraft2020);
}

TEST(LooseOpenApi, ReadsVersion30) {
  const auto imported = import_json(R"({"openapi":"3.0.3","components":{"schemas":{
    "Pet":{"type":"object","required":["name"],"properties":{"name":{"type":"string","nullable":true},
      "age":{"type":"integer","minimum":0,"exclusiveMinimum":true},"owner":{"$ref":"#/components/schemas/Owner","type":"integer"},
      "kind":{"type":"string","nullable":true,"enum":["a"]}}},
    "Owner":{"type":"string"}}}})");
  ASSERT_TRUE(imported.has_value()) << imported.error().to_string();
  const Schema& schema = *imported->schema;
  EXPECT_EQ(schema.root(), nullptr);
  EXPECT_EQ(schema.components().size(), 2u);
  const LooseNode& pet = *schema.component("Pet");
  EXPECT_TRUE(accepts(schema, pet, R"({"name":null,"age":1,"owner":"me","kind":"a"})"));
  EXPECT_FALSE(accepts(schema, pet, R"({"name":1})"));
  EXPECT_FALSE(accepts(schema, pet, R"({"name":"x","age":0})"));
  EXPECT_FALSE(
      accepts(schema, pet, R"({"name":"x","owner":3})"));  // what stands beside $ref is ignored
  EXPECT_FALSE(
      accepts(schema, pet, R"({"name":"x","kind":null})"));  // enum does not gain null by itself
  ASSERT_EQ(imported->diagnostics.size(), 1u);
  EXPECT_EQ(imported->diagnostics.front().schema_path,
            "/components/schemas/Pet/properties/owner/type");
}

TEST(LooseOpenApi, ReadsVersion31) {
  const auto imported = import_json(R"({"openapi":"3.1.0","components":{"schemas":{
    "A":{"type":["string","null"]},"B":{"$ref":"#/components/schemas/A","minLength":2},"C":{"exclusiveMinimum":3}}}})");
  ASSERT_TRUE(imported.has_value()) << imported.error().to_string();
  const Schema& schema = *imported->schema;
  EXPECT_TRUE(accepts(schema, *schema.component("A"), "null"));
  EXPECT_FALSE(accepts(schema, *schema.component("B"), "\"x\""));
  EXPECT_FALSE(accepts(schema, *schema.component("C"), "3"));
}

TEST(LooseOpenApi, ReadsSwaggerDefinitions) {
  ImportOptions options;
  options.root = "Pod";
  const auto imported =
      import_json(R"({"swagger":"2.0","definitions":{"Pod":{"type":"object","properties":{
    "ports":{"type":"array","items":{"$ref":"#/definitions/Port"},"x-kubernetes-list-type":"map",
    "x-kubernetes-list-map-keys":["port"]}}},"Port":{"type":"object","properties":{"port":{"type":"integer"}}}}})",
                  options);
  ASSERT_TRUE(imported.has_value()) << imported.error().to_string();
  const Schema& schema = *imported->schema;
  EXPECT_EQ(schema.root(), schema.component("Pod"));
  EXPECT_TRUE(accepts(schema, *schema.root(), R"({"ports":[{"port":1},{"port":2}]})"));
  EXPECT_FALSE(accepts(schema, *schema.root(), R"({"ports":[{"port":1},{"port":1}]})"));
}

TEST(LooseOpenApi, PicksBranchesByDiscriminator) {
  const auto imported = import_json(R"({"openapi":"3.0.0","components":{"schemas":{
    "Animal":{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}],
      "discriminator":{"propertyName":"kind","mapping":{"hund":"Dog","cat2":"#/components/schemas/Cat"}}},
    "Cat":{"type":"object","properties":{"lives":{"type":"integer"}}},
    "Dog":{"type":"object","properties":{"tail":{"type":"boolean"}}}}}})");
  ASSERT_TRUE(imported.has_value()) << imported.error().to_string();
  const Schema& schema = *imported->schema;
  const auto codes = [&](std::string_view instance) {
    Texts out;
    for (const Issue& issue :
         evaluate(document(instance).root(), schema, *schema.component("Animal")).issues) {
      out.push_back(fmt::format("{} at {}", to_string(issue.code), issue.path.to_pointer()));
    }
    return out;
  };
  EXPECT_EQ(codes(R"({"kind":"Cat","lives":9})"), Texts{});  // Dog would match too
  EXPECT_EQ(codes(R"({"kind":"cat2","lives":"x"})"), Texts{"invalid_type at /lives"});
  EXPECT_EQ(codes(R"({"tail":1,"kind":"hund"})"), Texts{"invalid_type at /tail"});
  EXPECT_EQ(codes(R"({"lives":9})"), Texts{"discriminator_missing at "});
  EXPECT_EQ(codes(R"({"kind":"Bird"})"), Texts{"discriminator_unknown at "});
}

TEST(LooseCrd, TakesTheVersionAskedForOrTheStoredOne) {
  const char* crd =
      R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","spec":{"versions":[
    {"name":"v1","storage":false,"schema":{"openAPIV3Schema":{"type":"string"}}},
    {"name":"v2","storage":true,"schema":{"openAPIV3Schema":{"type":"integer","nullable":true}}}]}})";
  auto stored = import_json(crd);
  ASSERT_TRUE(stored.has_value()) << stored.error().to_string();
  EXPECT_TRUE(accepts(*stored->schema, *stored->schema->root(), "null"));
  EXPECT_FALSE(accepts(*stored->schema, *stored->schema->root(), "\"x\""));
  ImportOptions options;
  options.version = "v1";
  auto asked = import_json(crd, options);
  EXPECT_TRUE(accepts(*asked->schema, *asked->schema->root(), "\"x\""));
  options.version = "v9";
  EXPECT_EQ(failure(crd, options), "the definition has no schema for version v9");
  auto bare = import_json(R"({"openAPIV3Schema":{"type":"integer"}})");
  EXPECT_FALSE(accepts(*bare->schema, *bare->schema->root(), "\"x\""));
}

TEST(LooseImport, RefusesWhatIsNoSchema) {
  EXPECT_EQ(failure("1"), "a schema is an object or a boolean, got integer");
  EXPECT_EQ(failure(R"({"type":"text"})"), "/type: \"text\" is no type");
  EXPECT_EQ(failure(R"({"properties":{"a":{"minLength":-1}}})"),
            "/properties/a/minLength: must be a whole number from 0");
  EXPECT_EQ(failure(R"({"multipleOf":0})"), "/multipleOf: must be above 0");
  EXPECT_EQ(failure(R"({"properties":[]})"), "/properties: must be an object");
  EXPECT_EQ(failure(R"({"anyOf":[1]})"), "/anyOf: must be an array of schemas");
  EXPECT_EQ(failure(R"({"items":3})"), "/items: must be a schema");
  EXPECT_EQ(failure(R"({"required":[1]})"), "/required: must be an array of names");
  EXPECT_NE(failure(R"({"pattern":"["})"), "");
}

TEST(LooseImport, RefusesReferencesToNothing) {
  EXPECT_EQ(failure(R"({"$ref":"#/$defs/a"})"), "/$ref: #/$defs/a leads to nothing");
  EXPECT_EQ(failure(R"({"$ref":"#a"})"), "/$ref: #a leads to nothing: no anchor of that name");
  EXPECT_EQ(
      failure(R"({"$ref":"http://example.com/x"})"),
      "/$ref: http://example.com/x leads to nothing: nothing is known of http://example.com/x");
  EXPECT_EQ(failure(R"({"$ref":"#/enum","enum":[1]})"), "/$ref: #/enum is no schema");
}

TEST(LooseImport, RefusesCirclesThatLookAtNothing) {
  EXPECT_EQ(failure(R"({"$ref":"#"})"), "#: refers back to itself through # for the same value");
  EXPECT_NE(
      failure(
          R"({"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"})"),
      "");
  EXPECT_EQ(failure(R"({"properties":{"a":{"$ref":"#"}}})"), "");
}

TEST(LooseEvaluation, StopsWhereADynamicReferenceRunsInCircles) {
  const auto imported = import_json(R"({"$id":"http://x/a","$dynamicAnchor":"n","$ref":"b",
    "$defs":{"b":{"$id":"b","$dynamicAnchor":"n","allOf":[{"$dynamicRef":"#n"}]}}})");
  ASSERT_TRUE(imported.has_value()) << imported.error().to_string();
  const Report report = evaluate(value::Value::integer(1), *imported->schema);
  EXPECT_EQ(report.verdict, Verdict::kInvalid);
  EXPECT_EQ(report.issues.front().code, IssueCode::kSchemaInvalid);
}

TEST(LooseImport, KeepsToItsLimits) {
  ImportOptions options;
  options.max_nodes = 3;
  EXPECT_EQ(failure(R"({"properties":{"a":{},"b":{},"c":{}}})", options), "more than 3 schemas");
  options = {};
  options.max_depth = 2;
  EXPECT_NE(failure(R"({"not":{"not":{"not":{"not":{}}}}})", options), "");
  std::string deep = R"({"type":"integer"})";
  for (int i = 0; i < 4000; ++i) deep = R"({"items":)" + deep + "}";
  EXPECT_EQ(failure(deep), "");
}

TEST(LooseDiagnostics, NameWhatWasNotTakenAsWritten) {
  EXPECT_EQ(notes(R"({"type":"string","format":"nope","wibble":1,"x-mine":2})"),
            (Texts{"/format: unknown format \"nope\", not checked",
                   "/wibble: unknown keyword, ignored"}));
  EXPECT_EQ(notes(R"({"pattern":"(?!a)b"})"),
            Texts{"/pattern: `(?!a)b` has a look-ahead, which cannot be matched in linear time; "
                  "not checked"});
  EXPECT_EQ(notes(R"({"pattern":"(?i)abc"})"),
            Texts{"/pattern: `(?i)abc` is read in RE2 syntax, not in that of ECMA-262"});
  EXPECT_EQ(notes(R"({"type":"integer","default":"x"})"),
            Texts{"/default: breaks its own schema: expected integer, got string"});
  EXPECT_EQ(notes(R"({"type":"object","anyOf":[{"type":"string"},{"required":["a"]}]})"),
            Texts{"/anyOf/0: no value can match this branch"});
  EXPECT_EQ(
      notes(
          R"({"$schema":"https://json-schema.org/draft/2020-12/schema","nullable":true,"type":"string"})"),
      Texts{"/nullable: has no meaning in JSON Schema 2020-12; write \"null\" into type"});
}

TEST(LooseOpenApi, ReadsWhatTheServerPublishes) {
  STRAKE_REQUIRE_VECTORS(folder, "openapi");
  int documents = 0;
  for (const auto& path : testing::files_in(folder, ".json")) {
    const auto file = value::read_json(testing::read_file(path));
    ASSERT_TRUE(file.has_value()) << path;
    for (const value::Member& member : file->root().find("v3")->members()) {
      const auto imported = import_schema(member.value, {.rules_run = true});
      ASSERT_TRUE(imported.has_value()) << path << ": " << imported.error().to_string();
      EXPECT_FALSE(imported->schema->components().empty()) << path;
      for (const Diagnostic& d : imported->diagnostics) {
        // The published documents put a default beside a $ref, which 3.0 ignores.
        EXPECT_EQ(d.keyword, "default") << d.schema_path << ": " << d.message;
      }
      ++documents;
    }
  }
  EXPECT_GE(documents, testing::count_in(folder, 6, 2));
}

TEST(LooseDrafts, OlderOnesKeepTheirMeaning) {
  const auto draft7 = import_json(
      R"({"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],
    "additionalItems":false,"definitions":{"a":{"$id":"#here","type":"integer"}},"properties":{"x":{"$ref":"#here","minimum":5}},
    "dependencies":{"x":["y"]}})");
  ASSERT_TRUE(draft7.has_value()) << draft7.error().to_string();
  const LooseNode& root = *draft7->schema->root();
  EXPECT_TRUE(accepts(*draft7->schema, root, R"(["a"])"));
  EXPECT_FALSE(accepts(*draft7->schema, root, R"(["a",1])"));
  EXPECT_TRUE(accepts(*draft7->schema, root, R"({"x":1,"y":1})"));
  EXPECT_FALSE(accepts(*draft7->schema, root, R"({"x":1})"));
  const auto draft2019 = import_json(
      R"({"$schema":"https://json-schema.org/draft/2019-09/schema","$recursiveAnchor":true,
    "type":"object","properties":{"c":{"$recursiveRef":"#"}}})");
  ASSERT_TRUE(draft2019.has_value()) << draft2019.error().to_string();
  EXPECT_TRUE(accepts(*draft2019->schema, *draft2019->schema->root(), R"({"c":{"c":{}}})"));
  EXPECT_FALSE(accepts(*draft2019->schema, *draft2019->schema->root(), R"({"c":{"c":1}})"));
}

TEST(LooseUri, ResolvesAsTheStandardSays) {
  const char* base = "http://a/b/c/d;p?q";
  const std::vector<std::pair<const char*, const char*>> cases{{"g:h", "g:h"},
                                                               {"g", "http://a/b/c/g"},
                                                               {"./g", "http://a/b/c/g"},
                                                               {"g/", "http://a/b/c/g/"},
                                                               {"/g", "http://a/g"},
                                                               {"//g", "http://g"},
                                                               {"?y", "http://a/b/c/d;p?y"},
                                                               {"g?y", "http://a/b/c/g?y"},
                                                               {"#s", "http://a/b/c/d;p?q#s"},
                                                               {"", "http://a/b/c/d;p?q"},
                                                               {"..", "http://a/b/"},
                                                               {"../g", "http://a/b/g"},
                                                               {"../../../g", "http://a/g"},
                                                               {"g/./h", "http://a/b/c/g/h"},
                                                               {"g/../h", "http://a/b/c/h"}};
  for (const auto& [reference, want] : cases)
    EXPECT_EQ(resolve_uri(base, reference), want) << reference;
  EXPECT_EQ(resolve_uri("urn:uuid:1", "#x"), "urn:uuid:1#x");
  EXPECT_EQ(resolve_uri("", "a/b#c"), "a/b#c");
}

TEST(LooseEcmaPattern, SaysWhatCannotBeTranslated) {
  EXPECT_EQ(go_from_ecma("a(?=b)").error().code(), Code::kUnsupported);
  EXPECT_EQ(go_from_ecma("(a)\\1").error().code(), Code::kUnsupported);
  EXPECT_EQ(go_from_ecma("(?<!a)b").error().code(), Code::kUnsupported);
  EXPECT_EQ(go_from_ecma("a{2000}").error().code(), Code::kUnsupported);
  EXPECT_EQ(go_from_ecma("a{3,2}").error().code(), Code::kInvalid);
  EXPECT_EQ(go_from_ecma("[b-a]").error().code(), Code::kInvalid);
  EXPECT_EQ(go_from_ecma("[a").error().code(), Code::kInvalid);
  EXPECT_EQ(go_from_ecma("a\\").error().code(), Code::kInvalid);
  EXPECT_TRUE(go_from_ecma("\\a").has_value());
  EXPECT_FALSE(go_from_ecma("\\a", true).has_value());
}

TEST(LooseEcmaPattern, KeepsItsMeaning) {
  const auto matches = [](std::string_view pattern, std::string_view subject) {
    const auto go = go_from_ecma(pattern);
    return go && Pattern(*go).search(subject);
  };
  EXPECT_TRUE(matches("^\\/\\u00e9\\x41\\cA\\u{1F600}$",
                      "/\xc3\xa9"
                      "A\x01\xf0\x9f\x98\x80"));
  EXPECT_TRUE(matches("^\\ud83d\\ude00$", "\xf0\x9f\x98\x80"));
  EXPECT_TRUE(matches("^[^]$", "\n"));
  EXPECT_FALSE(matches("[]", "a"));
  EXPECT_TRUE(matches("^[\\b]$", "\b"));
  EXPECT_TRUE(matches("^[\\s-x]+$", "\xc2\xa0-x"));
  EXPECT_FALSE(matches("^.$", "\xe2\x80\xa8"));
  EXPECT_TRUE(matches("^(?<year>\\d{4})$", "2024"));
  EXPECT_TRUE(matches("^\\p{Script=Greek}\\p{gc=Lu}\\P{L}$",
                      "\xce\xb1"
                      "A1"));
  EXPECT_TRUE(matches("^x{,2}$", "x{,2}"));
  EXPECT_TRUE(matches("^[\\S]$", "x"));
  EXPECT_FALSE(matches("^[\\S]$", " "));
}

}  // namespace
}  // namespace strake::schema::loose

// Rules that the recordings do not reach. In the expectations, S stands for
// spec.validation.openAPIV3Schema.
#include "crd/check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::crd {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Crd read_new(std::string_view json) {
  auto document = value::read_json(json);
  EXPECT_TRUE(document) << json;
  auto crd = Crd::read(std::move(*document));
  EXPECT_TRUE(crd) << crd.error().message();
  crd->prepare_for_create();
  return std::move(*crd);
}

std::vector<std::string> shortened(const value::FieldErrors& errors) {
  constexpr std::string_view kSchema = "spec.validation.openAPIV3Schema";
  std::vector<std::string> out;
  for (const value::FieldError& error : errors) {
    std::string text = error.to_string();
    for (std::size_t at = text.find(kSchema); at != std::string::npos; at = text.find(kSchema)) {
      text.replace(at, kSchema.size(), "S");
    }
    out.push_back(std::move(text));
  }
  return out;
}

// A CRD whose spec and version have more fields than they need; a later field wins over an earlier
// one.
std::string crd_text(std::string_view schema, std::string_view in_version = "",
                     std::string_view in_spec = "") {
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"things.example.com"}},)"
      R"("spec":{{"group":"example.com","scope":"Namespaced","names":{{"plural":"things","kind":"Thing"}},)"
      R"("versions":[{{"name":"v1","served":true,"storage":true,"schema":{{"openAPIV3Schema":{}}}{}}}]{}}}}})",
      schema, in_version, in_spec);
}

std::vector<std::string> errors_of(std::string_view schema, std::string_view in_version = "",
                                   std::string_view in_spec = "") {
  return shortened(check_create(read_new(crd_text(schema, in_version, in_spec))));
}

// The schema of spec, in an otherwise plain CRD; P stands for its place.
std::vector<std::string> spec_errors(std::string_view schema) {
  std::vector<std::string> out =
      errors_of(fmt::format(R"({{"type":"object","properties":{{"spec":{}}}}})", schema));
  for (std::string& text : out) {
    constexpr std::string_view kSpec = "S.properties[spec]";
    for (std::size_t at = text.find(kSpec); at != std::string::npos; at = text.find(kSpec)) {
      text.replace(at, kSpec.size(), "P");
    }
  }
  return out;
}

constexpr std::string_view kPlain = R"({"type":"object"})";

TEST(CrdCheck, TakesAPlainCrd) { EXPECT_THAT(errors_of(kPlain), IsEmpty()); }

TEST(CrdCheck, AsksForAScope) {
  const auto with_scope = [](std::string_view scope) {
    std::string text = crd_text(kPlain);
    const std::string_view before = R"("scope":"Namespaced")";
    text.replace(text.find(before), before.size(), fmt::format(R"("scope":"{}")", scope));
    return shortened(check_create(read_new(text)));
  };
  EXPECT_THAT(with_scope(""), ElementsAre("spec.scope: Required value"));
  EXPECT_THAT(
      with_scope("Galaxy"),
      ElementsAre(
          R"(spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced")"));
  EXPECT_THAT(with_scope("Cluster"), IsEmpty());
}

TEST(CrdCheck, AsksForADomainAsGroup) {
  const auto with_group = [](std::string_view group) {
    std::string text = crd_text(kPlain);
    const std::string_view before = R"("group":"example.com")";
    text.replace(text.find(before), before.size(), fmt::format(R"("group":"{}")", group));
    return shortened(check_create(read_new(text)));
  };
  EXPECT_THAT(
      with_group("nodots"),
      ElementsAre(
          R"(metadata.name: Invalid value: "things.example.com": must be spec.names.plural+"."+spec.group)",
          R"(spec.group: Invalid value: "nodots": should be a domain with at least one dot)"));
  EXPECT_THAT(
      with_group("A.b")[1],
      ::testing::StartsWith(R"(spec.group: Invalid value: "A.b": a lowercase RFC 1123 subdomain)"));
}

TEST(CrdCheck, RefusesToPreserveUnknownFieldsAltogether) {
  EXPECT_THAT(
      errors_of(kPlain, "", R"(,"preserveUnknownFields":true)"),
      ElementsAre(
          "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set "
          "x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"));
  EXPECT_THAT(
      errors_of(R"({"type":"object","properties":{"a":{"type":"string","default":"x"}}})", "",
                R"(,"preserveUnknownFields":true,"conversion":{"strategy":"Webhook"})"),
      ElementsAre(
          "spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults "
          "in the "
          "schema",
          R"(spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true)",
          "spec.conversion.webhookClientConfig: Required value: required when strategy is set to "
          "Webhook",
          "spec.conversion.conversionReviewVersions: Required value",
          "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set "
          "x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"));
}

TEST(CrdCheck, LimitsTheRootWhenStatusIsASubresource) {
  EXPECT_THAT(
      errors_of(
          R"({"type":"object","description":"d","properties":{"a":{"type":"string"}},"required":["a"]})",
          R"(,"subresources":{"status":{}})"),
      IsEmpty());
  EXPECT_THAT(
      errors_of(R"({"type":"object","minProperties":1})", R"(,"subresources":{"status":{}})"),
      ElementsAre(::testing::AllOf(
          ::testing::StartsWith(
              R"(S: Invalid value: {"ID":"","Schema":"","Ref":null,"Description":"","Type":"object","Nullable":false,)"),
          ::testing::HasSubstr(R"("MinProperties":1,"Required":null,"Items":null,)"),
          ::testing::EndsWith(
              "XPreserveUnknownFields XValidations] fields are allowed at the root of the schema "
              "if the status subresource is enabled"))));
  EXPECT_THAT(
      errors_of(R"({"type":"array","items":{"type":"string"}})",
                R"(,"subresources":{"status":{}})"),
      ElementsAre(
          R"(S.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the status subresource is enabled)",
          R"(S.type: Invalid value: "array": must be object at the root)"));
}

TEST(CrdCheck, PointsIntoVersionsThatDiffer) {
  const Crd crd = read_new(
      R"({"metadata":{"name":"things.example.com"},"spec":{"group":"example.com","scope":"Cluster","names":{"plural":"things","kind":"Thing"},"versions":[)"
      R"({"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}},"subresources":{"scale":{}}},)"
      R"({"name":"v2","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"string"}},"subresources":{"scale":{}}}]}})");
  EXPECT_THAT(
      shortened(check_create(crd)),
      ElementsAre(
          R"(spec.versions[1].schema.openAPIV3Schema.type: Invalid value: "string": must be object at the root)",
          ::testing::AllOf(
              ::testing::StartsWith(
                  R"(spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":{"OpenAPIV3Schema":{"ID":"",)"),
              ::testing::EndsWith(
                  R"("Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version)")),
          "spec.subresources.scale.specReplicasPath: Required value",
          "spec.subresources.scale.statusReplicasPath: Required value",
          R"(status.storedVersions: Invalid value: ["v1"]: must have the storage version v2)"));
}

TEST(CrdCheck, JudgesPrinterColumns) {
  EXPECT_THAT(
      errors_of(kPlain,
                R"(,"additionalPrinterColumns":[{},{"name":"a","type":"int","jsonPath":".a"}])"),
      ElementsAre(
          "spec.additionalPrinterColumns[0].name: Required value",
          "spec.additionalPrinterColumns[0].type: Required value: must be one of "
          "boolean,date,integer,number,string",
          "spec.additionalPrinterColumns[0].JSONPath: Required value",
          R"(spec.additionalPrinterColumns[1].type: Invalid value: "int": must be one of boolean,date,integer,number,string)"));
}

TEST(CrdCheck, JudgesTheScaleSubresource) {
  EXPECT_THAT(
      errors_of(
          kPlain,
          R"(,"subresources":{"scale":{"specReplicasPath":".status.a","statusReplicasPath":".spec.b","labelSelectorPath":".metadata.c"}})"),
      ElementsAre(
          R"(spec.subresources.scale.specReplicasPath: Invalid value: ".status.a": should be a json path under .spec)",
          R"(spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.b": should be a json path under .status)",
          R"(spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.c": should be a json path under either .spec or .status)"));
}

TEST(CrdCheck, JudgesSelectableFields) {
  EXPECT_THAT(
      errors_of(
          R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"name":{"type":"string"}}},"spec":{"type":"object","properties":{"a":{"type":"string"},"m":{"type":"object","additionalProperties":{"type":"string"}}}}}})",
          R"(,"selectableFields":[{"jsonPath":""},{"jsonPath":"spec"},{"jsonPath":".spec['a']"},{"jsonPath":"."},{"jsonPath":".metadata.name"},{"jsonPath":".spec.m.k"},{"jsonPath":".spec.m"}])"),
      ElementsAre(
          "spec.selectableFields[0].jsonPath: Required value",
          R"(spec.selectableFields[1].jsonPath: Invalid value: "spec": is an invalid path: expected [ or . but got: spec)",
          R"(spec.selectableFields[2].jsonPath: Invalid value: ".spec['a']": is an invalid path: array notation is not allowed)",
          R"(spec.selectableFields[3].jsonPath: Invalid value: ".": is an invalid path: unexpected end of JSON path)",
          R"(spec.selectableFields[4].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata)",
          R"(spec.selectableFields[6].jsonPath: Invalid value: ".spec.m": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.)"));
}

TEST(CrdCheck, JudgesConversionWebhooks) {
  const auto webhook = [](std::string_view config, std::string_view versions = R"(["v1"])") {
    return errors_of(
        kPlain, "",
        fmt::format(
            R"(,"conversion":{{"strategy":"Webhook","webhook":{{"clientConfig":{},"conversionReviewVersions":{}}}}})",
            config, versions));
  };
  const std::string at = "spec.conversion.webhookClientConfig";
  EXPECT_THAT(
      webhook(R"({"url":"https://u:p@/x?q=1#f"})"),
      ElementsAre(
          at +
              R"(.url: Invalid value: "": host must be specified; desired format: https://host[/path])",
          at + R"(.url: Invalid value: "u:p": user information is not permitted in the URL)",
          at + R"(.url: Invalid value: "f": fragments are not permitted in the URL)",
          at + R"(.url: Invalid value: "q=1": query parameters are not permitted in the URL)"));
  EXPECT_THAT(
      webhook(R"({"url":":x"})"),
      ElementsAre(
          at +
          R"(.url: Required value: url must be a valid URL: parse ":x": missing protocol scheme; desired format: https://host[/path])"));
  EXPECT_THAT(webhook("{}"),
              ElementsAre(at + ": Required value: exactly one of url or service is required"));
  EXPECT_THAT(webhook(R"({"service":{"name":"n","namespace":"s"}})"), IsEmpty());
  // kube-apiserver 1.36 confuses the two names when it reports one missing.
  EXPECT_THAT(
      webhook(R"({"service":{"name":"n","port":0,"path":"x/y"}})"),
      ElementsAre(at + ".service.name: Required value",
                  at + ".service.port: Invalid value: 0: port is not valid: must be between 1 and "
                       "65535, inclusive",
                  at + R"(.service.path: Invalid value: "x/y": must start with a '/')",
                  at + R"(.service.path: Invalid value: "x/y": segment[0] may not be empty)"));
  EXPECT_THAT(
      webhook(R"({"url":"https://a"})", R"(["v9","v9"])"),
      ElementsAre(
          R"(spec.conversion.conversionReviewVersions[1]: Invalid value: "v9": duplicate version)",
          R"(spec.conversion.conversionReviewVersions: Invalid value: ["v9","v9"]: must include at least one of v1, v1beta1)"));
  EXPECT_THAT(
      errors_of(kPlain, "", R"(,"conversion":{"strategy":"Magic"})"),
      ElementsAre(
          R"(spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook")"));
  EXPECT_THAT(errors_of(kPlain, "", R"(,"conversion":{})"),
              ElementsAre("spec.conversion.strategy: Required value"));
}

TEST(CrdCheck, JudgesStructuralSchemas) {
  EXPECT_THAT(spec_errors(R"({"type":"array"})"),
              ElementsAre("P.items: Required value: must be specified"));
  EXPECT_THAT(errors_of(R"({"type":"object","additionalProperties":false})"),
              ElementsAre("S.additionalProperties: Forbidden: must not be used at the root"));
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","x-kubernetes-embedded-resource":true,"additionalProperties":true,"x-kubernetes-preserve-unknown-fields":true})"),
      ElementsAre("P.additionalProperties: Forbidden: must not be used if "
                  "x-kubernetes-embedded-resource is set"));
  EXPECT_THAT(
      spec_errors(
          R"({"x-kubernetes-embedded-resource":true,"x-kubernetes-int-or-string":true,"x-kubernetes-preserve-unknown-fields":true})"),
      ElementsAre(
          "P.type: Required value: must be object if x-kubernetes-embedded-resource is true",
          "P.x-kubernetes-embedded-resource: Invalid value: true: must be false if "
          "x-kubernetes-int-or-string is true",
          "P.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if "
          "x-kubernetes-int-or-string is true"));
  EXPECT_THAT(
      errors_of(
          R"({"type":"object","properties":{"kind":{"type":"object"},"apiVersion":{"type":"integer"},"metadata":{"type":"object","description":"x"}}})"),
      ElementsAre(
          R"(S.properties[apiVersion].type: Invalid value: "integer": must be string)",
          R"(S.properties[kind].type: Invalid value: "object": must be string)",
          "S.properties[metadata]: Forbidden: must not specify anything other than name and "
          "generateName, but metadata is implicitly specified"));
  EXPECT_THAT(
      errors_of(
          R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"name":{"type":"string"},"generateName":{"type":"string"}}}}})"),
      IsEmpty());
}

TEST(CrdCheck, WantsNothingStructuralInsideJunctors) {
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","oneOf":[{"title":"t","x-kubernetes-list-type":"set","x-kubernetes-map-type":"atomic","x-kubernetes-list-map-keys":["a"],"x-kubernetes-int-or-string":true,"x-kubernetes-embedded-resource":true,"properties":{"metadata":{}}}]})"),
      ::testing::IsSupersetOf(
          {"P.oneOf[0].properties[metadata]: Forbidden: must not be specified in a nested context",
           "P.oneOf[0].title: Forbidden: must be empty to be structural",
           "P.oneOf[0].x-kubernetes-embedded-resource: Forbidden: must be false to be structural",
           "P.oneOf[0].x-kubernetes-int-or-string: Forbidden: must be false to be structural",
           "P.oneOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural",
           "P.oneOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural",
           "P.oneOf[0].x-kubernetes-map-type: Forbidden: must be undefined to be structural"}));
  EXPECT_THAT(
      spec_errors(
          R"({"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"pattern":"^a"}]})"),
      IsEmpty());
}

TEST(CrdCheck, WantsWhatRootJunctorsNameToBeDeclared) {
  EXPECT_THAT(
      errors_of(
          R"({"type":"object","anyOf":[{"properties":{"a":{"minLength":1}}},{"not":{"items":{"minLength":2}}}]})"),
      ElementsAre(
          "S.items: Required value: because it is defined in S.anyOf[1].not.items",
          "S.properties[a]: Required value: because it is defined in S.anyOf[0].properties[a]"));
}

TEST(CrdCheck, JudgesNodesInPlacesThatStructuralSchemasDoNotKnow) {
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","$ref":"#/x","definitions":{"d":{"type":"strin"}},"additionalItems":true})"),
      ElementsAre(
          "P.additionalItems: Forbidden: additionalItems is not supported",
          "P.definitions: Forbidden: definitions is not supported",
          "P.$ref: Forbidden: $ref is not supported",
          R"(P.definitions[d].type: Unsupported value: "strin": supported values: "array", "boolean", "integer", "number", "object", "string")"));
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}})"),
      ElementsAre("P.additionalProperties: Forbidden: additionalProperties and properties are "
                  "mutual exclusive"));
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true})"),
      IsEmpty());
}

TEST(CrdCheck, JudgesDefaultsAroundMetadata) {
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string","default":"x"}}}}}})"),
      ElementsAre("P.properties[metadata].properties[labels].additionalProperties.default: "
                  "Forbidden: must not be set "
                  "inside additionalProperties applying to object metadata"));
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","properties":{"finalizers":{"type":"array","items":{"type":"string"},"default":["a b"]}}}}})"),
      ElementsAre(::testing::StartsWith(
          "P.properties[metadata].properties[finalizers].default: Invalid value: [\"a "
          "b\"]: must result in valid metadata: metadata.finalizers: Invalid value: "
          "\"a b\": name part must consist")));
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","x-kubernetes-embedded-resource":true,"properties":{"metadata":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}}})"),
      ElementsAre("P.properties[metadata].x-kubernetes-embedded-resource: Forbidden: must not be "
                  "used inside of "
                  "resource meta"));
}

TEST(CrdCheck, JudgesDefaultsAsValues) {
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","default":{"a":{"n":"x"},"b":1},"properties":{"a":{"type":"object","properties":{"n":{"type":"integer"}}}}})"),
      ElementsAre(
          R"(P.default: Invalid value: {"a":{"n":"x"},"b":1}: must not have unknown fields)",
          R"(P.default.a.n: Invalid value: "string": a.n in body must be of type integer: "string")"));
  EXPECT_THAT(
      spec_errors(
          R"({"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true,"default":{"apiVersion":"a/b/c","kind":"K","metadata":{"name":1}}})"),
      ElementsAre(
          R"(P.default.metadata: Invalid value: {"name":1}: json: cannot unmarshal number into Go struct field ObjectMeta.name of type string)"));
}

TEST(CrdCheck, JudgesListsAndMaps) {
  EXPECT_THAT(
      spec_errors(R"({"type":"array","x-kubernetes-map-type":"flat","items":{"type":"string"}})"),
      ElementsAre(
          R"(P.type: Invalid value: "array": must be object if x-kubernetes-map-type is specified)",
          R"(P.x-kubernetes-map-type: Unsupported value: "flat": supported values: "atomic", "granular")"));
  EXPECT_THAT(
      spec_errors(
          R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}})"),
      ElementsAre(
          R"(P.items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set)"));
  EXPECT_THAT(
      spec_errors(
          R"({"type":"array","x-kubernetes-list-type":"atomic","x-kubernetes-list-map-keys":["a"],"items":{"type":"string"}})"),
      ElementsAre(
          R"(P.x-kubernetes-list-type: Invalid value: "atomic": must be map if x-kubernetes-list-map-keys is non-empty)"));
}

TEST(CrdCheck, JudgesTheFormOfRules) {
  const auto rule = [](std::string_view fields) {
    return spec_errors(fmt::format(
        R"({{"type":"object","properties":{{"a":{{"type":"object","additionalProperties":{{"type":"string"}}}}}},"x-kubernetes-validations":[{{{}}}]}})",
        fields));
  };
  EXPECT_THAT(
      rule(R"("rule":"true","message":" \t ")"),
      ElementsAre(
          R"(P.x-kubernetes-validations[0].message: Invalid value: " \t ": must be non-empty if specified)"));
  EXPECT_THAT(rule(R"("rule":"true &&\ntrue")"),
              ElementsAre("P.x-kubernetes-validations[0].message: Required value: message must be "
                          "specified if rule "
                          "contains line breaks"));
  EXPECT_THAT(
      rule(R"("rule":"true","fieldPath":" ")"),
      ElementsAre(
          R"(P.x-kubernetes-validations[0].fieldPath: Invalid value: " ": must be non-empty if specified)",
          R"(P.x-kubernetes-validations[0].fieldPath: Invalid value: " ": must be a valid path)"));
  for (const char* good : {".a", ".a.anything", ".a['any.thing']", "['a']"}) {
    EXPECT_THAT(rule(fmt::format(R"("rule":"true","fieldPath":"{}")", good)), IsEmpty()) << good;
  }
  for (const char* bad : {".b", ".a[0]", "a", ".a['x'", ".a['\\\\q']", ".a.b.c"}) {
    EXPECT_THAT(rule(fmt::format(R"("rule":"true","fieldPath":"{}")", bad)), ::testing::SizeIs(1))
        << bad;
  }
}

TEST(CrdCheck, WarnsOfFormatsItDoesNotKnow) {
  const Crd crd = read_new(crd_text(
      R"({"type":"object","properties":{"a":{"type":"string","format":"ip"},"b":{"type":"integer","format":"date"},"c":{"type":"string","format":"date-time"},"d":{"type":"number","format":"float"},"e":{"type":"object","format":"byte"}}})"));
  EXPECT_THAT(format_warnings(crd),
              ElementsAre("unrecognized format \"ip\"", "unrecognized format \"date\"",
                          "unrecognized format \"byte\""));
  const Crd old =
      read_new(crd_text(R"({"type":"object","properties":{"x":{"type":"string","format":"ip"}}})"));
  EXPECT_THAT(format_warnings(crd, &old),
              ElementsAre("unrecognized format \"date\"", "unrecognized format \"byte\""));
}

// Stands in for a compiler: remembers what it was given.
class RecordingCompiler : public RuleCompiler {
 public:
  struct Rules : SchemaRules {
    explicit Rules(RecordingCompiler& owner) : owner_(owner) {}
    value::FieldErrors check(const RulePlace& place) override {
      owner_.seen.push_back(place.at->to_k8s() +
                            (place.uncorrelatable ? " in " + place.uncorrelatable->to_k8s() : ""));
      for (const RulePlace* up = &place; up != nullptr; up = up->parent)
        EXPECT_NE(up->node, nullptr);
      return {value::FieldError::forbidden(*place.at, "by the compiler")};
    }
    value::FieldErrors check_total(const FieldPath& at) override {
      return {value::FieldError::forbidden(at, "in total")};
    }
    value::FieldErrors run_on_default(const schema::Node&, bool, const value::Value&,
                                      const FieldPath& at, std::int64_t&) override {
      if (!owner_.refuse_defaults) return {};
      return {value::FieldError::forbidden(at, "as a default")};
    }
    RecordingCompiler& owner_;
  };
  std::unique_ptr<SchemaRules> begin(const schema::NodePtr&, const RuleScope&) override {
    return std::make_unique<Rules>(*this);
  }
  std::vector<std::string> seen;
  bool refuse_defaults = false;
};

TEST(CrdCheck, HandsRulesOverFromTheInsideOut) {
  RecordingCompiler compiler;
  const Crd crd = read_new(crd_text(
      R"({"type":"object","x-kubernetes-validations":[{"rule":"true"}],"properties":{"l":{"type":"array","items":{"type":"object","x-kubernetes-validations":[{"rule":"true"}],"properties":{"d":{"type":"string","default":"x"}}}}}})"));
  const auto errors = shortened(check_create(crd, &compiler));
  EXPECT_THAT(compiler.seen, ElementsAre("spec.validation.openAPIV3Schema.properties[l].items in "
                                         "spec.validation.openAPIV3Schema.properties[l]",
                                         "spec.validation.openAPIV3Schema"));
  EXPECT_THAT(errors, ElementsAre("S.properties[l].items: Forbidden: by the compiler",
                                  "S: Forbidden: by the compiler", "S: Forbidden: in total"));
}

TEST(CrdCheck, CompilesNoRulesWhenADefaultFails) {
  RecordingCompiler compiler;
  compiler.refuse_defaults = true;
  const Crd crd = read_new(crd_text(
      R"({"type":"object","x-kubernetes-validations":[{"rule":"true"}],"properties":{"d":{"type":"string","default":"x","x-kubernetes-validations":[{"rule":"true"}]}}})"));
  EXPECT_THAT(shortened(check_create(crd, &compiler)),
              ElementsAre("S.properties[d].default: Forbidden: as a default"));
  EXPECT_THAT(compiler.seen, IsEmpty());
}

TEST(CrdCheck, CompilesNoRulesAboveABrokenSchema) {
  RecordingCompiler compiler;
  const Crd crd = read_new(crd_text(
      R"({"type":"object","x-kubernetes-validations":[{"rule":"true"}],"properties":{"a":{"type":"string","x-kubernetes-validations":[{"rule":"true"}]},"b":{"type":"array","uniqueItems":true,"items":{"type":"string"}}}})"));
  (void)check_create(crd, &compiler);
  EXPECT_THAT(compiler.seen, ElementsAre("spec.validation.openAPIV3Schema.properties[a]"));
}

}  // namespace
}  // namespace strake::crd

#include "policy/mutating_policy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/check_expressions.h"
#include "schema/compile.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::policy {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kSchema = R"(
type: object
properties:
  spec:
    type: object
    properties:
      note: {type: string}
      size: {type: integer}
      atomic: {type: array, items: {type: string}}
      set: {type: array, items: {type: string}, x-kubernetes-list-type: set}
      ports:
        type: array
        items: {type: object, properties: {port: {type: integer}, name: {type: string}}}
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [port]
      opts: {type: object, additionalProperties: {type: string}}
)";

// What is left of the object after all mutations, or the first failure.
std::string mutate(std::string_view mutations, std::string_view spec) {
  const value::Document policy =
      value::read_yaml(fmt::format("spec: {{mutations: [{}]}}", mutations)).value();
  const value::Document object =
      value::read_yaml(
          fmt::format("{{apiVersion: example.com/v1, kind: W, metadata: {{name: w}}, spec: {}}}",
                      spec))
          .value();
  const schema::NodePtr schema = schema::compile(value::read_yaml(kSchema).value().root()).value();
  const MutatingPolicy compiled(policy.root());
  Arena arena;
  value::Value now = object.root();
  for (std::size_t i = 0; i < compiled.mutations(); ++i) {
    auto next = compiled.mutate(i, {.object = &now}, schema.get(), arena);
    if (!next) return next.error();
    now = *next;
  }
  return value::to_json(now.get("spec")) + value::to_json(now.get("metadata"));
}

std::string apply(std::string_view expression, std::string_view spec) {
  return mutate(fmt::format("{{patchType: ApplyConfiguration, applyConfiguration: {{expression: "
                            "\"{}\"}}}}",
                            expression),
                spec);
}

std::string patch(std::string_view expression, std::string_view spec) {
  return mutate(
      fmt::format("{{patchType: JSONPatch, jsonPatch: {{expression: \"{}\"}}}}", expression), spec);
}

TEST(MutatingPolicy, AppliesAConfiguration) {
  EXPECT_EQ(apply("Object{metadata: Object.metadata{labels: {'a': 'b'}}, spec: Object.spec{note: "
                  "'x', size: object.spec.?size.orValue(1) + 1}}",
                  "{}"),
            R"({"note":"x","size":2}{"labels":{"a":"b"},"name":"w"})");
  EXPECT_EQ(apply("Object{spec: Object.spec{ports: [Object.spec.ports{port: 80, name: 'http'}]}}",
                  "{ports: [{port: 443, name: tls}, {port: 80, name: old}]}"),
            R"({"ports":[{"name":"tls","port":443},{"name":"http","port":80}]}{"name":"w"})");
  EXPECT_EQ(apply("Object{spec: Object.spec{set: ['b'], opts: {'x': 'y'}}}", "{set: [a]}"),
            R"({"opts":{"x":"y"},"set":["a","b"]}{"name":"w"})");
  EXPECT_EQ(apply("Object{metadata: Object.metadata{finalizers: ['a.b/c']}}", "{}"),
            R"({}{"finalizers":["a.b/c"],"name":"w"})");
}

TEST(MutatingPolicy, RefusesConfigurationsThatDoNotFit) {
  EXPECT_EQ(apply("Object{spec: Object.spec{atomic: ['x']}}", "{}"),
            "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps "
            "or structs: .spec.atomic");
  EXPECT_EQ(apply("Object{spec: Object.spec{nothing: 1}}", "{}"),
            "error applying patch: failed to convert patch object to typed object: .spec.nothing: "
            "field not declared in schema");
  EXPECT_EQ(apply("Object{spec: Object.wrong{note: 'x'}}", "{}"),
            "type mismatch: unexpected type name \"Object.wrong\", expected \"Object.spec\", which "
            "matches field name path from root Object type");
  EXPECT_EQ(apply("Object{spec: Object.spec{note: object.spec.note + '!'}}", "{}"),
            "expression 'Object{spec: Object.spec{note: object.spec.note + '!'}}' resulted in "
            "error: no such key: note");
}

TEST(MutatingPolicy, PatchesByOperations) {
  EXPECT_EQ(patch("[JSONPatch{op: 'test', path: '/spec/note', value: 'go'}, JSONPatch{op: 'add', "
                  "path: '/spec/set', value: ['a', 'b']}]",
                  "{note: go}"),
            R"({"note":"go","set":["a","b"]}{"name":"w"})");
  // A patch whose test fails is not for this object.
  EXPECT_EQ(patch("[JSONPatch{op: 'test', path: '/spec/note', value: 'go'}, JSONPatch{op: 'add', "
                  "path: '/spec/size', value: 1}]",
                  "{note: stop}"),
            R"({"note":"stop"}{"name":"w"})");
  EXPECT_EQ(patch("[JSONPatch{op: 'add', path: '/metadata/annotations', value: "
                  "{'a/b': 'c'}}, JSONPatch{op: 'remove', path: '/metadata/annotations/' + "
                  "jsonpatch.escapeKey('a/b')}]",
                  "{}"),
            R"({}{"annotations":{},"name":"w"})");
  EXPECT_EQ(patch("[JSONPatch{op: 'add', path: '/spec/ports', value: "
                  "[Object.spec.ports{port: 1}]}]",
                  "{}"),
            R"({"ports":[{"port":1}]}{"name":"w"})");
  EXPECT_EQ(patch("[JSONPatch{op: 'remove', path: '/spec/note'}]", "{}"),
            "JSON Patch: error in remove for path: '/spec/note': Unable to remove nonexistent key: "
            "note: missing value");
}

TEST(MutatingPolicy, LetsEachMutationSeeTheOneBefore) {
  EXPECT_EQ(
      mutate("{patchType: ApplyConfiguration, applyConfiguration: {expression: \"Object{spec: "
             "Object.spec{note: 'one'}}\"}}, {patchType: JSONPatch, jsonPatch: {expression: "
             "\"[JSONPatch{op: 'replace', path: '/spec/note', value: object.spec.note + "
             "',two'}]\"}}",
             "{}"),
      R"({"note":"one,two"}{"name":"w"})");
}

// The examples of the Kubernetes documentation, on what matters of a pod.
constexpr std::string_view kPodSchema = R"(
type: object
properties:
  spec:
    type: object
    properties:
      initContainers:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items:
          type: object
          properties:
            name: {type: string}
            image: {type: string}
            args: {type: array, items: {type: string}, x-kubernetes-list-type: atomic}
            restartPolicy: {type: string}
      containers:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items:
          type: object
          properties:
            name: {type: string}
            image: {type: string}
            env:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [name]
              items: {type: object, properties: {name: {type: string}, value: {type: string}}}
)";

std::string mutate_pod(std::string_view policy_text, std::string_view object_text) {
  const value::Document policy = value::read_yaml(policy_text).value();
  value::FieldErrors errors;
  check_mutating_expressions({.spec = policy.root().get("spec")}, FieldPath() / "spec", errors);
  EXPECT_TRUE(errors.empty()) << value::aggregate(errors);
  const value::Document object = value::read_yaml(object_text).value();
  const schema::NodePtr schema =
      schema::compile(value::read_yaml(kPodSchema).value().root()).value();
  const MutatingPolicy compiled(policy.root());
  Arena arena;
  value::Value now = object.root();
  if (!compiled.matches({.object = &now}, arena).matches) return "not matched";
  for (std::size_t i = 0; i < compiled.mutations(); ++i) {
    auto next = compiled.mutate(i, {.object = &now}, schema.get(), arena);
    if (!next) return next.error();
    now = *next;
  }
  return value::to_json(now.get("spec"));
}

constexpr std::string_view kPod =
    "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: {containers: [{name: app, image: "
    "'a:1'}]}}";

TEST(DocumentedMutations, AddASidecar) {
  constexpr std::string_view kPolicy = R"y(
spec:
  matchConditions:
  - name: does-not-already-have-sidecar
    expression: "!has(object.spec.initContainers) || !object.spec.initContainers.exists(ic, ic.name == 'mesh-proxy')"
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >-
        Object{
          spec: Object.spec{
            initContainers: [
              Object.spec.initContainers{
                name: "mesh-proxy",
                image: "mesh/proxy:v1.0.0",
                args: ["proxy", "sidecar"],
                restartPolicy: "Always"
              }
            ]
          }
        }
)y";
  EXPECT_THAT(mutate_pod(kPolicy, kPod), HasSubstr("invalid ApplyConfiguration: may not mutate "
                                                   "atomic arrays, maps or structs: "
                                                   ".spec.initContainers[0].args"));
  std::string without_args(kPolicy);
  without_args.erase(without_args.find("                args:"),
                     std::string_view("                args: [\"proxy\", \"sidecar\"],\n").size());
  EXPECT_EQ(mutate_pod(without_args, kPod),
            R"({"containers":[{"image":"a:1","name":"app"}],"initContainers":[{"image":)"
            R"("mesh/proxy:v1.0.0","name":"mesh-proxy","restartPolicy":"Always"}]})");
  EXPECT_EQ(mutate_pod(without_args, "{spec: {initContainers: [{name: mesh-proxy}]}}"),
            "not matched");
}

TEST(DocumentedMutations, PatchWhatTheyFind) {
  EXPECT_EQ(
      mutate_pod(R"y(
spec:
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: >-
        object.spec.containers.map(c, !has(c.env), JSONPatch{
          op: "add",
          path: "/spec/containers/" + string(object.spec.containers.indexOf(c)) + "/env",
          value: [Object.spec.containers.env{name: "TIER", value: "dev"}]
        })
)y",
                 kPod),
      R"({"containers":[{"env":[{"name":"TIER","value":"dev"}],"image":"a:1","name":"app"}]})");
  EXPECT_EQ(mutate_pod(R"y(
spec:
  mutations:
  - patchType: JSONPatch
    jsonPatch:
      expression: >-
        [JSONPatch{op: "add", path: "/metadata/labels", value: {"a/b": "c"}},
         JSONPatch{op: "replace", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: "d"},
         JSONPatch{op: "copy", from: "/metadata/labels/a~1b", path: "/spec/note"}]
)y",
                       kPod),
            R"({"containers":[{"image":"a:1","name":"app"}],"note":"d"})");
}

TEST(MutatingPolicyExpressions, MustGiveWhatTheirTypeOfPatchNeeds) {
  const auto faults = [](std::string_view spec) {
    const value::Document document = value::read_yaml(spec).value();
    value::FieldErrors errors;
    check_mutating_expressions({.spec = document.root()}, FieldPath() / "spec", errors);
    return errors.empty() ? std::string() : errors.front().to_string();
  };
  EXPECT_EQ(faults("{mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"'x'\"}}]}"),
            "spec.mutations[0].jsonPatch.expression: Invalid value: \"'x'\": must evaluate to "
            "list(JSONPatch) but got string");
  EXPECT_EQ(faults("{mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "
                   "'{}'}}]}"),
            "spec.mutations[0].applyConfiguration.expression: Invalid value: \"{}\": must evaluate "
            "to Object but got map(dyn, dyn)");
  EXPECT_THAT(faults("{mutations: [{patchType: ApplyConfiguration, applyConfiguration: "
                     "{expression: 'Object{spec: Object.spec{'}}]}"),
              HasSubstr("mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, "
                        "ESC_IDENTIFIER}"));
}

}  // namespace
}  // namespace strake::policy

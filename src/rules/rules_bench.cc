// How fast the rules of real CRDs compile, and how fast rules run with all their bookkeeping.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "rules/engine.h"
#include "rules/rule_tree.h"
#include "schema/compile.h"
#include "support/files.h"
#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::rules {
namespace {

using value::Document;
using value::Value;

std::size_t rules_at_and_below(const schema::Node& node) {
  if (!node.has_rules_below) return 0;
  std::size_t out = node.rules.size();
  for (const schema::Property& p : node.properties) out += rules_at_and_below(*p.node);
  if (node.items) out += rules_at_and_below(*node.items);
  if (node.additional_schema) out += rules_at_and_below(*node.additional_schema);
  return out;
}

// Every version of every CRD of the recordings.
const std::vector<schema::NodePtr>& real_schemas() {
  static const std::vector<schema::NodePtr> schemas = [] {
    std::vector<schema::NodePtr> out;
    const auto folder = testing::vectors("crds");
    if (!folder) return out;
    for (const auto& path : testing::files_in(*folder, ".yaml")) {
      const Document crd = value::read_yaml(testing::read_file(path)).value();
      for (const Value& version : crd.root().find("spec")->find("versions")->items()) {
        out.push_back(schema::compile(*version.find("schema")->find("openAPIV3Schema")).value());
      }
    }
    return out;
  }();
  return schemas;
}

// Parsed, checked, costed and planned; nothing is shared between schemas.
void BM_CompileTheRulesOfRealCrds(benchmark::State& state) {
  const auto& schemas = real_schemas();
  if (schemas.empty()) return state.SkipWithError("no recordings");
  std::size_t rules = 0;
  for (const auto& schema : schemas) rules += rules_at_and_below(*schema);
  for (auto _ : state) {
    for (const auto& schema : schemas) {
      const RuleTree tree(*schema, true);
      tree.compile_all();
      benchmark::DoNotOptimize(tree.root());
    }
  }
  state.counters["rules"] = static_cast<double>(rules);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rules));
}
BENCHMARK(BM_CompileTheRulesOfRealCrds)->Unit(benchmark::kMillisecond);

struct Case {
  const char* name;
  const char* schema;  // of spec, without its rule
  const char* rule;
  const char* spec;
};

constexpr Case kCases[] = {
    {"replicas",
     "type: object, properties: {minReplicas: {type: integer}, replicas: {type: integer}, "
     "maxReplicas: {type: integer}}",
     "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
     R"({"minReplicas": 1, "replicas": 5, "maxReplicas": 10})"},
    {"one of", "type: object, properties: {a: {type: string}, b: {type: string}}",
     "has(self.a) != has(self.b)", R"({"a": "x"})"},
    {"required with",
     "type: object, properties: {type: {type: string}, tls: {type: object, properties: {}}}",
     "self.type == 'TLS' ? has(self.tls) : !has(self.tls)", R"({"type": "TLS", "tls": {}})"},
    {"immutable", "type: object, properties: {name: {type: string}}", "self.name == oldSelf.name",
     R"({"name": "some-name"})"},
    {"enum", "type: object, properties: {kind: {type: string}}",
     "self.kind in ['Issuer', 'ClusterIssuer', 'Other']", R"({"kind": "ClusterIssuer"})"},
    {"pattern", "type: object, properties: {host: {type: string}}",
     "self.host.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')", R"({"host": "example-host"})"},
    {"unique names",
     "type: object, properties: {l: {type: array, items: {type: object, properties: {name: {type: "
     "string}}}}}",
     "self.l.all(x, self.l.exists_one(y, x.name == y.name))",
     R"({"l": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}]})"},
    {"keys",
     "type: object, properties: {labels: {type: object, additionalProperties: {type: string}}}",
     "self.labels.all(k, k != 'kubernetes.io/hostname')",
     R"({"labels": {"a": "1", "b": "2", "c": "3"}})"},
    {"address", "type: object, properties: {cidr: {type: string}, ip: {type: string}}",
     "cidr(self.cidr).containsIP(self.ip)", R"({"cidr": "10.0.0.0/8", "ip": "10.1.2.3"})"},
    {"quantity",
     "type: object, properties: {min: {x-kubernetes-int-or-string: true}, max: "
     "{x-kubernetes-int-or-string: true}}",
     "quantity(self.min).compareTo(quantity(self.max)) <= 0", R"({"min": "100Mi", "max": "1Gi"})"},
};

// An update, with the walk to the rule, the budget and the comparison with what was stored.
void BM_RunARule(benchmark::State& state) {
  const Case& one = kCases[state.range(0)];
  const Document schema_document =
      value::read_yaml(fmt::format("{{type: object, properties: {{spec: {{{}, "
                                   "x-kubernetes-validations: [{{rule: \"{}\"}}]}}}}}}",
                                   one.schema, one.rule))
          .value();
  const schema::NodePtr schema = schema::compile(schema_document.root()).value();
  const Document object = value::read_json(fmt::format(R"({{"spec": {}}})", one.spec)).value();
  const Document old = value::read_json(fmt::format(R"({{"spec": {}}})", one.spec)).value();
  const Engine engine;
  const auto first = engine.run(object.root(), schema, &old.root());
  if (!first.errors.empty()) return state.SkipWithError(first.errors[0].to_string().c_str());
  for (auto _ : state) {
    benchmark::DoNotOptimize(engine.run(object.root(), schema, &old.root()));
  }
  state.SetLabel(one.name);
}
BENCHMARK(BM_RunARule)->DenseRange(0, static_cast<int>(std::size(kCases)) - 1);

}  // namespace
}  // namespace strake::rules

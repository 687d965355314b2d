// What a policy costs a request: one that accepts it, with variables and without, and what it takes
// to compile one.
#include <benchmark/benchmark.h>

#include "policy/validating_policy.h"
#include "value/yaml_reader.h"

namespace strake::policy {
namespace {

constexpr std::string_view kPlain =
    "spec: {validations: [{expression: 'object.spec.replicas <= 5'}]}";
constexpr std::string_view kComposed = R"y(
spec:
  matchConditions:
  - {name: not-free, expression: "!object.metadata.name.startsWith('free')"}
  variables:
  - {name: containers, expression: object.spec.template.spec.containers}
  - {name: checked, expression: "variables.containers.filter(c, c.image.contains('example.com/'))"}
  validations:
  - expression: variables.checked.all(c, c.image.startsWith('prod.'))
    messageExpression: "'only prod images in ' + request.namespace"
  - expression: object.spec.replicas <= 5
    message: too many
)y";
constexpr std::string_view kObject = R"(
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 3
  template:
    spec:
      containers:
      - {name: a, image: prod.example.com/a}
      - {name: b, image: other/b}
)";

void judge(benchmark::State& state, std::string_view policy_text) {
  const value::Document policy = value::read_yaml(policy_text).value();
  const value::Document object = value::read_yaml(kObject).value();
  const value::Document request =
      value::read_yaml("{operation: CREATE, namespace: default}").value();
  const ValidatingPolicy compiled(policy.root());
  for (auto _ : state) {
    Arena arena;
    const Judgement judgement =
        compiled.judge({.object = &object.root(), .request = &request.root()}, arena);
    for (const Decision& one : judgement.decisions) {
      if (one.denied) state.SkipWithError(one.message.c_str());
    }
  }
}

void plain(benchmark::State& state) { judge(state, kPlain); }
void composed(benchmark::State& state) { judge(state, kComposed); }

void compile(benchmark::State& state) {
  const value::Document policy = value::read_yaml(kComposed).value();
  for (auto _ : state) benchmark::DoNotOptimize(ValidatingPolicy(policy.root()).fails_closed());
}

BENCHMARK(plain);
BENCHMARK(composed);
BENCHMARK(compile);

}  // namespace
}  // namespace strake::policy

// How fast rules compile, and how fast they run over a document.
#include <benchmark/benchmark.h>

#include "cel/compile.h"
#include "cel/lib/library.h"
#include "value/json_reader.h"

namespace strake::cel {
namespace {

const Environment& environment() {
  static const Library* const kLibraries[] = {&standard_library(), &optionals_library(),
                                              &strings_library(),  &lists_library(),
                                              &sets_library(),     &two_variable_library()};
  static const Environment env(kLibraries, {.homogeneous_literals = true});
  return env;
}

// What a rule on a workload's spec sees.
struct Schema {
  Arena arena;
  TypeFactory make{arena};
  DocumentShape integer{.kind = DocumentShape::Kind::kInt, .type = &types::integer};
  DocumentShape string{.kind = DocumentShape::Kind::kString, .type = &types::string};
  DocumentField item_fields[2] = {{"kind", "kind", &string}, {"name", "name", &string}};
  DocumentShape item{.kind = DocumentShape::Kind::kObject, .fields = item_fields};
  DocumentShape items{.kind = DocumentShape::Kind::kList, .element = &item};
  DocumentField fields[5] = {{"items", "items", &items},
                             {"maxReplicas", "maxReplicas", &integer},
                             {"minReplicas", "minReplicas", &integer},
                             {"name", "name", &string},
                             {"replicas", "replicas", &integer}};
  DocumentShape root{.kind = DocumentShape::Kind::kObject, .fields = fields};
  Schema() {
    item.type = make.object("item", &item);
    items.type = make.list(item.type);
    root.type = make.object("spec", &root);
  }
};

const Schema& schema() {
  static const Schema s;
  return s;
}

Scope scope() {
  static const Variable variables[] = {{"self", schema().root.type},
                                       {"oldSelf", schema().root.type}};
  return {.environment = &environment(), .variables = variables};
}

constexpr const char* kRules[] = {
    "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
    "!has(self.name) || self.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
    "self.items.all(x, self.items.exists_one(y, x.name == y.name))",
    "has(oldSelf.name) && self.name == oldSelf.name ? true : size(self.items) < 10",
    "self.items.filter(i, i.kind == 'primary').map(i, i.name).size() <= 1",
};

void Compile(benchmark::State& state) {
  const char* rule = kRules[state.range(0)];
  for (auto _ : state) benchmark::DoNotOptimize(compile(rule, scope()));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(Compile)->DenseRange(0, 4);

void Parse(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse(kRules[state.range(0)], environment()));
}
BENCHMARK(Parse)->DenseRange(0, 4);

void Evaluate(benchmark::State& state) {
  const value::Document document =
      value::read_json(
          R"({"minReplicas":1,"maxReplicas":10,"replicas":3,"name":"web","items":[{"kind":"primary","name":"a"},{"kind":"replica","name":"b"},{"kind":"replica","name":"c"}]})")
          .value();
  const auto compiled = compile(kRules[state.range(0)], scope());
  Arena arena;
  const bool counted = state.range(1) != 0;
  for (auto _ : state) {
    arena.reset();
    const Value self = Value::from_node(document.root(), &schema().root, arena);
    const Value values[] = {self, self};
    CostTracker cost{.limit = 1'000'000};
    const Value result =
        compiled->program.evaluate({.variables = values, .cost = counted ? &cost : nullptr}, arena);
    if (!result.is_true()) state.SkipWithError("the rule failed");
  }
  state.counters["bytes"] = static_cast<double>(compiled->program.bytes());
}
BENCHMARK(Evaluate)->ArgsProduct({{0, 1, 2, 3, 4}, {0, 1}})->ArgNames({"rule", "cost"});

}  // namespace
}  // namespace strake::cel

#include "policy/mutating_policy.h"

#include <fmt/format.h>

#include "patch/field_type.h"
#include "patch/json_patch.h"
#include "patch/typed_check.h"
#include "patch/typed_merge.h"
#include "policy/patch_values.h"
#include "policy/spec.h"

namespace strake::policy {
namespace {

using patch::FieldType;
using value::Value;

// The paths of lists and maps that are one field, as far as fields have names.
class Atomics {
 public:
  std::vector<std::string> found;

  void look(const Value& v, const FieldType& type, const std::string& at) {
    if (type.undeclared()) return;
    if (v.is_object() && type.form(&v) == FieldType::Form::kMap) {
      if (type.atomic_map()) found.push_back(at);
      for (const value::Member& one : v.members()) {
        if (type.names(one.key))
          look(one.value, type.member(one.key), fmt::format("{}.{}", at, one.key));
      }
    } else if (v.is_array() && type.form(&v) == FieldType::Form::kList) {
      if (type.atomic_list()) found.push_back(at);
      for (std::size_t i = 0; i < v.size(); ++i)
        look(v.items()[i], type.items(), fmt::format("{}[{}]", at, i));
    }
  }
};

std::string typed_faults(std::string_view what, const patch::TypedFaults& faults) {
  return fmt::format("failed to convert {} object to typed object: {}", what,
                     patch::to_string(faults));
}

}  // namespace

std::expected<Value, std::string> merge_configuration(const Value& object, Value configuration,
                                                      const schema::Node* schema, Arena& arena) {
  configuration.set("apiVersion", object.get("apiVersion"), arena);
  configuration.set("kind", object.get("kind"), arena);
  const FieldType type = FieldType::of_resource(schema);
  if (const auto faults =
          patch::check_typed(configuration, type, patch::Duplicates::kRefused, arena);
      !faults.empty()) {
    return std::unexpected(typed_faults("patch", faults));
  }
  Atomics atomics;
  atomics.look(configuration, type, "");
  if (!atomics.found.empty()) {
    return std::unexpected(
        fmt::format("invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: {}",
                    fmt::join(atomics.found, ", ")));
  }
  if (const auto faults = patch::check_typed(object, type, patch::Duplicates::kAllowed, arena);
      !faults.empty()) {
    return std::unexpected(typed_faults("original", faults));
  }
  return patch::merge_typed(object, configuration, type, arena);
}

MutatingPolicy::MutatingPolicy(const Value& policy) {
  const Value& spec = policy.get("spec");
  const Offered offered{.params = has(spec, "paramKind")};
  const Offered for_mutations{.params = offered.params, .patches = true};
  fails_closed_ = text_at(spec, "failurePolicy") != "Ignore";
  is_reinvoked_ = text_at(spec, "reinvocationPolicy") == "IfNeeded";
  variables_ = compile_variables(spec, offered, compiler_);
  conditions_ = compile_conditions(spec, offered, compiler_);
  for (const Value& one : spec.get("mutations").items()) {
    const bool is_json_patch = text_at(one, "patchType") == "JSONPatch";
    const Value& holder = one.get(is_json_patch ? "jsonPatch" : "applyConfiguration");
    mutations_.push_back(
        {.is_json_patch = is_json_patch,
         .expression = compiler_.compile(text_at(holder, "expression"),
                                         is_json_patch ? Gives::kJsonPatches : Gives::kObject,
                                         for_mutations, true)});
  }
}

std::expected<Value, std::string> MutatingPolicy::mutate(std::size_t mutation, const Inputs& inputs,
                                                         const schema::Node* schema,
                                                         Arena& arena) const {
  const Mutation& one = mutations_.at(mutation);
  if (!one.expression.program) return std::unexpected(one.expression.fault);
  // A new one for each: variables may depend on what the mutation before has changed.
  Arena scratch;
  Evaluation evaluation(inputs, variables_, scratch);
  std::int64_t budget = kCostBudget;
  auto outcome = evaluation.run(one.expression, budget);
  if (!outcome) return std::unexpected(std::move(outcome.error()));
  if (!outcome->error.empty()) return std::unexpected(std::move(outcome->error));
  if (!one.is_json_patch) {
    auto configuration = apply_configuration_of(outcome->value, arena);
    if (!configuration) return configuration;
    auto merged = merge_configuration(*inputs.object, *configuration, schema, arena);
    if (!merged) return std::unexpected("error applying patch: " + merged.error());
    return merged;
  }
  auto operations = json_patch_of(outcome->value, scratch);
  if (!operations) return operations;
  const Result<Value> patched = patch::apply_json_patch(*inputs.object, *operations, arena);
  if (patched) return *patched;
  // A test that fails means that the patch is not for this object.
  if (patched.error().message().ends_with(": test failed")) return *inputs.object;
  return std::unexpected("JSON Patch: " + patched.error().message());
}

}  // namespace strake::policy

#include "policy/access_conditions.h"

#include <fmt/format.h>

#include "cel/cost/cost_runtime.h"
#include "policy/compile_text.h"
#include "policy/evaluation.h"
#include "rules/environment.h"
#include "rules/literals.h"

namespace strake::policy {
namespace {

using cel::Type;
using cel::TypeKind;

constexpr Type kSpecType{TypeKind::kObject, false, "kubernetes.SubjectAccessReviewSpec"};
constexpr Type kAttributesType{TypeKind::kObject, false, "kubernetes.ResourceAttributes"};
constexpr Type kPathAttributesType{TypeKind::kObject, false, "kubernetes.NonResourceAttributes"};
constexpr Type kFieldSelectorType{TypeKind::kObject, false, "kubernetes.FieldSelectorAttributes"};
constexpr Type kLabelSelectorType{TypeKind::kObject, false, "kubernetes.LabelSelectorAttributes"};
constexpr Type kRequirementType{TypeKind::kObject, false, "kubernetes.SelectorRequirement"};

constexpr const Type* kString = &cel::types::string;
constexpr const Type* kStringParams[] = {kString};
constexpr Type kStringList{TypeKind::kList, false, "list", kStringParams};
constexpr const Type* kExtraMapParams[] = {kString, &kStringList};
constexpr Type kExtraMap{TypeKind::kMap, false, "map", kExtraMapParams};
constexpr const Type* kRequirementParams[] = {&kRequirementType};
constexpr Type kRequirements{TypeKind::kList, false, "list", kRequirementParams};

struct SpecField {
  const Type* type;
  std::string_view field;
  const Type* field_type;
};

constexpr SpecField kSpecFields[] = {
    {&kSpecType, "resourceAttributes", &kAttributesType},
    {&kSpecType, "nonResourceAttributes", &kPathAttributesType},
    {&kSpecType, "user", kString},
    {&kSpecType, "groups", &kStringList},
    {&kSpecType, "extra", &kExtraMap},
    {&kSpecType, "uid", kString},
    {&kAttributesType, "namespace", kString},
    {&kAttributesType, "verb", kString},
    {&kAttributesType, "group", kString},
    {&kAttributesType, "version", kString},
    {&kAttributesType, "resource", kString},
    {&kAttributesType, "subresource", kString},
    {&kAttributesType, "name", kString},
    {&kAttributesType, "fieldSelector", &kFieldSelectorType},
    {&kAttributesType, "labelSelector", &kLabelSelectorType},
    {&kFieldSelectorType, "rawSelector", kString},
    {&kFieldSelectorType, "requirements", &kRequirements},
    {&kLabelSelectorType, "rawSelector", kString},
    {&kLabelSelectorType, "requirements", &kRequirements},
    {&kRequirementType, "key", kString},
    {&kRequirementType, "operator", kString},
    {&kRequirementType, "values", &kStringList},
    {&kPathAttributesType, "path", kString},
    {&kPathAttributesType, "verb", kString},
};

class SpecTypes final : public cel::TypeProvider {
 public:
  const Type* find_type(std::string_view name) const override {
    for (const SpecField& one : kSpecFields) {
      if (one.type->name == name) return one.type;
    }
    return nullptr;
  }
  const Type* find_field(std::string_view type, std::string_view field) const override {
    for (const SpecField& one : kSpecFields) {
      if (one.field == field && one.type->name == type) return one.field_type;
    }
    return nullptr;
  }
  std::optional<std::int64_t> find_enum(std::string_view) const override { return std::nullopt; }
  cel::Value make(std::string_view type, std::span<const FieldValue>, Arena& arena) const override {
    return cel::Value::error(fmt::format("unable to create value of type {}", type), arena);
  }
};

constexpr cel::Variable kVariables[] = {{"request", &kSpecType}};

const cel::Scope& scope_of_conditions() {
  static const SpecTypes* const types = new SpecTypes();
  static const cel::Scope* const scope = new cel::Scope{
      .environment = &rules::stored_rule_environment(), .variables = kVariables, .types = types};
  return *scope;
}

}  // namespace

std::string AccessConditions::add(std::string_view text) {
  static constexpr const Type* kWanted[] = {&cel::types::boolean};
  const cel::Scope& scope = scope_of_conditions();
  auto ast = checked_tree(text, scope);
  if (!ast) return "compilation failed: " + ast.error();
  if (std::string fault = type_fault(*ast->root->type, kWanted); !fault.empty()) return fault;
  if (auto fault = rules::find_pattern_fault(*ast))
    return "program instantiation failed: " + *std::move(fault);
  all_.push_back({.text = std::string(text),
                  .program = cel::plan(*ast, scope, {.cost_of = cel::kubernetes_call_cost})});
  return {};
}

AccessConditions::Outcome AccessConditions::evaluate(const value::Value& spec, Arena& arena) const {
  const cel::Value variables[] = {cel::Value::from_node(spec, nullptr, arena)};
  std::vector<std::string> errors;
  for (const Condition& one : all_) {
    cel::CostTracker tracker{.limit = kCallCostLimit};
    const cel::Value result =
        one.program.evaluate({.variables = variables, .cost = &tracker}, arena);
    if (result.is_error()) {
      errors.push_back(fmt::format("cel evaluation error: expression '{}' resulted in error: {}",
                                   one.text, result.as_error().message));
    } else if (result.is_false()) {
      return {.matches = false};
    }
  }
  if (!errors.empty()) return {.matches = false, .error = join_errors(errors)};
  return {.matches = true};
}

}  // namespace strake::policy

#include "policy/expression.h"

#include <fmt/format.h>

#include <algorithm>

#include "cel/compile.h"
#include "cel/cost/cost_runtime.h"
#include "cel/lib/k8s_authz.h"
#include "policy/compile_text.h"
#include "rules/environment.h"
#include "rules/literals.h"

namespace strake::policy {
namespace {

using cel::Type;

// A name that no expression can spell: for slots that are not offered.
constexpr std::string_view kHidden = "";

std::array<cel::Variable, kSlots> variables_of(const Offered& offered, const KnownTypes& known) {
  const auto or_dyn = [](const Type* type) { return type != nullptr ? type : &cel::types::dyn; };
  const auto named = [](bool there, std::string_view name) { return there ? name : kHidden; };
  return {{{"object", or_dyn(known.object)},
           {"oldObject", or_dyn(known.object)},
           {"namespaceObject", &kNamespaceType},
           {"request", &kRequestType},
           {named(offered.params, "params"), or_dyn(known.params)},
           {named(offered.authorizer, "authorizer"), &cel::kAuthorizerType},
           {named(offered.authorizer, "authorizer.requestResource"), &cel::kResourceCheckType},
           {named(offered.variables, "variables"), &kVariablesType}}};
}

std::span<const Type* const> types_of(Gives gives) {
  static constexpr const Type* kBools[] = {&cel::types::boolean};
  static constexpr const Type* kStrings[] = {&cel::types::string, &cel::types::null};
  static constexpr const Type* kObjects[] = {&kObjectType};
  static constexpr const Type* kPatches[] = {&kJsonPatchesType};
  switch (gives) {
    case Gives::kBool: return kBools;
    case Gives::kString: return std::span(kStrings).first(1);
    case Gives::kStringOrNull: return kStrings;
    case Gives::kObject: return kObjects;
    case Gives::kJsonPatches: return kPatches;
    case Gives::kAny: break;
  }
  return {};
}

const cel::Environment& environment_for(const Offered& offered, bool stored) {
  if (offered.patches)
    return stored ? rules::stored_patch_environment() : rules::new_patch_environment();
  return stored ? rules::stored_rule_environment() : rules::new_rule_environment();
}

}  // namespace

Expression Compiler::compile(std::string_view text, Gives gives, const Offered& offered,
                             bool stored) const {
  return compile(text, gives, offered, stored, nullptr, {});
}

Expression Compiler::compile(std::string_view text, Gives gives, const Offered& offered,
                             bool stored, Types* declare_in, std::string_view name) const {
  Expression out{.text = std::string(text)};
  const auto variables = variables_of(offered, known_);
  const cel::TypeProvider& provider =
      offered.patches ? static_cast<const cel::TypeProvider&>(patch_types_) : types_;
  const cel::Scope scope{
      .environment = &environment_for(offered, stored), .variables = variables, .types = &provider};
  auto ast = checked_tree(text, scope);
  if (!ast) {
    out.fault = "compilation failed: " + ast.error();
    return out;
  }
  const Type& type = *ast->root->type;
  if (std::string fault = type_fault(type, types_of(gives)); !fault.empty()) {
    out.fault = std::move(fault);
    return out;
  }
  if (auto fault = rules::find_pattern_fault(*ast)) {
    out.fault = "program instantiation failed: " + *std::move(fault);
    out.fault_is_ours = true;
    return out;
  }
  if (declare_in != nullptr) declare_in->add_variable(name, &type);
  out.program = cel::plan(*ast, scope, {.cost_of = cel::kubernetes_call_cost});
  return out;
}

Expression Compiler::compile_variable(std::string_view name, std::string_view text,
                                      const Offered& offered, bool stored) {
  Expression out = compile(text, Gives::kAny, offered, stored, &types_, name);
  if (!out.program) types_.add_variable(name, nullptr);
  return out;
}

std::string Compiler::check(std::string_view text, const Offered& offered) const {
  const auto variables = variables_of(offered, known_);
  const auto ast = checked_tree(
      text,
      {.environment = &environment_for(offered, true), .variables = variables, .types = &types_});
  return ast ? std::string() : ast.error();
}

void Compiler::check_variable(std::string_view name, std::string_view text,
                              const Offered& offered) {
  const auto variables = variables_of(offered, known_);
  const auto ast = checked_tree(
      text,
      {.environment = &environment_for(offered, true), .variables = variables, .types = &types_});
  types_.add_variable(name, ast ? ast->root->type : nullptr);
}

}  // namespace strake::policy

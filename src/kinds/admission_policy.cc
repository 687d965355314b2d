// Validating and mutating admission policies and their bindings.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/trim.h"
#include "kinds/admission_rules.h"
#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "meta/gvk.h"
#include "meta/object_meta.h"
#include "policy/check_expressions.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::size_t kMaxAuditAnnotations = 20;
constexpr std::size_t kMaxAuditExpressionBytes = 5 * 1024;

bool is_cel_identifier(std::string_view name) {
  constexpr std::string_view kReserved[] = {
      "true",     "false",   "null",      "in",       "as",  "break",  "const",
      "continue", "else",    "for",       "function", "if",  "import", "let",
      "loop",     "package", "namespace", "return",   "var", "void",   "while"};
  const auto is_start = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.empty() || !is_start(name.front())) return false;
  if (std::find(std::begin(kReserved), std::end(kReserved), name) != std::end(kReserved))
    return false;
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_start(c) || (c >= '0' && c <= '9'); });
}

void check_param_kind(const Value& kind, const FieldPath& at, FieldErrors& errors) {
  const FieldPath field = at / "apiVersion";
  const std::string_view api_version = text_of(kind, "apiVersion");
  const auto parsed = meta::parse_group_version(api_version);
  const auto refuse = [&](std::string_view shown, std::string why) {
    errors.push_back(FieldError::invalid(field, Value::string(shown), std::move(why)));
  };
  if (api_version.empty()) {
    errors.push_back(FieldError::required(field));
  } else if (!parsed) {
    refuse(api_version, parsed.error().message());
  } else {
    if (!parsed->group.empty()) {
      if (const auto messages = meta::check_dns1123_subdomain(parsed->group); !messages.empty())
        refuse(parsed->group, meta::join(messages));
    }
    if (parsed->version.empty()) {
      refuse(api_version, "version must be specified");
    } else if (const auto messages = meta::check_dns1035_label(parsed->version);
               !messages.empty()) {
      refuse(parsed->version, meta::join(messages));
    }
  }
  const std::string_view name = text_of(kind, "kind");
  if (name.empty()) {
    errors.push_back(FieldError::required(at / "kind"));
  } else if (const auto messages = meta::check_dns1035_label(meta::to_lower_ascii(name));
             !messages.empty()) {
    errors.push_back(FieldError::invalid(
        at / "kind", Value::string(name),
        "may have mixed case, but should otherwise match: " + meta::join(messages)));
  }
}

void check_variables(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const auto variables = items(spec, "variables");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::string_view name = text_of(variables[i], "name");
    if (is_blank(name)) {
      errors.push_back(FieldError::required(at / i / "name", "name is not specified"));
    } else if (!is_cel_identifier(name)) {
      errors.push_back(FieldError::invalid(at / i / "name", Value::string(name),
                                           "must be a valid CEL identifier"));
    }
    if (is_blank(text_of(variables[i], "expression"))) {
      errors.push_back(FieldError::required(at / i / "expression", "expression is not specified"));
    }
  }
}

void check_validation(const Value& validation, const FieldPath& at, FieldErrors& errors) {
  if (is_blank(text_of(validation, "expression")))
    errors.push_back(FieldError::required(at / "expression", "expression is not specified"));
  const auto refuse = [&](std::string_view key, std::string_view why) {
    errors.push_back(
        FieldError::invalid(at / key, Value::string(text_of(validation, key)), std::string(why)));
  };
  const std::string_view maker = text_of(validation, "messageExpression");
  if (!maker.empty() && is_blank(maker))
    refuse("messageExpression", "must be non-empty if specified");
  const std::string_view message = text_of(validation, "message");
  if (!message.empty() && is_blank(message)) {
    refuse("message", "must be non-empty if specified");
  } else if (trim(message).find_first_of("\n\r") != std::string_view::npos) {
    refuse("message", "must not contain line breaks");
  }
  check_one_of(validation, "reason", {"Forbidden", "Invalid", "RequestEntityTooLarge"}, at, errors);
}

// The annotations as kube-apiserver 1.36 shows them: in Go's names.
std::string show_annotations(std::span<const Value> annotations) {
  std::string out = "[";
  for (const Value& one : annotations) {
    if (out.size() > 1) out += ',';
    out += "{\"Key\":";
    value::write_json_string(text_of(one, "key"), out);
    out += ",\"ValueExpression\":";
    value::write_json_string(text_of(one, "valueExpression"), out);
    out += '}';
  }
  return out + "]";
}

void check_audit_annotations(const Value& object, const Value& spec, const FieldPath& at,
                             FieldErrors& errors) {
  const auto annotations = items(spec, "auditAnnotations");
  if (annotations.size() > kMaxAuditAnnotations) {
    errors.push_back({.type = FieldError::Type::kInvalid,
                      .path = at,
                      .shown = show_annotations(annotations),
                      .detail = fmt::format("must not have more than {} auditAnnotations",
                                            kMaxAuditAnnotations)});
  }
  std::set<std::string_view> keys;
  const std::string_view policy = meta::ObjectMeta::of(object).name();
  for (std::size_t i = 0; i < annotations.size(); ++i) {
    const std::string_view key = text_of(annotations[i], "key");
    if (policy.empty()) {
      errors.push_back(FieldError::invalid(at / i / "key", Value::string(key),
                                           "requires metadata.name be non-empty"));
    } else {
      const std::string full = fmt::format("{}/{}", policy, key);
      add_messages(meta::check_qualified_name(full), full, at / i / "key", errors);
    }
    const FieldPath field = at / i / "valueExpression";
    const std::string_view expression = trim(text_of(annotations[i], "valueExpression"));
    if (expression.empty()) {
      errors.push_back(FieldError::required(field, "valueExpression is not specified"));
    } else if (expression.size() > kMaxAuditExpressionBytes) {
      errors.push_back(FieldError::required(
          field, fmt::format("must not exceed {} bytes in length", kMaxAuditExpressionBytes)));
    }
    if (!keys.insert(key).second)
      errors.push_back(FieldError::duplicate(at / i / "key", Value::string(key)));
  }
}

// What both kinds of policies have.
void check_common_spec(const policy::SpecCheck& check, const FieldPath& at, FieldErrors& errors) {
  const Value& spec = check.spec;
  if (member(spec, "failurePolicy") == nullptr)
    errors.push_back(FieldError::required(at / "failurePolicy"));
  check_one_of(spec, "failurePolicy", {"Fail", "Ignore"}, at, errors);
  if (const Value* kind = member(spec, "paramKind"))
    check_param_kind(*kind, at / "paramKind", errors);
  if (const Value* constraints = member(spec, "matchConstraints")) {
    check_match_resources(*constraints, at / "matchConstraints", errors);
    if (items(*constraints, "resourceRules").empty())
      errors.push_back(FieldError::required(at / "matchConstraints" / "resourceRules"));
  } else {
    errors.push_back(FieldError::required(at / "matchConstraints"));
  }
  if (check.with_conditions)
    check_match_conditions(items(spec, "matchConditions"), at / "matchConditions", errors);
  check_variables(spec, at / "variables", errors);
}

void check_validating_spec(const Value& object, const policy::SpecCheck& check,
                           FieldErrors& errors) {
  const FieldPath at = FieldPath() / "spec";
  const Value& spec = check.spec;
  check_common_spec(check, at, errors);
  policy::check_validating_expressions(check, at, errors);
  const auto validations = items(spec, "validations");
  if (validations.empty() && items(spec, "auditAnnotations").empty()) {
    constexpr std::string_view kNone =
        "validations or auditAnnotations must contain at least one item";
    errors.push_back(FieldError::required(at / "validations", std::string(kNone)));
    errors.push_back(FieldError::required(at / "auditAnnotations", std::string(kNone)));
    return;
  }
  for (std::size_t i = 0; i < validations.size(); ++i)
    check_validation(validations[i], at / "validations" / i, errors);
  check_audit_annotations(object, spec, at / "auditAnnotations", errors);
}

// Conditions that stood before are not judged again.
policy::SpecCheck changed_spec(const Value& spec, const Value& old) {
  const Value* before = member(old, "spec");
  const bool same = before != nullptr && same_member(spec, *before, "paramKind") &&
                    same_member(spec, *before, "matchConditions");
  return {.spec = spec, .before = before, .with_conditions = !same};
}

void default_policy(Value& object, Arena& arena) {
  Value* spec = object.find("spec");
  if (spec == nullptr || !spec->is_object()) return;
  if (member(*spec, "failurePolicy") == nullptr)
    spec->set("failurePolicy", Value::string("Fail"), arena);
  if (Value* constraints = spec->find("matchConstraints");
      constraints != nullptr && constraints->is_object()) {
    default_match_resources(*constraints, arena);
  }
}

// A row of the table: how many there are in the list that makes the policy, and its parameters.
void policy_cells(const Value& object, std::string_view list, WallTime now, std::vector<Value>& out,
                  Arena& arena) {
  std::string kind = "<unset>";
  if (const Value* found = member(object, {"spec", "paramKind"}))
    kind = fmt::format("{}/{}", text_of(*found, "apiVersion"), text_of(*found, "kind"));
  const Value* spec = member(object, "spec");
  const std::size_t count = spec != nullptr ? items(*spec, list).size() : 0;
  out = {name_cell(object), Value::integer(static_cast<std::int64_t>(count)),
         Value::string(arena.copy(kind)), age_cell(object, now, arena)};
}

class PolicyStrategy final : public StatusStrategy {
 public:
  PolicyStrategy()
      : StatusStrategy("io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy",
                       Keeps::kMetadata) {
    set_columns(
        {name_column(),
         {.name = "Validations",
          .type = "integer",
          .description =
              "Validations indicates the number of validation rules defined in this configuration"},
         {.name = "ParamKind",
          .type = "string",
          .description = "ParamKind specifies the kind of resources used to parameterize this "
                         "policy"},
         age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override { default_policy(object, arena); }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    if (const Value* spec = member(object, "spec"))
      check_validating_spec(object, {.spec = *spec}, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    if (const Value* spec = member(object, "spec"))
      check_validating_spec(object, changed_spec(*spec, old), errors);
    return errors;
  }

  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    const Value* status = member(object, "status");
    if (status == nullptr) return errors;
    const FieldPath at = FieldPath() / "status";
    if (const Value* checking = member(*status, "typeChecking")) {
      const FieldPath list = at / "typeChecking" / "expressionWarnings";
      const auto warnings = items(*checking, "expressionWarnings");
      for (std::size_t i = 0; i < warnings.size(); ++i) {
        if (text_of(warnings[i], "warning").empty())
          errors.push_back(FieldError::required(list / i / "warning"));
        if (is_blank(text_of(warnings[i], "fieldRef")))
          errors.push_back(FieldError::required(list / i / "fieldRef"));
      }
    }
    check_conditions(items(*status, "conditions"), at / "conditions", errors);
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    return reserved_name_warnings(object);
  }
  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    policy_cells(object, "validations", now, out, arena);
  }
};

// kube-apiserver 1.36 refuses what cannot be mutated without saying which item it is.
void check_mutable_operations(const Value* resources, const FieldPath& at, FieldErrors& errors) {
  if (resources == nullptr) return;
  for (const Value& rule : items(*resources, "resourceRules")) {
    for (const Value& operation : items(rule, "operations")) {
      check_text_is_one_of(operation.as_string(), {"*", "CONNECT", "CREATE", "UPDATE"},
                           at / "resourceRules" / "operations", errors);
    }
  }
}

void check_mutation(const Value& mutation, const FieldPath& at, FieldErrors& errors) {
  const std::string_view type = text_of(mutation, "patchType");
  if (type.empty()) {
    errors.push_back(FieldError::required(at / "patchType"));
    return;
  }
  if (type != "JSONPatch" && type != "ApplyConfiguration") {
    check_text_is_one_of(type, {"ApplyConfiguration", "JSONPatch"}, at / "patchType", errors);
    return;
  }
  const bool json = type == "JSONPatch";
  const std::string_view wanted = json ? "jsonPatch" : "applyConfiguration";
  const std::string_view other = json ? "applyConfiguration" : "jsonPatch";
  const Value* holder = member(mutation, wanted);
  if (holder == nullptr) {
    errors.push_back(FieldError::required(
        at / wanted, fmt::format("must be specified when patchType is {}", type)));
  } else if (is_blank(text_of(*holder, "expression"))) {
    errors.push_back(FieldError::required(at / wanted / "expression"));
  }
  if (member(mutation, other) != nullptr) {
    errors.push_back(FieldError::invalid(
        at / other, Value::string(json ? "{applyConfiguration}" : "{jsonPatch}"),
        fmt::format("must not be specified when patchType is {}", type)));
  }
}

void check_mutating_spec(const policy::SpecCheck& check, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "spec";
  const Value& spec = check.spec;
  check_common_spec(check, at, errors);
  check_mutable_operations(member(spec, "matchConstraints"), at / "matchConstraints", errors);
  policy::check_mutating_expressions(check, at, errors);
  const auto mutations = items(spec, "mutations");
  if (mutations.empty()) {
    errors.push_back(
        FieldError::required(at / "mutations", "mutations must contain at least one item"));
  }
  for (std::size_t i = 0; i < mutations.size(); ++i)
    check_mutation(mutations[i], at / "mutations" / i, errors);
  if (text_of(spec, "reinvocationPolicy").empty()) {
    errors.push_back(FieldError::required(at / "reinvocationPolicy"));
  } else {
    check_one_of(spec, "reinvocationPolicy", {"IfNeeded", "Never"}, at, errors);
  }
}

class MutatingPolicyStrategy final : public BuiltinStrategy {
 public:
  MutatingPolicyStrategy()
      : BuiltinStrategy("io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicy") {
    set_columns(
        {name_column(),
         {.name = "Mutations",
          .type = "integer",
          .description =
              "Mutation indicates the number of mutations rules defined in this configuration"},
         {.name = "ParamKind",
          .type = "string",
          .description = "ParamKind specifies the kind of resources used to parameterize this "
                         "policy"},
         age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override { default_policy(object, arena); }
  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    if (const Value* spec = member(object, "spec")) check_mutating_spec({.spec = *spec}, errors);
    return errors;
  }
  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest&) const override {
    FieldErrors errors;
    if (const Value* spec = member(object, "spec"))
      check_mutating_spec(changed_spec(*spec, old), errors);
    return errors;
  }
  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    return reserved_name_warnings(object);
  }
  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    policy_cells(object, "mutations", now, out, arena);
  }
};

void check_param_ref(const Value& ref, const FieldPath& at, FieldErrors& errors) {
  constexpr std::string_view kExclusive = "name and selector are mutually exclusive";
  const std::string_view name = text_of(ref, "name");
  const Value* selector = member(ref, "selector");
  if (!name.empty()) {
    add_messages(meta::check_path_segment_name(name), name, at / "name", errors);
    if (selector != nullptr)
      errors.push_back(FieldError::forbidden(at / "name", std::string(kExclusive)));
  }
  if (selector != nullptr) {
    check_label_selector(*selector, {}, at / "selector", errors);
    if (!name.empty())
      errors.push_back(FieldError::forbidden(at / "selector", std::string(kExclusive)));
  }
  if (name.empty() && selector == nullptr)
    errors.push_back(FieldError::required(at, "one of name or selector must be specified"));
  if (text_of(ref, "parameterNotFoundAction").empty()) {
    errors.push_back(FieldError::required(at / "parameterNotFoundAction"));
  } else {
    check_one_of(ref, "parameterNotFoundAction", {"Deny", "Allow"}, at, errors);
  }
}

void check_actions(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  std::set<std::string_view> seen;
  const auto actions = items(spec, "validationActions");
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const std::string_view action = actions[i].as_string();
    check_text_is_one_of(action, {"Audit", "Deny", "Warn"}, at / i, errors);
    if (!seen.insert(action).second) errors.push_back(FieldError::duplicate(at / i, actions[i]));
  }
  if (seen.contains("Deny") && seen.contains("Warn")) {
    errors.push_back(FieldError::invalid(
        at, spec.get("validationActions"),
        "must not contain both Deny and Warn (repeating the same validation failure information "
        "in the API response and headers serves no purpose)"));
  }
  if (seen.empty())
    errors.push_back(FieldError::required(at, "at least one validation action is required"));
}

class PolicyBindingStrategy final : public BuiltinStrategy {
 public:
  enum class Of { kValidating, kMutating };
  explicit PolicyBindingStrategy(Of of)
      : BuiltinStrategy(of == Of::kValidating
                            ? "io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding"
                            : "io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBinding"),
        of_(of) {
    set_columns({name_column(),
                 {.name = "PolicyName",
                  .type = "string",
                  .description = "PolicyName indicates the policy definition which the policy "
                                 "binding binded to"},
                 {.name = "ParamRef",
                  .type = "string",
                  .description = "ParamRef indicates the param resource which sets the "
                                 "configuration param"},
                 age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* spec = object.find("spec");
    Value* resources = spec != nullptr ? spec->find("matchResources") : nullptr;
    if (resources != nullptr && resources->is_object()) default_match_resources(*resources, arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const Value* spec = member(object, "spec");
    if (spec == nullptr) return errors;
    const FieldPath at = FieldPath() / "spec";
    const std::string_view policy = text_of(*spec, "policyName");
    if (policy.empty()) {
      errors.push_back(FieldError::required(at / "policyName"));
    } else {
      add_messages(meta::name_is_dns_subdomain(policy, false), policy, at / "policyName", errors);
    }
    if (const Value* ref = member(*spec, "paramRef"))
      check_param_ref(*ref, at / "paramRef", errors);
    if (const Value* resources = member(*spec, "matchResources"))
      check_match_resources(*resources, at / "matchResources", errors);
    if (of_ == Of::kValidating) {
      check_actions(*spec, at / "validationActions", errors);
    } else {
      check_mutable_operations(member(*spec, "matchResources"), at / "matchResources", errors);
    }
    return errors;
  }

  std::vector<std::string> warnings(const Value& object, const Value*) const override {
    return reserved_name_warnings(object);
  }
  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    std::string param = "<unset>";
    if (const Value* ref = member(object, {"spec", "paramRef"})) {
      const std::string_view name = text_of(*ref, "name");
      const std::string_view namespace_name = text_of(*ref, "namespace");
      if (!name.empty()) {
        param = fmt::format("{}/{}", namespace_name.empty() ? "*" : namespace_name, name);
      } else if (const Value* selector = member(*ref, "selector")) {
        param = show_selector(*selector);
      }
    }
    out = {name_cell(object), Value::string(text_of(object, {"spec", "policyName"})),
           Value::string(arena.copy(param)), age_cell(object, now, arena)};
  }

 private:
  // As Go prints the struct.
  static std::string show_selector(const Value& selector) {
    std::string labels;
    for (const value::Member& one : members(selector, "matchLabels"))
      labels += fmt::format("{}: {},", one.key, one.value.as_string());
    std::string expressions;
    for (const Value& one : items(selector, "matchExpressions")) {
      std::string values;
      for (const Value& v : items(one, "values")) {
        if (!values.empty()) values += ' ';
        values += v.as_string();
      }
      expressions += fmt::format("LabelSelectorRequirement{{Key:{},Operator:{},Values:[{}],}},",
                                 text_of(one, "key"), text_of(one, "operator"), values);
    }
    return fmt::format(
        "&LabelSelector{{MatchLabels:map[string]string{{{}}},MatchExpressions:"
        "[]LabelSelectorRequirement{{{}}},}}",
        labels, expressions);
  }

  Of of_;
};

}  // namespace

const BuiltinStrategy& validating_admission_policy_strategy() {
  static const PolicyStrategy& strategy = *new PolicyStrategy();
  return strategy;
}

const BuiltinStrategy& validating_admission_policy_binding_strategy() {
  static const auto& strategy = *new PolicyBindingStrategy(PolicyBindingStrategy::Of::kValidating);
  return strategy;
}

const BuiltinStrategy& mutating_admission_policy_strategy() {
  static const MutatingPolicyStrategy& strategy = *new MutatingPolicyStrategy();
  return strategy;
}

const BuiltinStrategy& mutating_admission_policy_binding_strategy() {
  static const auto& strategy = *new PolicyBindingStrategy(PolicyBindingStrategy::Of::kMutating);
  return strategy;
}

}  // namespace strake::kinds

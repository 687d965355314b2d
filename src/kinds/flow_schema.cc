// FlowSchemas: which requests belong together, and to which priority level they go.
#include <algorithm>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/flow_control.h"
#include "kinds/go_struct.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kPlural = "flowschemas";
constexpr std::string_view kAll = "*";
constexpr std::int64_t kDefaultPrecedence = 1000;
constexpr std::int64_t kMostPrecedence = 10000;
// Sorted, as refusals list them.
const std::vector<std::string>& known_verbs() {
  static const std::vector<std::string>& all = *new std::vector<std::string>{
      "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"};
  return all;
}

bool has(std::span<const Value> list, std::string_view wanted) {
  return std::ranges::any_of(list, [&](const Value& one) { return value::text_of(one) == wanted; });
}

// A list in which '*' stands alone. True when its members are still to be looked at.
bool check_list(const Value& rule, std::string_view key, std::string_view when_empty,
                std::string_view others, const FieldPath& at, FieldErrors& errors) {
  const std::span<const Value> list = items(rule, key);
  if (list.empty()) {
    errors.push_back(FieldError::required(at / key, std::string(when_empty)));
    return false;
  }
  if (!has(list, kAll)) return true;
  if (list.size() > 1) {
    errors.push_back(
        FieldError::invalid(at / key, *member(rule, key),
                            "if '*' is present, must not specify other " + std::string(others)));
  }
  return false;
}

void check_flow_verbs(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  if (!check_list(rule, "verbs", "verbs must contain at least one value", "verbs", at, errors))
    return;
  const auto is_unknown = [](const Value& verb) {
    return std::ranges::find(known_verbs(), value::text_of(verb)) == known_verbs().end();
  };
  if (std::ranges::any_of(items(rule, "verbs"), is_unknown))
    errors.push_back(
        FieldError::not_supported(at / "verbs", *member(rule, "verbs"), known_verbs()));
}

// Empty when the path is fine.
std::string_view path_fault(std::string_view path) {
  if (path.empty()) return "must not be empty";
  if (path == "/") return {};
  if (!path.starts_with('/')) return "must start with slash";
  if (path.contains(' ')) return "must not contain white-space";
  if (path.contains("//")) return "must not contain double slash";
  const auto stars = std::ranges::count(path, '*');
  if (stars > 1 || (stars == 1 && !path.ends_with("/*")))
    return "wildcard can only do suffix matching";
  return {};
}

void check_url_rule(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  check_flow_verbs(rule, at, errors);
  constexpr std::string_view kKey = "nonResourceURLs";
  if (!check_list(rule, kKey, "nonResourceURLs must contain at least one value",
                  "non-resource URLs", at, errors)) {
    return;
  }
  const std::span<const Value> urls = items(rule, kKey);
  for (std::size_t i = 0; i < urls.size(); ++i) {
    if (const std::string_view fault = path_fault(value::text_of(urls[i])); !fault.empty())
      errors.push_back(FieldError::invalid(at / kKey / i, urls[i], std::string(fault)));
  }
}

void check_resource_rule(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  check_flow_verbs(rule, at, errors);
  static_cast<void>(check_list(rule, "apiGroups",
                               "resource rules must supply at least one api group", "api groups",
                               at, errors));
  static_cast<void>(check_list(rule, "resources",
                               "resource rules must supply at least one resource", "resources", at,
                               errors));
  const std::span<const Value> namespaces = items(rule, "namespaces");
  if (namespaces.empty() && value::flag_of(rule, "clusterScope")) return;
  if (!check_list(rule, "namespaces",
                  "resource rules that are not cluster scoped must supply at least one namespace",
                  "namespaces", at, errors)) {
    return;
  }
  for (std::size_t i = 0; i < namespaces.size(); ++i) {
    for (const std::string& message : meta::check_dns1123_label(value::text_of(namespaces[i]))) {
      errors.push_back(FieldError::invalid(
          at / "namespaces" / i, namespaces[i],
          "each member of this list must be '*' or a DNS-1123 label; " + message));
    }
  }
}

// What a kind of subject is called, and the member that says who it is.
struct SubjectForm {
  std::string_view kind;
  std::string_view key;
};
constexpr SubjectForm kSubjects[] = {
    {"Group", "group"}, {"ServiceAccount", "serviceAccount"}, {"User", "user"}};

void check_who(const Value& who, const SubjectForm& form, const FieldPath& at,
               FieldErrors& errors) {
  const std::string_view name = text_of(who, "name");
  if (name.empty()) errors.push_back(FieldError::required(at / "name"));
  if (form.key != "serviceAccount") return;
  if (!name.empty() && name != kAll)
    add_messages(meta::check_dns1123_subdomain(name), name, at / "name", errors);
  const std::string_view in = text_of(who, "namespace");
  if (in.empty()) {
    errors.push_back(
        FieldError::required(at / "namespace", "must specify namespace for service account"));
  } else {
    add_messages(meta::check_dns1123_label(in), in, at / "namespace", errors);
  }
}

void check_flow_subject(const Value& subject, const FieldPath& at, FieldErrors& errors) {
  const std::string_view kind = text_of(subject, "kind");
  const auto* const form = std::ranges::find(kSubjects, kind, &SubjectForm::kind);
  if (form == std::end(kSubjects)) {
    errors.push_back(not_supported(at / "kind", kind, {"Group", "ServiceAccount", "User"}));
    return;
  }
  for (const SubjectForm& one : kSubjects) {
    const Value* who = member(subject, one.key);
    const std::string key(one.key);
    if (&one != form) {
      if (who != nullptr) {
        errors.push_back(FieldError::forbidden(
            at / key,
            key + " is forbidden when subject kind is not '" + std::string(one.kind) + "'"));
      }
    } else if (who == nullptr) {
      errors.push_back(FieldError::required(
          at / key, key + " is required when subject kind is '" + std::string(one.kind) + "'"));
    } else {
      check_who(*who, one, at / key, errors);
    }
  }
}

void check_flow_rule(const Value& rule, const FieldPath& at, FieldErrors& errors) {
  const auto each = [&](std::string_view key, auto check) {
    const std::span<const Value> list = items(rule, key);
    for (std::size_t i = 0; i < list.size(); ++i) check(list[i], at / key / i, errors);
    return list.empty();
  };
  if (each("subjects", check_flow_subject)) {
    errors.push_back(
        FieldError::required(at / "subjects", "subjects must contain at least one value"));
  }
  const bool no_resources = each("resourceRules", check_resource_rule);
  if (each("nonResourceRules", check_url_rule) && no_resources) {
    errors.push_back(FieldError::required(
        at, "at least one of resourceRules and nonResourceRules has to be non-empty"));
  }
}

void check_precedence(const Value& spec, std::string_view name, const FieldPath& at,
                      FieldErrors& errors) {
  const std::int64_t precedence = integer(spec, "matchingPrecedence");
  const auto refuse = [&](std::string why) {
    errors.push_back(
        FieldError::invalid(at / "matchingPrecedence", Value::integer(precedence), std::move(why)));
  };
  if (precedence <= 0) refuse("must be a positive value");
  if (precedence > kMostPrecedence) refuse("must not be greater than 10000");
  if (precedence == 1 && name != kExemptName)
    refuse("only the schema named 'exempt' may have matchingPrecedence 1");
}

class FlowSchemaStrategy final : public StatusStrategy {
 public:
  FlowSchemaStrategy() : StatusStrategy("io.k8s.api.flowcontrol.v1.FlowSchema", Keeps::kMetadata) {
    set_columns({name_column(),
                 {.name = "PriorityLevel",
                  .type = "string",
                  .description = "The priority level of the requests."},
                 {.name = "MatchingPrecedence",
                  .type = "string",
                  .description = "The place among the flow schemas; low numbers come first."},
                 {.name = "DistinguisherMethod",
                  .type = "string",
                  .description = "How the requests fall into flows."},
                 age_column(),
                 {.name = "MissingPL",
                  .type = "string",
                  .description = "Whether the priority level is missing."}});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value& spec = object.object_at("spec", arena);
    if (integer(spec, "matchingPrecedence") == 0)
      spec.set("matchingPrecedence", Value::integer(kDefaultPrecedence), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const std::string_view name = meta::ObjectMeta::of(object).name();
    if (const Value* spec = member(object, "spec")) check_spec(*spec, name, errors);
    check_flow_conditions(object, errors);
    return errors;
  }
  FieldErrors validate_status(const Value& object, const Value&,
                              const WriteRequest&) const override {
    FieldErrors errors;
    check_flow_conditions(object, errors);
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    std::string_view method = text_of(object, {"spec", "distinguisherMethod", "type"});
    if (method.empty()) method = "<none>";
    std::string_view missing = "?";
    if (const Value* status = member(object, "status")) {
      for (const Value& one : items(*status, "conditions")) {
        if (text_of(one, "type") == "Dangling") missing = text_of(one, "status");
      }
    }
    const Value* spec = member(object, "spec");
    out = {name_cell(object),
           Value::string(text_of(object, {"spec", "priorityLevelConfiguration", "name"})),
           Value::integer(spec != nullptr ? integer(*spec, "matchingPrecedence") : 0),
           Value::string(method),
           age_cell(object, now, arena),
           Value::string(missing)};
  }

 private:
  static void check_spec(const Value& spec, std::string_view name, FieldErrors& errors) {
    const FieldPath at = FieldPath() / "spec";
    check_precedence(spec, name, at, errors);
    if (const Value* method = member(spec, "distinguisherMethod")) {
      const std::string_view type = text_of(*method, "type");
      if (type != "ByUser" && type != "ByNamespace") {
        // kube-apiserver 1.36 shows the whole struct.
        static constexpr GoField kFields[] = {{"type", "Type"}};
        const std::vector<std::string> known = {"ByNamespace", "ByUser"};
        FieldError error = FieldError::not_supported(at / "distinguisherMethod" / "type",
                                                     Value::string(type), known);
        error.shown = show_go_struct(method, kFields);
        errors.push_back(std::move(error));
      }
    }
    const FieldPath at_level = at / "priorityLevelConfiguration" / "name";
    const std::string_view level = text_of(spec, {"priorityLevelConfiguration", "name"});
    if (level.empty()) {
      errors.push_back(FieldError::required(at_level, "must reference a priority level"));
    } else {
      add_messages(meta::check_dns1123_subdomain(level), level, at_level, errors);
    }
    const std::span<const Value> rules = items(spec, "rules");
    for (std::size_t i = 0; i < rules.size(); ++i)
      check_flow_rule(rules[i], at / "rules" / i, errors);
    if (const Value* fixed = mandatory_flow_spec(kPlural, name);
        fixed != nullptr && !value::identical(*fixed, spec)) {
      errors.push_back({.type = FieldError::Type::kInvalid,
                        .path = at,
                        .shown = show_go_struct(
                            &spec, described_type("io.k8s.api.flowcontrol.v1.FlowSchemaSpec")),
                        .detail = "spec of '" + std::string(name) + "' must equal the fixed value",
                        .first = {}});
    }
  }
};

}  // namespace

const BuiltinStrategy& flow_schema_strategy() {
  static const FlowSchemaStrategy& strategy = *new FlowSchemaStrategy();
  return strategy;
}

}  // namespace strake::kinds

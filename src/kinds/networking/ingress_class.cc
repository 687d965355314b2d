#include <fmt/format.h>

#include <algorithm>

#include "kinds/columns.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/networking/default_ingress_class.h"
#include "kinds/networking/references.h"
#include "kinds/networking/strategies.h"
#include "meta/names.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::size_t kMostController = 250;

const FieldPath& at_controller() {
  static const FieldPath path = FieldPath() / "spec" / "controller";
  return path;
}

bool is_path_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("/-._~%!$&'()*+,;=:").contains(c);
}

// "example.com/controller"
void check_controller(std::string_view controller, FieldErrors& errors) {
  const auto refuse = [&](std::string_view shown, std::string detail) {
    errors.push_back(FieldError::invalid(at_controller(), Value::string(shown), std::move(detail)));
  };
  if (controller.size() > kMostController)
    errors.push_back(FieldError::too_long(at_controller(), kMostController));
  if (controller.empty()) return errors.push_back(FieldError::required(at_controller()));
  const std::size_t slash = controller.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == controller.size())
    return refuse(controller, "must be a domain-prefixed path (such as \"acme.io/foo\")");
  const std::string_view host = controller.substr(0, slash);
  const std::string_view path = controller.substr(slash + 1);
  add_messages(meta::check_dns1123_subdomain(host), host, at_controller(), errors);
  if (!std::ranges::all_of(path, is_path_char)) {
    refuse(path, "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
  }
}

void check_scope(const Value& parameters, const FieldPath& at, FieldErrors& errors) {
  const Value* given = member(parameters, "scope");
  if (given == nullptr) return errors.push_back(FieldError::required(at / "scope"));
  const std::string_view scope = value::text_of(*given);
  const Value* space = member(parameters, "namespace");
  if (scope == "Namespace") {
    if (space == nullptr) {
      errors.push_back(
          FieldError::required(at / "namespace", "`parameters.scope` is set to 'Namespace'"));
    } else {
      const std::string_view name = value::text_of(*space);
      add_messages(meta::check_dns1123_label(name), name, at / "namespace", errors);
    }
  } else if (scope == "Cluster") {
    if (space != nullptr) {
      errors.push_back(
          FieldError::forbidden(at / "namespace", "`parameters.scope` is set to 'Cluster'"));
    }
  } else {
    errors.push_back(not_supported(at / "scope", scope, {"Cluster", "Namespace"}));
  }
}

std::string parameters_cell(const Value& object) {
  const Value* parameters = member(object, {"spec", "parameters"});
  if (parameters == nullptr) return "<none>";
  const Value* group = member(*parameters, "apiGroup");
  return fmt::format("{}{}{}/{}", text_of(*parameters, "kind"), group != nullptr ? "." : "",
                     group != nullptr ? value::text_of(*group) : "", text_of(*parameters, "name"));
}

class IngressClassStrategy final : public BuiltinStrategy {
 public:
  IngressClassStrategy() : BuiltinStrategy("io.k8s.api.networking.v1.IngressClass") {
    set_columns({name_column(),
                 {.name = "Controller",
                  .type = "string",
                  .description = "Who serves the ingresses of the class."},
                 {.name = "Parameters",
                  .type = "string",
                  .description = "An object that says more about the class."},
                 age_column()});
  }

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* spec = object.find("spec");
    Value* parameters = spec != nullptr && spec->is_object() ? spec->find("parameters") : nullptr;
    if (parameters == nullptr || !parameters->is_object()) return;
    if (member(*parameters, "scope") == nullptr)
      parameters->set("scope", Value::string("Cluster"), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const Value& spec = object.get("spec");
    check_controller(text_of(spec, "controller"), errors);
    if (const Value* parameters = member(spec, "parameters")) {
      const FieldPath at = FieldPath() / "spec" / "parameters";
      check_object_reference(*parameters, at, errors);
      check_scope(*parameters, at, errors);
    }
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors = validate_create(object, request);
    const std::string_view controller = text_of(object, {"spec", "controller"});
    if (controller != text_of(old, {"spec", "controller"})) {
      errors.push_back(
          FieldError::invalid(at_controller(), Value::string(controller), "field is immutable"));
    }
    return errors;
  }

  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    std::string name(meta::ObjectMeta::of(object).name());
    if (is_default_ingress_class(object)) name += " (default)";
    out = {Value::string(arena.copy(name)), Value::string(text_of(object, {"spec", "controller"})),
           Value::string(arena.copy(parameters_cell(object))), age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& ingress_class_strategy() {
  static const IngressClassStrategy& strategy = *new IngressClassStrategy();
  return strategy;
}

}  // namespace strake::kinds

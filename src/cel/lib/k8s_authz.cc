// The authorizer's functions, declared but without bodies, and jsonpatch.escapeKey.
#include "cel/lib/k8s_libraries.h"

namespace strake::cel {
namespace {

using Args = std::span<const Value>;

constexpr Type kAuthorizer{TypeKind::kObject, false, "kubernetes.authorization.Authorizer"};
constexpr Type kPathCheck{TypeKind::kObject, false, "kubernetes.authorization.PathCheck"};
constexpr Type kGroupCheck{TypeKind::kObject, false, "kubernetes.authorization.GroupCheck"};
constexpr Type kResourceCheck{TypeKind::kObject, false, "kubernetes.authorization.ResourceCheck"};
constexpr Type kDecision{TypeKind::kObject, false, "kubernetes.authorization.Decision"};

Value escape_key(EvalContext& c, Args x) {
  std::string out;
  for (const char ch : x[0].as_text()) {
    if (ch == '/') {
      out += "~1";
    } else if (ch == '~') {
      out += "~0";
    } else {
      out += ch;
    }
  }
  return Value::string(c.arena.copy(out));
}

}  // namespace

const Library& k8s_authz_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.authz");
    const Type* string = &types::string;
    auto declare = [&](std::string_view name, std::string_view id,
                       std::initializer_list<const Type*> params, const Type* result) {
      out->function(name).member(id, params, result, nullptr);
    };
    declare("path", "authorizer_path", {&kAuthorizer, string}, &kPathCheck);
    declare("group", "authorizer_group", {&kAuthorizer, string}, &kGroupCheck);
    declare("serviceAccount", "authorizer_serviceaccount", {&kAuthorizer, string, string},
            &kAuthorizer);
    declare("resource", "groupcheck_resource", {&kGroupCheck, string}, &kResourceCheck);
    declare("subresource", "resourcecheck_subresource", {&kResourceCheck, string}, &kResourceCheck);
    declare("namespace", "resourcecheck_namespace", {&kResourceCheck, string}, &kResourceCheck);
    declare("name", "resourcecheck_name", {&kResourceCheck, string}, &kResourceCheck);
    declare("check", "pathcheck_check", {&kPathCheck, string}, &kDecision);
    declare("check", "resourcecheck_check", {&kResourceCheck, string}, &kDecision);
    declare("errored", "decision_errored", {&kDecision}, &types::boolean);
    declare("error", "decision_error", {&kDecision}, string);
    declare("allowed", "decision_allowed", {&kDecision}, &types::boolean);
    declare("reason", "decision_reason", {&kDecision}, string);
    return out;
  }();
  return *library;
}

const Library& k8s_authz_selectors_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.authzSelectors");
    const Type* check = &kResourceCheck;
    out->function("fieldSelector")
        .member("authorizer_fieldselector", {check, &types::string}, check, nullptr);
    out->function("labelSelector")
        .member("authorizer_labelselector", {check, &types::string}, check, nullptr);
    return out;
  }();
  return *library;
}

const Library& k8s_jsonpatch_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.jsonpatch");
    out->function("jsonpatch.escapeKey")
        .global("string_jsonpatch_escapeKey_string", {&types::string}, &types::string, escape_key);
    return out;
  }();
  return *library;
}

}  // namespace strake::cel

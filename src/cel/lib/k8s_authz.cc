// The authorizer's functions, and jsonpatch.escapeKey.
#include "cel/lib/k8s_authz.h"

#include "base/trim.h"
#include "cel/lib/k8s_libraries.h"
#include "cel/lib/k8s_objects.h"

namespace strake::cel {

constexpr Type kAuthorizerType{TypeKind::kObject, false, "kubernetes.authorization.Authorizer"};
constexpr Type kResourceCheckType{TypeKind::kObject, false,
                                  "kubernetes.authorization.ResourceCheck"};

namespace {

using Args = std::span<const Value>;

constexpr Type kPathCheck{TypeKind::kObject, false, "kubernetes.authorization.PathCheck"};
constexpr Type kGroupCheck{TypeKind::kObject, false, "kubernetes.authorization.GroupCheck"};
constexpr Type kDecision{TypeKind::kObject, false, "kubernetes.authorization.Decision"};

// A question that is not asked yet, as far as it has come.
class AccessObject final : public Object {
 public:
  AccessObject(const Type* type, const Authority& authority, const AccessQuestion& question)
      : type_(type), authority_(&authority), question_(question) {}
  const Type* type() const override { return type_; }
  bool equal(const Object& other, Arena&) const override { return this == &other; }
  const Authority& authority() const { return *authority_; }
  const AccessQuestion& question() const { return question_; }

 private:
  const Type* type_;
  const Authority* authority_;
  AccessQuestion question_;
};

class DecisionObject final : public Object {
 public:
  explicit DecisionObject(const AccessAnswer& answer) : answer_(answer) {}
  const Type* type() const override { return &kDecision; }
  bool equal(const Object& other, Arena&) const override { return this == &other; }
  const AccessAnswer& answer() const { return answer_; }

 private:
  AccessAnswer answer_;
};

const AccessObject& access_of(const Value& v) {
  return *static_cast<const AccessObject*>(v.as_object());
}
const AccessAnswer& answer_of(const Value& v) {
  return static_cast<const DecisionObject*>(v.as_object())->answer();
}

// The same question, further on.
template <std::string_view AccessQuestion::* Member>
Value with(EvalContext& c, Args x, const Type* type) {
  AccessQuestion question = access_of(x[0]).question();
  question.*Member = c.arena.copy(x[1].as_text());
  return new_object<AccessObject>(c.arena, type, access_of(x[0]).authority(), question);
}
template <std::string_view AccessQuestion::* Member>
Value narrow(EvalContext& c, Args x) {
  return with<Member>(c, x, &kResourceCheckType);
}

Value ask_path(EvalContext& c, Args x) {
  if (trim_unicode(x[1].as_text()).empty()) return c.error("path must not be empty");
  return with<&AccessQuestion::path>(c, x, &kPathCheck);
}
Value ask_group(EvalContext& c, Args x) { return with<&AccessQuestion::group>(c, x, &kGroupCheck); }
Value ask_resource(EvalContext& c, Args x) {
  if (trim_unicode(x[1].as_text()).empty()) return c.error("resource must not be empty");
  return with<&AccessQuestion::resource>(c, x, &kResourceCheckType);
}

Value ask_for_account(EvalContext& c, Args x) {
  const Authority& authority = access_of(x[0]).authority();
  const std::string_view fault = authority.account_fault(x[1].as_text(), x[2].as_text());
  if (!fault.empty()) return c.error(fault);
  const AccessQuestion question{.account_namespace = c.arena.copy(x[1].as_text()),
                                .account_name = c.arena.copy(x[2].as_text())};
  return new_object<AccessObject>(c.arena, &kAuthorizerType, authority, question);
}

Value check_access(EvalContext& c, Args x) {
  AccessQuestion question = access_of(x[0]).question();
  question.verb = x[1].as_text();
  return new_object<DecisionObject>(c.arena, access_of(x[0]).authority().decide(question, c.arena));
}

Value decision_errored(EvalContext&, Args x) {
  return Value::boolean(!answer_of(x[0]).error.empty());
}
Value decision_error(EvalContext&, Args x) { return Value::string(answer_of(x[0]).error); }
Value decision_allowed(EvalContext&, Args x) { return Value::boolean(answer_of(x[0]).allowed); }
Value decision_reason(EvalContext&, Args x) { return Value::string(answer_of(x[0]).reason); }

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

Value make_authorizer(const Authority& authority, Arena& arena) {
  return new_object<AccessObject>(arena, &kAuthorizerType, authority, AccessQuestion{});
}

Value make_resource_check(const Authority& authority, const AccessQuestion& question,
                          Arena& arena) {
  return new_object<AccessObject>(arena, &kResourceCheckType, authority, question);
}

const Library& k8s_authz_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.authz");
    const Type* string = &types::string;
    const Type* authorizer = &kAuthorizerType;
    const Type* resource = &kResourceCheckType;
    auto declare = [&](std::string_view name, std::string_view id,
                       std::initializer_list<const Type*> params, const Type* result,
                       Function function) {
      out->function(name).member(id, params, result, function);
    };
    declare("path", "authorizer_path", {authorizer, string}, &kPathCheck, ask_path);
    declare("group", "authorizer_group", {authorizer, string}, &kGroupCheck, ask_group);
    declare("serviceAccount", "authorizer_serviceaccount", {authorizer, string, string}, authorizer,
            ask_for_account);
    declare("resource", "groupcheck_resource", {&kGroupCheck, string}, resource, ask_resource);
    declare("subresource", "resourcecheck_subresource", {resource, string}, resource,
            narrow<&AccessQuestion::subresource>);
    declare("namespace", "resourcecheck_namespace", {resource, string}, resource,
            narrow<&AccessQuestion::namespace_name>);
    declare("name", "resourcecheck_name", {resource, string}, resource,
            narrow<&AccessQuestion::name>);
    declare("check", "pathcheck_check", {&kPathCheck, string}, &kDecision, check_access);
    declare("check", "resourcecheck_check", {resource, string}, &kDecision, check_access);
    declare("errored", "decision_errored", {&kDecision}, &types::boolean, decision_errored);
    declare("error", "decision_error", {&kDecision}, string, decision_error);
    declare("allowed", "decision_allowed", {&kDecision}, &types::boolean, decision_allowed);
    declare("reason", "decision_reason", {&kDecision}, string, decision_reason);
    return out;
  }();
  return *library;
}

const Library& k8s_authz_selectors_library() {
  static const Library* const library = [] {
    auto* out = new Library("kubernetes.authzSelectors");
    const Type* check = &kResourceCheckType;
    out->function("fieldSelector")
        .member("authorizer_fieldselector", {check, &types::string}, check,
                narrow<&AccessQuestion::field_selector>);
    out->function("labelSelector")
        .member("authorizer_labelselector", {check, &types::string}, check,
                narrow<&AccessQuestion::label_selector>);
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

#include "cli/validate/offline_policies.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/validate/served_kind.h"
#include "kinds/builtins.h"
#include "meta/object_meta.h"
#include "policy/check_expressions.h"
#include "validate/old_objects.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

using admission::Attributes;
using admission::Binding;
using meta::GroupVersionKind;
using meta::ObjectMeta;
using validate::Fault;
using value::Document;
using value::text_of;
using value::Value;

constexpr std::string_view kAdmissionGroup = "admissionregistration.k8s.io";
constexpr std::string_view kNoAuthorizer = "no such attribute(s): authorizer";

GroupVersionKind kind_of(const Value& object) {
  return meta::from_api_version_and_kind(text_of(object, "apiVersion"), text_of(object, "kind"));
}

std::unique_ptr<kinds::Resource> make_resource(const GroupVersionKind& gvk, std::string plural,
                                               bool namespaced,
                                               const std::vector<std::string>& versions) {
  auto out = std::make_unique<kinds::Resource>();
  out->group = gvk.group;
  out->kind = gvk.kind;
  out->plural = std::move(plural);
  out->namespaced = namespaced;
  out->is_namespace = gvk.group.empty() && gvk.kind == "Namespace";
  for (const std::string& name : versions) {
    kinds::ServedVersion& version = out->versions.emplace_back();
    version.name = name;
  }
  return out;
}

// The field that an expression is about: the first of those that it names and that is there.
FieldPath place_of(std::string_view expression, const Value& object) {
  constexpr std::string_view kObject = "object.";
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t at = expression.find(kObject); at != std::string_view::npos;
       at = expression.find(kObject, at + 1)) {
    if (at > 0 && (is_word(expression[at - 1]) || expression[at - 1] == '.')) continue;
    FieldPath path;
    const Value* found = &object;
    std::size_t next = at + kObject.size() - 1;
    while (next < expression.size() && expression[next] == '.') {
      std::size_t begin = next + 1;
      if (begin < expression.size() && expression[begin] == '?') ++begin;
      std::size_t end = begin;
      while (end < expression.size() && is_word(expression[end])) ++end;
      const Value* member = found->find(expression.substr(begin, end - begin));
      if (member == nullptr) break;
      path = path / expression.substr(begin, end - begin);
      found = member;
      next = end;
    }
    if (!path.steps().empty()) return path;
  }
  return {};
}

// What `request` is in expressions when there is none.
Value describe_request(const Attributes& request, const kinds::ServedVersion& version,
                       Arena& arena) {
  Value told = Value::object({});
  const auto set = [&](std::string_view key, Value v) { told.set(key, v, arena); };
  Value kind = Value::object({});
  kind.set("group", Value::string(request.resource.group), arena);
  kind.set("kind", Value::string(request.resource.kind), arena);
  kind.set("version", Value::string(version.name), arena);
  Value named = Value::object({});
  named.set("group", Value::string(request.resource.group), arena);
  named.set("resource", Value::string(request.resource.plural), arena);
  named.set("version", Value::string(version.name), arena);
  Value user = Value::object({});
  user.set("username", Value::string("strake"), arena);
  set("dryRun", Value::boolean(true));
  set("kind", kind);
  if (!request.name.empty()) set("name", Value::string(request.name));
  if (!request.namespace_name.empty()) set("namespace", Value::string(request.namespace_name));
  set("operation", Value::string(api::to_string(request.operation)));
  set("requestKind", kind);
  set("requestResource", named);
  set("resource", named);
  set("userInfo", user);
  return told;
}

// An AdmissionRequest as expressions see it: the objects have variables of their own.
Value without_objects(const Value& request, Arena& arena) {
  Value out = value::deep_copy(request, arena);
  for (const std::string_view key : {"object", "oldObject", "options"}) out.remove(key);
  return out;
}

}  // namespace

struct OfflinePolicies::Policy {
  explicit Policy(const Value& object)
      : name(ObjectMeta::of(object).name()),
        match(admission::Match::of_resources(object.get("spec").get("matchConstraints"))),
        compiled(object),
        spec(&object.get("spec")) {
    if (const Value& kind = spec->get("paramKind"); kind.is_object()) {
      params = meta::from_api_version_and_kind(text_of(kind, "apiVersion"), text_of(kind, "kind"));
    }
  }
  std::string name;
  admission::Match match;
  policy::ValidatingPolicy compiled;
  const Value* spec;
  std::optional<GroupVersionKind> params;
};

// Those of the files; others have the one label that every namespace has.
class OfflinePolicies::Namespaces final : public admission::Namespaces {
 public:
  void add(const Value& object) { known_[std::string(ObjectMeta::of(object).name())] = &object; }
  Document document(std::string_view name) const {
    Document out;
    if (const auto found = known_.find(name); found != known_.end()) {
      out.root() = value::deep_copy(*found->second, out.arena());
    } else {
      out.root() = Value::object({});
      out.root()
          .object_at("status", out.arena())
          .set("phase", Value::string("Active"), out.arena());
    }
    Arena& arena = out.arena();
    Value& metadata = out.root().object_at("metadata", arena);
    metadata.set("name", Value::string(arena.copy(name)), arena);
    metadata.object_at("labels", arena)
        .set("kubernetes.io/metadata.name", Value::string(arena.copy(name)), arena);
    out.root().set("apiVersion", Value::string("v1"), arena);
    out.root().set("kind", Value::string("Namespace"), arena);
    return out;
  }
  api::ObjectPtr find(std::string_view name) const override {
    auto made = api::Object::from_stored(fmt::format("/registry/namespaces/{}", name),
                                         value::to_json(document(name).root()), 1, 1);
    return made ? *made : nullptr;
  }

 private:
  std::map<std::string, const Value*, std::less<>> known_;
};

OfflinePolicies::OfflinePolicies(const validate::Catalog& catalog)
    : catalog_(catalog), namespaces_(std::make_unique<Namespaces>()) {}
OfflinePolicies::~OfflinePolicies() = default;

Result<> OfflinePolicies::add(const validate::ParsedFile& file) {
  for (const Result<Document>& document : file.documents) {
    if (!document) return std::unexpected(document.error());
    const Value* items = validate::list_items(document->root());
    const std::span<const Value> objects =
        items != nullptr ? items->items() : std::span(&document->root(), 1);
    for (const Value& object : objects) {
      if (!object.is_object()) continue;
      Document copy;
      copy.root() = value::deep_copy(object, copy.arena());
      STRAKE_CHECK(add(std::move(copy), file.file));
    }
  }
  return {};
}

Result<> OfflinePolicies::add(Document document, const std::string& file) {
  Document& kept = documents_.emplace_back(std::move(document));
  Value& object = kept.root();
  const GroupVersionKind gvk = kind_of(object);
  if (gvk.group != kAdmissionGroup) {
    if (gvk.group.empty() && gvk.kind == "Namespace") namespaces_->add(object);
    objects_.push_back(&object);
    return {};
  }
  if (gvk.kind == "ValidatingAdmissionPolicyBinding") {
    kinds::validating_admission_policy_binding_strategy().apply_defaults(object, kept.arena());
    Binding binding(object);
    std::string policy = binding.policy;
    bindings_.emplace(std::move(policy), std::move(binding));
  }
  if (gvk.kind != "ValidatingAdmissionPolicy") return {};
  kinds::validating_admission_policy_strategy().apply_defaults(object, kept.arena());
  value::FieldErrors errors;
  policy::check_validating_expressions({.spec = object.get("spec")}, FieldPath() / "spec", errors);
  if (!errors.empty()) {
    return fail(Code::kInvalid, "{}: ValidatingAdmissionPolicy \"{}\" is invalid: {}", file,
                ObjectMeta::of(object).name(), errors.front().to_string());
  }
  policies_.push_back(std::make_unique<const Policy>(object));
  return {};
}

const kinds::Resource& OfflinePolicies::resource_of(const GroupVersionKind& gvk) const {
  for (const kinds::ResourcePtr& one : kinds::builtin_resources()) {
    if (one->group == gvk.group && one->kind == gvk.kind && one->version(gvk.version) != nullptr)
      return *one;
  }
  const std::lock_guard lock(mu_);
  std::unique_ptr<const kinds::Resource>& known = resources_[gvk];
  if (known == nullptr) {
    ServedKind served = served_kind(gvk, catalog_);
    known = make_resource(gvk, std::move(served.plural), served.namespaced, served.versions);
  }
  return *known;
}

Result<std::vector<const Value*>> OfflinePolicies::params_of(
    const Policy& policy, const Binding* binding, std::string_view namespace_name) const {
  if (!policy.params || binding == nullptr || !binding->params) return {{nullptr}};
  const admission::ParamRef& ref = *binding->params;
  const bool namespaced = resource_of(*policy.params).namespaced;
  const std::string_view within =
      !ref.namespace_name.empty() ? std::string_view(ref.namespace_name) : namespace_name;
  std::vector<const Value*> out;
  for (const Value* one : objects_) {
    if (kind_of(*one) != *policy.params) continue;
    const auto meta = ObjectMeta::of(*one);
    // What says no namespace is in the one where it is applied.
    if (namespaced && !meta.namespace_name().empty() && meta.namespace_name() != within) continue;
    const bool wanted = !ref.name.empty() ? meta.name() == ref.name
                                          : ref.selector && *ref.selector &&
                                                (*ref.selector)->matches(meta.labels());
    if (wanted) out.push_back(one);
  }
  if (out.empty() && ref.deny_missing) {
    return fail(Code::kNotFound,
                "failed to configure binding: no params found for policy binding with `Deny` "
                "parameterNotFoundAction");
  }
  return out;
}

void OfflinePolicies::ask(const Policy& policy, const Binding* binding, const Attributes& request,
                          const kinds::ServedVersion& version, const validate::Subject& subject,
                          const Value* asked, std::vector<Fault>& out) const {
  const bool warns = binding != nullptr && !binding->denies;
  if (warns && !binding->warns) return;
  const auto report = [&](const policy::Decision& decision, FieldPath at) {
    const bool unknown = decision.message.contains(kNoAuthorizer);
    const std::string_view verb = warns || unknown ? "warns" : "denied request";
    out.push_back(
        {.issue = validate::Issue::kCustom,
         .severity = warns || unknown ? validate::Severity::kWarning : validate::Severity::kError,
         .path = std::move(at),
         .message = fmt::format(
             "ValidatingAdmissionPolicy '{}'{} {}: {}", policy.name,
             binding != nullptr ? fmt::format(" with binding '{}'", binding->name) : std::string(),
             verb, decision.message)});
  };
  const auto params = params_of(policy, binding, request.namespace_name);
  if (!params) {
    if (policy.compiled.fails_closed()) report({.message = params.error().message()}, {});
    return;
  }
  Arena arena;
  const Value told =
      asked != nullptr ? without_objects(*asked, arena) : describe_request(request, version, arena);
  std::optional<Document> space;
  if (!request.namespace_name.empty() && !request.resource.is_namespace)
    space = namespaces_->document(request.namespace_name);
  const auto validations = policy.spec->get("validations").items();
  for (const Value* param : *params) {
    const policy::Judgement judgement =
        policy.compiled.judge({.object = request.object,
                               .old_object = request.old,
                               .namespace_object = space ? &space->root() : nullptr,
                               .request = &told,
                               .params = param},
                              arena);
    for (std::size_t i = 0; i < judgement.decisions.size(); ++i) {
      if (!judgement.decisions[i].denied) continue;
      const std::string_view expression = judgement.decisions.size() == validations.size()
                                              ? value::text_of(validations[i], "expression")
                                              : std::string_view();
      report(judgement.decisions[i], place_of(expression, subject.as_sent));
    }
  }
}

std::vector<Fault> OfflinePolicies::review(const validate::Subject& subject) const {
  return review(subject, nullptr);
}

std::vector<const Value*> OfflinePolicies::resource_rules() const {
  std::vector<const Value*> out;
  for (const auto& policy : policies_) {
    for (const Value& rule : policy->spec->get("matchConstraints").get("resourceRules").items())
      out.push_back(&rule);
  }
  return out;
}

std::vector<Fault> OfflinePolicies::review(const validate::Subject& subject,
                                           const Value* asked) const {
  std::vector<Fault> out;
  const GroupVersionKind gvk = kind_of(subject.object);
  const kinds::Resource& resource = resource_of(gvk);
  const kinds::ServedVersion* version = resource.version(gvk.version);
  if (version == nullptr || admission::is_exempt(resource)) return out;
  const auto meta = ObjectMeta::of(subject.object);
  std::string_view namespace_name;
  if (resource.is_namespace) {
    namespace_name = meta.name();
  } else if (asked != nullptr) {
    namespace_name = text_of(*asked, "namespace");
  } else if (resource.namespaced) {
    namespace_name =
        meta.namespace_name().empty() ? std::string_view("default") : meta.namespace_name();
  }
  const Attributes request{.operation = subject.old != nullptr ? Attributes::Operation::kUpdate
                                                               : Attributes::Operation::kCreate,
                           .resource = resource,
                           .version = *version,
                           .name = meta.name(),
                           .namespace_name = namespace_name,
                           .object = &subject.object,
                           .old = subject.old};
  for (const auto& policy : policies_) {
    const auto matched = policy->match.find(request, *namespaces_);
    if (!matched || *matched == nullptr) continue;
    const auto [first, last] = bindings_.equal_range(policy->name);
    if (first == last) ask(*policy, nullptr, request, **matched, subject, asked, out);
    for (auto at = first; at != last; ++at) {
      if (at->second.match) {
        const auto bound = at->second.match->find(request, *namespaces_);
        if (!bound || *bound == nullptr) continue;
      }
      ask(*policy, &at->second, request, **matched, subject, asked, out);
    }
  }
  return out;
}

Result<> add_policy_files(std::span<const std::string> operands, const DiskFiles& files,
                          const validate::CheckOptions& options, OfflinePolicies& policies) {
  for (const std::string& operand : operands) {
    STRAKE_TRY(const std::vector<std::string> names, files.find(operand));
    for (const std::string& name : names) {
      STRAKE_TRY(std::string bytes, files.read(name, options.max_file_bytes));
      STRAKE_TRY(std::string text, validate::plain_text(std::move(bytes), options.max_file_bytes));
      STRAKE_CHECK(policies.add(
          validate::parse_file(name, std::make_shared<const std::string>(std::move(text)),
                               validate::read_options(name, options, false))));
    }
  }
  if (policies.count() > 0) return {};
  return fail(Code::kIo, "no ValidatingAdmissionPolicy in {}", fmt::join(operands, ", "));
}

}  // namespace strake::cli

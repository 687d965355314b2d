#include "cli/validate/offline_policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cli/validate/served_kind.h"
#include "kinds/builtins.h"
#include "kinds/workloads/workload_resources.h"
#include "meta/object_meta.h"
#include "policy/check_expressions.h"
#include "schema/defaults.h"
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

std::string named(const Binding* binding) {
  return binding != nullptr ? fmt::format(" with binding '{}'", binding->name) : std::string();
}

// What a policy has to say against an object. Where it needs to know who asks, nobody can say.
Fault fault_of(std::string_view policy, std::string_view why, bool warns, FieldPath at) {
  const bool is_warning = warns || why.contains(kNoAuthorizer);
  return {
      .issue = validate::Issue::kCustom,
      .severity = is_warning ? validate::Severity::kWarning : validate::Severity::kError,
      .path = std::move(at),
      .message = fmt::format("{} {}: {}", policy, is_warning ? "warns" : "denied request", why)};
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
        spec(&object.get("spec")) {
    if (const Value& kind = spec->get("paramKind"); kind.is_object()) {
      params = meta::from_api_version_and_kind(text_of(kind, "apiVersion"), text_of(kind, "kind"));
    }
  }
  std::string name;
  admission::Match match;
  const Value* spec;
  std::optional<GroupVersionKind> params;
};

struct OfflinePolicies::Validating : Policy {
  explicit Validating(const Value& object) : Policy(object), compiled(object) {}
  policy::ValidatingPolicy compiled;
};

struct OfflinePolicies::Mutating : Policy {
  explicit Mutating(const Value& object) : Policy(object), compiled(object) {}
  policy::MutatingPolicy compiled;
};

// Two passes: what another policy has changed since is shown again to those that want it.
struct OfflinePolicies::Passes {
  bool is_second = false;
  std::set<std::string> asked = {};
  std::set<std::string> to_repeat = {};
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
  const auto keep_binding = [&](const kinds::BuiltinStrategy& strategy, Bindings& bindings) {
    strategy.apply_defaults(object, kept.arena());
    Binding binding(object);
    std::string policy = binding.policy;
    bindings.emplace(std::move(policy), std::move(binding));
  };
  const auto refuse_faults = [&](const auto& check) -> Result<> {
    value::FieldErrors errors;
    check({.spec = object.get("spec")}, FieldPath() / "spec", errors);
    if (errors.empty()) return {};
    return fail(Code::kInvalid, "{}: {} \"{}\" is invalid: {}", file, gvk.kind,
                ObjectMeta::of(object).name(), errors.front().to_string());
  };
  if (gvk.kind == "ValidatingAdmissionPolicyBinding") {
    keep_binding(kinds::validating_admission_policy_binding_strategy(), bindings_);
  } else if (gvk.kind == "MutatingAdmissionPolicyBinding") {
    keep_binding(kinds::mutating_admission_policy_binding_strategy(), mutating_bindings_);
  } else if (gvk.kind == "ValidatingAdmissionPolicy") {
    kinds::validating_admission_policy_strategy().apply_defaults(object, kept.arena());
    STRAKE_CHECK(refuse_faults(policy::check_validating_expressions));
    policies_.push_back(std::make_unique<const Validating>(object));
  } else if (gvk.kind == "MutatingAdmissionPolicy") {
    kinds::mutating_admission_policy_strategy().apply_defaults(object, kept.arena());
    STRAKE_CHECK(refuse_faults(policy::check_mutating_expressions));
    auto policy = std::make_unique<const Mutating>(object);
    std::string name = policy->name;
    mutating_.emplace(std::move(name), std::move(policy));
  }
  return {};
}

const kinds::Resource& OfflinePolicies::resource_of(const GroupVersionKind& gvk) const {
  if (const kinds::Resource* one = kinds::find_resource(gvk)) return *one;
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

struct OfflinePolicies::Surroundings {
  Surroundings(const OfflinePolicies& policies, const Request& request,
               const kinds::ServedVersion& version, Arena& arena)
      : told(request.asked != nullptr ? without_objects(*request.asked, arena)
                                      : describe_request(request.about, version, arena)) {
    if (!request.about.namespace_name.empty() && !request.about.resource.is_namespace)
      space = policies.namespaces_->document(request.about.namespace_name);
  }
  policy::Inputs inputs(const Attributes& about, const Value* param) const {
    return {.object = about.object,
            .old_object = about.old,
            .namespace_object = space ? &space->root() : nullptr,
            .request = &told,
            .params = param};
  }
  Value told;
  std::optional<Document> space;
};

void OfflinePolicies::ask(const Validating& policy, const Binding* binding, const Request& request,
                          const kinds::ServedVersion& version, const validate::Subject& subject,
                          std::vector<Fault>& out) const {
  const bool warns = binding != nullptr && !binding->denies;
  if (warns && !binding->warns) return;
  const auto report = [&](const policy::Decision& decision, FieldPath at) {
    out.push_back(
        fault_of(fmt::format("ValidatingAdmissionPolicy '{}'{}", policy.name, named(binding)),
                 decision.message, warns, std::move(at)));
  };
  const auto params = params_of(policy, binding, request.about.namespace_name);
  if (!params) {
    if (policy.compiled.fails_closed()) report({.message = params.error().message()}, {});
    return;
  }
  Arena arena;
  const Surroundings around(*this, request, version, arena);
  const auto validations = policy.spec->get("validations").items();
  for (const Value* param : *params) {
    const policy::Judgement judgement =
        policy.compiled.judge(around.inputs(request.about, param), arena);
    for (std::size_t i = 0; i < judgement.decisions.size(); ++i) {
      if (!judgement.decisions[i].denied) continue;
      const std::string_view expression = judgement.decisions.size() == validations.size()
                                              ? value::text_of(validations[i], "expression")
                                              : std::string_view();
      report(judgement.decisions[i], place_of(expression, subject.as_sent));
    }
  }
}

std::vector<const Value*> OfflinePolicies::resource_rules() const {
  std::vector<const Value*> out;
  for (const auto& policy : policies_) {
    for (const Value& rule : policy->spec->get("matchConstraints").get("resourceRules").items())
      out.push_back(&rule);
  }
  return out;
}

std::optional<OfflinePolicies::Request> OfflinePolicies::request_for(
    const validate::Subject& subject, const Value* asked) const {
  const GroupVersionKind gvk = kind_of(subject.object);
  const kinds::Resource& resource = resource_of(gvk);
  const kinds::ServedVersion* version = resource.version(gvk.version);
  if (version == nullptr || admission::is_exempt(resource)) return std::nullopt;
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
  return Request{.about = {.operation = subject.old != nullptr ? Attributes::Operation::kUpdate
                                                               : Attributes::Operation::kCreate,
                           .resource = resource,
                           .version = *version,
                           .name = meta.name(),
                           .namespace_name = namespace_name,
                           .object = &subject.object,
                           .old = subject.old},
                 .asked = asked};
}

template <typename Ask>
void OfflinePolicies::for_each_binding(const Policy& policy, const Bindings& bindings,
                                       const Attributes& request, Ask ask) const {
  const auto matched = policy.match.find(request, *namespaces_);
  if (!matched || *matched == nullptr) return;
  const auto [first, last] = bindings.equal_range(policy.name);
  if (first == last) ask(nullptr, **matched);
  for (auto at = first; at != last; ++at) {
    if (at->second.match) {
      const auto bound = at->second.match->find(request, *namespaces_);
      if (!bound || *bound == nullptr) continue;
    }
    ask(&at->second, **matched);
  }
}

std::vector<Fault> OfflinePolicies::review(const validate::Subject& subject) const {
  return review(subject, nullptr);
}

std::vector<Fault> OfflinePolicies::review(const validate::Subject& subject,
                                           const Value* asked) const {
  std::vector<Fault> out;
  const std::optional<Request> request = request_for(subject, asked);
  if (!request) return out;
  for (const auto& policy : policies_) {
    for_each_binding(*policy, bindings_, request->about,
                     [&](const Binding* binding, const kinds::ServedVersion& version) {
                       ask(*policy, binding, *request, version, subject, out);
                     });
  }
  return out;
}

void OfflinePolicies::mutate(const Mutating& policy, const Binding* binding, const Request& request,
                             const kinds::ServedVersion& version, const schema::Node* schema,
                             Arena& arena, Passes& passes, Change& change) const {
  const auto report = [&](std::string_view why) {
    if (!policy.compiled.fails_closed()) return;
    change.faults.push_back(
        fault_of(fmt::format("policy '{}'{}", policy.name, named(binding)), why, false, {}));
  };
  const auto params = params_of(policy, binding, request.about.namespace_name);
  if (!params) return report(params.error().message());
  const Surroundings around(*this, request, version, arena);
  for (std::size_t i = 0; i < params->size(); ++i) {
    policy::Inputs inputs = around.inputs(request.about, (*params)[i]);
    if (change.object) inputs.object = &*change.object;
    const policy::MatchOutcome matched = policy.compiled.matches(inputs, arena);
    if (!matched.error.empty()) report(matched.error);
    const std::string key = fmt::format("{}\n{}\n{}", policy.name,
                                        binding != nullptr ? binding->name : std::string(), i);
    if (!matched.matches || (passes.is_second && !passes.to_repeat.contains(key))) continue;
    bool has_changed = false;
    for (std::size_t mutation = 0; mutation < policy.compiled.mutations(); ++mutation) {
      auto next = policy.compiled.mutate(mutation, inputs, schema, arena);
      if (!next) {
        report(next.error());
        continue;
      }
      if (value::identical(*inputs.object, *next)) continue;
      has_changed = true;
      change.object = *next;
      if (schema != nullptr) schema::apply_defaults(*change.object, *schema, arena);
      inputs.object = &*change.object;
    }
    if (has_changed) {
      passes.to_repeat.merge(std::exchange(passes.asked, {}));
      change.by = fmt::format("MutatingAdmissionPolicy '{}'", policy.name);
    }
    if (policy.compiled.is_reinvoked()) passes.asked.insert(key);
  }
}

void OfflinePolicies::pass(const validate::Subject& subject, const schema::Node* schema,
                           Passes& passes, Change& change) const {
  std::optional<Request> request = request_for(subject, nullptr);
  if (!request) return;
  // As on a server, what a policy is about is decided before the pass, by the object as it was.
  const Value seen = change.object ? *change.object : subject.object;
  request->about.object = &seen;
  for (const auto& [name, policy] : mutating_) {
    for_each_binding(*policy, mutating_bindings_, request->about,
                     [&](const Binding* binding, const kinds::ServedVersion& version) {
                       mutate(*policy, binding, *request, version, schema, subject.arena, passes,
                              change);
                     });
  }
}

OfflinePolicies::Change OfflinePolicies::change(const validate::Subject& subject,
                                                const schema::Node* schema) const {
  Change out;
  if (mutating_.empty()) return out;
  Passes passes;
  pass(subject, schema, passes, out);
  if (passes.to_repeat.empty()) return out;
  passes.is_second = true;
  pass(subject, schema, passes, out);
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
  return fail(Code::kIo, "no admission policy in {}", fmt::join(operands, ", "));
}

}  // namespace strake::cli

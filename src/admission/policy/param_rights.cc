#include "admission/policy/param_rights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "admission/policy/params.h"
#include "api/request/pending_questions.h"
#include "value/fields.h"

namespace strake::admission {
namespace {

using api::Answer;
using api::Call;
using value::FieldError;
using value::text_of;
using value::Value;

constexpr std::string_view kGroup = "admissionregistration.k8s.io";

// A user as Go's %v prints it.
std::string go_user(const api::User& user) {
  std::string extra;
  for (const auto& [key, values] : user.extra) {
    if (!extra.empty()) extra += ' ';
    extra += fmt::format("{}:[{}]", key, fmt::join(values, " "));
  }
  return fmt::format("&{{{} {} [{}] map[{}]}}", user.name, user.uid, fmt::join(user.groups, " "),
                     extra);
}

// What must be read: everything, as far as nothing more is known.
struct Wanted {
  api::RequestInfo asked;
  std::string unresolved;  // the kind, when nothing serves it
};

Wanted wanted_of(const Value* param_kind, const api::Registry& registry) {
  Wanted out;
  out.asked.is_resource = true;
  out.asked.group = out.asked.version = out.asked.resource = "*";
  if (param_kind == nullptr) return out;
  const std::string_view api_version = text_of(*param_kind, "apiVersion");
  const std::string_view kind = text_of(*param_kind, "kind");
  const meta::GroupVersionKind parsed = meta::from_api_version_and_kind(api_version, kind);
  out.asked.group = parsed.group;
  out.asked.version = parsed.version;
  if (const auto found = find_param_endpoint(registry, parsed)) {
    out.asked.resource = found->endpoint->resource().plural;
  } else {
    out.unresolved = fmt::format("&{{{} {}}}", api_version, kind);
  }
  return out;
}

const Value* object_at(const Value& object, std::string_view key) {
  const Value& found = object.get(key);
  return found.is_object() ? &found : nullptr;
}

}  // namespace

std::string ParamRights::policy_fault(const Call& call, const Value& spec,
                                      const api::Authorizer& authorizer) const {
  const Value* kind = object_at(spec, "paramKind");
  Wanted wanted = wanted_of(kind, core_->registry);
  wanted.asked.verb = "get";
  wanted.asked.name = wanted.asked.namespace_name = "*";
  if (authorizer.authorize(*call.user, wanted.asked).allowed) return {};
  return fmt::format(
      "user {} must have \"get\" permission on all objects of the referenced "
      "paramKind (kind={}, apiVersion={})",
      go_user(*call.user), text_of(*kind, "kind"), text_of(*kind, "apiVersion"));
}

std::string ParamRights::binding_fault(const Call& call, const Value& spec,
                                       std::string_view policies,
                                       const api::Authorizer& authorizer) const {
  const Value& ref = spec.get("paramRef");
  const std::string_view policy = text_of(spec, "policyName");
  api::ObjectPtr found;
  if (const api::EndpointPtr endpoint = core_->registry.find(kGroup, policies))
    found = endpoint->cache().get(endpoint->key("", policy));
  value::Document document;
  if (found != nullptr) {
    if (auto parsed = api::parse_stored(*found->bytes())) document = *std::move(parsed);
  }
  Wanted wanted = wanted_of(object_at(document.root().get("spec"), "paramKind"), core_->registry);
  const std::string_view name = text_of(ref, "name");
  wanted.asked.verb = name.empty() ? "list" : "get";
  wanted.asked.name = name;
  wanted.asked.namespace_name = text_of(ref, "namespace");
  if (authorizer.authorize(*call.user, wanted.asked).allowed) return {};
  const std::string user = go_user(*call.user);
  if (found == nullptr) {
    return fmt::format(
        "unable to get policy {} to determine minimum required permissions and user "
        "{} does not have \"{}\" permission for all groups, versions and resources",
        policy, user, wanted.asked.verb);
  }
  if (!wanted.unresolved.empty()) {
    return fmt::format(
        "unable to resolve paramKind {} to determine minimum required permissions "
        "and user {} does not have \"{}\" permission for all groups, versions and "
        "resources",
        wanted.unresolved, user, wanted.asked.verb);
  }
  return fmt::format("user {} does not have \"{}\" permission on the object referenced by paramRef",
                     user, wanted.asked.verb);
}

api::Eventual<> ParamRights::admit(Call& call, const api::AdmissionRequest& request) const {
  if (core_ == nullptr || request.phase != api::AdmissionRequest::Phase::kValidating ||
      request.object == nullptr || call.resource().group != kGroup ||
      !request.subresource.empty() || call.user->in_group("system:masters"))
    return Answer<>();
  const std::string& plural = call.resource().plural;
  const Value& spec = request.object->root().get("spec");
  const bool is_policy = plural.ends_with("admissionpolicies");
  if (!is_policy && !plural.ends_with("admissionpolicybindings")) return Answer<>();
  const std::string_view field = is_policy ? "paramKind" : "paramRef";
  const Value* named = object_at(spec, field);
  if (named == nullptr) return Answer<>();
  if (is_policy && request.old != nullptr) {
    const Value* before = object_at(request.old->get("spec"), field);
    if (before != nullptr && value::identical(*before, *named)) return Answer<>();
  }
  const std::string_view policies = plural.starts_with("validating") ? "validatingadmissionpolicies"
                                                                     : "mutatingadmissionpolicies";
  return api::check_rights(
      authorizer_, call,
      [this, &call, request, is_policy, field,
       policies](const api::Authorizer& authorizer) -> Answer<> {
        const Value& of = request.object->root().get("spec");
        std::string fault = is_policy ? policy_fault(call, of, authorizer)
                                      : binding_fault(call, of, policies, authorizer);
        if (fault.empty()) return {};
        return api::refuse(meta::Status::invalid(
            {std::string(kGroup), call.resource().kind}, request.name,
            {FieldError::forbidden(FieldPath() / "spec" / field, std::move(fault))}));
      });
}

}  // namespace strake::admission

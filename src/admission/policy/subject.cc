#include "admission/policy/subject.h"

#include "admission/match/versioned.h"
#include "api/request/request_selectors.h"
#include "meta/names.h"
#include "meta/object_meta.h"
#include "meta/service_account.h"

namespace strake::admission {
namespace {

using value::Value;

Value text(std::string_view s, Arena& arena) { return Value::string(arena.copy(s)); }

Value kind_variable(const meta::GroupVersionKind& kind, Arena& arena) {
  Value out = Value::object({});
  out.set("group", text(kind.group, arena), arena);
  out.set("kind", text(kind.kind, arena), arena);
  out.set("version", text(kind.version, arena), arena);
  return out;
}

Value resource_variable(const kinds::Resource& resource, const kinds::ServedVersion& version,
                        Arena& arena) {
  Value out = Value::object({});
  out.set("group", text(resource.group, arena), arena);
  out.set("resource", text(resource.plural, arena), arena);
  out.set("version", text(version.name, arena), arena);
  return out;
}

Value texts(const std::vector<std::string>& all, Arena& arena) {
  Value out = Value::array({});
  for (const std::string& one : all) out.append(text(one, arena), arena);
  return out;
}

// What is empty is left out.
Value user_variable(const api::User& user, Arena& arena) {
  Value out = Value::object({});
  if (!user.extra.empty()) {
    Value& extra = out.set("extra", Value::object({}), arena);
    for (const auto& [key, values] : user.extra)
      extra.set(arena.copy(key), texts(values, arena), arena);
  }
  if (!user.groups.empty()) out.set("groups", texts(user.groups, arena), arena);
  if (!user.uid.empty()) out.set("uid", text(user.uid, arena), arena);
  if (!user.name.empty()) out.set("username", text(user.name, arena), arena);
  return out;
}

}  // namespace

Value request_variable(const api::Call& call, const api::AdmissionRequest& request,
                       const kinds::ServedVersion& kind_version,
                       const kinds::ServedVersion& resource_version, Arena& arena) {
  const kinds::Resource& resource = call.resource();
  const auto set_text = [&](Value& out, std::string_view key, std::string_view s) {
    if (!s.empty()) out.set(key, text(s, arena), arena);
  };
  Value out = Value::object({});
  out.set("dryRun", Value::boolean(request.dry_run), arena);
  out.set("kind", kind_variable(kind_of(resource, kind_version, request.subresource), arena),
          arena);
  set_text(out, "name", request.name);
  set_text(out, "namespace", api::namespace_of(call, request));
  out.set("operation", Value::string(api::to_string(request.operation)), arena);
  out.set("options", api::options_of(request, arena), arena);
  out.set("requestKind",
          kind_variable(kind_of(resource, *call.version, request.subresource), arena), arena);
  out.set("requestResource", resource_variable(resource, *call.version, arena), arena);
  set_text(out, "requestSubResource", request.subresource);
  out.set("resource", resource_variable(resource, resource_version, arena), arena);
  set_text(out, "subResource", request.subresource);
  out.set("userInfo", user_variable(*call.user, arena), arena);
  return out;
}

Value namespace_variable(const Value& stored, Arena& arena) {
  const auto keep = [&](const Value& from, Value& to, std::string_view key) {
    if (const Value& found = from.get(key); !found.is_null())
      to.set(key, value::deep_copy(found, arena), arena);
  };
  Value out = Value::object({});
  const Value& metadata = stored.get("metadata");
  Value& seen = out.set("metadata", Value::object({}), arena);
  for (const std::string_view key :
       {"annotations", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp",
        "finalizers", "generateName", "generation", "labels", "name", "namespace",
        "resourceVersion", "uid"}) {
    keep(metadata, seen, key);
  }
  keep(stored, out, "spec");
  keep(stored, out, "status");
  return out;
}

cel::AccessAnswer CallAuthority::decide(const cel::AccessQuestion& question, Arena& arena) const {
  api::RequestInfo asked;
  asked.verb = question.verb;
  if (!question.path.empty()) {
    asked.path = question.path;
  } else {
    asked.is_resource = true;
    asked.group = question.group;
    asked.version = "*";
    asked.resource = question.resource;
    asked.subresource = question.subresource;
    asked.namespace_name = question.namespace_name;
    asked.name = question.name;
    if (!question.field_selector.empty() || !question.label_selector.empty())
      asked.selectors = api::read_selectors(question.field_selector, question.label_selector);
  }
  api::Authorizer::Decision decision;
  if (question.account_name.empty()) {
    decision = authorizer_.authorize(user_, asked);
  } else {
    const api::User account{
        .name = meta::service_account_user(question.account_namespace, question.account_name),
        .uid = {},
        .groups = meta::service_account_groups(question.account_namespace),
        .extra = {}};
    decision = authorizer_.authorize(account, asked);
  }
  return {.allowed = decision.allowed,
          .reason = arena.copy(decision.reason),
          .error = arena.copy(decision.error)};
}

std::string_view CallAuthority::account_fault(std::string_view namespace_name,
                                              std::string_view name) const {
  if (!meta::name_is_dns_subdomain(name, false).empty()) return "Invalid service account name";
  if (!meta::name_is_dns_label(namespace_name, false).empty())
    return "Invalid service account namespace";
  return {};
}

std::string refused_name(const api::AdmissionRequest& request) {
  if (!request.name.empty()) return std::string(request.name);
  if (request.object == nullptr) return "Unknown";
  const auto meta = meta::ObjectMeta::of(request.object->root());
  if (!meta.name().empty()) return std::string(meta.name());
  if (!meta.generate_name().empty()) return std::string(meta.generate_name());
  return "Unknown";
}

}  // namespace strake::admission

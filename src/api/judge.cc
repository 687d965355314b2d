#include "api/judge.h"

#include <fmt/format.h>

#include "api/decode.h"
#include "base/cancel_scope.h"
#include "meta/object_meta.h"
#include "patch/managed_fields.h"
#include "resource/validate.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::FieldErrors;
using value::Value;

std::string_view text_of(const Value& object, std::string_view key) {
  const Value* v = object.find(key);
  return v != nullptr && v->is_string() ? v->as_string() : std::string_view();
}

// Named by what the object says it is, which may be the very fault.
Status invalid(const Call& call, const Value& object, const FieldErrors& errors) {
  meta::GroupKind kind = call.resource().group_kind();
  if (call.endpoint->hooks() == nullptr) {
    kind = meta::from_api_version_and_kind(text_of(object, "apiVersion"), text_of(object, "kind"))
               .group_kind();
  }
  return Status::invalid(kind, ObjectMeta::of(object).name(), errors);
}

void append(FieldErrors& to, FieldErrors from) {
  for (value::FieldError& one : from) to.push_back(std::move(one));
}

void warn(Call& call, std::vector<std::string> warnings) {
  for (std::string& one : warnings) call.warnings.push_back(std::move(one));
}

void warn_if_unenforced(Call& call, const Value& object) {
  const auto& unenforced = call.resource().unenforced;
  if (unenforced && unenforced->concerns(object)) call.warnings.push_back(unenforced->warning);
}

std::vector<std::string_view> reset_paths(const Call& call, std::string_view subresource) {
  if (subresource == "status") return {"metadata", "spec"};
  if (subresource.empty() && call.version->has_status()) return {"status"};
  return {};
}

}  // namespace

std::string manager_of(const Call& call, const WriteOptions& options) {
  if (!options.field_manager.empty()) return options.field_manager;
  return patch::manager_from_user_agent(call.request.headers.get("User-Agent"));
}

void own_fields(const Call& call, Document& document, const Value* old,
                std::string_view subresource, std::string_view manager) {
  const auto kind = call.version->kind();
  const schema::Node* schema = kind ? (*kind)->schema.get() : nullptr;
  const std::string api_version = call.api_version();
  const std::string time = call.now_text();
  // A built-in kind starts from its own zero, whose fields that are always written belong to
  // nobody.
  Document zero;
  if (old == nullptr && call.endpoint->hooks() != nullptr) {
    zero.root() = Value::object({});
    if (meta::read_shape(zero.root(), call.endpoint->hooks()->shape(), zero.arena()))
      old = &zero.root();
  }
  patch::update_managed_fields(document.root(), old, schema,
                               {.manager = manager,
                                .api_version = api_version,
                                .subresource = subresource,
                                .time = time,
                                .reset = reset_paths(call, subresource)},
                               document.arena());
}

// A check that was given up says nothing: every outcome is asked whether it is one.
Answer<> judge_new(Core& core, Call& call, const Document& document) {
  const CancelScope scope(call.request.cancel, call.stopping);
  const Value& object = document.root();
  FieldErrors errors;
  if (const kinds::Hooks* hooks = call.endpoint->hooks()) {
    errors = meta::validate_object_meta(
        ObjectMeta::of(object), call.resource().namespaced,
        [hooks](std::string_view name, bool prefix) { return hooks->check_name(name, prefix); },
        FieldPath() / "metadata");
    append(errors, hooks->validate_create(object));
    if (CancelScope::is_cancelled()) return refuse(Call::cancelled());
    if (!errors.empty()) return refuse(invalid(call, object, errors));
    warn(call, hooks->warnings(object, nullptr));
    warn_if_unenforced(call, object);
    return {};
  }
  STRAKE_TRY(const resource::Kind* kind, answer(call.version->kind()));
  resource::Verdict verdict = resource::validate_create(object, *kind, &core.rules);
  if (CancelScope::is_cancelled()) return refuse(Call::cancelled());
  if (!verdict.errors.empty()) return refuse(invalid(call, object, verdict.errors));
  warn(call, std::move(verdict.warnings));
  warn(call, meta::finalizer_warnings(ObjectMeta::of(object), ObjectMeta(nullptr)));
  return {};
}

Answer<> judge_change(Core& core, Call& call, const Document& document, const Value& old,
                      std::string_view subresource) {
  const CancelScope scope(call.request.cancel, call.stopping);
  const Value& object = document.root();
  const FieldPath at = FieldPath() / "metadata";
  FieldErrors errors;
  if (const kinds::Hooks* hooks = call.endpoint->hooks()) {
    // The reference checks metadata twice, once for all kinds and once in each: so do the causes of
    // its answer.
    for (int i = 0; i < 2; ++i) {
      append(errors,
             meta::validate_object_meta_update(ObjectMeta::of(object), ObjectMeta::of(old), at));
    }
    append(errors, subresource.empty()         ? hooks->validate_update(object, old)
                   : subresource == "finalize" ? hooks->validate_finalize(object, old)
                                               : hooks->validate_status(object, old));
    if (CancelScope::is_cancelled()) return refuse(Call::cancelled());
    if (!errors.empty()) return refuse(invalid(call, object, errors));
    warn(call, hooks->warnings(object, &old));
    if (subresource.empty()) warn_if_unenforced(call, object);
    return {};
  }
  STRAKE_TRY(const resource::Kind* kind, answer(call.version->kind()));
  resource::Verdict verdict =
      subresource == "status" ? resource::validate_status_update(object, old, *kind, &core.rules)
                              : resource::validate_update(object, old, *kind, &core.rules);
  if (CancelScope::is_cancelled()) return refuse(Call::cancelled());
  append(errors, std::move(verdict.errors));
  if (!errors.empty()) return refuse(invalid(call, object, errors));
  warn(call, std::move(verdict.warnings));
  warn(call, meta::finalizer_warnings(ObjectMeta::of(object), ObjectMeta::of(old)));
  return {};
}

AnswerTask<> judge_by_size(Core& core, std::size_t bytes, std::function<Answer<>()> judge) {
  if (bytes <= kJudgedAtOnce) co_return judge();
  STRAKE_CO_TRY(Answer<> verdict,
                answer(co_await core.workers.run([&judge] { return Result<Answer<>>(judge()); })));
  co_return verdict;
}

Answer<> check_place(Core& core, const Call& call, std::string_view name) {
  const kinds::Resource& resource = call.resource();
  if (resource.definition && resource.definition->terminating) {
    return refuse(
        Status::forbidden(resource.group_resource(), name,
                          "create not allowed while custom resource definition is terminating"));
  }
  if (!resource.namespaced) return {};
  const std::string& wanted = call.info.namespace_name;
  const ObjectPtr found =
      core.hub.cache("/registry/namespaces/").get("/registry/namespaces/" + wanted);
  if (!found) return refuse(Status::not_found({"", "namespaces"}, wanted));
  STRAKE_TRY(const Document document, parse_current(*found->bytes()));
  const Value* status = document.root().find("status");
  const bool terminating = ObjectMeta::of(document.root()).is_being_deleted() ||
                           (status != nullptr && text_of(*status, "phase") == "Terminating");
  if (!terminating) return {};
  Status refusal = Status::forbidden(
      resource.group_resource(), name,
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  wanted));
  refusal.details.causes.push_back(
      {.reason = "NamespaceTerminating",
       .message = fmt::format("namespace {} is being terminated", wanted),
       .field = "metadata.namespace"});
  return refuse(std::move(refusal));
}

}  // namespace strake::api

#include "api/lifecycle.h"

#include "api/conditions.h"
#include "api/write.h"
#include "meta/object_meta.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

bool is_kept_namespace(std::string_view name) {
  return name == "default" || name == "kube-system" || name == "kube-public";
}

Answer<bool> delete_namespace(const Call& call, Document& document, bool already_deleting) {
  const ObjectMeta metadata = ObjectMeta::of(document.root());
  if (is_kept_namespace(metadata.name())) {
    return refuse(Status::forbidden(call.group_resource(), metadata.name(),
                                    "this namespace may not be deleted"));
  }
  const Value* spec = document.root().find("spec");
  const Value* held = spec != nullptr ? spec->find("finalizers") : nullptr;
  const bool holds = held != nullptr && held->size() > 0;
  if (!already_deleting) {
    Arena& arena = document.arena();
    set_meta(document, "deletionTimestamp", Value::string(arena.copy(call.now_text())));
    Value* status = document.root().find("status");
    if (status == nullptr) status = &document.root().set("status", Value::object({}), arena);
    status->set("phase", Value::string("Terminating"), arena);
  }
  return holds;
}

Answer<bool> delete_crd(const Call& call, Document& document, bool already_deleting) {
  if (already_deleting) return ObjectMeta::of(document.root()).has_finalizer(kCrdCleanup);
  // kube-apiserver 1.36 leaves the generation alone here, and sets no grace period.
  Arena& arena = document.arena();
  set_meta(document, "deletionTimestamp", Value::string(arena.copy(call.now_text())));
  if (!ObjectMeta::of(document.root()).has_finalizer(kCrdCleanup)) {
    Value list = Value::array({});
    for (const std::string_view one : ObjectMeta::of(document.root()).finalizers()) {
      list.append(Value::string(one), arena);
    }
    list.append(Value::string(kCrdCleanup), arena);
    set_meta(document, "finalizers", list);
  }
  set_condition(
      document,
      {.type = "Terminating",
       .status = "True",
       .reason = "InstanceDeletionPending",
       .message =
           "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"},
      call.now_text());
  return true;
}

}  // namespace

Answer<bool> prepare_delete(const Call& call, Document& document, bool already_deleting) {
  const kinds::Resource& resource = call.resource();
  if (resource.group.empty() && resource.plural == "namespaces") {
    return delete_namespace(call, document, already_deleting);
  }
  if (resource.group == "apiextensions.k8s.io" && resource.plural == "customresourcedefinitions") {
    return delete_crd(call, document, already_deleting);
  }
  return false;
}

}  // namespace strake::api

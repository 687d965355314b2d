#include "kube/objects/namespaces.h"

#include <algorithm>

#include "kube/objects/waiting.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::kube {
namespace {

using value::Document;
using value::Value;
using Texts = std::map<std::string, std::string>;

ObjectRef namespace_ref(const std::string& name) {
  return {.of = {.api_version = "v1", .kind = "Namespace"}, .namespace_name = "", .name = name};
}

// The document holds the strings of the map, which must outlive it.
Value object_of(const Texts& texts, Arena& arena) {
  Value out = Value::object({});
  for (const auto& [key, text] : texts) out.set(key, Value::string(text), arena);
  return out;
}

bool has_all(const Value& object, const Texts& texts) {
  return std::ranges::all_of(texts, [&](const auto& one) {
    const Value* found = object.find(one.first);
    return found != nullptr && found->is_string() && found->as_string() == one.second;
  });
}

// {"metadata": {"labels": ..., "annotations": ...}}, what is empty left out.
Document with_metadata(const Texts& labels, const Texts& annotations) {
  Document out;
  Arena& arena = out.arena();
  out.root() = Value::object({});
  Value& metadata = out.root().set("metadata", Value::object({}), arena);
  if (!labels.empty()) metadata.set("labels", object_of(labels, arena), arena);
  if (!annotations.empty()) metadata.set("annotations", object_of(annotations, arena), arena);
  return out;
}

std::string named(Document document, std::string_view name) {
  document.root()
      .object_at("metadata", document.arena())
      .set("name", Value::string(name), document.arena());
  return value::to_json(document.root());
}

// One that others have made meanwhile is as good.
Result<Ensured> created(Result<Document> outcome) {
  if (outcome) return Ensured::kCreated;
  if (outcome.error().code() == Code::kAlreadyExists) return Ensured::kUnchanged;
  return std::unexpected(std::move(outcome).error());
}

}  // namespace

Result<Ensured> ensure_namespace(Objects& objects, const NamespaceSpec& spec) {
  const ObjectRef ref = namespace_ref(spec.name);
  STRAKE_TRY(std::optional<Document> found, objects.find(ref));
  if (found && found->root().get("metadata").find("deletionTimestamp") != nullptr) {
    if (!spec.dry_run) STRAKE_CHECK(wait_until_namespace_gone(objects, spec.name));
    found.reset();
  }
  if (!found) {
    if (spec.dry_run) return Ensured::kCreated;
    return created(objects.create(ref, named(with_metadata(spec.labels, {}), spec.name)));
  }
  if (spec.keep_labels || has_all(found->root().get("metadata").get("labels"), spec.labels))
    return Ensured::kUnchanged;
  if (spec.dry_run) return Ensured::kUpdated;
  STRAKE_TRY(const Document changed,
             objects.patch({.object = ref,
                            .type = PatchRequest::Type::kMerge,
                            .body = value::to_json(with_metadata(spec.labels, {}).root()),
                            .subresource = ""}));
  return Ensured::kUpdated;
}

Result<bool> delete_namespace(Objects& objects, const std::string& name) {
  return objects.remove(namespace_ref(name));
}

Result<> wait_until_namespace_gone(Objects& objects, const std::string& name) {
  return wait_until_gone(objects, namespace_ref(name));
}

Result<Ensured> ensure_service_account(Objects& objects, const ServiceAccountSpec& spec) {
  const ObjectRef ref{.of = {.api_version = "v1", .kind = "ServiceAccount"},
                      .namespace_name = spec.namespace_name,
                      .name = spec.name};
  Document wanted = with_metadata(spec.labels, spec.annotations);
  wanted.root().set("automountServiceAccountToken", Value::boolean(false), wanted.arena());
  STRAKE_TRY(std::optional<Document> found, objects.find(ref));
  if (!found) {
    if (spec.dry_run) return Ensured::kCreated;
    STRAKE_TRY(const Ensured made,
               created(objects.create(ref, named(std::move(wanted), spec.name))));
    if (made == Ensured::kCreated) return made;
    // Somebody else has made it, not necessarily like this.
    return ensure_service_account(objects, spec);
  }
  const Value& root = found->root();
  const Value* automount = root.find("automountServiceAccountToken");
  if (automount != nullptr && automount->is_bool() && !automount->as_bool() &&
      has_all(root.get("metadata").get("annotations"), spec.annotations) &&
      has_all(root.get("metadata").get("labels"), spec.labels))
    return Ensured::kUnchanged;
  if (spec.dry_run) return Ensured::kUpdated;
  STRAKE_TRY(const Document changed, objects.patch({.object = ref,
                                                    .type = PatchRequest::Type::kMerge,
                                                    .body = value::to_json(wanted.root()),
                                                    .subresource = ""}));
  return Ensured::kUpdated;
}

}  // namespace strake::kube

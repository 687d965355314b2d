#include "kube/objects/selection.h"

#include "value/fields.h"

namespace strake::kube {
namespace {

using value::text_of;

// Those of one kind.
Result<std::vector<ObjectRef>> selected(Objects& objects, const ObjectKind& kind,
                                        const DeleteSelected& request) {
  std::vector<ObjectRef> out;
  const Result<ResourcePath> path = objects.path_of(kind);
  if (!path && path.error().code() == Code::kNotFound) return out;
  if (!path) return std::unexpected(path.error());
  STRAKE_TRY(const std::vector<value::Document> pages,
             objects.list({.of = kind,
                           .namespace_name = request.namespace_name,
                           .label_selector = request.label_selector,
                           .field_selector = ""}));
  for (const value::Document& page : pages) {
    for (const value::Value& item : page.root().get("items").items()) {
      const value::Value& metadata = item.get("metadata");
      out.push_back({.of = kind,
                     .namespace_name = std::string(text_of(metadata, "namespace")),
                     .name = std::string(text_of(metadata, "name"))});
    }
  }
  return out;
}

}  // namespace

Result<DeletedObjects> delete_selected(Objects& objects, const DeleteSelected& request) {
  if (request.label_selector.empty())
    return fail(Code::kUsage, "what to delete must be selected by labels");
  DeletedObjects out;
  // False when it is to stop there.
  const auto note = [&](const Error& error) {
    if (request.stop_at_error || !objects.client().check()) return false;
    out.errors.push_back(error);
    return true;
  };
  for (const ObjectKind& kind : request.kinds) {
    const Result<std::vector<ObjectRef>> found = selected(objects, kind, request);
    if (!found) {
      if (!note(found.error())) return std::unexpected(found.error());
      continue;
    }
    for (const ObjectRef& one : *found) {
      const Result<bool> removed = objects.remove(one);
      if (!removed) {
        if (!note(removed.error())) return std::unexpected(removed.error());
      } else if (*removed) {
        out.objects.push_back(one);
      }
    }
  }
  return out;
}

}  // namespace strake::kube

#include "kinds/storage/claim_sources.h"

#include <string_view>

#include "kinds/fields.h"

namespace strake::kinds {
namespace {

using value::Value;

bool is_claim_or_snapshot(const Value& source) {
  const std::string_view kind = text_of(source, "kind");
  const std::string_view group = text_of(source, "apiGroup");
  return (kind == "PersistentVolumeClaim" && group.empty()) ||
         (kind == "VolumeSnapshot" && group == "snapshot.storage.k8s.io");
}

// A reference to the same object, without a namespace.
Value same_object(const Value& source, Arena& arena) {
  Value out = Value::object({});
  out.set("apiGroup", source.get("apiGroup"), arena);
  out.set("kind", source.get("kind"), arena);
  out.set("name", source.get("name"), arena);
  return out;
}

}  // namespace

void drop_ignored_sources(Value& spec, const Value* old_spec) {
  const auto had = [&](std::string_view key) {
    return old_spec != nullptr && member(*old_spec, key) != nullptr;
  };
  // Sources in other namespaces are behind a feature that is off in kube-apiserver 1.36.
  if (!text_of(spec, {"dataSourceRef", "namespace"}).empty() && !had("dataSourceRef"))
    spec.remove("dataSourceRef");
  if (had("dataSource") || had("dataSourceRef") || member(spec, "dataSourceRef") != nullptr) return;
  // The older field never took anything else, and said nothing.
  const Value* source = member(spec, "dataSource");
  if (source != nullptr && !is_claim_or_snapshot(*source)) spec.remove("dataSource");
}

void match_sources(Value& spec, Arena& arena) {
  const Value* source = member(spec, "dataSource");
  const Value* reference = member(spec, "dataSourceRef");
  if (source != nullptr && reference == nullptr) {
    spec.set("dataSourceRef", same_object(*source, arena), arena);
  } else if (source == nullptr && reference != nullptr &&
             text_of(*reference, "namespace").empty()) {
    spec.set("dataSource", same_object(*reference, arena), arena);
  }
}

}  // namespace strake::kinds

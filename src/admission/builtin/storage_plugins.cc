#include "admission/builtin/plugin.h"
#include "kinds/storage/claim_resize.h"
#include "kinds/storage/default_storage_class.h"
#include "kinds/storage/in_use_protection.h"
#include "meta/object_meta.h"

namespace strake::admission {
namespace {

using api::Answer;
using value::Document;
using value::Value;

constexpr std::string_view kStorage = "storage.k8s.io";

Answer<> give_storage_class(const PluginRequest& at) {
  const std::vector<Document> all = at.stored.all(kStorage, "storageclasses");
  std::vector<const Value*> classes;
  for (const Document& one : all) classes.push_back(&one.root());
  const Value* found = kinds::default_storage_class(classes);
  if (found != nullptr)
    kinds::admit_default_storage_class(at.object, meta::ObjectMeta::of(*found).name(), at.arena);
  return {};
}

template <void (*kProtect)(Value&, Arena&)>
Answer<> protect(const PluginRequest& at) {
  kProtect(at.object, at.arena);
  return {};
}

Answer<> check_resize(const PluginRequest& at) {
  if (at.old() == nullptr) return {};
  return at.forbid_if(kinds::refused_resize(at.object, *at.old(), [&](std::string_view class_name) {
    const auto found = at.stored.find(kStorage, "storageclasses", {}, class_name);
    return found && kinds::allows_expansion(found->root());
  }));
}

constexpr Plugin kStoragePlugins[] = {
    {.name = "DefaultStorageClass",
     .plural = "persistentvolumeclaims",
     .on_create = true,
     .run = give_storage_class},
    {.name = "StorageObjectInUseProtection",
     .plural = "persistentvolumeclaims",
     .on_create = true,
     .run = protect<kinds::admit_claim_protection>},
    {.name = "StorageObjectInUseProtection",
     .plural = "persistentvolumes",
     .on_create = true,
     .run = protect<kinds::admit_volume_protection>},
    {.name = "StorageObjectInUseProtection",
     .group = kStorage,
     .plural = "volumeattributesclasses",
     .on_create = true,
     .run = protect<kinds::admit_attributes_class_protection>},
    {.name = "PersistentVolumeClaimResize",
     .phase = Plugin::Phase::kValidating,
     .plural = "persistentvolumeclaims",
     .on_update = true,
     .run = check_resize},
};

}  // namespace

std::span<const Plugin> storage_plugins() { return kStoragePlugins; }

}  // namespace strake::admission

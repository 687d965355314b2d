#include "ops/controllers/declared.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "ops/kom/definitions.h"
#include "value/fields.h"

namespace strake::ops {
namespace {

using value::text_of;
using value::Value;

bool is_declared_by_id(OperatedKind kind) {
  return kind == OperatedKind::kWorkspace || kind == OperatedKind::kProvider ||
         kind == OperatedKind::kCluster || kind == OperatedKind::kApp;
}

// Whether `id` is that of something below `parent`, or `parent` itself.
bool is_within(std::string_view id, std::string_view parent) {
  return !parent.empty() && id.starts_with(parent) &&
         (id.size() == parent.size() || id[parent.size()] == '/');
}

// Who decides what there is: not what controllers themselves write, but what others look at.
bool says_the_same(const DeclaredObject& a, const DeclaredObject& b) {
  return a.uid == b.uid && a.generation == b.generation && a.deleting == b.deleting &&
         value::identical(a.metadata().get("annotations"), b.metadata().get("annotations"));
}

// What objects beside it wait for.
auto outlook_of(const DeclaredObject& object) {
  const auto conditions = object.conditions();
  const StatusCondition* ready = find_condition(conditions, "Ready");
  return std::tuple(value::flag_of(object.status(), "provisioned"),
                    value::flag_of(object.status(), "assigned"),
                    ready == nullptr ? std::string() : ready->status, object.has_finalizer());
}

bool is_older(const DeclaredObject& a, const DeclaredObject& b) {
  return std::tie(a.created, a.key) < std::tie(b.created, b.key);
}

}  // namespace

bool DeclaredObject::has_finalizer() const {
  return std::ranges::find(finalizers, kCleanupFinalizer) != finalizers.end();
}

std::string_view DeclaredObject::app_name() const { return text_of(spec().get("appRef"), "name"); }

std::string_view DeclaredObject::cluster_name() const {
  return text_of(spec().get("clusterRef"), "name");
}

DeclaredPtr read_declared(OperatedKind kind, const Value& object) {
  auto out = std::make_shared<DeclaredObject>();
  out->document.root() = value::deep_copy(object, out->document.arena());
  const Value& metadata = out->metadata();
  out->key = {.kind = kind,
              .namespace_name = std::string(text_of(metadata, "namespace")),
              .name = std::string(text_of(metadata, "name"))};
  if (out->key.namespace_name.empty() || out->key.name.empty()) return nullptr;
  out->id = text_of(metadata.get("annotations"), kIdAnnotation);
  out->uid = text_of(metadata, "uid");
  out->resource_version = text_of(metadata, "resourceVersion");
  out->created = text_of(metadata, "creationTimestamp");
  const Value& generation = metadata.get("generation");
  if (generation.type() == value::Type::kInt) out->generation = generation.as_int();
  out->deleting = metadata.find("deletionTimestamp") != nullptr;
  for (const Value& one : metadata.get("finalizers").items())
    out->finalizers.emplace_back(text_of(one));
  return out;
}

std::string DeclaredObjects::scope_of(const DeclaredObject& object) const {
  if (is_declared_by_id(object.key.kind)) return object.id;
  const bool of_cluster = object.key.kind == OperatedKind::kNodePool;
  const ObjectKey parent{
      .kind = of_cluster ? OperatedKind::kCluster : OperatedKind::kApp,
      .namespace_name = object.key.namespace_name,
      .name = std::string(of_cluster ? object.cluster_name() : object.app_name())};
  const auto found = objects_.find(parent);
  return found == objects_.end() ? std::string() : found->second->id;
}

bool DeclaredObjects::needs(const DeclaredObject& one, const DeclaredObject& other) const {
  if (one.key == other.key || one.key.namespace_name != other.key.namespace_name) return false;
  if (!is_declared_by_id(other.key.kind)) return false;
  // By name, so that it is known also when the other one has lost its Resource ID.
  if (other.key.kind == OperatedKind::kApp && one.app_name() == other.key.name) return true;
  if (other.key.kind == OperatedKind::kCluster && one.cluster_name() == other.key.name) return true;
  const std::string scope = scope_of(one);
  if (is_declared_by_id(one.key.kind) && scope == other.id) return false;  // it is a second one
  return is_within(scope, other.id);
}

std::vector<ObjectKey> DeclaredObjects::touched_by(const DeclaredObject& object,
                                                   bool and_itself) const {
  std::vector<ObjectKey> out;
  if (!all_told()) return out;  // then all of them are looked at
  if (and_itself) out.push_back(object.key);
  for (const auto& [key, other] : objects_) {
    if (key == object.key) continue;
    const bool below = needs(*other, object);
    // Those above wait for what needs them to go.
    const bool above = needs(object, *other) && other->deleting;
    const bool beside =
        (key.kind == OperatedKind::kDisk || key.kind == OperatedKind::kSnapshot) &&
        key.namespace_name == object.key.namespace_name && !object.app_name().empty() &&
        other->app_name() == object.app_name() &&
        text_of(other->spec(), "volumeName") == text_of(object.spec(), "volumeName");
    const bool twin = is_declared_by_id(key.kind) && key.kind == object.key.kind &&
                      !object.id.empty() && other->id == object.id;
    if (below || above || beside || twin) out.push_back(key);
  }
  return out;
}

std::vector<ObjectKey> DeclaredObjects::set_locked(DeclaredPtr object) {
  DeclaredPtr& place = objects_[object->key];
  const DeclaredPtr before = std::exchange(place, object);
  if (before && says_the_same(*before, *object)) {
    if (outlook_of(*before) == outlook_of(*object)) return {};
    return touched_by(*object, false);
  }
  std::vector<ObjectKey> out = touched_by(*object, true);
  if (before && before->id != object->id) {
    for (ObjectKey& key : touched_by(*before, false)) out.push_back(std::move(key));
  }
  return out;
}

std::vector<ObjectKey> DeclaredObjects::remove_locked(const ObjectKey& key) {
  const auto at = objects_.find(key);
  if (at == objects_.end()) return {};
  std::vector<ObjectKey> out = touched_by(*at->second, true);
  objects_.erase(at);
  return out;
}

std::vector<ObjectKey> DeclaredObjects::set(DeclaredPtr object) {
  const std::scoped_lock lock(mu_);
  return set_locked(std::move(object));
}

std::vector<ObjectKey> DeclaredObjects::remove(const ObjectKey& key) {
  const std::scoped_lock lock(mu_);
  return remove_locked(key);
}

std::vector<ObjectKey> DeclaredObjects::replace(OperatedKind kind, std::vector<DeclaredPtr> all) {
  const std::scoped_lock lock(mu_);
  std::set<ObjectKey> there;
  for (const DeclaredPtr& one : all) there.insert(one->key);
  std::vector<ObjectKey> gone;
  for (const auto& [key, object] : objects_) {
    if (key.kind == kind && !there.contains(key)) gone.push_back(key);
  }
  std::vector<ObjectKey> out;
  const auto add = [&out](std::vector<ObjectKey> keys) {
    out.insert(out.end(), std::move_iterator(keys.begin()), std::move_iterator(keys.end()));
  };
  for (const ObjectKey& key : gone) add(remove_locked(key));
  for (DeclaredPtr& one : all) add(set_locked(std::move(one)));
  told_[static_cast<std::size_t>(kind)] = true;
  return out;
}

bool DeclaredObjects::all_told() const {
  return std::ranges::all_of(told_, [](bool one) { return one; });
}

bool DeclaredObjects::is_complete() const {
  const std::scoped_lock lock(mu_);
  return all_told();
}

DeclaredPtr DeclaredObjects::find(const ObjectKey& key) const {
  const std::scoped_lock lock(mu_);
  const auto at = objects_.find(key);
  return at == objects_.end() ? nullptr : at->second;
}

std::vector<ObjectKey> DeclaredObjects::all() const {
  const std::scoped_lock lock(mu_);
  std::vector<ObjectKey> out;
  for (const auto& [key, object] : objects_) out.push_back(key);
  return out;
}

DeclaredPtr DeclaredObjects::by_id(OperatedKind kind, std::string_view namespace_name,
                                   std::string_view id) const {
  const std::scoped_lock lock(mu_);
  DeclaredPtr out;
  for (const auto& [key, object] : objects_) {
    if (key.kind == kind && key.namespace_name == namespace_name && object->id == id &&
        (!out || is_older(*object, *out)))
      out = object;
  }
  return out;
}

DeclaredPtr DeclaredObjects::first_of_id(OperatedKind kind, std::string_view id) const {
  const std::scoped_lock lock(mu_);
  DeclaredPtr out;
  for (const auto& [key, object] : objects_) {
    if (key.kind == kind && object->id == id && (!out || is_older(*object, *out))) out = object;
  }
  return out;
}

std::vector<DeclaredPtr> DeclaredObjects::of_volume(OperatedKind kind,
                                                    std::string_view namespace_name,
                                                    std::string_view app,
                                                    std::string_view volume) const {
  const std::scoped_lock lock(mu_);
  std::vector<DeclaredPtr> out;
  for (const auto& [key, object] : objects_) {
    if (key.kind == kind && key.namespace_name == namespace_name && object->app_name() == app &&
        text_of(object->spec(), "volumeName") == volume)
      out.push_back(object);
  }
  return out;
}

std::vector<DeclaredPtr> DeclaredObjects::dependents(const DeclaredObject& object) const {
  const std::scoped_lock lock(mu_);
  std::vector<DeclaredPtr> out;
  for (const auto& [key, other] : objects_) {
    // What only declares others holds nothing by itself.
    const bool declares = key.kind == OperatedKind::kProvider || key.kind == OperatedKind::kApp;
    if (needs(*other, object) && (!declares || other->has_finalizer())) out.push_back(other);
  }
  return out;
}

}  // namespace strake::ops

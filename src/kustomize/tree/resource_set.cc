#include "kustomize/tree/resource_set.h"

#include <algorithm>

// Two indexes, by current id and by any id past or present, built on demand and dropped whenever a
// step may have renamed something (ids_changed). Steps that rename nothing keep them, so looking up
// a patch's target is a hash lookup. Load order is kept: it decides the output and who wins ties.

namespace strake::kustomize {
namespace {

// Data of a generated resource and of the one it is merged into; the new one wins.
void merge_data(Node& into, const Node& old, std::string_view field, NodeArena& arena) {
  const Node* from = old.find(field);
  Node* to = into.find(field);
  Node* merged = arena.map();
  if (!missing_or_null(from)) {
    for (const Entry& entry : from->members()) {
      if (to != nullptr && to->find(entry.key) != nullptr) continue;
      Node* value =
          arena.string(missing_or_null(entry.value) ? std::string_view() : entry.value->text);
      value->origin = entry.value->origin;
      value->line = entry.value->line;
      append_field(*merged, entry.key, value, arena);
    }
  }
  if (to != nullptr) {
    for (const Entry& entry : to->members()) append_field(*merged, entry.key, entry.value, arena);
  }
  NodeArena::remove(into, field);
  if (merged->count > 0) arena.append(into, field, merged);
}

TextMap merged(const TextMap& old, const TextMap& fresh) {
  TextMap out = old;
  for (const auto& [key, text] : fresh) out.insert_or_assign(key, text);
  return out;
}

void take_over(Resource& fresh, const Resource& old, NodeArena& arena) {
  const TextMap labels = merged(text_map(old.labels()), text_map(fresh.labels()));
  const TextMap annotations = merged(text_map(old.annotations()), text_map(fresh.annotations()));
  set_metadata_map(*fresh.root, "labels", labels, arena, old.labels());
  set_metadata_map(*fresh.root, "annotations", annotations, arena, old.annotations());
  fresh.set_name(old.name(), arena);
  fresh.set_namespace_name(old.namespace_name(), arena);
  Node* meta = fresh.root->find("metadata");
  for (const std::string_view field : {"name", "namespace"}) {
    const Node* from = old.metadata() == nullptr ? nullptr : old.metadata()->find(field);
    Node* to = meta->find(field);
    if (from == nullptr || to == nullptr) continue;
    to->origin = from->origin;
    to->line = from->line;
  }
  fresh.needs_hash = fresh.needs_hash && old.needs_hash;
  fresh.previous = old.previous;
  fresh.prefixes = old.prefixes;
  fresh.suffixes = old.suffixes;
  fresh.variables = old.variables;
  fresh.generated = old.generated;
  fresh.transformations = old.transformations;
}

std::string go_dump(const ResourceId& id) {
  return fmt::format(
      "resid.ResId{{Gvk:resid.Gvk{{Group:\"{}\", Version:\"{}\", Kind:\"{}\", "
      "isClusterScoped:{}}}, "
      "Name:\"{}\", Namespace:\"{}\"}}",
      id.gvk.group, id.gvk.version, id.gvk.kind, id.cluster_scoped, id.name, id.namespace_name);
}

}  // namespace

void ResourceSet::index_current() {
  if (current_) return;
  by_current_.clear();
  by_current_.reserve(list_.size());
  for (std::uint32_t i = 0; i < list_.size(); ++i) {
    if (!list_[i]->gone()) by_current_.emplace(list_[i]->id(*scopes_).key(), i);
  }
  current_ = true;
}

void ResourceSet::index_any() {
  if (any_) return;
  by_any_.clear();
  by_any_.reserve(list_.size() * 2);
  for (std::uint32_t i = 0; i < list_.size(); ++i) index_any(i);
  any_ = true;
}

void ResourceSet::index_any(std::uint32_t place) {
  const Resource& resource = *list_[place];
  if (resource.gone()) return;
  std::vector<std::string> keys = {resource.id(*scopes_).key()};
  for (std::size_t p = 0; p < resource.previous.size(); ++p)
    keys.push_back(resource.previous_id(p).key());
  std::ranges::sort(keys);
  const auto repeated = std::ranges::unique(keys);
  keys.erase(repeated.begin(), repeated.end());
  for (std::string& key : keys) by_any_.emplace(std::move(key), place);
}

std::vector<std::uint32_t> ResourceSet::places(const Table& table, const std::string& key) {
  const auto [from, to] = table.equal_range(key);
  std::vector<std::uint32_t> out;
  for (auto at = from; at != to; ++at) out.push_back(at->second);
  std::ranges::sort(out);
  return out;
}

std::vector<Resource*> ResourceSet::found(const Table& table, const std::string& key) const {
  const std::vector<std::uint32_t> places = ResourceSet::places(table, key);
  std::vector<Resource*> out;
  out.reserve(places.size());
  for (const std::uint32_t place : places) out.push_back(list_[place]);
  return out;
}

std::vector<Resource*> ResourceSet::with_any_id(const ResourceId& id) {
  index_any();
  return found(by_any_, id.key());
}

Result<> ResourceSet::append(Resource* resource) {
  index_current();
  const ResourceId id = resource->id(*scopes_);
  std::string key = id.key();
  if (by_current_.contains(key)) {
    return fail(Code::kConflict, "may not add resource with an already registered id: {}",
                id.to_string());
  }
  const auto place = static_cast<std::uint32_t>(list_.size());
  by_current_.emplace(std::move(key), place);
  list_.push_back(resource);
  if (any_) index_any(place);
  return {};
}

Result<> ResourceSet::append_all(const std::vector<Resource*>& resources) {
  for (Resource* resource : resources) STRAKE_CHECK(append(resource));
  return {};
}

Result<> ResourceSet::absorb(Resource* generated, NodeArena& arena) {
  const ResourceId id = generated->id(*scopes_);
  const bool joins =
      generated->behavior == Behavior::kMerge || generated->behavior == Behavior::kReplace;
  index_any();
  const std::vector<std::uint32_t> matches = places(by_any_, id.key());
  if (matches.empty()) {
    if (!joins) return append(generated);
    return fail(Code::kNotFound, "id {} does not exist; cannot merge or replace", go_dump(id));
  }
  if (matches.size() > 1) {
    return fail(Code::kConflict, "found multiple objects that could accept merge of {}",
                id.to_string());
  }
  Resource* old = list_[matches.front()];
  if (!joins) {
    return fail(Code::kAlreadyExists, "id {} exists; behavior must be merge or replace",
                go_dump(id));
  }
  take_over(*generated, *old, arena);
  if (generated->behavior == Behavior::kMerge) {
    merge_data(*generated->root, *old->root, "data", arena);
    merge_data(*generated->root, *old->root, "binaryData", arena);
    if (old->origin != nullptr) generated->origin = old->origin;
  }
  generated->behavior = old->behavior;
  // The ids are those of the old one, so the tables stay true.
  if (generated->kind() != old->kind()) ids_changed();
  list_[matches.front()] = generated;
  return {};
}

void ResourceSet::drop_gone() {
  if (std::erase_if(list_, [](const Resource* resource) { return resource->gone(); }) > 0)
    ids_changed();
}

void ResourceSet::replace_list(std::vector<Resource*> list) {
  list_ = std::move(list);
  ids_changed();
}

}  // namespace strake::kustomize

#include "kustomize/tree/resource.h"

#include "kustomize/tree/node_reader.h"
#include "kustomize/tree/scopes.h"
#include "value/yaml_scalar.h"

namespace strake::kustomize {

const Node* Resource::metadata() const {
  const Node* found = root == nullptr ? nullptr : root->find("metadata");
  return found == nullptr || found->is_empty() ? nullptr : found;
}

const Node* Resource::annotations() const {
  const Node* meta = metadata();
  return meta == nullptr ? nullptr : meta->find("annotations");
}

const Node* Resource::labels() const {
  const Node* meta = metadata();
  return meta == nullptr ? nullptr : meta->find("labels");
}

std::string_view Resource::annotation(std::string_view key) const {
  const Node* map = annotations();
  const Node* found = map == nullptr ? nullptr : map->find(key);
  return found == nullptr ? std::string_view() : found->text;
}

std::string_view Resource::plain(std::string_view field) const {
  const Node* found = root == nullptr ? nullptr : root->find(field);
  return found == nullptr ? std::string_view() : found->text;
}

std::string_view Resource::meta(std::string_view field) const {
  const Node* map = metadata();
  const Node* found = map == nullptr ? nullptr : map->find(field);
  return found == nullptr || found->is_empty() ? std::string_view() : found->text;
}

ResourceId Resource::id(Scopes& scopes) const {
  return {.gvk = gvk(),
          .name = name(),
          .namespace_name = namespace_name(),
          .cluster_scoped = scopes.is_cluster_scoped(api_version(), kind())};
}

ResourceId Resource::previous_id(std::size_t i) const {
  const PreviousId& one = previous[i];
  return {.gvk = Gvk::from_api_version(api_version(), one.kind),
          .name = one.name,
          .namespace_name = one.namespace_name};
}

ResourceId Resource::original_id(Scopes& scopes) const {
  return previous.empty() ? id(scopes) : previous_id(0);
}

void Resource::store_id(Scopes& scopes, NodeArena& arena) {
  const ResourceId current = id(scopes);
  previous.push_back({arena.keep(current.effective_namespace()), arena.keep(current.name),
                      arena.keep(current.gvk.kind)});
}

void Resource::set_name(std::string_view name, NodeArena& arena) {
  set_field(*arena.map_at(*root, "metadata"), "name", arena.scalar(name), arena);
}

void Resource::set_kind(std::string_view kind, NodeArena& arena) {
  set_field(*root, "kind", arena.scalar(kind), arena);
}

void Resource::set_api_version(std::string_view api_version, NodeArena& arena) {
  set_field(*root, "apiVersion", arena.scalar(api_version), arena);
}

void Resource::set_namespace_name(std::string_view namespace_name, NodeArena& arena) {
  if (namespace_name.empty()) {
    if (Node* meta = root->find("metadata")) NodeArena::remove(*meta, "namespace");
    return;
  }
  set_field(*arena.map_at(*root, "metadata"), "namespace", arena.scalar(namespace_name), arena);
}

TextMap text_map(const Node* map) {
  TextMap out;
  if (map == nullptr) return out;
  for (const Entry& entry : map->members())
    out[std::string(entry.key)] = std::string(entry.value->text);
  return out;
}

void set_metadata_map(Node& root, std::string_view field, const TextMap& texts, NodeArena& arena,
                      const Node* more) {
  Node* meta = arena.map_at(root, "metadata");
  if (!meta->is_map()) return;
  // Values that stay keep their nodes, and so where they came from.
  Node* old = meta->find(field);
  NodeArena::remove(*meta, field);
  if (texts.empty()) return;
  Node* map = arena.map();
  for (const auto& [key, text] : texts) {
    Node* value = old == nullptr ? nullptr : old->find(key);
    if (value == nullptr && more != nullptr) value = more->find(key);
    if (value == nullptr || value->text != text) {
      value = arena.string(text);
    } else {
      value = arena.copy(value);
      value->kind = NodeKind::kScalar;
      value->tag = Tag::kString;
      value->tagged = value->folded = false;
    }
    append_field(*map, arena.keep(key), value, arena);
  }
  arena.append(*meta, field, map);
}

void append_field(Node& map, std::string_view key, Node* value, NodeArena& arena) {
  arena.append(map, key, value);
  map.entries[map.count - 1].text_key = reads_as_text(key);
}

// Words such as yes and off are strings in YAML 1.2 and booleans in YAML 1.1. Quotes keep them
// strings for readers of both.
void quote_old_words(Node& value) {
  if (!value.is_scalar() || (value.tag != Tag::kString && value.tag != Tag::kNone) ||
      value.quoted || value.tagged || value.text.empty() || value::is_surely_string(value.text))
    return;
  using value::ScalarKind;
  value.quoted = value::resolve_scalar(value.text, value::YamlSchema::kKubernetes, true).kind !=
                 ScalarKind::kString;
}

void set_field(Node& map, std::string_view key, Node* value, NodeArena& arena) {
  quote_old_words(*value);
  if (value->is_null() && !value->keep_null) {
    NodeArena::remove(map, key);
    return;
  }
  Entry* entry = map.find_entry(key);
  if (entry == nullptr) {
    append_field(map, arena.keep(key), value, arena);
    return;
  }
  Node& old = *entry->value;
  if (&old == value) return;
  value->take_style(old);
  if (value->is_scalar()) value->tagged = old.is_scalar() && old.tagged;
  // The same again changes nothing, not even who set it.
  if (old.is_scalar() && value->is_scalar() && old.text == value->text &&
      (old.tag == value->tag || value->tag == Tag::kNone))
    return;
  old = *value;
}

}  // namespace strake::kustomize

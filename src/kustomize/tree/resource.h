#pragma once
// One object on its way through a build: its tree, and what the build remembers about it.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kustomize/tree/ids.h"
#include "kustomize/tree/node.h"
#include "kustomize/tree/origin.h"
#include "kustomize/tree/text_map.h"

namespace strake::kustomize {

class Scopes;

enum class Behavior : std::uint8_t { kUnspecified, kCreate, kMerge, kReplace };

// An identity that a resource had before it was renamed. Group and version are always the current
// ones.
struct PreviousId {
  std::string_view namespace_name;  // effective
  std::string_view name;
  std::string_view kind;
};

struct Resource {
  Node* root = nullptr;  // null once a patch has removed it
  std::vector<PreviousId> previous;
  std::vector<std::string_view> prefixes;
  std::vector<std::string_view> suffixes;
  std::vector<std::string> variables;  // bound to this resource
  Behavior behavior = Behavior::kUnspecified;
  bool needs_hash = false;
  bool generated = false;
  bool may_rename = false;       // of a patch
  bool may_change_kind = false;  // of a patch
  const BuildOrigin* origin = nullptr;
  std::vector<const BuildOrigin*> transformations;

  bool gone() const { return root == nullptr || root->is_empty(); }
  std::string_view api_version() const { return plain("apiVersion"); }
  std::string_view kind() const { return plain("kind"); }
  std::string_view name() const { return meta("name"); }
  std::string_view namespace_name() const { return meta("namespace"); }
  Gvk gvk() const { return Gvk::from_api_version(api_version(), kind()); }
  const Node* metadata() const;
  const Node* annotations() const;
  const Node* labels() const;
  std::string_view annotation(std::string_view key) const;

  ResourceId id(Scopes& scopes) const;
  ResourceId previous_id(std::size_t i) const;
  ResourceId original_id(Scopes& scopes) const;
  // Remembers the current identity before a change of it.
  void store_id(Scopes& scopes, NodeArena& arena);

  void set_name(std::string_view name, NodeArena& arena);
  void set_kind(std::string_view kind, NodeArena& arena);
  void set_api_version(std::string_view api_version, NodeArena& arena);
  void set_namespace_name(std::string_view namespace_name, NodeArena& arena);  // empty removes it

 private:
  std::string_view plain(std::string_view field) const;
  std::string_view meta(std::string_view field) const;
};

// A member of metadata as a map of texts, and back with strings; an empty one is removed. Texts
// that were there, or are in the other map, keep their origins.
TextMap text_map(const Node* map);
void set_metadata_map(Node& root, std::string_view field, const TextMap& texts, NodeArena& arena,
                      const Node* more = nullptr);

// Appends a member as kustomize v5.5.0 does, which writes new keys without quotes: one that reads
// as a number is none that JSON has. The key must live as long as the arena.
void append_field(Node& map, std::string_view key, Node* value, NodeArena& arena);
// Quotes a plain string that YAML 1.1 takes for something else, as kustomize v5.5.0 does with
// whatever it sets; the quotes stay for what takes its place later.
void quote_old_words(Node& value);
// Sets a member as kustomize's field setter does: a style that was there stays.
void set_field(Node& map, std::string_view key, Node* value, NodeArena& arena);

}  // namespace strake::kustomize

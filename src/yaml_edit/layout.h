#pragma once
// YAML as a person wrote it: a tree that keeps the order of fields, the style of scalars, anchors,
// tags and comments, so that a file can be changed and written again without losing any of them.
// Comments belong to entries, by the rules of kustomize's YAML library: lines right above an
// entry are its head, what stands behind it is its line comment, and lines below it that an empty
// line or an outdent divides from what follows are its foot. Empty lines elsewhere are not kept.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::yaml_edit {

inline constexpr std::size_t kMaxDepth = 500;  // the trees are walked by recursion

enum class LayoutKind : std::uint8_t { kScalar, kMap, kList };

enum class LayoutStyle : std::uint8_t {
  kPlain,  // of collections: block
  kSingleQuoted,
  kDoubleQuoted,
  kLiteral,
  kFolded,
  kFlow,
};

struct LayoutEntry;

struct LayoutNode {
  LayoutKind kind = LayoutKind::kScalar;
  LayoutStyle style = LayoutStyle::kPlain;
  bool alias = false;                // then `text` is the name of the anchor
  std::uint32_t line = 0;            // where it starts, from 1
  std::string text;                  // of a scalar
  std::string tag;                   // "!!str", "!mine"; empty when none was written
  std::string anchor;                // without the &
  std::vector<LayoutEntry> entries;  // of a map or a list

  bool is_map() const { return kind == LayoutKind::kMap; }
  bool is_list() const { return kind == LayoutKind::kList; }
  bool is_scalar() const { return kind == LayoutKind::kScalar; }
  // The value of the first member of that name; null when there is none, or this is no map.
  LayoutNode* find(std::string_view key);
  const LayoutNode* find(std::string_view key) const;
};

struct LayoutEntry {
  LayoutNode key;  // of a map; unused in a list
  LayoutNode value;
  // Lines with their #, divided by line breaks; an empty line is one of the head's.
  std::string head;
  std::string line_comment;
  std::string foot;
};

struct LayoutDocument {
  bool empty = false;  // nothing but comments, all of them in `head`
  LayoutNode root;
  std::string head;
  std::string foot;
};

// The documents of a text, divided at lines that start with ---. Empty ones are left out unless
// they have comments. Fails with kParse in the words of kustomize v5.5.0 ("MalformedYAMLError:
// ..."), kLimit, or kUnsupported for keys that are no scalars.
Result<std::vector<LayoutDocument>> read_layout(std::string_view text);

// The same tree, comments apart.
bool same_layout(const LayoutNode& a, const LayoutNode& b);

// Indented by two, lists at the column of their key.
std::string write_layout(const std::vector<LayoutDocument>& documents);

}  // namespace strake::yaml_edit

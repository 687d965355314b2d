#include "kustomize/file/kustomization_places.h"

#include <algorithm>

#include "meta/names.h"
#include "yaml_edit/layout.h"

namespace strake::kustomize {
namespace {

using yaml_edit::LayoutDocument;
using yaml_edit::LayoutEntry;
using yaml_edit::LayoutNode;
using yaml_edit::LayoutStyle;
using yaml_edit::read_layout;

bool same_name(std::string_view a, std::string_view b) {
  return meta::to_lower_ascii(a) == meta::to_lower_ascii(b);
}

const LayoutEntry* find_entry(const LayoutNode& map, std::string_view name) {
  const auto found = std::ranges::find_if(
      map.entries, [&](const LayoutEntry& entry) { return same_name(entry.key.text, name); });
  return !map.is_map() || found == map.entries.end() ? nullptr : &*found;
}

// The kind that Go's JSON gives to it.
std::string_view json_kind(const LayoutNode& node) {
  if (node.is_list()) return "array";
  if (node.is_map()) return "object";
  if (node.style != LayoutStyle::kPlain) return "string";
  const bool number =
      !node.text.empty() && node.text.find_first_not_of("0123456789.-+eE") == std::string::npos;
  if (number) return "number";
  constexpr std::string_view kWords[] = {"true", "false", "yes", "no", "on", "off", "y", "n"};
  const std::string word = meta::to_lower_ascii(node.text);
  return std::ranges::find(kWords, word) != std::end(kWords) ? "bool" : "string";
}

std::uint32_t find_key(const LayoutNode& node, std::string_view name) {
  for (const LayoutEntry& entry : node.entries) {
    if (node.is_map() && entry.key.text == name) return entry.key.line;
    if (const std::uint32_t below = find_key(entry.value, name)) return below;
  }
  return 0;
}

// The node at a path, whichever items of lists it goes through, that is of the kind; a map at the
// end may be one of texts, and the text be it.
std::uint32_t find_at(const LayoutNode& node, std::string_view path, std::string_view kind) {
  if (path.empty()) {
    if (json_kind(node) == kind) return node.line;
    for (const LayoutEntry& entry : node.entries) {
      if (json_kind(entry.value) == kind) return entry.value.line;
    }
    return 0;
  }
  if (node.is_list()) {
    for (const LayoutEntry& entry : node.entries) {
      if (const std::uint32_t found = find_at(entry.value, path, kind)) return found;
    }
    return 0;
  }
  const std::size_t dot = std::min(path.find('.'), path.size());
  const LayoutEntry* entry = find_entry(node, path.substr(0, dot));
  return entry == nullptr
             ? 0
             : find_at(entry->value, path.substr(std::min(dot + 1, path.size())), kind);
}

// What stands between two texts, or nothing.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t from = text.find(before);
  if (from == std::string_view::npos) return {};
  text.remove_prefix(from + before.size());
  return text.substr(0, text.find(after));
}

}  // namespace

std::uint32_t line_of_field(std::string_view text, std::string_view field, std::string_view entry) {
  const auto read = read_layout(text);
  if (!read || read->empty()) return 0;
  const LayoutEntry* found = find_entry(read->front().root, field);
  if (found == nullptr) return 0;
  for (const LayoutEntry& item : found->value.entries) {
    if (entry.empty()) break;
    if (item.value.text == entry) return item.value.line;
    for (const LayoutEntry& member : item.value.entries) {
      if (member.value.is_scalar() && member.value.text == entry) return item.value.line;
    }
  }
  return found->key.line;
}

std::uint32_t line_of_decode_error(std::string_view text, std::string_view message) {
  const auto read = read_layout(text);
  if (!read || read->empty()) return 0;
  const LayoutNode& root = read->front().root;
  if (const std::string_view name = between(message, "unknown field \"", "\""); !name.empty())
    return find_key(root, name);
  const std::string_view kind = between(message, "cannot unmarshal ", " ");
  std::string_view path = between(message, "Go struct field ", " ");
  path.remove_prefix(std::min(path.find('.') + 1, path.size()));  // the name of the type
  return kind.empty() || path.empty() ? 0 : find_at(root, path, kind);
}

struct InlineTexts::Read {
  std::vector<LayoutDocument> documents;
};

InlineTexts::InlineTexts(std::string kustomization) : text_(std::move(kustomization)) {}
InlineTexts::~InlineTexts() = default;

std::uint32_t InlineTexts::line_of(std::string_view field, std::size_t index,
                                   std::uint32_t line) const {
  if (read_ == nullptr) {
    auto documents = read_layout(text_);
    read_ = std::make_unique<const Read>(
        Read{documents ? *std::move(documents) : std::vector<LayoutDocument>()});
  }
  if (read_->documents.empty()) return 0;
  const LayoutEntry* list = find_entry(read_->documents.front().root, field);
  if (list == nullptr || index >= list->value.entries.size()) return 0;
  const LayoutNode* text = &list->value.entries[index].value;
  if (const LayoutEntry* member = text->is_map() ? find_entry(*text, "patch") : nullptr)
    text = &member->value;
  if (!text->is_scalar() || text->alias) return 0;
  if (text->style == LayoutStyle::kLiteral) return text->line + line;
  return text->line;
}

}  // namespace strake::kustomize

#include "kustomize/file/kustomization_places.h"

#include <algorithm>
#include <optional>

#include "value/go_type.h"

namespace strake::kustomize {
namespace {

using value::Value;

// The member of that name, in whatever case; the first in the text when there are several.
std::optional<std::size_t> find_member(const Value& map, std::string_view name) {
  std::optional<std::size_t> found;
  if (!map.is_object() || !map.has_positions()) return found;
  for (std::size_t i = 0; i < map.size(); ++i) {
    if (!value::go_json_key_matches(map.members()[i].key, name)) continue;
    if (!found || map.key_position(i).offset < map.key_position(*found).offset) found = i;
  }
  return found;
}

// Members are sorted by their names, so what stands first in the text is the nearest of all that
// fit.
class FirstLine {
 public:
  void add(const Position& at) {
    if (line_ == 0 || at.line < line_) line_ = at.line;
  }
  std::uint32_t get() const { return line_; }

 private:
  std::uint32_t line_ = 0;
};

const Value& part(const Value& v, std::size_t i) {
  return v.is_object() ? v.members()[i].value : v.items()[i];
}

const Position& part_position(const Value& v, std::size_t i) {
  return v.is_object() ? v.value_position(i) : v.item_position(i);
}

// Of a map or list that has places for its parts.
std::size_t part_count(const Value& v) {
  return (v.is_object() || v.is_array()) && v.has_positions() ? v.size() : 0;
}

void find_key(const Value& v, std::string_view name, FirstLine& out) {
  for (std::size_t i = 0; i < part_count(v); ++i) {
    if (v.is_object() && v.members()[i].key == name) out.add(v.key_position(i));
    find_key(part(v, i), name, out);
  }
}

// What is at a path, whichever items of lists it goes through, and of the kind; a map at the end
// may be one of texts, and the text be it.
void find_at(const Value& v, const Position& at, std::string_view path, std::string_view kind,
             FirstLine& out) {
  if (path.empty()) {
    if (value::go_json_kind(v) == kind) return out.add(at);
    for (std::size_t i = 0; i < part_count(v); ++i) {
      if (value::go_json_kind(part(v, i)) == kind) out.add(part_position(v, i));
    }
    return;
  }
  if (v.is_array()) {
    for (std::size_t i = 0; i < part_count(v); ++i)
      find_at(v.items()[i], v.item_position(i), path, kind, out);
    return;
  }
  const std::size_t dot = std::min(path.find('.'), path.size());
  if (const auto i = find_member(v, path.substr(0, dot)))
    find_at(v.members()[*i].value, v.value_position(*i),
            path.substr(std::min(dot + 1, path.size())), kind, out);
}

// What stands between two texts, or nothing.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t from = text.find(before);
  if (from == std::string_view::npos) return {};
  text.remove_prefix(from + before.size());
  return text.substr(0, text.find(after));
}

bool is_text(const Value& v, std::string_view text) {
  return v.is_string() && v.as_string() == text;
}

}  // namespace

std::uint32_t line_of_decode_error(const Value& root, std::string_view message) {
  FirstLine out;
  if (const std::string_view name = between(message, "unknown field \"", "\""); !name.empty()) {
    find_key(root, name, out);
    return out.get();
  }
  const std::string_view kind = between(message, "cannot unmarshal ", " ");
  std::string_view path = between(message, "Go struct field ", " ");
  path.remove_prefix(std::min(path.find('.') + 1, path.size()));  // the name of the type
  if (kind.empty() || path.empty()) return 0;
  find_at(root, {}, path, kind, out);
  return out.get();
}

std::uint32_t KustomizationPlaces::line_of_field(std::string_view field,
                                                 std::string_view entry) const {
  const auto found = find_member(root(), field);
  if (!found) return 0;
  const Value& list = root().members()[*found].value;
  for (std::size_t i = 0; !entry.empty() && i < part_count(list); ++i) {
    const Value& item = part(list, i);
    if (is_text(item, entry)) return part_position(list, i).line;
    for (std::size_t j = 0; j < part_count(item); ++j) {
      if (is_text(part(item, j), entry)) return part_position(list, i).line;
    }
  }
  return root().key_position(*found).line;
}

// An alias is placed where it is used, and what it names stands elsewhere.
bool KustomizationPlaces::is_alias(const Position& at) const {
  return at.offset < text_.size() && text_[at.offset] == '*';
}

// Whether a text in the style of | stands there, behind an anchor or a tag if it has one.
bool KustomizationPlaces::is_literal(const Position& at) const {
  std::string_view rest = text_;
  rest.remove_prefix(std::min<std::size_t>(at.offset, rest.size()));
  while (rest.starts_with('&') || rest.starts_with('!')) {
    rest.remove_prefix(std::min(rest.find_first_of(" \t\r\n"), rest.size()));
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  }
  return rest.starts_with('|');
}

std::uint32_t KustomizationPlaces::line_of_text(std::string_view field, std::size_t index,
                                                std::uint32_t line) const {
  const auto found = find_member(root(), field);
  if (!found) return 0;
  const Value& list = root().members()[*found].value;
  if (index >= part_count(list)) return 0;
  const Value* text = &part(list, index);
  Position at = part_position(list, index);
  if (const auto patch = find_member(*text, "patch"); patch && !is_alias(at)) {
    at = text->value_position(*patch);
    text = &text->members()[*patch].value;
  }
  if (text->is_object() || text->is_array() || is_alias(at)) return 0;
  return is_literal(at) ? at.line + line : at.line;
}

}  // namespace strake::kustomize

#include "validate/locate.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "meta/object_meta.h"
#include "value/fields.h"
#include "value/json_reader.h"

// From the server's words to places. A message names a field as text (spec.a[0].b), which cannot be
// parsed without the object: keys may hold dots and brackets. So the text is matched against the
// object that it is about.

namespace strake::validate {
namespace {

using value::Member;
using value::Value;

// X of the words `Invalid value: "X": ...`.
std::optional<std::string> shown_text(std::string_view message) {
  constexpr std::string_view kFront = "Invalid value: ";
  if (!message.starts_with(kFront)) return std::nullopt;
  message.remove_prefix(kFront.size());
  if (!message.starts_with('"')) return std::nullopt;
  std::size_t end = 1;
  while (end < message.size() && message[end] != '"') end += message[end] == '\\' ? 2 : 1;
  const auto read = value::read_json(message.substr(0, end + 1));
  if (!read || !read->root().is_string()) return std::nullopt;
  return std::string(read->root().as_string());
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

// Reads [12] off the front.
std::optional<std::size_t> take_index(std::string_view& text) {
  std::size_t index = 0;
  if (!text.starts_with('[')) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
  if (error != std::errc() || end == text.data() + text.size() || *end != ']') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return index;
}

// A text is read in one way almost always; what makes it ambiguous are keys with dots. Tries are
// bounded all the same.
class PathFinder {
 public:
  explicit PathFinder(std::string_view text) : text_(text) {}

  // The rest of the text, read as a way down from this value.
  bool walk(const Value& v, std::string_view rest) {
    if (text_.size() - rest.size() > furthest_) {
      furthest_ = text_.size() - rest.size();
      nearest_ = path_;
    }
    if (rest.empty()) return true;
    if (++tries_ > kMostTries || path_.steps().size() > kDeepest) return false;
    if (v.is_array()) {
      const auto index = take_index(rest);
      if (!index || *index >= v.size()) return false;
      path_.push_index(*index);
      if (walk(v.items()[*index], rest)) return true;
      path_.pop();
      return false;
    }
    if (!v.is_object()) return false;
    if (rest.starts_with('[')) return walk_keys(v, rest.substr(1), true);
    if (rest.starts_with('.') && rest.size() != text_.size()) rest.remove_prefix(1);
    return walk_keys(v, rest, false);
  }

  FieldPath& path() { return path_; }
  FieldPath& nearest() { return nearest_; }

 private:
  static constexpr std::size_t kMostTries = 1000;
  static constexpr std::size_t kDeepest = 1000;

  // A key may hold dots and brackets of its own, so every place where it could end is tried, the
  // nearest first. Members are sorted: each try is a search, not a look at all of them.
  bool walk_keys(const Value& v, std::string_view rest, bool in_brackets) {
    const std::string_view ends = in_brackets ? "]" : ".[";
    for (std::size_t end = 0; end <= rest.size(); ++end) {
      end = std::min(rest.find_first_of(ends, end), rest.size());
      if (in_brackets && end == rest.size()) return false;
      const std::string_view key = rest.substr(0, end);
      const Value* found = v.find(key);
      if (found == nullptr) {
        if (++tries_ > kMostTries) return false;
        continue;
      }
      if (in_brackets) {
        path_.push_key(key);
      } else {
        path_.push_field(key);
      }
      if (walk(*found, rest.substr(in_brackets ? end + 1 : end))) return true;
      path_.pop();
    }
    return false;
  }

  std::string_view text_;
  FieldPath path_;
  FieldPath nearest_;
  std::size_t furthest_ = 0;
  std::size_t tries_ = 0;
};

}  // namespace

std::optional<FieldPath> find_path(const Value& object, std::string_view text) {
  PathFinder finder(text);
  if (!finder.walk(object, text)) return std::nullopt;
  return std::move(finder.path());
}

FieldPath find_nearest_path(const Value& object, std::string_view text) {
  PathFinder finder(text);
  if (finder.walk(object, text)) return std::move(finder.path());
  return std::move(finder.nearest());
}

const schema::Node* schema_at(const schema::Node& root, const FieldPath& path) {
  const schema::Node* here = &root;
  for (const FieldPath::Step& step : path.steps()) {
    here = step.kind == FieldPath::Kind::kIndex ? here->items.get() : here->member(step.name);
    if (here == nullptr) return nullptr;
  }
  return here;
}

bool is_known(const schema::Node* root, const FieldPath& path) {
  const auto& steps = path.steps();
  if (steps.empty() || (steps.size() == 1 && schema::is_type_meta(steps[0].name))) return true;
  if (steps[0].name == "metadata" && steps.size() == 2) {
    return std::ranges::any_of(meta::kObjectMetaShape.fields, [&](const meta::ShapeField& field) {
      return field.name == steps[1].name;
    });
  }
  return steps[0].name == "metadata" || (root != nullptr && schema_at(*root, path) != nullptr);
}

MeantPlace meant_by(const Fault& fault, const Value& object) {
  MeantPlace out{fault.path, fault.at_key};
  if (fault.path.empty()) return out;
  const std::string_view last = fault.path.steps().back().name;
  if (last != "labels" && last != "annotations") return out;
  const auto shown = shown_text(fault.message);
  if (!shown || fault.at_key) return out;
  const Value* map = &object;
  for (const FieldPath::Step& step : fault.path.steps()) {
    map = step.kind != FieldPath::Kind::kIndex          ? map->find(step.name)
          : map->is_array() && step.index < map->size() ? &map->items()[step.index]
                                                        : nullptr;
    if (map == nullptr) return out;
  }
  if (!map->is_object()) return out;
  const bool of_value = fault.message.find("a valid label must be") != std::string::npos;
  const bool exact = map->find(*shown) != nullptr;
  std::optional<std::string_view> key;
  if (exact) key = *shown;
  std::optional<std::string_view> of_text;
  // Each fault would look at all members: of a map that no person wrote, only keys are told.
  constexpr std::size_t kMostMembers = 1000;
  if (map->size() <= kMostMembers && (of_value || !exact)) {
    for (const Member& m : map->members()) {
      // The server shows some keys in lower case.
      if (!key && lowered(m.key) == *shown) key = m.key;
      if (!of_text && m.value.is_string() && m.value.as_string() == *shown) of_text = m.key;
    }
  }
  if (!key && !of_text) return out;
  out.at_key = key && !(of_value && of_text);
  out.path.push_key(out.at_key ? *key : *of_text);
  return out;
}

FieldPath join(const FieldPath& front, const FieldPath& inside) {
  FieldPath out = front;
  for (const FieldPath::Step& step : inside.steps()) {
    switch (step.kind) {
      case FieldPath::Kind::kField: out.push_field(step.name); break;
      case FieldPath::Kind::kKey: out.push_key(step.name); break;
      case FieldPath::Kind::kIndex: out.push_index(step.index); break;
    }
  }
  return out;
}

}  // namespace strake::validate

#include "validate/hints.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "base/edit_distance.h"
#include "meta/object_meta.h"
#include "validate/classify.h"
#include "validate/locate.h"
#include "validate/phrases.h"
#include "validate/schema_path.h"
#include "value/json_reader.h"

namespace strake::validate {
namespace {

using schema::Node;
using value::FieldError;
using value::Value;

const Value* value_at(const Value& root, const FieldPath& path) {
  const Value* here = &root;
  for (const FieldPath::Step& step : path.steps()) {
    if (step.kind == FieldPath::Kind::kIndex) {
      if (!here->is_array() || step.index >= here->size()) return nullptr;
      here = &here->items()[step.index];
    } else {
      here = here->find(step.name);
    }
    if (here == nullptr) return nullptr;
  }
  return here;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const auto near = closest(word, candidates);
  return near && *near != word ? say(Phrase::kDidYouMean, *near) : std::string();
}

// The metadata of the object, or of a resource inside of it.
bool is_object_meta(const FieldPath& path, const Node* schema) {
  if (path.empty() || path.steps().back().name != "metadata") return false;
  if (path.steps().size() == 1) return true;
  FieldPath around = path;
  around.pop();
  const Node* node = schema != nullptr ? schema_at(*schema, around) : nullptr;
  return node != nullptr && node->embedded_resource;
}

// Fields that may stand in the object and do not do so yet.
std::vector<std::string_view> absent_fields(const Value* parent, const FieldPath& path,
                                            const Node* schema) {
  std::vector<std::string_view> names;
  const auto offer = [&](std::string_view name) {
    if (parent == nullptr || parent->find(name) == nullptr) names.push_back(name);
  };
  if (is_object_meta(path, schema)) {
    for (const meta::ShapeField& field : meta::kObjectMetaShape.fields) offer(field.name);
  } else if (const Node* node = schema != nullptr ? schema_at(*schema, path) : nullptr) {
    for (const schema::Property& property : node->properties) offer(property.name);
  }
  return names;
}

void add_first_item(Fault& fault, const FieldError& error, const Node& schema) {
  if (!error.first || error.path.empty()) return;
  FieldPath list_path = error.path;
  list_path.pop();
  fault.hint = say(Phrase::kFirstAt, (list_path / *error.first).to_pointer());
  fault.params.push_back({"firstIndex", fmt::format("{}", *error.first)});
  fault.params.push_back({"index", fmt::format("{}", error.path.steps().back().index)});
  const Node* node = schema_at(schema, list_path);
  // The message shows the keys of such an element.
  if (node != nullptr && node->list_type == schema::ListType::kMap && error.shown)
    fault.params.push_back({"keys", *error.shown});
}

// The text that an enumeration lacks, as the fault tells it.
std::optional<std::string> text_met(const Fault& fault) {
  for (const Param& param : fault.params) {
    if (param.name != "got") continue;
    const auto read = value::read_json(param.json);
    if (read && read->root().is_string()) return std::string(read->root().as_string());
  }
  return std::nullopt;
}

}  // namespace

Fault unknown_field(std::string_view text, const Value& as_sent, const Node* schema,
                    Severity severity) {
  Fault fault{.issue = Issue::kUnknownKey, .severity = severity, .at_key = true};
  fault.message = say(Phrase::kUnknownField, text);
  // Only a member of the root without a name has no path to be printed.
  fault.path = text.empty() ? FieldPath() / "" : find_nearest_path(as_sent, text);
  if (fault.path.empty()) return fault;
  const std::string key = fault.path.steps().back().name;
  FieldPath parent = fault.path;
  parent.pop();
  fault.hint = did_you_mean(key, absent_fields(value_at(as_sent, parent), parent, schema));
  fault.params.push_back({"key", json_text(key)});
  if (schema != nullptr) add_schema_path(fault, *schema);
  return fault;
}

void add_hint(Fault& fault, const FieldError& error, const Node& schema) {
  add_schema_path(fault, schema);
  if (fault.issue == Issue::kDuplicateItem) return add_first_item(fault, error, schema);
  if (fault.issue != Issue::kInvalidEnum) return;
  const auto met = text_met(fault);
  const Node* node = schema_at(schema, error.path);
  if (!met || node == nullptr || !node->enumeration) return;
  std::vector<std::string_view> words;
  for (const Value& allowed : node->enumeration->root().items()) {
    if (allowed.is_string()) words.push_back(allowed.as_string());
  }
  fault.hint = did_you_mean(*met, words);
}

}  // namespace strake::validate

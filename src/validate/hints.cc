#include "validate/hints.h"

#include <fmt/format.h>

#include <vector>

#include "base/edit_distance.h"
#include "meta/object_meta.h"
#include "schema/list_key.h"
#include "validate/classify.h"
#include "validate/locate.h"
#include "validate/schema_path.h"
#include "value/json_writer.h"

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
  return near && *near != word ? fmt::format("did you mean \"{}\"?", *near) : std::string();
}

// Fields that may stand in the object and do not do so yet.
std::vector<std::string_view> absent_fields(const Value* parent, const FieldPath& path,
                                            const Node* schema) {
  std::vector<std::string_view> names;
  const auto offer = [&](std::string_view name) {
    if (parent == nullptr || parent->find(name) == nullptr) names.push_back(name);
  };
  if (path.steps().size() == 1 && path.steps().front().name == "metadata") {
    for (const meta::ShapeField& field : meta::kObjectMetaShape.fields) offer(field.name);
  } else if (const Node* node = schema != nullptr ? schema_at(*schema, path) : nullptr) {
    for (const schema::Property& property : node->properties) offer(property.name);
  }
  return names;
}

std::size_t first_equal(const Value& list, std::size_t index, const Node& schema,
                        std::string_view shown) {
  const Value& item = list.items()[index];
  if (schema.list_type == schema::ListType::kMap) {
    const Value* first = schema::find_by_keys(list, item, schema.map_keys);
    return first != nullptr ? static_cast<std::size_t>(first - list.items().data()) : index;
  }
  std::size_t i = 0;
  while (i < index &&
         (list.items()[i].type() != item.type() || value::render_value(list.items()[i]) != shown))
    ++i;
  return i;
}

void add_first_item(Fault& fault, const FieldError& error, const Value& settled,
                    const Node& schema) {
  if (error.path.empty() || error.path.steps().back().kind != FieldPath::Kind::kIndex) return;
  const std::size_t index = error.path.steps().back().index;
  FieldPath list_path = error.path;
  list_path.pop();
  const Value* list = value_at(settled, list_path);
  const Node* node = schema_at(schema, list_path);
  if (list == nullptr || !list->is_array() || index >= list->size() || node == nullptr) return;
  const std::size_t first = first_equal(*list, index, *node, error.shown.value_or(""));
  if (first >= index) return;
  fault.hint = fmt::format("first at {}", (list_path / first).to_pointer());
  fault.params.push_back({"firstIndex", fmt::format("{}", first)});
  fault.params.push_back({"index", fmt::format("{}", index)});
  if (node->list_type != schema::ListType::kMap) return;
  Arena arena;
  Value keys = Value::object({});
  for (const std::string& name : node->map_keys) {
    if (const Value* key = list->items()[index].find(name)) keys.set(name, *key, arena);
  }
  fault.params.push_back({"keys", value::to_json(keys)});
}

}  // namespace

Fault unknown_field(std::string_view text, const Value& as_sent, const Node* schema,
                    Severity severity) {
  Fault fault{.issue = Issue::kUnknownKey, .severity = severity, .at_key = true};
  fault.message = fmt::format("unknown field \"{}\"", text);
  fault.path = find_nearest_path(as_sent, text);
  if (fault.path.empty()) return fault;
  const std::string key = fault.path.steps().back().name;
  FieldPath parent = fault.path;
  parent.pop();
  fault.hint = did_you_mean(key, absent_fields(value_at(as_sent, parent), parent, schema));
  fault.params.push_back({"key", json_text(key)});
  if (schema != nullptr) add_schema_path(fault, *schema);
  return fault;
}

void add_hint(Fault& fault, const FieldError& error, const Value& settled, const Node& schema) {
  add_schema_path(fault, schema);
  if (fault.issue == Issue::kDuplicateItem) return add_first_item(fault, error, settled, schema);
  if (fault.issue != Issue::kInvalidEnum) return;
  const Value* met = value_at(settled, error.path);
  const Node* node = schema_at(schema, error.path);
  if (met == nullptr || !met->is_string() || node == nullptr || !node->enumeration) return;
  std::vector<std::string_view> words;
  for (const Value& allowed : node->enumeration->root().items()) {
    if (allowed.is_string()) words.push_back(allowed.as_string());
  }
  fault.hint = did_you_mean(met->as_string(), words);
}

FieldPath path_in_message(const FieldError& error, const Value& as_sent) {
  std::string_view text = error.detail;
  if (text.starts_with('"')) {  // "spec.a" must validate ...
    text.remove_prefix(1);
    return find_nearest_path(as_sent, text.substr(0, text.find("\" must ")));
  }
  // Checked value must be of type integer with format int32 in spec.a
  constexpr std::string_view kIn = " in ";
  const std::size_t in = text.rfind(kIn);
  if (in == std::string_view::npos || text.find("value must be of type ") == std::string_view::npos)
    return {};
  return find_nearest_path(as_sent, text.substr(in + kIn.size()));
}

}  // namespace strake::validate

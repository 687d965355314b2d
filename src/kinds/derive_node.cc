#include <algorithm>
#include <map>
#include <vector>

#include "kinds/derive.h"
#include "schema/node.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using schema::Additional;
using schema::JsonType;
using schema::Node;
using schema::NodePtr;

// The schema of a JSON schema holds itself. Nodes cannot, so it is laid out this deep, and anything
// may stand below. Each level is made once, so that the depth costs little.
constexpr int kDeepest = 24;

NodePtr finish(Node& node) {
  node.has_lists_below =
      node.list_type == schema::ListType::kSet || node.list_type == schema::ListType::kMap;
  const auto add = [&node](const NodePtr& below) {
    if (below) node.has_lists_below |= below->has_lists_below;
  };
  for (const schema::Property& property : node.properties) add(property.node);
  add(node.items);
  add(node.additional_schema);
  return std::make_shared<const Node>(std::move(node));
}

NodePtr scalar(JsonType type) {
  Node node;
  node.type = type;
  return finish(node);
}

// Texts with a default: an item of a list whose key leaves one out goes by the default, as ports
// without a protocol do.
bool has_default_text(const Field& field) {
  return field.default_json.size() > 2 && field.default_json.starts_with('"');
}

NodePtr text_with_default(const Field& field) {
  Node node;
  node.type = JsonType::kString;
  node.default_value = std::make_unique<value::Document>(*value::read_json(field.default_json));
  return finish(node);
}

NodePtr int_or_string() {
  Node node;
  node.int_or_string = true;
  return finish(node);
}

// Anything at all, owned as a whole.
NodePtr anything() {
  Node node;
  node.preserve_unknown = true;
  node.map_type = schema::MapType::kAtomic;
  node.list_type = schema::ListType::kAtomic;
  return finish(node);
}

class NodeMaker {
 public:
  NodePtr named(const Type& type, int depth) {
    switch (type.form) {
      case Type::Form::kString: return scalar(JsonType::kString);
      case Type::Form::kList: return list(*type.element, depth, nullptr);
      case Type::Form::kMap: return map(*type.element, depth, nullptr);
      case Type::Form::kAny: return anything();
      default: break;
    }
    if (std::find(active_.begin(), active_.end(), &type) != active_.end()) ++depth;
    if (depth > kDeepest) return anything();
    const auto key = std::pair(&type, depth);
    if (const auto at = made_.find(key); at != made_.end()) return at->second;
    active_.push_back(&type);
    NodePtr node = object(type, depth);
    active_.pop_back();
    made_.emplace(key, node);
    return node;
  }

 private:
  NodePtr object(const Type& type, int depth) {
    Node node;
    node.type = JsonType::kObject;
    if (type.atomic) node.map_type = schema::MapType::kAtomic;
    if (type.is_object()) {
      node.properties.push_back({"apiVersion", scalar(JsonType::kString)});
      node.properties.push_back({"kind", scalar(JsonType::kString)});
      node.properties.push_back({"metadata", scalar(JsonType::kObject)});
    }
    for (const Field& field : type.fields) {
      node.properties.push_back({std::string(field.name), has_default_text(field)
                                                              ? text_with_default(field)
                                                              : used(*field.use, depth, &field)});
    }
    std::sort(node.properties.begin(), node.properties.end(),
              [](const schema::Property& a, const schema::Property& b) { return a.name < b.name; });
    return finish(node);
  }

  NodePtr list(const TypeUse& element, int depth, const Field* field) {
    Node node;
    node.type = JsonType::kArray;
    node.items = used(element, depth, nullptr);
    if (field != nullptr) {
      switch (field->list_type) {
        case Field::ListType::kUnset: break;
        case Field::ListType::kAtomic: node.list_type = schema::ListType::kAtomic; break;
        case Field::ListType::kSet: node.list_type = schema::ListType::kSet; break;
        case Field::ListType::kMap:
          node.list_type = schema::ListType::kMap;
          for (std::string_view rest = field->map_key; !rest.empty();)
            node.map_keys.emplace_back(next_key(rest));
          break;
      }
    }
    return finish(node);
  }

  NodePtr map(const TypeUse& element, int depth, const Field* field) {
    Node node;
    node.type = JsonType::kObject;
    if (field != nullptr && field->list_type == Field::ListType::kAtomic)
      node.map_type = schema::MapType::kAtomic;
    node.additional = Additional::kSchema;
    node.additional_schema = used(element, depth, nullptr);
    return finish(node);
  }

  NodePtr used(const TypeUse& use, int depth, const Field* field) {
    switch (use.form) {
      case TypeUse::Form::kBool: return scalar(JsonType::kBoolean);
      case TypeUse::Form::kInt32:
      case TypeUse::Form::kInt64: return scalar(JsonType::kInteger);
      case TypeUse::Form::kFloat: return scalar(JsonType::kNumber);
      case TypeUse::Form::kNamed:
        if (use.type->form == Type::Form::kList) return list(*use.type->element, depth, field);
        if (use.type->form == Type::Form::kMap) return map(*use.type->element, depth, field);
        return named(*use.type, depth);
      case TypeUse::Form::kList: return list(*use.element, depth, field);
      case TypeUse::Form::kMap: return map(*use.element, depth, field);
      case TypeUse::Form::kIntOrString:
      case TypeUse::Form::kQuantity: return int_or_string();
      case TypeUse::Form::kObjectMeta: return scalar(JsonType::kObject);
      default: return scalar(JsonType::kString);
    }
  }

  std::vector<const Type*> active_;
  std::map<std::pair<const Type*, int>, NodePtr> made_;
};

}  // namespace

NodePtr node_of(const Type& type) { return NodeMaker().named(type, 0); }

}  // namespace strake::kinds

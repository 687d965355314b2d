#include "rules/shapes.h"

#include <algorithm>
#include <array>

// From a schema to the types that CEL sees, with the bounds that the cost estimate needs. The
// bounds are those of kube-apiserver 1.36: a declared maximum, else as many as fit into the largest
// request when each element is as small as its schema allows (min_json, the bytes of its shortest
// JSON). Changing a bound changes which CRDs are accepted.
//
// Property names that are no identifiers are escaped (__dot__, __dash__, ...); those that cannot be
// are invisible to expressions. A node without a type has no shape, and neither has anything that
// needs it.

namespace strake::rules {
namespace {

using cel::DocumentField;
using cel::DocumentShape;
using schema::JsonType;
using schema::Node;

constexpr std::uint64_t kMaxText = kMaxRequestBytes - 2;  // less the quotes
constexpr std::array<std::string_view, 21> kReserved = {
    "true",     "false",   "null",      "in",       "as",  "break",  "const",
    "continue", "else",    "for",       "function", "if",  "import", "let",
    "loop",     "package", "namespace", "return",   "var", "void",   "while"};

bool is_reserved(std::string_view name) {
  if (name.size() > 9) return false;
  return std::ranges::find(kReserved, name) != kReserved.end();
}

// Whether expressions spell the name as it is, but for keywords.
bool is_plain_name(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  char before = 0;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && (c != '_' || before == '_')) return false;
    before = c;
  }
  return true;
}

std::uint64_t not_negative(std::int64_t n) { return n < 0 ? 0 : static_cast<std::uint64_t>(n); }

std::optional<std::uint64_t> max_length(const Node& node) {
  if (!node.text || !node.text->max_length) return std::nullopt;
  return not_negative(*node.text->max_length);
}

// The API server counts four bytes for each character that is allowed.
std::uint64_t max_text(const Node& node) {
  if (const auto limit = max_length(node)) return *limit * 4;
  if (node.int_or_string || node.enumeration == nullptr || node.enumeration->root().size() == 0) {
    return kMaxText;
  }
  std::uint64_t longest = 0;
  for (const value::Value& v : node.enumeration->root().items()) {
    if (v.is_string()) longest = std::max<std::uint64_t>(longest, v.size());
  }
  return longest;
}

bool is_text(const Node* node) { return node != nullptr && node->type == JsonType::kString; }

// Whether the schema itself says all that a resource always has.
bool declares_metadata(const Node& node) {
  const Node* metadata = node.property("metadata");
  return is_text(node.property("kind")) && is_text(node.property("apiVersion")) &&
         metadata != nullptr && metadata->type == JsonType::kObject &&
         is_text(metadata->property("name")) && is_text(metadata->property("generateName"));
}

bool is_required(const Node& node, std::string_view name) {
  return std::ranges::find(node.required, name) != node.required.end();
}

DocumentShape::ListKind list_kind(const Node& node) {
  switch (node.list_type) {
    case schema::ListType::kSet: return DocumentShape::ListKind::kSet;
    case schema::ListType::kMap: return DocumentShape::ListKind::kMap;
    default: return DocumentShape::ListKind::kAtomic;
  }
}

}  // namespace

std::optional<std::string> escape_name(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return std::nullopt;
  if (is_reserved(name)) {
    return "__" + std::string(name) + "__";
  }
  if (is_plain_name(name)) return std::string(name);
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '_' && i + 1 < name.size() && name[i + 1] == '_') {
      out += "__underscores__";
      ++i;
    } else if (c == '.') {
      out += "__dot__";
    } else if (c == '-') {
      out += "__dash__";
    } else if (c == '/') {
      out += "__slash__";
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_') {
      out += c;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

const SchemaShape* Shapes::find(const Node& node, bool resource_root) {
  const auto [at, fresh] = known_.try_emplace({&node, resource_root}, nullptr);
  if (!fresh) return at->second;
  const SchemaShape* made = make(node, resource_root);
  known_[{&node, resource_root}] = made;
  return made;
}

const SchemaShape* Shapes::scalar(DocumentShape::Kind kind, const cel::Type* type,
                                  std::uint64_t max_size, std::uint64_t min_json) {
  SchemaShape& out = shapes_.emplace_back();
  out.kind = kind;
  out.type = type;
  out.max_size = max_size;
  out.min_json = min_json;
  return &out;
}

const SchemaShape* Shapes::plain_text() {
  return scalar(DocumentShape::Kind::kString, &cel::types::string, kMaxText, 2);
}

const SchemaShape* Shapes::make(const Node& node, bool resource_root) {
  if (node.int_or_string) {
    return scalar(DocumentShape::Kind::kDyn, &cel::types::dyn, max_text(node), 1);
  }
  switch (node.type) {
    case JsonType::kArray: return make_list(node);
    case JsonType::kObject: return make_object(node, resource_root);
    case JsonType::kString: return make_text(node);
    case JsonType::kBoolean: return scalar(DocumentShape::Kind::kBool, &cel::types::boolean, 0, 4);
    case JsonType::kNumber: return scalar(DocumentShape::Kind::kDouble, &cel::types::number, 0, 1);
    case JsonType::kInteger: return scalar(DocumentShape::Kind::kInt, &cel::types::integer, 0, 1);
    case JsonType::kNone: return nullptr;
  }
  return nullptr;
}

const SchemaShape* Shapes::make_text(const Node& node) {
  const std::string_view format = node.format_text;
  if (format == "byte") {
    return scalar(DocumentShape::Kind::kBytes, &cel::types::bytes,
                  max_length(node).value_or(kMaxText), 2);
  }
  if (format == "duration") {
    return scalar(DocumentShape::Kind::kDuration, &cel::types::duration, 32, 3);
  }
  if (format == "date") return scalar(DocumentShape::Kind::kDate, &cel::types::timestamp, 12, 12);
  if (format == "date-time") {
    return scalar(DocumentShape::Kind::kTimestamp, &cel::types::timestamp, 32, 21);
  }
  return scalar(DocumentShape::Kind::kString, &cel::types::string, max_text(node), 2);
}

const SchemaShape* Shapes::make_list(const Node& node) {
  if (node.items == nullptr) return nullptr;
  const SchemaShape* element = find(*node.items, node.items->embedded_resource);
  if (element == nullptr) return nullptr;
  SchemaShape& out = shapes_.emplace_back();
  out.kind = DocumentShape::Kind::kList;
  out.list_kind = list_kind(node);
  out.type = types_.list(element->type);
  out.element = element;
  auto* keys = arena_.allocate_array<std::string_view>(node.map_keys.size());
  for (std::size_t i = 0; i < node.map_keys.size(); ++i) {
    new (&keys[i]) std::string_view(node.map_keys[i]);
  }
  out.keys = {keys, node.map_keys.size()};
  out.max_size = node.max_items ? not_negative(*node.max_items)
                                : (kMaxRequestBytes - 2) / (element->min_json + 1);
  out.min_json = 2;
  return &out;
}

const SchemaShape* Shapes::implicit_metadata() {
  auto* fields = arena_.allocate_array<DocumentField>(2);
  new (&fields[0]) DocumentField{"generateName", "generateName", plain_text()};
  new (&fields[1]) DocumentField{"name", "name", plain_text()};
  SchemaShape& out = shapes_.emplace_back();
  out.kind = DocumentShape::Kind::kObject;
  out.fields = {fields, 2};
  out.min_json = 2;
  out.type = types_.object("object", &out);
  return &out;
}

const SchemaShape* Shapes::make_object(const Node& node, bool resource_root) {
  if (node.additional == schema::Additional::kSchema && node.additional_schema != nullptr) {
    const SchemaShape* element =
        find(*node.additional_schema, node.additional_schema->embedded_resource);
    if (element == nullptr) return nullptr;
    SchemaShape& out = shapes_.emplace_back();
    out.kind = DocumentShape::Kind::kMap;
    out.type = types_.map(&cel::types::string, element->type);
    out.element = element;
    out.max_size = node.max_properties ? not_negative(*node.max_properties)
                                       : (kMaxRequestBytes - 2) / (element->min_json + 6);
    out.min_json = 2;
    return &out;
  }
  const bool add_metadata = resource_root && !declares_metadata(node);
  std::vector<DocumentField> fields;
  fields.reserve(node.properties.size() + 3);
  std::uint64_t min_json = 2;
  auto add = [&](std::string_view name, const SchemaShape* shape, bool has_default) {
    if (shape == nullptr) return;
    if (is_plain_name(name) && !is_reserved(name)) {
      fields.push_back({name, name, shape});  // the node keeps it, or it is a literal
    } else if (const auto spelled = escape_name(name)) {
      fields.push_back({arena_.copy(*spelled), arena_.copy(name), shape});
      // Since 1.31 a keyword behind a dot may also be spelled as it is.
      if (is_reserved(name)) fields.push_back({arena_.copy(name), arena_.copy(name), shape});
    }
    if (is_required(node, name) && !has_default) min_json += name.size() + shape->min_json + 4;
  };
  for (const schema::Property& p : node.properties) {
    const bool replaced =
        add_metadata && (p.name == "kind" || p.name == "apiVersion" || p.name == "metadata");
    if (replaced) continue;
    add(p.name, find(*p.node, p.node->embedded_resource), p.node->default_value != nullptr);
  }
  if (add_metadata) {
    add("kind", plain_text(), false);
    add("apiVersion", plain_text(), false);
    add("metadata", implicit_metadata(), false);
  }
  if (!std::ranges::is_sorted(fields, {}, &DocumentField::name))
    std::ranges::sort(fields, {}, &DocumentField::name);
  auto* copy = arena_.allocate_array<DocumentField>(fields.size());
  std::ranges::copy(fields, copy);
  SchemaShape& out = shapes_.emplace_back();
  out.kind = DocumentShape::Kind::kObject;
  out.fields = {copy, fields.size()};
  out.min_json = min_json;
  out.type = types_.object("object", &out);
  return &out;
}

}  // namespace strake::rules

#include "api/verbs/patched_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "kinds/describe.h"
#include "patch/document_edit.h"
#include "patch/go_text.h"
#include "resource/settle.h"
#include "value/go_type.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using kinds::TypeUse;
using meta::Shape;
using value::Value;

// The order in which Go declares the fields of metadata.
constexpr auto kObjectMetaOrder = std::to_array<std::string_view>(
    {"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation",
     "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "labels",
     "annotations", "ownerReferences", "finalizers", "managedFields"});
constexpr auto kOwnerReferenceOrder = std::to_array<std::string_view>(
    {"apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"});
constexpr auto kManagedFieldsOrder = std::to_array<std::string_view>(
    {"manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"});
constexpr auto kTypeMetaOrder = std::to_array<std::string_view>({"kind", "apiVersion", "metadata"});

// What is known of the Go type of a value: a declared type, or a part of metadata.
struct Place {
  const kinds::Type* type = nullptr;
  const TypeUse* element = nullptr;  // of a list or map
  enum class Meta : unsigned char { kNone, kObject, kOwners, kManaged } meta = Meta::kNone;

  static Place of(const TypeUse& use) {
    if (use.element != nullptr) return {.element = use.element};
    if (use.type == nullptr) return {};
    if (use.type->element != nullptr) return {.element = use.type->element};
    return use.type->is_struct() ? Place{.type = use.type} : Place{};
  }
  // The names of a struct's fields in order; none for maps and what is not known.
  std::vector<std::string_view> order() const {
    const auto names = [](std::span<const std::string_view> list) {
      return std::vector<std::string_view>(list.begin(), list.end());
    };
    switch (meta) {
      case Meta::kObject: return names(kObjectMetaOrder);
      case Meta::kOwners: return names(kOwnerReferenceOrder);
      case Meta::kManaged: return names(kManagedFieldsOrder);
      case Meta::kNone: break;
    }
    if (type == nullptr) return {};
    std::vector<std::string_view> out;
    if (type->is_object()) out = names(kTypeMetaOrder);
    for (const kinds::Field& field : type->fields) out.push_back(field.name);
    return out;
  }
  Place member(std::string_view name) const {
    if (meta == Meta::kObject && name == "ownerReferences") return {.meta = Meta::kOwners};
    if (meta == Meta::kObject && name == "managedFields") return {.meta = Meta::kManaged};
    if (meta != Meta::kNone) return {};
    if (element != nullptr) return of(*element);
    if (type == nullptr) return {};
    if (type->is_object() && name == "metadata") return {.meta = Meta::kObject};
    for (const kinds::Field& field : type->fields) {
      if (field.name == name) return of(*field.use);
    }
    return {};
  }
  // Lists within metadata keep the place of their items.
  Place item() const { return element != nullptr ? of(*element) : *this; }
};

// `touched` is the part of the patch that went through this value: an object names the members that
// it went on to, anything else stands for the whole. Null when the patch passed the value by.
class OrderedWriter {
 public:
  explicit OrderedWriter(std::string& out) : out_(out) {}

  void write(const Value& v, const Place& place, const Value* touched) {
    if (v.is_object()) return write_object(v, place, touched);
    if (!v.is_array()) return value::write_json(v, out_);
    out_ += '[';
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (i > 0) out_ += ',';
      write(v.items()[i], place.item(), below(touched, fmt::format("{}", i)));
    }
    out_ += ']';
  }

 private:
  static const Value* below(const Value* touched, std::string_view name) {
    return touched != nullptr && touched->is_object() ? touched->find(name) : touched;
  }

  void write_object(const Value& v, const Place& place, const Value* touched) {
    out_ += '{';
    first_ = true;
    std::vector<std::string_view> order;
    if (touched == nullptr) order = place.order();
    for (const std::string_view name : order) {
      if (const Value* member = v.find(name)) write_member(name, *member, place, nullptr);
    }
    for (const value::Member& member : v.members()) {
      if (std::find(order.begin(), order.end(), member.key) == order.end())
        write_member(member.key, member.value, place, below(touched, member.key));
    }
    out_ += '}';
    first_ = false;
  }

  void write_member(std::string_view name, const Value& v, const Place& place,
                    const Value* touched) {
    if (!std::exchange(first_, false)) out_ += ',';
    value::write_json_string(name, out_);
    out_ += ':';
    write(v, place.member(name), touched);
  }

  std::string& out_;
  bool first_ = true;
};

std::string unescaped(std::string_view segment) {
  std::string out;
  for (std::size_t i = 0; i < segment.size(); ++i) {
    const bool escape = segment[i] == '~' && i + 1 < segment.size();
    if (escape && (segment[i + 1] == '0' || segment[i + 1] == '1')) {
      out += segment[++i] == '0' ? '~' : '/';
    } else {
      out += segment[i];
    }
  }
  return out;
}

// Adds the containers on the way to what a JSON pointer names, not the thing itself.
void add_way(patch::DocumentEdit& edit, std::string_view pointer, Arena& arena) {
  patch::EditContainer* at = edit.open(edit.root());
  while (pointer.starts_with('/')) {
    pointer.remove_prefix(1);
    const std::size_t end = pointer.find('/');
    if (end == std::string_view::npos) return;
    const std::string name = unescaped(pointer.substr(0, end));
    pointer.remove_prefix(end);
    if (at->at(name) == nullptr) at->set(arena.copy(name), {Value::object({})});
    at = edit.open(*at->at(name));
  }
}

Value touched_by(const Value& json_patch, Arena& arena) {
  patch::DocumentEdit edit(Value::object({}), arena);
  for (const Value& operation : json_patch.items()) {
    for (const std::string_view key : {"path", "from"}) {
      const Value* pointer = operation.find(key);
      if (pointer != nullptr && pointer->is_string()) add_way(edit, pointer->as_string(), arena);
    }
  }
  return edit.close(edit.root());
}

// reflect.Kind of what Go's decoder makes of the value.
std::string_view go_kind(const Value& v) {
  if (v.is_object()) return "map";
  if (v.is_array()) return "slice";
  return value::go_type(v);
}

std::optional<std::string> scalar_fault(const Value& v, const Shape& shape) {
  const bool integral = v.type() == value::Type::kInt;
  std::string_view kind;
  switch (shape.kind) {
    case Shape::Kind::kString:
      if (v.is_string()) return std::nullopt;
      // Go could turn an integer into a string of one rune, so it is refused in other words.
      if (integral) return fmt::format("cannot convert int64 to {}", shape.type);
      kind = "string";
      break;
    case Shape::Kind::kBool:
      if (v.is_bool()) return std::nullopt;
      kind = "bool";
      break;
    case Shape::Kind::kInt32:
    case Shape::Kind::kInt64:
      if (integral) return std::nullopt;
      if (v.is_number()) {
        const double number = v.as_double();
        if (std::trunc(number) == number) return std::nullopt;
        return fmt::format("cannot convert float64 to {}", shape.type);
      }
      kind = shape.kind == Shape::Kind::kInt32 ? "int32" : "int64";
      break;
    case Shape::Kind::kFloat:
      if (v.is_number()) return std::nullopt;
      kind = "float64";
      break;
    default: return std::nullopt;
  }
  return fmt::format("unrecognized type: {}", kind);
}

}  // namespace

std::string quote_patched(PatchType type, std::string_view type_name, const Value& patch,
                          const Value& patched) {
  if (type == PatchType::kStrategic) return patch::go_text(patch);
  if (type_name.empty()) return value::to_json(patched);
  Arena arena;
  const Value ways = type == PatchType::kJson ? touched_by(patch, arena) : Value();
  std::string out;
  OrderedWriter(out).write(patched, {.type = &kinds::described_type(type_name)},
                           type == PatchType::kJson ? &ways : &patch);
  return out;
}

std::vector<std::string> strict_errors_of_patch(PatchType type, const value::Document& patch) {
  std::vector<std::string> out = resource::strict_errors(patch.duplicates(), {});
  if (type == PatchType::kJson) {
    for (std::string& one : out) one = "json patch " + one;
  }
  return out;
}

std::optional<std::string> converter_fault(const Value& v, const Shape& shape) {
  if (v.is_null()) return std::nullopt;
  switch (shape.kind) {
    case Shape::Kind::kBytes:
      if (v.is_string()) return std::nullopt;
      return fmt::format("cannot restore slice from {}", go_kind(v));
    case Shape::Kind::kList:
      if (!v.is_array()) return fmt::format("cannot restore slice from {}", go_kind(v));
      for (const Value& item : v.items()) {
        if (auto fault = converter_fault(item, *shape.element)) return fault;
      }
      return std::nullopt;
    case Shape::Kind::kMap:
      if (!v.is_object()) return fmt::format("cannot restore map from {}", go_kind(v));
      for (const value::Member& member : v.members()) {
        if (auto fault = converter_fault(member.value, *shape.element)) return fault;
      }
      return std::nullopt;
    case Shape::Kind::kStruct:
      if (!v.is_object()) return fmt::format("cannot restore struct from: {}", go_kind(v));
      for (const meta::ShapeField& field : shape.fields) {
        const Value* member = v.find(field.name);
        if (member == nullptr) continue;
        if (auto fault = converter_fault(*member, *field.shape)) return fault;
      }
      return std::nullopt;
    default: return scalar_fault(v, shape);
  }
}

}  // namespace strake::api

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "kinds/derive.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using meta::Shape;
using meta::ShapeField;
using Keep = ShapeField::Keep;
using Form = TypeUse::Form;

// Structs and times are always written: Go's omitempty does not know an empty struct.
bool is_always_written(const TypeUse& use) {
  if (use.form == Form::kTime || use.form == Form::kMicroTime) return true;
  return use.form == Form::kNamed && use.type->is_struct();
}

Keep keep_of(const Field& field) {
  if (field.pointer) return Keep::kPointer;
  if (!field.omit_empty || is_always_written(*field.use)) return Keep::kAlways;
  return Keep::kNonEmpty;
}

class Shapes {
 public:
  const Shape& of(const Type& type) {
    const std::lock_guard lock(mu_);
    return named(type);
  }

 private:
  const Shape& named(const Type& type) {
    if (const auto at = by_type_.find(&type); at != by_type_.end()) return *at->second;
    // Known before its fields are read: a type may hold itself.
    Shape& shape = made_.emplace_back(Shape{kind_of(type), type.go_name});
    by_type_.emplace(&type, &shape);
    if (type.element != nullptr) shape.element = &used(*type.element);
    if (type.is_struct()) shape.fields = fields_of(type);
    return shape;
  }

  static Shape::Kind kind_of(const Type& type) {
    switch (type.form) {
      case Type::Form::kString: return Shape::Kind::kString;
      case Type::Form::kList: return Shape::Kind::kList;
      case Type::Form::kMap: return Shape::Kind::kMap;
      case Type::Form::kAny: return Shape::Kind::kAny;
      default: return Shape::Kind::kStruct;
    }
  }

  std::span<const ShapeField> fields_of(const Type& type) {
    std::vector<ShapeField> fields;
    if (type.is_object()) {
      fields.push_back({"apiVersion", &meta::kStringShape});
      fields.push_back({"kind", &meta::kStringShape});
      fields.push_back({"metadata", &meta::kObjectMetaShape, Keep::kAlways});
    }
    for (const Field& field : type.fields)
      fields.push_back({field.name, &used(*field.use), keep_of(field)});
    std::sort(fields.begin(), fields.end(),
              [](const ShapeField& a, const ShapeField& b) { return a.name < b.name; });
    return made_fields_.emplace_back(std::move(fields));
  }

  const Shape& used(const TypeUse& use) {
    switch (use.form) {
      case Form::kNamed: return named(*use.type);
      case Form::kBool: return meta::kBoolShape;
      case Form::kInt32: return meta::kInt32Shape;
      case Form::kInt64: return meta::kInt64Shape;
      case Form::kFloat: return meta::kFloatShape;
      case Form::kBytes: return meta::kBytesShape;
      case Form::kTime: return meta::kTimeShape;
      case Form::kMicroTime: return meta::kMicroTimeShape;
      case Form::kString: return use.go_name == "types.UID" ? meta::kUidShape : meta::kStringShape;
      case Form::kList:
      case Form::kMap: break;
    }
    if (const auto at = by_use_.find(&use); at != by_use_.end()) return *at->second;
    const auto kind = use.form == Form::kList ? Shape::Kind::kList : Shape::Kind::kMap;
    Shape& shape = made_.emplace_back(Shape{kind, use.go_name});
    by_use_.emplace(&use, &shape);
    shape.element = &used(*use.element);
    return shape;
  }

  std::mutex mu_;
  // All guarded by mu_; what they hold stays where it is.
  std::map<const Type*, const Shape*> by_type_;
  std::map<const TypeUse*, const Shape*> by_use_;
  std::deque<Shape> made_;
  std::deque<std::vector<ShapeField>> made_fields_;
};

}  // namespace

const Shape& shape_of(const Type& type) {
  static Shapes& shapes = *new Shapes();
  return shapes.of(type);
}

}  // namespace strake::kinds

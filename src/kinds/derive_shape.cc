#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "kinds/derive.h"
#include "kinds/types/declarations.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using meta::Shape;
using meta::ShapeField;
using Keep = ShapeField::Keep;

// Structs and times are always written: Go's omitempty does not know an empty struct.
bool is_always_written(const TypeUse& use) {
  if (use.form >= TypeUse::Form::kTime && use.form <= TypeUse::Form::kObjectMeta) return true;
  return use.form == TypeUse::Form::kNamed && use.type->is_struct();
}

Keep keep_of(const Field& field) {
  if (field.pointer) return field.omit_empty ? Keep::kPointer : Keep::kNullable;
  if (!field.omit_empty || is_always_written(*field.use)) return Keep::kAlways;
  return Keep::kNonEmpty;
}

constinit const Shape kNodeNameShape{Shape::Kind::kString, "types.NodeName"};

// The shapes of one version of Kubernetes.
class Shapes {
 public:
  explicit Shapes(int minor) : minor_(minor) {}

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
    for (const Field& field : type.fields) {
      if (field.since > minor_ || (field.removed != 0 && field.removed <= minor_)) continue;
      fields.push_back({field.name, &used(*field.use), keep_of(field), field.within});
    }
    std::sort(fields.begin(), fields.end(),
              [](const ShapeField& a, const ShapeField& b) { return a.name < b.name; });
    return made_fields_.emplace_back(std::move(fields));
  }

  const Shape& used(const TypeUse& use) {
    switch (use.form) {
      case TypeUse::Form::kNamed: return named(*use.type);
      case TypeUse::Form::kBool: return meta::kBoolShape;
      case TypeUse::Form::kInt32: return meta::kInt32Shape;
      case TypeUse::Form::kInt64: return meta::kInt64Shape;
      case TypeUse::Form::kFloat: return meta::kFloatShape;
      case TypeUse::Form::kBytes: return meta::kBytesShape;
      case TypeUse::Form::kTime: return meta::kTimeShape;
      case TypeUse::Form::kMicroTime: return meta::kMicroTimeShape;
      case TypeUse::Form::kQuantity: return meta::kQuantityShape;
      case TypeUse::Form::kIntOrString: return meta::kIntOrStringShape;
      case TypeUse::Form::kObjectMeta: return meta::kObjectMetaShape;
      case TypeUse::Form::kString:
        if (use.go_name == "types.UID") return meta::kUidShape;
        if (use.go_name == "types.NodeName") return kNodeNameShape;
        return meta::kStringShape;
      case TypeUse::Form::kList:
      case TypeUse::Form::kMap: break;
    }
    if (const auto at = by_use_.find(&use); at != by_use_.end()) return *at->second;
    const auto kind = use.form == TypeUse::Form::kList ? Shape::Kind::kList : Shape::Kind::kMap;
    Shape& shape = made_.emplace_back(Shape{kind, use.go_name});
    by_use_.emplace(&use, &shape);
    shape.element = &used(*use.element);
    return shape;
  }

  int minor_;
  std::mutex mu_;
  // All guarded by mu_; what they hold stays where it is.
  std::map<const Type*, const Shape*> by_type_;
  std::map<const TypeUse*, const Shape*> by_use_;
  std::deque<Shape> made_;
  std::deque<std::vector<ShapeField>> made_fields_;
};

}  // namespace

const Shape& shape_of(const Type& type) { return shape_of(type, types::kNewestMinor); }

const Shape& shape_of(const Type& type, int minor) {
  struct Versions {
    std::mutex mu;
    std::map<int, Shapes> shapes;  // guarded by mu; they stay where they are
  };
  static Versions& versions = *new Versions();
  std::unique_lock lock(versions.mu);
  Shapes& shapes = versions.shapes.try_emplace(minor, minor).first->second;
  lock.unlock();
  return shapes.of(type);
}

}  // namespace strake::kinds

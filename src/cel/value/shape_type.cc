#include "cel/value/shape_type.h"

#include <string>

namespace strake::cel {
namespace {

// Whether the type holds an object anywhere, and so depends on its place.
bool has_place(const Shape& shape) {
  const Shape* at = &shape;
  while (at->element != nullptr &&
         (at->kind == Shape::Kind::kList || at->kind == Shape::Kind::kMap)) {
    at = at->element;
  }
  return at->kind == Shape::Kind::kObject;
}

}  // namespace

const Type* type_at(const Shape& shape, std::string_view name, TypeFactory& make) {
  if (!has_place(shape)) return shape.type;
  switch (shape.kind) {
    case Shape::Kind::kObject: return make.object(name, &shape);
    case Shape::Kind::kList:
      return make.list(type_at(*shape.element, std::string(name) + ".@idx", make));
    case Shape::Kind::kMap:
      return make.map(&types::string, type_at(*shape.element, std::string(name) + ".@elem", make));
    default: return shape.type;
  }
}

}  // namespace strake::cel

#include "cel/value/shape_type.h"

#include <string>

namespace strake::cel {
namespace {

// Whether the type holds an object anywhere, and so depends on its place.
bool has_place(const DocumentShape& shape) {
  const DocumentShape* at = &shape;
  while (at->element != nullptr &&
         (at->kind == DocumentShape::Kind::kList || at->kind == DocumentShape::Kind::kMap)) {
    at = at->element;
  }
  return at->kind == DocumentShape::Kind::kObject;
}

}  // namespace

const Type* type_at(const DocumentShape& shape, std::string_view name, TypeFactory& make) {
  if (!has_place(shape)) return shape.type;
  switch (shape.kind) {
    case DocumentShape::Kind::kObject: return make.object(name, &shape);
    case DocumentShape::Kind::kList:
      return make.list(type_at(*shape.element, std::string(name) + ".@idx", make));
    case DocumentShape::Kind::kMap:
      return make.map(&types::string, type_at(*shape.element, std::string(name) + ".@elem", make));
    default: return shape.type;
  }
}

}  // namespace strake::cel

#include "cel/value/type.h"

#include <algorithm>

namespace strake::cel {

const Type* TypeFactory::make(Type type, std::span<const Type* const> params) {
  if (!params.empty()) {
    const Type** copy = arena_.allocate_array<const Type*>(params.size());
    std::ranges::copy(params, copy);
    type.params = {copy, params.size()};
  }
  return new (arena_.allocate(sizeof(Type))) Type(type);
}

const Type* TypeFactory::list(const Type* element) {
  const Type* params[] = {element};
  return make({TypeKind::kList, false, "list"}, params);
}

const Type* TypeFactory::map(const Type* key, const Type* value) {
  const Type* params[] = {key, value};
  return make({TypeKind::kMap, false, "map"}, params);
}

const Type* TypeFactory::optional(const Type* held) {
  const Type* params[] = {held};
  return make({TypeKind::kOpaque, false, "optional_type"}, params);
}

const Type* TypeFactory::type_of(const Type* described) {
  const Type* params[] = {described};
  return make({TypeKind::kType, false, "type"}, params);
}

const Type* TypeFactory::object(std::string_view name, const DocumentShape* shape) {
  return make({TypeKind::kObject, false, arena_.copy(name), {}, shape}, {});
}

const Type* TypeFactory::opaque(std::string_view name, std::initializer_list<const Type*> params) {
  return opaque(name, std::span<const Type* const>(params.begin(), params.size()));
}

const Type* TypeFactory::opaque(std::string_view name, std::span<const Type* const> params) {
  return make({TypeKind::kOpaque, false, arena_.copy(name)}, params);
}

const Type* TypeFactory::param(std::string_view name) {
  return make({TypeKind::kParam, false, arena_.copy(name)}, {});
}

bool same_type(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.wrapper != b.wrapper || a.params.size() != b.params.size())
    return false;
  if (a.kind >= TypeKind::kObject && (a.name != b.name || a.shape != b.shape)) return false;
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    if (!same_type(*a.params[i], *b.params[i])) return false;
  }
  return true;
}

std::string to_string(const Type& type) {
  switch (type.kind) {
    case TypeKind::kAny: return "any";
    case TypeKind::kNull: return "null";
    case TypeKind::kTimestamp: return "timestamp";
    case TypeKind::kDuration: return "duration";
    default: break;
  }
  if (type.wrapper) return "wrapper(" + std::string(type.name) + ")";
  std::string out(type.name);
  if (type.params.empty()) return out;
  out += '(';
  for (std::size_t i = 0; i < type.params.size(); ++i) {
    if (i != 0) out += ", ";
    out += to_string(*type.params[i]);
  }
  out += ')';
  return out;
}

}  // namespace strake::cel

#include "patch/other_versions.h"

#include <algorithm>

namespace strake::patch {

using value::Member;
using value::Value;

std::optional<const schema::Node*> SameShapeVersions::schema(std::string_view api_version) const {
  for (const auto& [name, node] : versions_) {
    if (name == api_version) return node.get();
  }
  return std::nullopt;
}

Result<Value> SameShapeVersions::convert(const Value& object, std::string_view api_version,
                                         Arena& arena) const {
  if (!object.is_object()) return fail(Code::kInternal, "only an object can be converted");
  auto* members = arena.allocate_array<Member>(object.size());
  std::copy(object.members().begin(), object.members().end(), members);
  Value out = Value::object({members, object.size()});
  out.set("apiVersion", Value::string(arena.copy(api_version)), arena);
  return out;
}

}  // namespace strake::patch

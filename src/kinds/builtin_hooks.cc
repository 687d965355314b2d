#include "kinds/builtin_hooks.h"

#include "kinds/fields.h"

namespace strake::kinds {

using value::Value;

BuiltinHooks::BuiltinHooks(std::string_view full_type_name)
    : shape_(&shape_of(described_type(full_type_name))),
      merge_fields_(&merge_fields_of(described_type(full_type_name))) {}

meta::Messages BuiltinHooks::check_name(std::string_view name, bool prefix) const {
  return meta::name_is_dns_subdomain(name, prefix);
}

value::FieldErrors BuiltinHooks::validate_update(const Value& object, const Value&) const {
  return validate_create(object);
}

void BuiltinHooks::prepare_status(Value& object, const Value& old, Arena& arena) const {
  keep_member(object, old, "spec", arena);
}

}  // namespace strake::kinds

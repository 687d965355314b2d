#include <string>

#include "kinds/columns.h"
#include "kinds/describe.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/ip_fields.h"
#include "kinds/networking/references.h"
#include "kinds/networking/strategies.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kParentType = "io.k8s.api.networking.v1.ParentReference";

FieldPath at_parent() { return FieldPath() / "spec" / "parentRef"; }

const Value* parent_of(const Value& object) { return member(object, {"spec", "parentRef"}); }

// "services/ns/name", with the group behind the resource.
std::string parent_cell(const Value& object) {
  const Value* parent = parent_of(object);
  if (parent == nullptr) return "<none>";
  std::string resource(text_of(*parent, "resource"));
  if (const std::string_view group = text_of(*parent, "group"); !group.empty())
    resource.append(".").append(group);
  std::string out = meta::to_lower_ascii(resource);
  if (const std::string_view space = text_of(*parent, "namespace"); !space.empty())
    out.append("/").append(space);
  return out.append("/").append(text_of(*parent, "name"));
}

class IpAddressStrategy final : public BuiltinStrategy {
 public:
  IpAddressStrategy() : BuiltinStrategy("io.k8s.api.networking.v1.IPAddress") {
    set_columns({name_column(),
                 {.name = "ParentRef",
                  .type = "string",
                  .description = "The object that has the address."}});
  }

  // The address itself, in its one form.
  meta::Messages check_name(std::string_view name, bool) const override {
    FieldErrors errors;
    check_canonical_ip(name, {}, errors);
    meta::Messages out;
    for (const FieldError& error : errors) out.push_back(error.detail);
    return out;
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const Value* parent = parent_of(object);
    if (parent == nullptr) {
      errors.push_back(FieldError::required(at_parent()));
      return errors;
    }
    // Services are of the group without a name.
    if (!text_of(*parent, "group").empty())
      check_reference_group(*parent, "group", at_parent(), errors);
    check_reference_part(*parent, "resource", at_parent(), errors);
    check_reference_part(*parent, "name", at_parent(), errors);
    if (!text_of(*parent, "namespace").empty())
      check_reference_part(*parent, "namespace", at_parent(), errors);
    return errors;
  }

  FieldErrors validate_update(const Value& object, const Value& old,
                              const WriteRequest& request) const override {
    FieldErrors errors = validate_create(object, request);
    const Value* parent = parent_of(object);
    const Value* before = parent_of(old);
    const bool same = parent != nullptr && before != nullptr ? value::identical(*parent, *before)
                                                             : parent == before;
    if (same) return errors;
    errors.push_back(
        {.type = FieldError::Type::kInvalid,
         .path = at_parent(),
         .shown = parent != nullptr ? show_go_struct(parent, described_type(kParentType)) : "null",
         .detail = "field is immutable"});
    return errors;
  }

  // kube-apiserver 1.36 gives the age too, without a column for it.
  void cells(const Value& object, WallTime now, std::vector<Value>& out,
             Arena& arena) const override {
    out = {name_cell(object), Value::string(arena.copy(parent_cell(object))),
           age_cell(object, now, arena)};
  }
};

}  // namespace

const BuiltinStrategy& ip_address_strategy() {
  static const IpAddressStrategy& strategy = *new IpAddressStrategy();
  return strategy;
}

}  // namespace strake::kinds

#pragma once
// The form in which a CRD is checked: what is the same in all versions stands once at the top, and
// messages point there.
#include <string_view>
#include <vector>

#include "crd/crd.h"
#include "value/value.h"

namespace strake::crd {

struct HoistedVersion {
  const Version* version = nullptr;
  // Null when absent or moved to the top.
  const value::Value* schema_holder = nullptr;
  const value::Value* subresources = nullptr;
  const value::Value* printer_columns = nullptr;
  const value::Value* selectable_fields = nullptr;

  const value::Value* schema() const;
};

struct HoistedSpec {
  const Crd* crd = nullptr;
  std::vector<HoistedVersion> versions;
  const value::Value* schema_holder = nullptr;      // spec.validation
  const value::Value* subresources = nullptr;       // spec.subresources
  const value::Value* printer_columns = nullptr;    // spec.additionalPrinterColumns
  const value::Value* selectable_fields = nullptr;  // spec.selectableFields

  const value::Value* schema() const;
  // Whether any schema, at the top or in a version, satisfies the predicate.
  template <typename Predicate>
  bool any_schema(const Predicate& predicate) const {
    if (const value::Value* top = schema(); top != nullptr && predicate(*top)) return true;
    for (const HoistedVersion& one : versions) {
      if (const value::Value* own = one.schema(); own != nullptr && predicate(*own)) return true;
    }
    return false;
  }
};

HoistedSpec hoist(const Crd& crd);

// Whether two parts of versions, null when absent, are the same.
bool is_same_part(const value::Value* a, const value::Value* b);

}  // namespace strake::crd

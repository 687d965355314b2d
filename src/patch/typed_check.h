#pragma once
// Whether an object has the shape that its fields can be tracked by: declared fields, the right
// kinds of values, items that can be told apart.
#include <string>
#include <vector>

#include "base/arena.h"
#include "patch/field_type.h"
#include "value/value.h"

namespace strake::patch {

struct TypedFault {
  std::string path;  // .spec.ports[0], empty for the whole object
  std::string message;
};
using TypedFaults = std::vector<TypedFault>;

// "path: message", or several under "errors:".
std::string to_string(const TypedFaults& faults);

enum class Duplicates : bool { kRefused, kAllowed };  // of items in sets and by their keys

TypedFaults check_typed(const value::Value& v, const FieldType& type, Duplicates duplicates,
                        Arena& arena);
// Whether check_typed() finds no fault when duplicates are allowed. `above` is how many values hold
// this one.
bool fits_typed(const value::Value& v, const FieldType& type, std::size_t above, Arena& arena);
// Whether that is so and the other is the same value, and so fits as well. A number written in
// another way may count as another.
bool both_fit(const value::Value& v, const value::Value& same, const FieldType& type,
              std::size_t above, Arena& arena);

// Whether a scalar of that type may hold the value.
inline bool scalar_fits(FieldType::Scalar scalar, const value::Value& v) {
  if (v.is_null()) return true;
  switch (scalar) {
    case FieldType::Scalar::kNumeric: return v.is_number();
    case FieldType::Scalar::kString: return v.is_string();
    case FieldType::Scalar::kBoolean: return v.is_bool();
    case FieldType::Scalar::kUntyped: return !v.is_array() && !v.is_object();
  }
  return false;
}
// If not, why, after the prefix.
std::string scalar_fault(FieldType::Scalar scalar, const value::Value& v);

}  // namespace strake::patch

#pragma once
// The fields that an object sets, and those in which two objects differ, as sets. Both objects must
// have passed check_typed() (duplicates allowed); what cannot be named is left out.
#include <optional>

#include "base/arena.h"
#include "patch/field_set.h"
#include "patch/field_type.h"
#include "value/value.h"

namespace strake::patch {

// Every leaf that is set, and every item.
FieldSet fields_of(const value::Value& v, const FieldType& type, Arena& arena);

// No field is in two of them.
struct Comparison {
  FieldSet removed;
  FieldSet modified;
  FieldSet added;

  bool same() const { return removed.empty() && modified.empty() && added.empty(); }
};
Comparison compare_fields(const value::Value& before, const value::Value& after,
                          const FieldType& type, Arena& arena);
// The same for objects that were not checked yet; nothing when one of them does not pass
// check_typed(). It is one walk, and what both have alike is checked once.
std::optional<Comparison> check_and_compare(const value::Value& before, const value::Value& after,
                                            const FieldType& type, Arena& arena);

}  // namespace strake::patch

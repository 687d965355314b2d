#pragma once
// Where a walk over the schemas of a CRD stands, as a chain of frames on the stack: a FieldPath is
// made of it only when there is a fault to report. A frame is one step of the walk, which may be
// two of the path: "items", "properties[name]", "allOf[0]". A frame must not outlive its parent.
#include <cstddef>
#include <string_view>

#include "base/field_path.h"

namespace strake::crd {

class SchemaTrail {
 public:
  // The start of a walk, at a place that is already known.
  explicit SchemaTrail(const FieldPath& start) : start_(&start) {}

  SchemaTrail field(std::string_view name) const { return {this, name, Second::kNone, {}, 0}; }
  SchemaTrail key(std::string_view name, std::string_view key) const {
    return {this, name, Second::kKey, key, 0};
  }
  SchemaTrail index(std::string_view name, std::size_t i) const {
    return {this, name, Second::kIndex, {}, i};
  }
  SchemaTrail index(std::size_t i) const { return {this, {}, Second::kIndex, {}, i}; }

  FieldPath path() const;
  // For a message, straight away.
  friend FieldPath operator/(const SchemaTrail& at, std::string_view field) {
    FieldPath out = at.path();
    out.push_field(field);
    return out;
  }

 private:
  enum class Second : unsigned char { kNone, kKey, kIndex };
  SchemaTrail(const SchemaTrail* parent, std::string_view name, Second second, std::string_view key,
              std::size_t i)
      : parent_(parent), name_(name), key_(key), index_(i), second_(second) {}
  void append_to(FieldPath& path) const;

  const FieldPath* start_ = nullptr;
  const SchemaTrail* parent_ = nullptr;
  std::string_view name_;  // without data when there is only an index
  std::string_view key_;
  std::size_t index_ = 0;
  Second second_ = Second::kNone;
};

}  // namespace strake::crd

#pragma once
// Where a walk over a value stands, as a chain of frames on the stack: nothing is allocated until a
// message needs it.
#include <string>
#include <string_view>

#include "base/field_path.h"

namespace strake::schema {

class PathTrail {
 public:
  // The start of a walk, at a place that is already known.
  explicit PathTrail(const FieldPath& start) : start_(&start) {}
  static PathTrail field(const PathTrail& parent, std::string_view name) {
    return {&parent, name, FieldPath::Kind::kField, 0};
  }
  static PathTrail key(const PathTrail& parent, std::string_view name) {
    return {&parent, name, FieldPath::Kind::kKey, 0};
  }
  static PathTrail index(const PathTrail& parent, std::size_t i) {
    return {&parent, {}, FieldPath::Kind::kIndex, i};
  }

  bool is_start() const { return parent_ == nullptr; }
  FieldPath path() const;
  std::string text() const { return path().to_k8s(); }

 private:
  PathTrail(const PathTrail* parent, std::string_view name, FieldPath::Kind kind, std::size_t i)
      : parent_(parent), name_(name), kind_(kind), index_(i) {}

  const FieldPath* start_ = nullptr;
  const PathTrail* parent_ = nullptr;
  std::string_view name_;
  FieldPath::Kind kind_ = FieldPath::Kind::kField;
  std::size_t index_ = 0;
};

}  // namespace strake::schema

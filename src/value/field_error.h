#pragma once
// A fault that the API server finds in an object: its type, the field, the value met, and the
// detail, printed exactly as the server prints it. Checks that find many return FieldErrors.
//
//   errors.push_back(FieldError::invalid(at / "replicas", value, "should be greater than or equal
//   to 0")); spec.replicas: Invalid value: -1: should be greater than or equal to 0
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/field_path.h"
#include "value/value.h"

namespace strake::value {

struct FieldError {
  enum class Type : std::uint8_t {
    kNotFound,
    kRequired,
    kDuplicate,
    kInvalid,
    kTypeInvalid,
    kNotSupported,
    kForbidden,
    kTooLong,
    kTooShort,
    kTooMany,
    kTooFew,
    kInternal,
  };

  Type type = Type::kInvalid;
  FieldPath path;
  bool nil_path = false;  // the reference had no path at all: printed <nil>, whatever `path` says
  std::optional<std::string> shown;  // the value met, already rendered; absent when none is printed
  std::string detail;
  std::optional<std::size_t> first;  // of a duplicate in a list: the element that it repeats

  // "spec.a: Invalid value: 3: must be ..."
  std::string to_string() const;
  // The same without the field: the message of a Status cause.
  std::string body() const;
  // The field of a Status cause: "spec.a", or "<nil>".
  std::string field() const;
  // The reason of a Status cause: "FieldValueInvalid".
  std::string_view reason() const;

  static FieldError required(FieldPath path, std::string detail = {});
  static FieldError duplicate(FieldPath path, const Value& v);
  static FieldError invalid(FieldPath path, const Value& v, std::string detail);
  static FieldError type_invalid(FieldPath path, const Value& v, std::string detail);
  static FieldError not_supported(FieldPath path, const Value& v,
                                  std::span<const std::string> supported);
  static FieldError forbidden(FieldPath path, std::string detail);
  static FieldError too_long(FieldPath path, std::int64_t max);
  static FieldError too_many(FieldPath path, std::int64_t count, std::int64_t max);
  static FieldError too_few(FieldPath path, std::int64_t count, std::int64_t min);
  static FieldError not_found(FieldPath path, const Value& v);
  static FieldError internal(FieldPath path, std::string detail);
};

using FieldErrors = std::vector<FieldError>;

// How the server prints a value in a message: strings quoted as Go's %q, plain numbers as %v, the
// rest as JSON.
std::string render_value(const Value& v);

// "e1", or "[e1, e2]" with each text once: the list as a Status message shows it.
std::string aggregate(const FieldErrors& errors);

}  // namespace strake::value

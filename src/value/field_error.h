#pragma once
// A fault that the API server finds in an object: its type, the field, the value met, and the
// detail, printed exactly as the server prints it. Checks that find many return FieldErrors.
//
//   errors.push_back(FieldError::invalid(at / "replicas", value, "should be greater than or equal
//   to 0")); spec.replicas: Invalid value: -1: should be greater than or equal to 0
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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
  bool nil_path =
      false;  // kube-apiserver 1.36 had no path at all: printed <nil>, whatever `path` says
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

// What one answer says at most, so that no input makes a long one: far more than anyone reads, and
// kube-apiserver, which cuts nothing, never gets there with an object that a person wrote.
constexpr std::size_t kMostFieldErrors = 10'000;
constexpr std::size_t kMostErrorBytes = 1 << 20;   // of all errors of a list together
constexpr std::size_t kMostShownBytes = 64 << 10;  // of one value, and of one detail

// Errors in the order in which they were found. Adding is cheap however many there are: texts are
// cut to their limit, and past the limits of the list errors are counted and no longer kept. The
// first error is always kept.
class FieldErrors {
 public:
  using value_type = FieldError;
  using iterator = std::vector<FieldError>::iterator;
  using const_iterator = std::vector<FieldError>::const_iterator;

  FieldErrors() = default;
  FieldErrors(std::initializer_list<FieldError> errors);

  void push_back(FieldError error);
  // Those of another list, and the number that it left out.
  void append(FieldErrors&& more);
  // Errors that the caller knows of without having made them.
  void omit(std::uint64_t count) { omitted_ += count; }
  // Lets go of all but the first errors, without counting the others.
  void keep_first(std::size_t count);
  void clear() { *this = FieldErrors(); }

  // Of those that are kept. When none is kept, none was found.
  bool empty() const { return errors_.empty(); }
  std::size_t size() const { return errors_.size(); }
  // Found, but past the limits.
  std::uint64_t omitted() const { return omitted_; }
  // The next error will only be counted.
  bool full() const { return errors_.size() >= kMostFieldErrors || bytes_ >= kMostErrorBytes; }

  FieldError& operator[](std::size_t i) { return errors_[i]; }
  const FieldError& operator[](std::size_t i) const { return errors_[i]; }
  const FieldError& at(std::size_t i) const { return errors_.at(i); }
  const FieldError& front() const { return errors_.front(); }
  const FieldError& back() const { return errors_.back(); }
  iterator begin() { return errors_.begin(); }
  iterator end() { return errors_.end(); }
  const_iterator begin() const { return errors_.begin(); }
  const_iterator end() const { return errors_.end(); }

 private:
  std::vector<FieldError> errors_;
  std::size_t bytes_ = 0;
  std::uint64_t omitted_ = 0;
};

// How the server prints a value in a message: strings quoted as Go's %q, plain numbers as %v, the
// rest as JSON. What is longer than kMostShownBytes is cut, and says so.
std::string render_value(const Value& v);
// A text of any length, cut where it passes the limit: "aaa... (cut after 3 bytes)".
void cut_text(std::string& text, std::size_t most);

// "e1", or "[e1, e2]" with each text once: the list as a Status message shows it. The last entry
// says how many were left out: "[e1, e2, and 7 more errors]".
std::string aggregate(const FieldErrors& errors);
// "and 7 more errors"
std::string more_errors(std::uint64_t count);

}  // namespace strake::value

#pragma once
// The one error type of Strake: what went wrong, where in the document, where in the source, and
// why. Errors are values in Result<T> (result.h). An Error is one pointer wide, so a Result<T>
// costs little more than T.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/field_path.h"
#include "base/position.h"

namespace strake {

// A closed list. The first part matches the reasons of an API Status, so that the server maps them
// in one table.
enum class Code : std::uint8_t {
  kBadRequest,            // the request cannot be understood
  kUnauthorized,          // who is asking is not known
  kForbidden,             // they may not
  kNotFound,              // no such object
  kMethodNotAllowed,      // the resource has no such verb
  kNotAcceptable,         // none of the wanted shapes can be made
  kAlreadyExists,         // create of what is there
  kConflict,              // written by someone else meanwhile
  kGone,                  // it was there once
  kExpired,               // the resource version or token is too old
  kRequestTooLarge,       // over the size limit of a request
  kUnsupportedMediaType,  // not a format this endpoint reads
  kInvalid,               // well formed, but breaks a rule of its schema
  kTooManyRequests,       // try again later
  kInternal,              // our own mistake
  kServiceUnavailable,    // a part we need is not there
  kTimeout,               // the deadline passed
  kParse,                 // not well-formed JSON, YAML, or other text
  kLimit,                 // a stated limit of depth, size, nodes or time was passed
  kUsage,                 // a flag or argument makes no sense
  kIo,                    // a file or socket failed
  kCancelled,             // the caller gave up
  kUnsupported,           // understood, but not offered
};

std::string_view to_string(Code code);  // "bad request", "not found", ...

class [[nodiscard]] Error {
 public:
  Error(Code code, std::string message);
  Error(const Error& other);
  Error(Error&&) noexcept = default;
  Error& operator=(const Error& other);
  Error& operator=(Error&&) noexcept = default;
  ~Error() = default;

  Code code() const { return rep_->code; }
  const std::string& message() const { return rep_->message; }
  const FieldPath& path() const { return rep_->path; }  // empty when there is none
  const std::optional<Position>& position() const { return rep_->position; }
  const std::string& source() const { return rep_->source; }  // file name, or empty
  const std::vector<Error>& causes() const { return rep_->causes; }

  // Each returns the error itself, so that context is added in the expression that hands it up.
  Error&& at(FieldPath path) &&;
  Error&& at(Position position) &&;
  Error&& in(std::string source) &&;  // keeps a source that is already there
  Error&& because(Error cause) &&;
  Error&& prefixed(std::string_view context) &&;  // "context: message"

  // "deploy.yaml:3:7: .spec.replicas: must be at least 0, got -1", leaving out what is not known.
  std::string to_string() const;

 private:
  struct Rep {
    Code code;
    std::string message;
    FieldPath path;
    std::optional<Position> position;
    std::string source;
    std::vector<Error> causes;
  };
  std::unique_ptr<Rep> rep_;  // null only after a move
};

}  // namespace strake

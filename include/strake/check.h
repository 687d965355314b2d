#pragma once
// Strake as a library: manifests checked against CRDs exactly as the API server would check them.
// Add schemas once, then check from any number of threads.
//
//   strake::check::Schemas schemas;
//   if (auto added = schemas.add(crd_text, "crd.yaml"); !added) return complain(added.error());
//   const strake::check::Report report = schemas.check(manifest_text, "web.yaml");
//   for (const strake::check::Finding& finding : report.findings)
//   std::puts(finding.text().c_str()); return report.ok() ? 0 : 1;
//
// Names here are stable. This header includes the standard library only.
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strake::check {

enum class Severity : std::uint8_t { kError, kWarning };

enum class UnknownFields : std::uint8_t {
  kWarn,      // dropped with a warning, as the server does by default
  kPrune,     // dropped without a word
  kStrict,    // errors, as under fieldValidation=Strict
  kPreserve,  // kept
};

struct Options {
  UnknownFields unknown = UnknownFields::kWarn;
  bool ignore_missing_schemas =
      false;                 // objects without a schema are passed over instead of refused
  bool keep_output = false;  // keep each object as the server would store it: pruned and defaulted
  std::size_t max_findings = 1000;  // of one document; the rest is counted
};

struct Finding {
  Severity severity = Severity::kError;
  std::string code;     // "invalid_type", "required", ...: a closed list, see docs/validate.md
  std::string pointer;  // where in the document, RFC 6901
  std::string field;    // the same as the server prints it: spec.ports[0].port
  std::string message;  // the server's words, without the field
  std::string hint;     // may be empty
  std::string file;
  std::size_t document = 0;  // its place in the file, from 0
  std::uint32_t line = 0;    // from 1; 0 when the place is not known
  std::uint32_t column = 0;  // in code points, from 1

  std::string text() const;  // "web.yaml:6:3: spec.replicas: Invalid value: ..."
};

struct Object {
  std::string api_version;
  std::string kind;
  std::string name;
  bool valid = false;
  std::string output;  // JSON, when it was asked for and the object is valid
};

struct Report {
  std::vector<Object> objects;
  std::vector<Finding> findings;
  bool ok() const;  // no finding is an error
};

class Schemas {
 public:
  explicit Schemas(const Options& options = {});
  ~Schemas();
  Schemas(Schemas&&) noexcept;
  Schemas& operator=(Schemas&&) noexcept;

  // Takes in the CRDs of a YAML or JSON text, and returns how many there were, or why it could not
  // be read. Adding belongs to one thread, and comes before checking.
  std::expected<std::size_t, std::string> add(std::string_view text,
                                              std::string_view file_name = {});

  // Every document of a YAML, JSON or NDJSON text. Any thread.
  Report check(std::string_view text, std::string_view file_name = {}) const;
  // The same as updates of the objects in `old_text`: transition rules run, and unchanged faults
  // are forgiven.
  Report check_update(std::string_view text, std::string_view old_text,
                      std::string_view file_name = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::check

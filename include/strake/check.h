#pragma once
// Strake as a library: manifests checked against CRDs exactly as the API server would check them,
// and any JSON or YAML against OpenAPI and JSON Schema documents. Add schemas once, then check from
// any number of threads.
//
//   strake::check::Schemas schemas(strake::check::Options::as_server());
//   if (auto added = schemas.add(crd_text, "crd.yaml"); !added) return complain(added.error());
//   const strake::check::Report report = schemas.check(manifest_text, "web.yaml");
//   for (const strake::check::Finding& finding : report.findings)
//     std::puts(finding.text().c_str());
//   return report.ok() ? 0 : 1;
//
// Without as_server() nothing is filled in and no rules run: documents are judged as they are.
// Names here are stable. This header includes the standard library only.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strake::check {

enum class Severity : std::uint8_t { kError, kWarning };

enum class Profile : std::uint8_t {
  kStructural,  // schemas as the API server takes them
  kLoose,       // any OpenAPI or JSON Schema document; what cannot be honoured is approximated
};

enum class UnknownFields : std::uint8_t {
  kWarn,      // dropped with a warning, as the server does by default
  kPrune,     // dropped without a word
  kStrict,    // errors, as under fieldValidation=Strict
  kPreserve,  // kept
};

enum class DuplicateKeys : std::uint8_t {
  kWarn,       // the last wins, with a warning, as with the server
  kError,      // the last wins, with an error
  kLastWins,   // without a word
  kFirstWins,  // without a word
};

enum class Defaults : std::uint8_t {
  kIgnore,    // objects are judged as they were sent
  kAnnotate,  // the same, and the report lists where defaults would apply
  kApply,     // filled in, as the server does
};

// The following four are for the loose profile; for CRDs the server has decided.
enum class EqualMode : std::uint8_t { kStructural, kCanonicalJson };
enum class Ambiguity : std::uint8_t { kError, kFirstMatch, kScoreBest };
enum class NumberMode : std::uint8_t { kJsonNumber, kFloat64, kK8s };
enum class FormatMode : std::uint8_t { kProfile, kAnnotate, kEnforce };

enum class Strategy : std::uint8_t {
  kBestEffort,  // what is too large to be held is left out, with a warning
  kFailFast,    // the first error, or the first part that is too large, ends the check
  kFullBuffer,  // whatever is needed is held
};

struct Options {
  Profile profile = Profile::kStructural;
  UnknownFields unknown = UnknownFields::kWarn;
  DuplicateKeys duplicates = DuplicateKeys::kWarn;
  bool yaml_core = false;  // YAML by 1.2 core; a warning wherever a server reads something else
  Defaults defaults = Defaults::kIgnore;
  bool rules = false;  // run x-kubernetes-validations
  // On top of the server's cost limits: time for the rules of one object (0 is no limit), and the
  // functions that rules may call (unset: all). Other functions are refused when a schema is added,
  // or when its first object is checked.
  std::chrono::nanoseconds rule_timeout{0};
  std::optional<std::vector<std::string>> rule_functions;
  bool ignore_missing_schemas = false;  // objects without a schema are passed over, not refused
  bool keep_output = false;   // keep each object as the server would store it: pruned and defaulted
  bool preserving = false;    // with keep_output: without defaults, and nulls stay
  std::string locale = "en";  // of messages: en or ja; any other is en

  bool presence = false;  // say of each field whether it was sent, null, or a default
  std::vector<std::string> presence_include;  // JSON pointers; only what is below
  std::vector<std::string> presence_exclude;  // not what is below

  EqualMode equal = EqualMode::kStructural;
  Ambiguity ambiguity = Ambiguity::kError;
  NumberMode numbers = NumberMode::kJsonNumber;
  FormatMode formats = FormatMode::kProfile;
  bool embedded_checks = false;  // loose: embedded resources need apiVersion, kind and metadata
  bool int_or_string_pattern = false;  // loose: strings of int-or-string must be whole numbers
  // Schemas may refer to files below these folders (`$ref: parts/pump.json`), from where they stand
  // themselves by the name they were added under. Empty: to none.
  std::vector<std::string> schema_folders;
  // Finds what a schema refers to (`$ref: https://example.com/pump.json`) by its absolute URI
  // without fragment, and returns its JSON or YAML text; nothing when there is none. Asked before
  // the folders, from any thread, while schemas are added and when an OpenAPI kind is first met.
  // References are relative to the name that a schema was added under, which may be a URI itself.
  std::function<std::optional<std::string>(std::string_view uri)> resolve;
  std::string schema_root;  // loose: the component or #/pointer that is meant in a document

  std::size_t max_findings = 1000;         // of one document; the rest is counted
  std::optional<std::size_t> max_depth;    // 10 000; 512 under loose
  std::optional<std::uint64_t> max_bytes;  // of a document; 3 MiB; none under loose

  // For check_stream().
  Strategy strategy = Strategy::kBestEffort;
  std::size_t max_buffer = std::size_t{1} << 20;
  std::size_t max_total_buffer = std::size_t{64} << 20;

  // As a server with these objects would decide: defaults are filled in, and rules run.
  static Options as_server();
};

// Something in a schema that was not taken exactly as it is written.
struct SchemaWarning {
  std::string file;
  std::string schema_path;  // a JSON pointer in the schema; may be empty
  std::string keyword;      // empty when a schema was not taken at all
  std::string message;
};

struct Added {
  std::size_t count = 0;  // of schemas
  std::vector<SchemaWarning> warnings;
  bool has_warnings() const { return !warnings.empty(); }
};

struct Finding {
  Severity severity = Severity::kError;
  std::string code;     // "invalid_type", "required", ...: a closed list, see docs/validate.md
  std::string pointer;  // where in the document, RFC 6901
  std::string field;    // the same as the server prints it: spec.ports[0].port
  std::string message;  // in the language of the options; in English the server's words
  std::string hint;     // may be empty
  std::string file;
  std::size_t document = 0;  // its place in the file, from 0
  std::uint32_t line = 0;    // from 1; 0 when the place is not known
  std::uint32_t column = 0;  // in code points, from 1
  std::uint64_t offset = 0;  // in bytes, from 0
  std::uint64_t length = 0;  // of what stands there, in bytes; 0 when it is not known
  std::string fragment;      // what stands there, cut short
  std::string schema_path;   // of the keyword, as a pointer in the schema; may be empty
  std::string rule;          // of x-kubernetes-validations, as written; may be empty
  std::vector<std::pair<std::string, std::string>> params;  // name and JSON text
  std::string reason;  // the server's type of the fault: "FieldValueInvalid"; may be empty
  std::string detail;  // the server's words, without the field; empty when it has none

  std::string text() const;  // "web.yaml:6:3: spec.replicas: Invalid value: ..."
};

struct Presence {
  std::string pointer;  // in the object; "" is the object itself
  bool seen = false;
  bool was_null = false;
  bool default_applied = false;
};

struct Object {
  std::string api_version;
  std::string kind;
  std::string name;
  bool valid = false;
  std::string output;          // JSON, when it was asked for and the object is valid
  bool output_passed = false;  // of a stream: on_output got the whole of it, and it is valid
  bool unknown = false;        // nothing was found, but not everything could be looked at
  std::vector<Presence> presence;
  std::vector<std::string> defaults;  // where defaults would apply, under Defaults::kAnnotate
  std::size_t document = 0;           // its place in the input, from 0
  std::vector<std::size_t> items;     // inside of a list: its place there, from 0
};

struct Report {
  std::vector<Object> objects;
  std::vector<Finding> findings;
  std::size_t unlisted_valid = 0;    // of a stream: objects that are fine are counted only
  std::size_t unlisted_invalid = 0;  // and so are those past the limit
  std::string locale = "en";         // of messages and of the summary
  bool ok() const;                   // no finding is an error, and everything was looked at
  // "required at /spec/image: Required value; ...": the first three, and how many there are.
  std::string summary() const;
};

class Schemas {
 public:
  explicit Schemas(const Options& options = {});
  ~Schemas();
  Schemas(Schemas&&) noexcept;
  Schemas& operator=(Schemas&&) noexcept;

  // Takes in the CRDs, the OpenAPI documents, or the one schema without a kind of a YAML or JSON
  // text. Fails with the reason when it cannot be read or used, and for options that make no sense.
  // Adding belongs to one thread, and comes before checking.
  std::expected<Added, std::string> add(std::string_view text, std::string_view file_name = {});

  // Every document of a YAML, JSON or NDJSON text. Any thread.
  Report check(std::string_view text, std::string_view file_name = {}) const;
  // The same as updates of the objects in `old_text`: transition rules run, and unchanged faults
  // are forgiven.
  Report check_update(std::string_view text, std::string_view old_text,
                      std::string_view file_name = {}) const;

  // JSON documents of any size, in memory that does not grow with them. `read` fills the buffer
  // with what comes next and returns how much it was; 0 at the end. Objects that fit into 3 MiB are
  // judged in full; of larger ones Report says what could not be looked at. The input may be
  // compressed (gzip).
  //
  // `on_document`, when given, is called for every document, and every item of a list, as soon as
  // it has been judged, with a report of its own: one object, and its findings. It hears of the
  // fine ones too, with what the options keep of them (output, presence, defaults) unless they are
  // larger than 3 MiB. When it returns false no more is read. The report at the end is the same as
  // without it, and has no outputs.
  //
  // `on_output`, when given, gets the output of a document that is larger than 3 MiB, as
  // keep_output asks for it: JSON in pieces, while the document is read and before it has been
  // judged. The call of `on_document` that follows says whether the pieces are worth keeping
  // (Object::output_passed).
  using Read = std::function<std::size_t(std::span<char>)>;
  using OnDocument = std::function<bool(const Report&)>;
  using OnOutput = std::function<void(std::string_view piece)>;
  Report check_stream(const Read& read, std::string_view file_name = {},
                      const OnDocument& on_document = {}, const OnOutput& on_output = {}) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::check

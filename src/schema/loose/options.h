#pragma once
// How the loose profile judges values. Every field has the default of an untouched document check.
#include <cstddef>
#include <cstdint>

namespace strake::schema::loose {

enum class UnknownMode : std::uint8_t {
  kPrune,     // keys that no rule covers are passed over
  kStrict,    // each is an issue, unknown_key
  kPreserve,  // as kPrune here: evaluation never changes the value
};

enum class EqualMode : std::uint8_t {
  kStructural,     // numbers by value, however many digits they have
  kCanonicalJson,  // as the shortest JSON text: fractions and exponents count as float64
};

enum class Ambiguity : std::uint8_t {
  kError,       // more than one oneOf branch matching is union_ambiguous
  kFirstMatch,  // the lowest index wins
  kScoreBest,   // the branch with most keywords that looked at the value wins
};

enum class NumberMode : std::uint8_t {
  kJsonNumber,  // exact decimals
  kFloat64,     // rounded to float64 first
  kK8s,         // integers against the bound cut to int64, everything else in float64
};

enum class FormatMode : std::uint8_t {
  kProfile,   // what the profile says: annotate, unless the schema's vocabulary asserts formats
  kAnnotate,  // never checked
  kEnforce,   // always checked
};

enum class Strategy : std::uint8_t {
  kBestEffort,  // past a threshold the check is left out with a warning, buffer_exceeded
  kFailFast,    // the first error ends it; past a threshold the verdict is unknown
  kFullBuffer,  // no thresholds
};

struct Options {
  UnknownMode unknown = UnknownMode::kPrune;
  EqualMode equal = EqualMode::kStructural;
  Ambiguity ambiguity = Ambiguity::kError;
  NumberMode numbers = NumberMode::kJsonNumber;
  FormatMode formats = FormatMode::kProfile;
  Strategy strategy = Strategy::kBestEffort;
  bool embedded_checks =
      false;  // x-kubernetes-embedded-resource: apiVersion, kind and metadata must be there
  bool int_or_string_pattern = false;  // strings of x-kubernetes-int-or-string must be integers
  std::size_t max_depth = 512;         // open containers of the value; passing it is parse_error
  std::size_t max_issues = 1000;       // kept; one more says how many there were
  std::size_t max_buffer = 1 << 20;    // bytes that one undecided check may hold
  std::size_t max_buffer_total = 64 << 20;
};

}  // namespace strake::schema::loose

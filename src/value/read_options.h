#pragma once
// What readers of JSON and YAML are told: limits on what they take in, and policies for what the
// formats leave open.
#include <cstddef>
#include <cstdint>
#include <string>

namespace strake::value {

// Passing a limit is an error of Code::kLimit that names it.
struct Limits {
  std::size_t depth = 10'000;  // open arrays and objects, as the API server counts them
  std::uint64_t bytes = std::uint64_t{1} << 30;     // of input text, per call or stream
  std::uint64_t nodes = std::uint64_t{1} << 26;     // values per document, aliases expanded
  std::size_t string_bytes = std::size_t{1} << 28;  // of one string or key
  std::uint64_t alias_nodes = 100'000;  // values that YAML aliases may add to a document
};

enum class DuplicatePolicy : std::uint8_t {
  kError,      // the document is refused, naming both places
  kFirstWins,  // the later ones are dropped, and listed
  kLastWins,   // the earlier ones are dropped, and listed: what the API server does
};

enum class TextPolicy : std::uint8_t {
  kStrict,   // invalid UTF-8 and lone surrogate escapes are errors
  kReplace,  // they become U+FFFD, as Go's encoding/json reads them
};

enum class NumberPolicy : std::uint8_t {
  kApi,      // int64 where it fits, double otherwise, as the API server reads them
  kWide,     // as kApi, but integers up to 2^64-1 are kept exactly
  kDouble,   // always double
  kExact,    // as kApi, but what is no int64 is kept as its text; JSON only, as kApi in YAML
  kLiteral,  // the text itself
};

enum class YamlSchema : std::uint8_t {
  kKubernetes,  // YAML 1.1 as Kubernetes tooling resolves it: yes/on/0777/1_000 and the rest
  kKustomize,   // as kKubernetes, but yes/no/on/off/y/n are strings; errors name the line at
                // which what went wrong began
  kCore,        // YAML 1.2 core: only true/false, null and plain numbers
};

struct ReadOptions {
  Limits limits;
  DuplicatePolicy duplicates = DuplicatePolicy::kError;
  TextPolicy text = TextPolicy::kStrict;
  NumberPolicy numbers = NumberPolicy::kApi;
  YamlSchema yaml = YamlSchema::kKubernetes;
  bool positions = false;   // keep the source position of every node
  std::string source_name;  // file name for messages and positions

  // How the API server reads a request body.
  static ReadOptions as_api_server() {
    ReadOptions options;
    options.duplicates = DuplicatePolicy::kLastWins;
    options.text = TextPolicy::kReplace;
    options.limits.bytes = 3u << 20;
    return options;
  }
};

}  // namespace strake::value

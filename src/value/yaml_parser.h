#pragma once
// YAML text as syntax events with positions: scalars, aliases, and the borders of sequences,
// mappings and documents, nothing resolved yet. A thin owner of a libyaml parser, which is seen
// only by the .cc. Errors are worded as the reference words them.
//
// libyaml differs from the reference's scanner in two corners of flow collections: a question mark
// may stand inside a plain scalar ([a?b], which the reference refuses), and a plain scalar may not
// end in a colon before a bracket or comma ({a:}, which the reference reads as the key "a:").
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/position.h"
#include "base/result.h"
#include "value/read_options.h"

namespace strake::value::internal {

enum class YamlEventKind : std::uint8_t {
  kDocumentStart,
  kDocumentEnd,
  kScalar,
  kAlias,
  kArrayStart,
  kArrayEnd,
  kObjectStart,
  kObjectEnd,
  kStreamEnd,
};

struct YamlEvent {
  YamlEventKind kind = YamlEventKind::kStreamEnd;
  bool plain = false;  // a scalar whose meaning follows from its text: without quotes, or marked
                       // with a bare `!`
  Position at;
  // Valid until the next call.
  std::string_view text;    // of a scalar
  std::string_view tag;     // in full, empty when there is none
  std::string_view anchor;  // of a node, or what an alias names
};

class YamlParser {
 public:
  // The text must outlive the parser.
  YamlParser(std::string_view text, const ReadOptions& options);
  ~YamlParser();

  // Fails with kParse, or with kLimit for texts made to be slow. After an error nothing more may be
  // asked.
  Result<YamlEvent> next();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::value::internal

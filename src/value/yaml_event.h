#pragma once
// What the two parsers of YAML syntax emit: scalars, aliases, and the borders of sequences,
// mappings and documents, with positions, nothing resolved yet.
#include <cstdint>
#include <string_view>

#include "base/position.h"

namespace strake::value {

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
  bool plain = false;   // a scalar whose meaning follows from its text: without quotes, or marked
                        // with a bare `!`
  bool stable = false;  // the text lives as long as the parser
  Position at;
  // Valid until the next event unless said otherwise.
  std::string_view text;    // of a scalar
  std::string_view tag;     // in full, empty when there is none
  std::string_view anchor;  // of a node, or what an alias names

  // Stability is no part of what an event says.
  friend bool operator==(const YamlEvent& a, const YamlEvent& b) {
    return a.kind == b.kind && a.plain == b.plain && a.at == b.at && a.text == b.text &&
           a.tag == b.tag && a.anchor == b.anchor;
  }
};

}  // namespace strake::value

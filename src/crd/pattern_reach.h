#pragma once
// What can be told about a pattern without running it: how long its matches are, and where in a
// text they can stand.
#include <cstdint>
#include <optional>
#include <string_view>

namespace strake::crd {

struct PatternReach {
  bool never = false;                    // no text matches at all
  std::uint64_t shortest = 0;            // code points of the shortest match
  std::optional<std::uint64_t> longest;  // of the longest; nothing when there is no bound
  bool at_begin = false;                 // every match starts where the text does
  bool at_end = false;                   // every match ends where the text does
  bool has_anchor = false;               // ^, $, \A, \z, \b or \B stands somewhere
  // Alternatives at the top where one is held at the begin only and another at the end only: ^a|b$
  // means (^a)|(b$).
  bool split_anchors = false;
};

// The text must be a pattern that schema::check_pattern takes. Bounds are safe: the shortest is
// never too long, the longest never too short. Nothing for patterns that are nested too deeply.
std::optional<PatternReach> pattern_reach(std::string_view pattern);

}  // namespace strake::crd

#pragma once
// Puts the comments of one document where they belong in its tree.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "yaml_edit/layout.h"

namespace strake::yaml_edit {

// An entry of a block collection, in the order of the text.
struct PlacedEntry {
  LayoutEntry* entry = nullptr;
  std::size_t offset = 0;    // of its key or dash
  std::uint32_t line = 1;    // of that
  std::uint32_t column = 0;  // of that, from 0
  std::ptrdiff_t parent = -1;
  bool pending = false;  // a key whose value is empty or starts on a later line
  bool nothing = false;  // a key whose value is empty
};

// A flow collection: comments within it go to its own entries.
struct PlacedFlow {
  std::span<LayoutEntry> entries;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::size_t> offsets;  // of its entries
};

void place_comments(std::string_view text, const std::vector<PlacedEntry>& entries,
                    const std::vector<PlacedFlow>& flows, LayoutDocument& document);

}  // namespace strake::yaml_edit

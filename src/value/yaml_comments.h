#pragma once
// Comments of a YAML text, which no document keeps: where they are, and the text without them.
// Knows enough of YAML's quotes, block scalars and flow collections to tell a comment from a # that
// belongs to a value.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strake::value {

struct YamlComment {
  std::size_t begin;   // offset of the #
  std::size_t end;     // offset past its last character; the line break is not part of it
  std::uint32_t line;  // from 1
  bool whole_line;     // nothing but blanks before it
};

// In the order of the text.
std::vector<YamlComment> find_yaml_comments(std::string_view text);

struct UncommentedText {
  std::string text;
  std::vector<std::uint32_t> lines;  // per line of the text: which line of the source it was
};
// Without comments, and without the empty lines next to lines that were all comment.
UncommentedText remove_yaml_comments(std::string_view text,
                                     const std::vector<YamlComment>& comments);

}  // namespace strake::value

#pragma once
// The text of an expression, its places, and faults found in it, printed as cel-go prints them:
//
//   ERROR: <input>:1:5: undefined field 'b'
//    | self.b > 0
//    | ....^
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/position.h"

namespace strake::cel {

class Source {
 public:
  Source() = default;
  explicit Source(std::string text);

  const std::string& text() const { return text_; }
  std::uint32_t code_points() const { return code_points_; }
  // Of a code point offset: line and column from 1. Offsets past the end give the end.
  Position position(std::uint32_t offset) const;
  std::string_view line(std::uint32_t number) const;  // from 1, without its line break

 private:
  std::string text_;
  std::uint32_t code_points_ = 0;
  bool ascii_ = true;
  std::vector<std::uint32_t> line_bytes_;  // where each line starts
  std::vector<std::uint32_t> line_points_;
};

struct Issue {
  std::uint32_t offset = 0;  // in code points
  std::string message;
  bool placeless = false;  // about the expression as a whole
};

// In the order of their places. At least one when a step failed.
struct Issues {
  std::vector<Issue> issues;

  void add(std::uint32_t offset, std::string message) {
    issues.push_back({offset, std::move(message)});
  }
  bool empty() const { return issues.empty(); }
  void sort();
  // All of them, with source lines and carets; after the first hundred their number.
  std::string to_string(const Source& source) const;
};

}  // namespace strake::cel

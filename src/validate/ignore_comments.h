#pragma once
// Comments in YAML by which an author says that a finding is known and meant:
//
//   replicas: many        # strake:ignore invalid_type
//   # strake:ignore unknown_key, invalid_enum
//   size: huge
//   # strake:ignore-document
//
// On a line of its own a comment stands for the next line that is neither blank nor a comment;
// without rules it stands for all of them. -document stands for the whole document around it.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validate/finding.h"

namespace strake::validate {

class IgnoreComments {
 public:
  explicit IgnoreComments(std::string_view text);

  bool empty() const { return all_.empty(); }
  // Texts that cannot be read are never covered.
  bool covers(const Finding& finding) const;
  // Rules that no finding can have, as warnings where they stand.
  std::vector<Finding> mistakes() const;

 private:
  struct One {
    std::size_t first_line;
    std::size_t last_line;
    std::vector<std::string> rules;
    Position at;
    std::string source_line;
  };
  std::vector<One> all_;
};

// Takes out of the result what the comments of its text cover, and counts it. Documents that have
// no errors left are fine, or skipped when they were not judged.
void apply_ignore_comments(std::string_view text, FileResult& result);

}  // namespace strake::validate

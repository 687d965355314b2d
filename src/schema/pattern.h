#pragma once
// A regular expression in Go's syntax (RE2), compiled once on first use and shared by all schemas with the same text.
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::schema {

class Pattern {
 public:
  explicit Pattern(std::string text);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  const std::string& text() const { return text_; }
  // An unanchored search. A text that does not compile matches nothing; see check_pattern.
  bool search(std::string_view subject) const;

 private:
  struct Compiled;
  std::string text_;
  mutable std::shared_ptr<const Compiled> compiled_;  // set once, read with atomic loads
};

using PatternPtr = std::shared_ptr<const Pattern>;

// The one pattern of that text.
PatternPtr intern_pattern(std::string_view text);

// Fails with kInvalid and Go's words ("error parsing regexp: missing closing ]: `[a`") when the text is no pattern.
Result<> check_pattern(std::string_view text);

}  // namespace strake::schema

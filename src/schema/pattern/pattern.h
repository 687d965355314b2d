#pragma once
// A regular expression in Go's syntax (RE2), compiled once on first use and shared by all schemas
// with the same text. Safe from any thread.
#include <atomic>
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
  // Bytes of the subject that are not UTF-8 count as U+FFFD each, as in Go.
  bool search(std::string_view subject) const;
  bool compiles() const;

 private:
  struct Compiled;
  const Compiled& compiled() const;
  std::string text_;
  mutable std::atomic<const Compiled*> compiled_ = nullptr;  // set once, owned
};

using PatternPtr = std::shared_ptr<const Pattern>;

// The one pattern of that text. It lives as long as someone holds it.
PatternPtr intern_pattern(std::string_view text);

// Fails with kInvalid and Go's words ("error parsing regexp: missing closing ]: `[a`") when the
// text is no pattern. One that a schema holds already is not compiled again.
Result<> check_pattern(std::string_view text);

}  // namespace strake::schema

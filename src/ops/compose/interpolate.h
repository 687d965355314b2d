#pragma once
// Variables in the texts of a Compose document: $NAME, ${NAME}, ${NAME:-default}, ${NAME-default},
// ${NAME:?message}, ${NAME?message}, ${NAME:+other}, ${NAME+other}, and $$ for a dollar sign. What
// stands for a variable is not looked at again; a default and `other` are.
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::ops::compose {

// As the caller gives it: of the process, or of a test.
using Environment = std::map<std::string, std::string, std::less<>>;

class Interpolation {
 public:
  static constexpr std::size_t kMaxBytes = std::size_t{8} << 20;  // of all texts together
  static constexpr int kMaxDepth = 16;                            // of ${A:-${B:-...}}

  // The environment must outlive it.
  explicit Interpolation(const Environment& environment) : environment_(environment) {}

  // Fails with kInvalid for a dollar sign that starts nothing and for a required variable that is
  // not there, with kLimit when a limit is passed. Messages have names of variables, never values.
  Result<std::string> apply(std::string_view text);

  // Variables that were asked for without a default and are not there: they became empty.
  const std::set<std::string, std::less<>>& missing() const { return missing_; }

 private:
  Result<> append(std::string_view text, int depth, std::string& out);
  Result<> braced(std::string_view inside, int depth, std::string& out);
  Result<> put(std::string_view text, std::string& out);
  const std::string* find(std::string_view name) const;

  const Environment& environment_;
  std::set<std::string, std::less<>> missing_;
  std::size_t bytes_ = 0;
};

// The text with each dollar sign doubled, so that interpolation gives it back.
std::string escape_dollars(std::string_view text);

}  // namespace strake::ops::compose

#pragma once
// Regular expressions in calls: compiled while planning when the pattern is a constant, else when
// called.
#include <re2/re2.h>

#include <memory>
#include <optional>
#include <string>

#include "cel/env/function.h"

namespace strake::cel {

struct PreparedRegex final : Prepared {
  explicit PreparedRegex(std::string_view pattern);
  RE2 regex;
};

// For functions whose second argument is the pattern. Nothing when it is no constant or no valid
// pattern: the error then shows when the call is made.
std::unique_ptr<Prepared> prepare_regex(std::span<const Value* const> args);

// The pattern of a call, from what was prepared or compiled into `own`.
class CallRegex {
 public:
  CallRegex(const EvalContext& context, std::string_view pattern);
  bool ok() const { return regex_->ok(); }
  std::string error() const;  // as Go words it, in outline
  const RE2& operator*() const { return *regex_; }
  const RE2* operator->() const { return regex_; }

 private:
  std::optional<PreparedRegex> own_;
  const RE2* regex_;
};

}  // namespace strake::cel

#include "ops/kom/problems.h"

#include <fmt/format.h>

#include "base/assert.h"

namespace strake::ops {

void KomProblems::add(Error error) {
  if (errors_.size() < kMostKept) {
    errors_.push_back(std::move(error));
  } else {
    ++omitted_;
  }
}

provider::Failure KomProblems::to_failure() const {
  STRAKE_ASSERT(!errors_.empty());
  std::string text = errors_.front().to_string();
  for (std::size_t i = 1; i < errors_.size(); ++i) text += "\n" + errors_[i].to_string();
  if (omitted_ > 0) text += fmt::format("\nand {} more", omitted_);
  return provider::Failure(provider::Failure(errors_.front()).error_class(), std::move(text));
}

}  // namespace strake::ops

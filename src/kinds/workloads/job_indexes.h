#pragma once
// Indexes of the pods of an indexed job, as its status and its success policy list them:
// "1,3-5,7".
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::kinds {

// How many are listed. They must rise and be less than `completions`; fails with kInvalid and
// kube-apiserver's words.
Result<std::int64_t> count_indexes(std::string_view text, std::int64_t completions);

// Fails with kInvalid when an index is in both lists. What cannot be read is passed over:
// count_indexes() tells of it.
Result<> check_no_overlap(std::string_view completed, std::string_view failed,
                          std::int64_t completions);

}  // namespace strake::kinds

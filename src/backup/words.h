#pragma once
// A command line as a flag holds it, divided into words without a shell.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::backup {

// Words stand apart by white space. '…' keeps everything as it is, "…" everything but \" and \\,
// and a backslash outside of both takes the next character as it is. Nothing is expanded: $, ~, *,
// | and the like mean nothing. kUsage when a quote does not end or there is no word.
Result<std::vector<std::string>> split_words(std::string_view text);

}  // namespace strake::backup

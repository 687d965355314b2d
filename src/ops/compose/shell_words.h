#pragma once
// A command that a Compose document gives as one text, divided into the words of a shell.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::ops::compose {

// Words stand apart by white space. '…' keeps everything as it is; in "…" a backslash takes ", \, $
// and ` as they are; outside of both it takes any character. There is no shell, so what only a
// shell could do (; & | < > outside of quotes) fails with kInvalid: such a command wants `sh -c
// '…'` or a list. So does a quote that does not end. Text without words is an empty list.
Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace strake::ops::compose

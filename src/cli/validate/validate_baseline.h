#pragma once
// The baseline of `strake validate`: the file of known findings, read, applied and written.
#include <string>
#include <vector>

#include "cli/io/io.h"
#include "validate/baseline.h"

namespace strake::cli {

// Takes what the file knows out of the results, and warns of entries that are stale. Code::kIo,
// kParse, kInvalid when the file cannot be used.
Result<> apply_baseline(const std::string& file, std::vector<validate::FileResult>& results,
                        validate::Locale locale, Io& io);

// Writes all findings into the file, which then covers them.
Result<> write_baseline(const std::string& file, std::vector<validate::FileResult>& results,
                        validate::Locale locale, Io& io);

}  // namespace strake::cli

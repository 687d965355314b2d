#pragma once
// Where this user keeps what test servers can use again.
#include <string>

#include "base/result.h"
#include "cli/io/io.h"

namespace strake::cli {

// $XDG_CACHE_HOME/strake, or ~/.cache/strake. Fails with kUsage when there is no home folder.
Result<std::string> cache_folder(const Io& io);

}  // namespace strake::cli

#pragma once
// Where a package schema comes from: a file, standard input, or a server.
#include <chrono>
#include <string>

#include "base/result.h"
#include "cli/io/io.h"

namespace strake::cli {

// The text behind a path, "-" or an http(s) URL. A relative path is tried against $PWD first. The
// error names no more of a URL than its scheme, host and path.
Result<std::string> load_package_text(const std::string& in, std::chrono::milliseconds timeout,
                                      Io& io);

}  // namespace strake::cli

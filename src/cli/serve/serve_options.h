#pragma once
// What the flags of `serve` say to the server.
#include <string>

#include "cli/command/args.h"
#include "cli/io/io.h"
#include "server/server.h"

namespace strake::cli {

// Code::kUsage.
Result<server::Options> read_serve_options(const Arguments& args, const Io& io);

// Where the server keeps its data when it is not told.
std::string default_data_dir(const Io& io);

}  // namespace strake::cli

#pragma once
// Files that flags of operate name.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "cli/operate/operate_run.h"

namespace strake::cli {

// "-" is standard input. A secret, since it may be one. Fails with kNotFound, kValidation.
provider::Outcome<Secret> read_given_file(OperateRun& run, std::string_view given,
                                          std::uint64_t limit);
// "-" is the output; else a file that only its owner may read.
provider::Outcome<> write_given_file(OperateRun& run, std::string_view given,
                                     std::string_view text);

}  // namespace strake::cli

#pragma once
// The result of a build checked as the API server would, with findings placed in the files that
// the fields come from.
#include <span>
#include <string>

#include "base/result.h"
#include "cli/exit_code.h"
#include "cli/io.h"
#include "kustomize/build.h"

namespace strake::cli {

// Schemas are those of the files and of CRDs in the result; kinds without one are passed over.
// Findings go to the error stream. kFindings when there are errors; fails when a schema cannot be
// read.
Result<ExitCode> check_build(const kustomize::BuildResult& result,
                             std::span<const std::string> schemas, Io& io);

}  // namespace strake::cli

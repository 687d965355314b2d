#pragma once
// Reports for CI systems: test results in JUnit's XML, and annotations of a GitHub workflow run.
#include <string>

#include "cli/command/report.h"

namespace strake::cli {

// A test case for each resource that the report lists, named kind/namespace/name in the class of
// its file; for files without resources one for the file. What is wrong is a failure, or an error
// when nothing could be judged; warnings and notes are output of the case.
std::string render_junit(const Report& report);

// A workflow command for each finding, then the summary.
std::string render_github(const Report& report);

}  // namespace strake::cli

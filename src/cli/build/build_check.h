#pragma once
// The result of a build checked as the API server would, with findings placed in the files that
// the fields come from.
#include <span>
#include <string>

#include "base/result.h"
#include "cli/io/exit_code.h"
#include "cli/io/io.h"
#include "kustomize/build.h"
#include "validate/locale.h"

namespace strake::cli {

struct BuildCheck {
  std::span<const std::string> schemas;        // files and folders with CRDs and OpenAPI documents
  std::span<const std::string> policies = {};  // files and folders with admission policies
  bool strict = false;                         // unknown fields are errors
  validate::Locale locale = validate::Locale::kEnglish;
};

// Schemas are those of the files and of CRDs in the result; kinds without one are passed over. The
// report goes to the error stream, in the words and the layout of `strake validate`. kFindings when
// there are errors; fails when a schema cannot be read.
Result<ExitCode> check_build(const kustomize::BuildResult& result, const BuildCheck& how, Io& io);

}  // namespace strake::cli

#pragma once
// What the flags of `strake validate` say.
#include <chrono>
#include <string>
#include <vector>

#include "cli/command/args.h"
#include "cli/io/io.h"
#include "cli/io/path_patterns.h"
#include "cli/validate/validate_report.h"
#include "rules/allowed_functions.h"
#include "validate/checker.h"
#include "validate/judges.h"

namespace strake::cli {

struct ValidateOptions {
  std::vector<std::string> schemas;
  std::vector<std::string> schema_folders;  // schemas may refer to files below these
  std::string schema_root;  // which schema of a document is meant; empty when it says so itself
  std::vector<std::string> operands;
  PathPatterns exclude;
  std::string baseline;  // empty for none
  bool write_baseline = false;
  std::string old;
  std::vector<std::string> policies;  // files and folders with admission policies
  bool ask_cluster = false;           // for schemas
  std::string context;                // of the kubeconfig; empty for the current one
  std::string kubeconfig;
  validate::JudgeOptions judge;
  validate::CheckOptions check;
  ValidateReport report;
  validate::StreamLimits stream_limits;
  std::uint64_t stream_threshold = 0;  // larger JSON files are not held
  bool stream = false;                 // no JSON file is
  bool cel = true;
  std::chrono::nanoseconds cel_timeout{0};  // for the rules of an object; 0 is no limit
  rules::AllowedFunctions cel_functions;
  bool fail_on_schema_warnings = false;
  std::size_t threads = 1;
  bool print = false;
  bool fail_fast = false;
  bool watch = false;

  // Whether what is asked for can be told of documents that are not held.
  bool may_stream() const;
};

// Code::kUsage for what makes no sense together.
Result<ValidateOptions> read_validate_options(const Arguments& args, const Io& io);

}  // namespace strake::cli

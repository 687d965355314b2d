#include "cli/io/exit_code.h"

namespace strake::cli {
namespace {

constexpr ExitCodeRow kExitCodes[] = {
    {ExitCode::kFine, "fine", "success, nothing to report"},
    {ExitCode::kFindings, "findings", "success, with findings to report"},
    {ExitCode::kInput, "usage or input", "a flag, an argument or an input file is invalid"},
    {ExitCode::kUnsupported, "unsupported", "not supported by this build"},
    {ExitCode::kOutputFailed, "output failed", "the result could not be written"},
    {ExitCode::kRemoteFailed, "remote failed",
     "a server or cloud rejected the request or did not respond"},
};

}  // namespace

std::span<const ExitCodeRow> exit_code_table() { return kExitCodes; }

ExitCode exit_code_for(Code code) {
  switch (code) {
    case Code::kUnsupported: return ExitCode::kUnsupported;
    case Code::kParse:
    case Code::kLimit:
    case Code::kUsage:
    case Code::kIo:
    case Code::kInvalid: return ExitCode::kInput;
    case Code::kBadRequest:
    case Code::kUnauthorized:
    case Code::kForbidden:
    case Code::kNotFound:
    case Code::kMethodNotAllowed:
    case Code::kNotAcceptable:
    case Code::kAlreadyExists:
    case Code::kConflict:
    case Code::kGone:
    case Code::kExpired:
    case Code::kRequestTooLarge:
    case Code::kUnsupportedMediaType:
    case Code::kTooManyRequests:
    case Code::kInternal:
    case Code::kServiceUnavailable:
    case Code::kTimeout:
    case Code::kCancelled: return ExitCode::kRemoteFailed;
  }
  return ExitCode::kRemoteFailed;
}

}  // namespace strake::cli

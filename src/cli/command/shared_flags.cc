#include "cli/command/shared_flags.h"

#include "cli/io/terminal.h"

namespace strake::cli {

Result<std::vector<std::string>> inputs_or_stdin(const Arguments& args, const Io& io) {
  std::vector<std::string> operands = args.operands();
  if (!operands.empty()) return operands;
  if (io.in_is_terminal)
    return fail(Code::kUsage, "name files or folders, or - for standard input");
  operands.emplace_back("-");
  return operands;
}

ExitCode refused(const Error& error, Io& io) {
  print_error(error.to_string(), io);
  return ExitCode::kInput;
}

ExitCode failed(const Error& error, Io& io) {
  print_error(error.to_string(), io);
  return exit_code_for(error.code());
}

}  // namespace strake::cli

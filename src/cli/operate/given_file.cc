#include "cli/operate/given_file.h"

#include "base/input_file.h"
#include "base/private_folder.h"

namespace strake::cli {
namespace {

using provider::Failure;
using provider::Outcome;

}  // namespace

Outcome<Secret> read_given_file(OperateRun& run, std::string_view given, std::uint64_t limit) {
  const auto read = [&]() -> Result<std::string> {
    if (given == "-") return run.io().in.read_all(limit);
    STRAKE_TRY(const InputFile file, InputFile::open(run.path(given), Pipes::kRead));
    return file.read_all(limit);
  };
  auto text = read();
  if (!text) return std::unexpected(Failure(std::move(text).error()).prefixed(given));
  return Secret(*std::move(text));
}

Outcome<> write_given_file(OperateRun& run, std::string_view given, std::string_view text) {
  if (given == "-") {
    run.io().out.write(text);
    return {};
  }
  STRAKE_CHECK(strake::write_file(run.path(given), text, 0600));
  return {};
}

}  // namespace strake::cli

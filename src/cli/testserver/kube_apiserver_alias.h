#pragma once
// The program by the name of kube-apiserver, for test harnesses that start one: its flags are those
// of `strake serve` in memory with the built-in kinds, and none of the controllers that
// kube-apiserver does not have.
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/io/exit_code.h"
#include "cli/io/io.h"

namespace strake::cli {

struct ServeWords {
  std::vector<std::string> words;  // of `strake serve`
  std::vector<std::string> warnings;
};
// Code::kUsage.
Result<ServeWords> as_serve_words(std::span<const std::string> kube_apiserver_args);

ExitCode run_kube_apiserver(std::span<const std::string> args, Io& io);

}  // namespace strake::cli

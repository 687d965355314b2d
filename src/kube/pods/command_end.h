#pragma once
// How a command in a pod ended, as the Status says that servers send for it.
#include <optional>

#include "base/result.h"
#include "value/value.h"

namespace strake::kube {

// The exit code that a Status tells; nothing when it tells none.
std::optional<unsigned> exit_code_of(const value::Value& status);

// 0 to 255. Fails with kInternal when the command could not be run, or with kParse.
Result<int> command_end(std::string_view status);

}  // namespace strake::kube

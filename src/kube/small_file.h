#pragma once
// Files that a kubeconfig points to: certificates, keys, tokens.
#include <string>

#include "base/result.h"

namespace strake::kube {

// Code::kIo when it cannot be read, kLimit when it has more than 16 MiB. Messages hold nothing of
// what is in it.
Result<std::string> read_small_file(const std::string& file);

}  // namespace strake::kube

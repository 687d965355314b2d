#pragma once
// `strake openapi fetch` and `strake openapi info`: the schemas of a cluster as files, and what is
// known of schemas.
#include "cli/command/command.h"

namespace strake::cli {

extern const Command kOpenApiFetchCommand;
extern const Command kOpenApiInfoCommand;

// `kustomize openapi info|fetch`, in that tool's words.
Result<> run_kustomize_openapi(std::span<const std::string> args, Io& io);

}  // namespace strake::cli

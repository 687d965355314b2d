#pragma once
// The flags that `strake build` and `kustomize build` share, and a build by them.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/build/build_remote.h"
#include "cli/build/disk_tree.h"
#include "cli/command/args.h"
#include "cli/io/io.h"
#include "kustomize/build.h"

namespace strake::cli {

// What they have in common; each adds its own.
inline constexpr FlagSpec kSharedBuildFlags[] = {
    {.name = "output",
     .letter = 'o',
     .kind = FlagKind::kText,
     .value_name = "PATH",
     .summary = "write to this file; to a folder that is there, one file a resource"},
    {.name = "load-restrictor",
     .kind = FlagKind::kText,
     .value_name = "MODE",
     .fallback = "LoadRestrictionsRootOnly",
     .summary = "LoadRestrictionsRootOnly, or LoadRestrictionsNone to read files anywhere"},
    {.name = "enable-helm", .summary = "inflate helmCharts with the program helm"},
    {.name = "helm-command",
     .kind = FlagKind::kText,
     .value_name = "PROGRAM",
     .fallback = "helm",
     .summary = "the helm program"},
    {.name = "helm-api-versions",
     .kind = FlagKind::kTexts,
     .value_name = "VERSION",
     .summary = "API versions that charts see as there"},
    {.name = "helm-kube-version",
     .kind = FlagKind::kText,
     .value_name = "VERSION",
     .summary = "the version of Kubernetes that charts see"},
    {.name = "helm-debug", .summary = "have helm tell more"},
    {.name = "reorder",
     .kind = FlagKind::kText,
     .value_name = "ORDER",
     .summary = "legacy, or none to keep the order of loading (sortOptions wins)"},
    {.name = "enable-managedby-label", .summary = "add the label app.kubernetes.io/managed-by"},
};

class BuildRun {
 public:
  // Code::kUsage for flags that make no sense.
  Result<> read(const Arguments& args, bool allow_remote);
  // The folder to build; "." when there is none.
  void set_target(std::string target) { options_.target = std::move(target); }
  // Warnings go to the error stream, whatever comes of the build.
  Result<kustomize::BuildResult> run(Io& io);

 private:
  DiskTree files_;
  std::optional<ProgramRemote> remote_;
  std::optional<ProgramHelm> helm_;
  kustomize::BuildOptions options_;
};

// The error with its message fit to be shown: URLs in it have no passwords.
Error without_credentials(const Error& error);

// Writes the result: to standard output, to a file, or to a folder, one file a resource.
Result<> write_build(const kustomize::BuildResult& result, const std::string& path, Io& io);

}  // namespace strake::cli

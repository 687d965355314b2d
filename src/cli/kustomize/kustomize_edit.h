#pragma once
// `kustomize edit` and `kustomize create`: changes to the kustomization file of the current folder.
#include <span>
#include <string>

#include "base/result.h"
#include "cli/command/args.h"
#include "cli/io/io.h"

namespace strake::cli {

inline constexpr FlagSpec kCreateFlags[] = {
    {.name = "resources",
     .kind = FlagKind::kText,
     .value_name = "FILES",
     .summary = "names of resource files, divided by commas"},
    {.name = "namespace",
     .kind = FlagKind::kText,
     .value_name = "NS",
     .summary = "set the field namespace"},
    {.name = "annotations",
     .kind = FlagKind::kText,
     .value_name = "KEY:VALUE",
     .summary = "add these commonAnnotations, divided by commas"},
    {.name = "labels",
     .kind = FlagKind::kText,
     .value_name = "KEY:VALUE",
     .summary = "add these commonLabels, divided by commas"},
    {.name = "nameprefix",
     .kind = FlagKind::kText,
     .value_name = "TEXT",
     .summary = "set the field namePrefix"},
    {.name = "namesuffix",
     .kind = FlagKind::kText,
     .value_name = "TEXT",
     .summary = "set the field nameSuffix"},
    {.name = "autodetect", .summary = "add the resources of the current directory"},
    {.name = "recursive", .summary = "with --autodetect, look below the current directory too"},
};

// Fail with kUsage, or with what reading or writing the file fails with.
Result<> edit_kustomization(std::span<const std::string> args, Io& io);
Result<> create_kustomization(std::span<const std::string> args, Io& io);

// The parts of `edit`; `args` start after their names.
Result<> edit_set(std::span<const std::string> args, Io& io);
Result<> edit_add(std::span<const std::string> args, Io& io);
Result<> edit_remove(std::span<const std::string> args, Io& io);

}  // namespace strake::cli

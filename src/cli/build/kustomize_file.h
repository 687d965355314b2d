#pragma once
// The kustomization file of the current folder, and the words that name what goes into it: what the
// subcommands of `kustomize edit` share.
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command/args.h"
#include "cli/io/io.h"
#include "kustomize/edit/edit.h"

namespace strake::cli {

inline constexpr std::string_view kKustomizationNames[] = {"kustomization.yaml",
                                                           "kustomization.yml", "Kustomization"};
inline constexpr std::uint64_t kMostKustomizationBytes = std::uint64_t{1} << 26;

using Words = std::span<const std::string>;

// kNotFound when there is none, kInvalid when there are several or it is a folder.
Result<std::string> find_kustomization();

// One change to that file; it is written when the change succeeds.
Result<> change_kustomization(
    const std::function<Result<>(kustomize::KustomizationEditor&)>& change);

// The same; it is written when the change says true.
Result<> maybe_change_kustomization(
    const std::function<Result<bool>(kustomize::KustomizationEditor&)>& change);

// The files that patterns mean. One that nothing matches is passed over with a word to `io.err`.
std::vector<std::string> match_files(const std::vector<std::string>& patterns, Io& io);
// The same, but what no file matches must be a folder or a repository that can be had. Without
// `verify` the patterns themselves.
Result<std::vector<std::string>> match_resources(const std::vector<std::string>& patterns,
                                                 bool verify);

std::vector<std::string> split_at_commas(std::string_view text);
// originAnnotations and the like, from one argument.
Result<std::vector<std::string>> read_build_metadata(const std::vector<std::string>& operands);

Result<Arguments> parse_edit_words(std::span<const FlagSpec> flags, Words args);
Result<> need_words(const std::vector<std::string>& operands, std::string_view what);

// A generator as it is now in the editor must be one that works: it is made once, with its files.
Result<> check_generator(const kustomize::KustomizationEditor& editor, bool secret,
                         std::string_view name, std::string_view namespace_name);

// The flags that name a patch, of `edit add patch` and `edit remove patch`.
inline constexpr FlagSpec kPatchFlags[] = {
    {.name = "path",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "file with the patch"},
    {.name = "patch", .kind = FlagKind::kText, .value_name = "TEXT", .summary = "the patch itself"},
    {.name = "group",
     .kind = FlagKind::kText,
     .value_name = "RE",
     .summary = "API group of the targets, as a regular expression"},
    {.name = "version",
     .kind = FlagKind::kText,
     .value_name = "RE",
     .summary = "API version of the targets, as a regular expression"},
    {.name = "kind",
     .kind = FlagKind::kText,
     .value_name = "RE",
     .summary = "kind of the targets, as a regular expression"},
    {.name = "name",
     .kind = FlagKind::kText,
     .value_name = "RE",
     .summary = "name of the targets, as a regular expression"},
    {.name = "namespace",
     .kind = FlagKind::kText,
     .value_name = "RE",
     .summary = "namespace of the targets, as a regular expression"},
    {.name = "label-selector",
     .kind = FlagKind::kText,
     .value_name = "SELECTOR",
     .summary = "labels of the targets"},
    {.name = "annotation-selector",
     .kind = FlagKind::kText,
     .value_name = "SELECTOR",
     .summary = "annotations of the targets"},
};
Result<kustomize::Patch> read_patch_flags(const Arguments& parsed);

}  // namespace strake::cli

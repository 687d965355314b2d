#pragma once
// The fields `patches`, `patchesStrategicMerge` and `patchesJson6902`.
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/file/loader.h"
#include "kustomize/transform/transformer.h"

namespace strake::kustomize {

// Who asks for a patch, and where it stands when it is written there.
struct PatchHolder {
  std::string file;
  std::string step;   // what does it: "patches"
  InlinePlace place;  // the index is that of the first path, where there are several
};

// Each reads its patch at once; nodes of it have the origin of the file they come from. Fail with
// kustomize's words.
Result<std::unique_ptr<Transformer>> make_patch(const Patch& patch, const Loader& loader,
                                                const PatchHolder& holder, BuildContext& context);
Result<std::unique_ptr<Transformer>> make_patches_strategic_merge(
    const std::vector<std::string>& paths, const std::string& inline_patches, const Loader& loader,
    const PatchHolder& holder, BuildContext& context);
Result<std::unique_ptr<Transformer>> make_patch_json6902(const Patch& patch, const Loader& loader,
                                                         const PatchHolder& holder,
                                                         BuildContext& context);

}  // namespace strake::kustomize

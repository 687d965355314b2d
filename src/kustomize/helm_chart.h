#pragma once
// The field `helmCharts`: a chart inflated by the program `helm`.
#include <optional>
#include <vector>

#include "base/result.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/file/loader.h"
#include "kustomize/target.h"
#include "kustomize/transform/build_context.h"

namespace strake::kustomize {

// Fails with kUnsupported ("must specify --enable-helm") when charts are not allowed.
Result<> check_helm(const HelmSettings& settings);

Result<std::vector<Resource*>> inflate_chart(const HelmChart& chart,
                                             const std::optional<HelmGlobals>& globals,
                                             const HelmSettings& settings, const Loader& loader,
                                             BuildContext& context);

}  // namespace strake::kustomize

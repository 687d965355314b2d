#pragma once
// Configuration objects of `generators`, `transformers` and `validators`: those of built-in kinds
// (apiVersion: builtin). Others would run programs, which a build does not.
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "kustomize/file/loader.h"
#include "kustomize/transform/build_context.h"
#include "kustomize/transform/transformer.h"

namespace strake::kustomize {

struct PluginContext {
  BuildContext& build;
  const Loader& loader;
  std::string file;  // that holds inline patches, for origins
};

// Fails with kUnsupported and kustomize's words for kinds that are not built in.
Result<std::unique_ptr<Transformer>> make_plugin_transformer(const Resource& config,
                                                             const PluginContext& context);
Result<std::vector<Resource*>> run_plugin_generator(const Resource& config,
                                                    const PluginContext& context);

}  // namespace strake::kustomize

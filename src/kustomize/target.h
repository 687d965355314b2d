#pragma once
// One kustomization of a build: reads it, gathers what it names and runs its steps.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/file/loader.h"
#include "kustomize/transform/build_context.h"
#include "kustomize/transform/patch_transformer.h"
#include "kustomize/transform/transformer.h"
#include "kustomize/transform/transformer_config.h"
#include "kustomize/transform/variables.h"
#include "kustomize/tree/resource_set.h"

namespace strake::kustomize {

struct HelmSettings {
  Helm* program = nullptr;  // null unless charts are allowed
  std::string kube_version;
  std::vector<std::string> api_versions;
  bool debug = false;
};

// What holds for all kustomizations of a build.
struct TargetSettings {
  HelmSettings helm;
  std::size_t most_targets = 100'000;  // kustomizations read, each use counted
  std::size_t deepest = 200;           // kustomizations within each other
};

// What a kustomization hands up.
struct Accumulator {
  explicit Accumulator(Scopes& scopes) : set(scopes) {}
  ResourceSet set;
  TransformerConfigPtr config;
  VariableSet variables;
  std::shared_ptr<SchemaLayer> layer;  // null when nobody adds schemas
};

class Target {
 public:
  Target(BuildContext& context, const TargetSettings& settings, const Loader& loader,
         const Target* parent)
      : context_(context), settings_(settings), loader_(loader), parent_(parent) {}

  // Reads the file. Fails with kustomize's words.
  Result<> load();
  const Kustomization& kustomization() const { return file_; }
  const std::string& file_name() const { return file_name_; }

  // From then on resources and steps remember where they come from.
  void track_origins(BuildOrigin origin) { origin_ = std::move(origin); }

  // The `openapi` field; `top` for the kustomization that is built.
  Result<> set_schema(bool top);
  // All but what is done once at the end. A component works on what is there already.
  Result<> accumulate(Accumulator& accumulator);

 private:
  Result<> accumulate_parts(Accumulator& into);
  // Remembers what went wrong first, with this kustomization where no file is known.
  void note_failure(Error error, std::string_view field, std::string_view entry = {});
  Result<> accumulate_resources(Accumulator& into, std::string_view field,
                                const std::vector<std::string>& paths);
  Result<> accumulate_file(Accumulator& into, const std::string& path, bool& http_failed);
  Result<> accumulate_folder(Accumulator& into, const Loader& loader, const std::string& path,
                             bool component);
  Result<> accumulate_components(Accumulator& into);
  Result<> add_config(Accumulator& into);
  Result<> add_schemas(Accumulator& into);
  Result<> run_generators(Accumulator& into);
  Result<> run_transformers(Accumulator& into);
  Result<> run_validators(Accumulator& into);
  Result<> run_step(Step& step, Accumulator& into);

  Result<std::vector<Resource*>> read_configs(std::string_view field,
                                              const std::vector<std::string>& entries);
  Result<> configure_builtin(const TransformerConfig& config, std::vector<Step>& steps);
  Result<> configure_patches(std::vector<Step>& steps);
  Result<> configure_labels(const TransformerConfig& config, std::vector<Step>& steps);
  Result<> configure_plugins(std::string_view field, const std::vector<std::string>& entries,
                             std::vector<Step>& steps);
  Result<> absorb(Accumulator& into, const std::vector<Resource*>& made, const BuildOrigin* origin);
  PatchHolder holder(std::string_view field, std::size_t index);
  void add_step(std::vector<Step>& steps, std::unique_ptr<Transformer> transformer,
                std::string_view field, std::string_view kind, std::string entry = {});

  const BuildOrigin* builtin_origin(std::string_view kind);
  const BuildOrigin* plugin_origin(const Resource& config);
  TransformContext transform_context(const Accumulator& into) const;
  std::string full_file_name() const;
  std::string shown_file_name() const;  // the folder when there is no file

  BuildContext& context_;
  const TargetSettings& settings_;
  const Loader& loader_;
  const Target* parent_;
  std::size_t depth_ = 0;
  Kustomization file_;
  std::shared_ptr<const KustomizationPlaces> places_;  // null until the file is read
  std::string file_name_;
  std::optional<BuildOrigin> origin_;
  std::shared_ptr<std::size_t> targets_;  // counted over the build
};

// The origin of something at a path below another.
BuildOrigin origin_below(const BuildOrigin& origin, std::string_view path);

}  // namespace strake::kustomize

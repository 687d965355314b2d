#pragma once
// The kustomization file: its fields, current and deprecated, read as strictly and as leniently as
// kustomize v5.5.0 reads them.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/config/json_decode.h"
#include "kustomize/merge/schema_layer.h"
#include "kustomize/tree/field_spec.h"
#include "kustomize/tree/text_map.h"
#include "value/document.h"

namespace strake::kustomize {

struct Selector {
  std::string group;
  std::string version;
  std::string kind;
  std::string name;
  std::string namespace_name;
  std::string label_selector;
  std::string annotation_selector;
};

struct Patch {
  std::string path;
  std::string patch;
  std::optional<Selector> target;
  std::map<std::string, bool, std::less<>> options;
};

struct Labels {
  TextMap pairs;
  bool include_selectors = false;
  bool include_templates = false;
  FieldSpecs fields;
};

struct Image {
  std::string name;
  std::string new_name;
  std::string tag_suffix;
  std::string new_tag;
  std::string digest;
};

struct Replica {
  std::string name;
  std::int64_t count = 0;
};

struct FieldOptions {
  std::string delimiter;
  std::int64_t index = 0;
  std::string encoding;
  bool create = false;
};

struct ReplacementSource {
  Selector id;
  std::string field_path;
  std::optional<FieldOptions> options;
};

struct ReplacementTarget {
  std::optional<Selector> select;
  std::vector<Selector> reject;
  std::vector<std::string> field_paths;
  std::optional<FieldOptions> options;
};

struct Replacement {
  std::optional<ReplacementSource> source;
  std::optional<std::vector<ReplacementTarget>> targets;
  std::string path;
};

struct GeneratorOptions {
  TextMap labels;
  TextMap annotations;
  bool disable_hash = false;
  bool immutable = false;
};

struct GeneratorArgs {
  std::string name;
  std::string namespace_name;
  std::string behavior;
  std::vector<std::string> literals;
  std::vector<std::string> files;
  std::vector<std::string> envs;
  std::string env;
  std::optional<GeneratorOptions> options;
  std::string type;  // of a secret
};

struct Variable {
  std::string name;
  std::string api_version;
  std::string group;
  std::string version;
  std::string kind;
  std::string object_name;
  std::string namespace_name;
  std::string field_path;
  friend bool operator==(const Variable&, const Variable&) = default;
};

struct SortOptions {
  std::string order;
  struct Legacy {
    std::vector<std::string> first;
    std::vector<std::string> last;
  };
  std::optional<Legacy> legacy;
};

struct HelmGlobals {
  std::string chart_home;
  std::string config_home;
};

struct HelmChart {
  std::string name;
  std::string version;
  std::string repo;
  std::string release_name;
  std::string namespace_name;
  std::vector<std::string> additional_values_files;
  std::string values_file;
  std::string values_inline;  // YAML, or empty
  std::string values_merge;
  bool include_crds = false;
  bool skip_hooks = false;
  std::vector<std::string> api_versions;
  std::string kube_version;
  std::string name_template;
  bool skip_tests = false;
  bool debug = false;
};

// What Strake adds below `openapi`: see docs/build.md.
struct OpenApiExtras {
  std::vector<std::string> schemas;
  std::vector<SchemaLayer::Keys> keys;
  bool keep_order = false;
  bool replace_items = false;
};

struct Kustomization {
  std::string api_version;
  std::string kind;
  std::optional<std::string> openapi_path;
  std::optional<std::string> openapi_version;
  std::optional<OpenApiExtras> openapi_extras;
  std::string name_prefix;
  std::string name_suffix;
  std::string namespace_name;
  TextMap common_labels;
  std::vector<Labels> labels;
  TextMap common_annotations;
  std::vector<std::string> patches_strategic_merge;
  std::vector<Patch> patches_json6902;
  std::vector<Patch> patches;
  std::vector<Image> images;
  std::vector<Replacement> replacements;
  std::vector<Replica> replicas;
  std::vector<Variable> vars;
  std::optional<SortOptions> sort_options;
  std::vector<std::string> resources;
  std::vector<std::string> components;
  std::vector<std::string> crds;
  std::vector<GeneratorArgs> config_maps;
  std::vector<GeneratorArgs> secrets;
  std::optional<HelmGlobals> helm_globals;
  std::vector<HelmChart> helm_charts;
  std::optional<GeneratorOptions> generator_options;
  std::vector<std::string> configurations;
  std::vector<std::string> generators;
  std::vector<std::string> transformers;
  std::vector<std::string> validators;
  std::vector<std::string> build_metadata;

  std::vector<std::string> warnings;  // about deprecated fields

  bool is_component() const { return kind == "Component"; }
};

// The document of a kustomization, with positions. Fails with kParse and kustomize's words.
Result<value::Document> read_kustomization_yaml(std::string_view text);
// `root` is the folder, for the message about kind and apiVersion. Fails with kInvalid and
// kustomize's words.
Result<Kustomization> decode_kustomization(const value::Value& document, std::string_view root);
// Both, for those who do not ask for places.
Result<Kustomization> read_kustomization(std::string_view text, std::string_view root);

// Parts that configurations of built-in plugins have, too.
void read_selector(JsonDecoder& decoder, const value::Value& v, Selector& out);
void read_field_spec(JsonDecoder& decoder, const value::Value& v, FieldSpec& out);
void read_image(JsonDecoder& decoder, const value::Value& v, Image& out);
void read_replica(JsonDecoder& decoder, const value::Value& v, Replica& out);
void read_replacement(JsonDecoder& decoder, const value::Value& v, Replacement& out);
void read_generator_options(JsonDecoder& decoder, const value::Value& v, GeneratorOptions& out);

// The options of one generator with those that hold for all.
std::optional<GeneratorOptions> with_global(std::optional<GeneratorOptions> local,
                                            const std::optional<GeneratorOptions>& global);

// YAML as kustomize v5.5.0 reads configuration: YAML 1.1, one document, the last of equal keys
// wins.
Result<value::Document> read_config_yaml(std::string_view text, bool positions = false);

}  // namespace strake::kustomize

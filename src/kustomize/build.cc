#include "kustomize/build.h"

#include <algorithm>
#include <array>

#include "kustomize/file/loader.h"
#include "kustomize/target.h"
#include "kustomize/transform/build_context.h"
#include "kustomize/transform/field_transformers.h"
#include "kustomize/transform/name_reference.h"
#include "kustomize/transform/sort_order.h"
#include "kustomize/transform/tracking.h"
#include "kustomize/tree/node_reader.h"
#include "kustomize/tree/node_value.h"
#include "value/yaml_writer.h"

namespace strake::kustomize {
namespace {

bool has_word(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Annotations that kustomize v5.5.0 uses for itself, and drops whoever set them.
bool is_internal(std::string_view key) {
  constexpr std::array<std::string_view, 15> kInternal = {"previousKinds",
                                                          "previousNames",
                                                          "prefixes",
                                                          "suffixes",
                                                          "previousNamespaces",
                                                          "allowNameChange",
                                                          "allowKindChange",
                                                          "refBy",
                                                          "generatorBehavior",
                                                          "needsHashSuffix",
                                                          "path",
                                                          "index",
                                                          "seqindent",
                                                          "id",
                                                          "annotations-migration-resource-id"};
  constexpr std::string_view kPrefix = "internal.config.kubernetes.io/";
  if (key.starts_with(kPrefix))
    return std::ranges::find(kInternal, key.substr(kPrefix.size())) != kInternal.end();
  return key == "config.kubernetes.io/path" || key == "config.kubernetes.io/index" ||
         key == "config.k8s.io/id";
}

struct AnnotationPlan {
  bool origins = false;
  bool transformations = false;
};

// Annotations end up as strings, without those of the build, and not at all when none is left.
void settle_annotations(Resource& resource, const AnnotationPlan& plan, NodeArena& arena) {
  arena.map_at(*resource.root, "metadata");  // there from then on, if only empty
  const Node* present = resource.annotations();
  const bool add_origin = plan.origins && resource.origin != nullptr;
  const bool add_steps = plan.transformations && !resource.transformations.empty();
  if (!add_origin && !add_steps) {
    if (present == nullptr) return;
    const bool settled = present->is_map() && present->count > 0 &&
                         std::ranges::all_of(present->members(), [](const Entry& entry) {
                           return entry.value->is_string() && !entry.value->tagged &&
                                  !entry.value->folded && reads_as_text(entry.key) &&
                                  !is_internal(entry.key) && entry.key != kOriginAnnotation &&
                                  entry.key != kTransformationsAnnotation;
                         });
    if (settled) return;
  }
  TextMap texts = text_map(present);
  std::erase_if(texts, [](const auto& entry) { return is_internal(entry.first); });
  if (!plan.origins) texts.erase(std::string(kOriginAnnotation));
  if (!plan.transformations) texts.erase(std::string(kTransformationsAnnotation));
  if (add_origin)
    texts.insert_or_assign(std::string(kOriginAnnotation), resource.origin->to_yaml());
  if (add_steps) {
    texts.insert_or_assign(std::string(kTransformationsAnnotation),
                           to_yaml(resource.transformations));
  }
  set_metadata_map(*resource.root, "annotations", texts, arena);
}

Result<> drop_local(ResourceSet& set, const BuildContext& context) {
  std::vector<Resource*> left;
  for (Resource* resource : set.list()) {
    if (Result<> fine = check_metadata(*resource); !fine)
      return std::unexpected(context.placed(std::move(fine).error(), *resource->root));
    const Node* annotations = resource->annotations();
    const Node* local =
        annotations == nullptr ? nullptr : annotations->find("config.kubernetes.io/local-config");
    if (local == nullptr || local->text == "false") left.push_back(resource);
  }
  if (left.size() != set.size()) set.replace_list(std::move(left));
  return {};
}

// What is done once, after everything.
Result<> finish(Accumulator& all, const Kustomization& top, const BuildOptions& options,
                BuildContext& context) {
  NodeArena& arena = context.arena;
  const auto begin = [&](std::string_view step) {
    arena.set_origin(context.origins.add({.file = {}, .step = std::string(step)}));
  };
  // In this order: references must see the hashed names, and variables the values after that. Local
  // resources serve as sources until here.
  begin("name suffix hash");
  const TransformContext transform{.build = context, .layer = all.layer.get(), .merge = {}};
  STRAKE_CHECK(make_hash()->transform(all.set, transform));
  begin("name reference");
  STRAKE_CHECK(update_name_references(all.set, *all.config, context));
  begin("vars");
  STRAKE_CHECK(all.variables.resolve(all.set, all.config->var_reference, context));
  STRAKE_CHECK(drop_local(all.set, context));
  if (top.sort_options || options.reorder != Reorder::kNone)
    STRAKE_CHECK(sort_resources(all.set, top.sort_options));
  if (options.managed_by_label || has_word(top.build_metadata, "managedByLabel")) {
    begin("managedByLabel");
    FieldSpec spec;
    spec.path = "metadata/labels";
    spec.create = true;
    STRAKE_CHECK(make_entries({{"app.kubernetes.io/managed-by", "kustomize-v5.5.0"}}, {spec})
                     ->transform(all.set, transform));
  }
  begin("buildMetadata");
  const AnnotationPlan plan{has_word(top.build_metadata, "originAnnotations"),
                            has_word(top.build_metadata, "transformerAnnotations")};
  for (Resource* resource : all.set.list()) settle_annotations(*resource, plan, arena);
  return context.schemas.check();
}

// What is written of a tree.
Result<value::Value> printed_value(const Node& root, Arena& arena) {
  Result<value::Value> out = to_value(root, arena);
  if (out) STRAKE_CHECK(make_printable(*out, arena));
  return out;
}

// Whole numbers above int64 are double to the API.
void as_api_numbers(value::Value& v) {
  if (v.type() == value::Type::kUint) {
    v = value::Value::number(v.as_double());
  } else if (v.is_array()) {
    for (value::Value& item : v.mutable_items()) as_api_numbers(item);
  } else if (v.is_object()) {
    for (value::Member& member : v.mutable_members()) as_api_numbers(member.value);
  }
}

Result<BuildResult::Item> make_item(const Resource& resource, Scopes& scopes, Arena& scratch) {
  STRAKE_TRY(const value::Value value, printed_value(*resource.root, scratch));
  const ResourceId id = resource.id(scopes);
  BuildResult::Item out;
  out.api_version = resource.api_version();
  out.group = id.gvk.group;
  out.version = id.gvk.version;
  out.kind = id.gvk.kind;
  out.name = id.name;
  for (const PreviousId& one : resource.previous) {
    if (one.name != id.name && !has_word(out.earlier_names, one.name))
      out.earlier_names.emplace_back(one.name);
  }
  out.namespace_name = id.namespace_name;
  out.cluster_scoped = id.cluster_scoped;
  value::write_yaml(value, out.yaml);
  return out;
}

struct Built {
  std::vector<const void*> roots;
  std::vector<BuildResult::Item> items;
};

Result<Built> run(const BuildOptions& options, BuildContext& context) {
  const LoaderServices services{
      .files = options.files, .remote = options.remote, .root_only = options.root_only};
  STRAKE_TRY(const std::unique_ptr<Loader> loader,
             Loader::open(services, options.target, options.working_folder));
  TargetSettings settings;
  settings.helm = {.program = options.helm,
                   .kube_version = options.helm_kube_version,
                   .api_versions = options.helm_api_versions,
                   .debug = options.helm_debug};
  Target target(context, settings, *loader, nullptr);
  STRAKE_CHECK(target.load());
  STRAKE_CHECK(target.set_schema(true));
  if (!target.kustomization().build_metadata.empty()) target.track_origins({});
  Accumulator all(context.schemas);
  STRAKE_CHECK(target.accumulate(all));
  // What is done once is nobody's step: the kustomization that is built led there.
  const auto failed = [&](Error error) {
    context.failure.first = error;
    context.failure.files.push_back(loader->full_path(target.file_name()));
    return std::unexpected(std::move(error));
  };
  if (Result<> done = finish(all, target.kustomization(), options, context); !done)
    return failed(std::move(done).error());
  std::vector<const void*> roots;
  std::vector<BuildResult::Item> items;
  Arena scratch;
  for (const Resource* resource : all.set.list()) {
    Result<BuildResult::Item> item = make_item(*resource, context.schemas, scratch);
    if (!item) return failed(unprintable(std::move(item).error(), *resource, context));
    roots.push_back(resource->root);
    items.push_back(*std::move(item));
    scratch.reset();
  }
  return Built{std::move(roots), std::move(items)};
}

// kustomize's message is one thing; where it happened, and what led there, is told in causes.
Error with_trail(const Error& error, FailureTrail trail) {
  Error out(error.code(), error.message());
  if (!error.source().empty()) out = std::move(out).in(error.source());
  if (error.position()) out = std::move(out).at(*error.position());
  if (!trail.first) return out;
  const std::string own = trail.first->source();
  if (!trail.resource.empty()) trail.first = (*std::move(trail.first)).prefixed(trail.resource);
  out = std::move(out).because(*std::move(trail.first));
  for (std::string& file : trail.files) {
    if (file != own) out = std::move(out).because(Error(Code::kInvalid, "used by").in(file));
  }
  return out;
}

}  // namespace

BuildResult::BuildResult(std::unique_ptr<BuildContext> context, std::vector<const void*> roots,
                         std::vector<Item> items)
    : context_(std::move(context)), roots_(std::move(roots)), items_(std::move(items)) {}
BuildResult::~BuildResult() = default;
BuildResult::BuildResult(BuildResult&&) noexcept = default;
BuildResult& BuildResult::operator=(BuildResult&&) noexcept = default;

Result<value::Document> BuildResult::object(std::size_t item) const {
  value::Document out;
  STRAKE_TRY(out.root(), printed_value(*static_cast<const Node*>(roots_[item]), out.arena()));
  as_api_numbers(out.root());
  return out;
}

std::string BuildResult::yaml() const {
  std::size_t size = 0;
  for (const Item& item : items_) size += item.yaml.size() + 4;
  std::string out;
  out.reserve(size);
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (i > 0) out += "---\n";
    out += items_[i].yaml;
  }
  return out;
}

Result<BuildResult> build(const BuildOptions& options, std::vector<std::string>& warnings) {
  auto context = std::make_unique<BuildContext>();
  context->warnings = &warnings;
  Result<Built> built = run(options, *context);
  if (!built)
    return std::unexpected(with_trail(std::move(built).error(), std::move(context->failure)));
  return BuildResult(std::move(context), std::move(built->roots), std::move(built->items));
}

}  // namespace strake::kustomize

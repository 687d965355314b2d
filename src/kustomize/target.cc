#include "kustomize/target.h"

#include <algorithm>
#include <array>

#include "base/quote.h"
#include "kustomize/file/kustomization_places.h"
#include "kustomize/file/paths.h"
#include "kustomize/generators.h"
#include "kustomize/helm_chart.h"
#include "kustomize/plugins.h"

namespace strake::kustomize {
namespace {

constexpr std::array<std::string_view, 3> kFileNames = {"kustomization.yaml", "kustomization.yml",
                                                        "Kustomization"};

std::unexpected<Error> in_context(Error error, std::string_view context) {
  return std::unexpected(std::move(error).prefixed(context));
}

bool is_malformed(const Error& error) {
  return error.message().find("MalformedYAMLError") != std::string::npos;
}

}  // namespace

BuildOrigin origin_below(const BuildOrigin& origin, std::string_view path) {
  BuildOrigin out = origin;
  if (const auto repo = parse_repo_spec(path)) {
    // The result is for others to read.
    out.repo = without_credentials(repo->clone_url());
    out.ref = repo->ref;
    out.path = repo->folder;
    return out;
  }
  out.path = join_path(out.path, path);
  return out;
}

Result<> Target::load() {
  depth_ = parent_ == nullptr ? 0 : parent_->depth_ + 1;
  targets_ = parent_ == nullptr ? std::make_shared<std::size_t>(0) : parent_->targets_;
  if (depth_ > settings_.deepest)
    return fail(Code::kLimit, "kustomizations are nested deeper than {}", settings_.deepest);
  if (++*targets_ > settings_.most_targets)
    return fail(Code::kLimit, "more than {} kustomizations", settings_.most_targets);
  std::optional<std::string> text;
  std::size_t found = 0;
  for (const std::string_view name : kFileNames) {
    Result<std::string> content = loader_.load(name);
    if (!content) {
      if (content.error().code() == Code::kLimit) return std::unexpected(content.error());
      continue;
    }
    ++found;
    text = *std::move(content);
    file_name_ = name;
  }
  if (found == 0) {
    return fail(Code::kNotFound,
                "unable to find one of 'kustomization.yaml', 'kustomization.yml' or "
                "'Kustomization' in directory '{}'",
                loader_.root());
  }
  if (found > 1)
    return fail(Code::kInvalid, "Found multiple kustomization files under: {}\n", loader_.root());
  Result<value::Document> document = read_kustomization_yaml(*text);
  if (!document) return std::unexpected(std::move(document).error().in(full_file_name()));
  places_ = std::make_shared<const KustomizationPlaces>(*std::move(text), *std::move(document));
  Result<Kustomization> read = decode_kustomization(places_->root(), loader_.root());
  if (!read) {
    Error error = std::move(read).error();
    if (const std::uint32_t line = line_of_decode_error(places_->root(), error.message()))
      error = std::move(error).at(Position{.line = line});
    return std::unexpected(std::move(error).in(full_file_name()));
  }
  file_ = *std::move(read);
  for (const std::string& warning : file_.warnings) context_.warn(warning);
  return {};
}

std::string Target::full_file_name() const { return loader_.full_path(file_name_); }

Result<> Target::set_schema(bool top) {
  std::optional<std::string> document;
  if (file_.openapi_path) {
    STRAKE_TRY(document, loader_.load(*file_.openapi_path));
  }
  return context_.schemas.set(file_.openapi_version, std::move(document), top);
}

std::string Target::shown_file_name() const {
  return file_name_.empty() ? loader_.root() : full_file_name();
}

void Target::note_failure(Error error, std::string_view field, std::string_view entry) {
  if (context_.failure.first) return;
  if (error.source().empty()) {
    const bool placed = !field.empty() && places_ != nullptr;
    const std::uint32_t line = placed ? places_->line_of_field(field, entry) : 0;
    if (line > 0) error = std::move(error).at(Position{.line = line});
    error = std::move(error).in(shown_file_name());
  }
  context_.failure.first = std::move(error);
}

Result<> Target::accumulate(Accumulator& into) {
  Result<> done = accumulate_parts(into);
  if (!done) {
    note_failure(done.error(), "");
    context_.failure.files.push_back(shown_file_name());
  }
  return done;
}

// The order of a layer (kustomize v5.5.0). Generators come after resources, because they may merge
// into them; components after both, because they work on all that is there; transformers last.
// Hashes and name references are not part of a layer: they wait until everything is known
// (build.cc).
Result<> Target::accumulate_parts(Accumulator& into) {
  if (Result<> done = accumulate_resources(into, "resources", file_.resources); !done)
    return in_context(std::move(done).error(), "accumulating resources");
  STRAKE_CHECK(add_config(into));
  STRAKE_CHECK(add_schemas(into));
  STRAKE_CHECK(run_generators(into));
  if (Result<> done = accumulate_components(into); !done)
    return in_context(std::move(done).error(), "accumulating components");
  STRAKE_CHECK(run_transformers(into));
  STRAKE_CHECK(run_validators(into));
  if (Result<> done = into.variables.add(file_.vars, into.set); !done)
    return in_context(std::move(done).error(), "merging vars");
  return context_.schemas.check();
}

Result<> Target::accumulate_file(Accumulator& into, const std::string& path, bool& http_failed) {
  const std::string context = fmt::format("accumulating resources from '{}'", path);
  Result<std::string> text = loader_.load(path, &http_failed);
  if (!text) return in_context(std::move(text).error(), context);
  const auto in_file = [&](Error error) { return std::move(error).in(loader_.full_path(path)); };
  const OriginId before = context_.arena.origin();
  context_.arena.set_origin(context_.origins.add({.file = loader_.full_path(path), .step = {}}));
  Result<std::vector<Resource*>> read = read_resources(*std::move(text), context_);
  context_.arena.set_origin(before);
  if (!read) {
    Error error = std::move(read).error();
    if (is_malformed(error)) {
      Error named(error.code(), fmt::format("{} in File: {}", error.message(), path));
      if (error.position()) named = std::move(named).at(*error.position());
      error = std::move(named);
    }
    error = in_file(std::move(error));
    return in_context(std::move(error), context);
  }
  // Those of one file must not clash with each other either.
  ResourceSet own(context_.schemas);
  if (Result<> added = own.append_all(*read); !added)
    return in_context(in_file(std::move(added).error()), context);
  STRAKE_CHECK(context_.schemas.check());
  if (origin_) {
    const BuildOrigin& origin = context_.build_origins.emplace_back(origin_below(*origin_, path));
    for (Resource* resource : *read) resource->origin = &origin;
  }
  if (Result<> added = into.set.append_all(*read); !added) {
    return in_context(in_file(std::move(added).error()),
                      fmt::format("merging resources from '{}'", path));
  }
  return {};
}

Result<> Target::accumulate_resources(Accumulator& into, std::string_view field,
                                      const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    bool http_failed = false;
    // Whether an entry is a file or a folder is found out by trying, in this order. Both errors are
    // shown, since which one the user meant is not known.
    Result<> as_file = accumulate_file(into, path, http_failed);
    if (as_file) continue;
    Error file_error = std::move(as_file).error();
    if (http_failed || file_error.code() == Code::kLimit) {
      note_failure(file_error, field, path);
      return std::unexpected(file_error);
    }
    STRAKE_CHECK(context_.schemas.check());
    Result<std::unique_ptr<Loader>> folder = loader_.open_below(path);
    const std::string context = fmt::format("accumulation err='{}'", file_error.message());
    if (!folder) {
      const bool no_file =
          parse_repo_spec(path).has_value() || loader_.is_folder(loader_.full_path(path));
      note_failure(no_file ? folder.error() : file_error, field, path);
      if (is_malformed(file_error)) return std::unexpected(file_error);
      return in_context(std::move(folder).error(), context);
    }
    if (Result<> done = accumulate_folder(into, **folder, path, false); !done) {
      note_failure(done.error(), field, path);
      return in_context(std::move(done).error(), context);
    }
  }
  return {};
}

Result<> Target::accumulate_components(Accumulator& into) {
  for (const std::string& path : file_.components) {
    Result<std::unique_ptr<Loader>> folder = loader_.open_below(path);
    if (!folder) {
      note_failure(folder.error(), "components", path);
      return fail(folder.error().code(), "loader.New {}", quote(folder.error().message()));
    }
    Result<> done = accumulate_folder(into, **folder, path, true);
    if (done) continue;
    note_failure(done.error(), "components", path);
    return fail(done.error().code(), "accumulateDirectory: {}", quote(done.error().message()));
  }
  return {};
}

Result<> Target::accumulate_folder(Accumulator& into, const Loader& loader, const std::string& path,
                                   bool component) {
  Target below(context_, settings_, loader, this);
  if (Result<> loaded = below.load(); !loaded) {
    if (!loaded.error().source().empty()) note_failure(loaded.error(), "");
    return in_context(std::move(loaded).error(),
                      fmt::format("couldn't make target for path '{}'", loader.root()));
  }
  if (origin_) below.track_origins(origin_below(*origin_, path));
  STRAKE_CHECK(below.set_schema(false));
  if (component && !below.file_.is_component()) {
    return fail(Code::kInvalid, "expected kind 'Component' for path '{}' but got '{}'",
                loader.root(), below.file_.kind);
  }
  if (!component && below.file_.is_component())
    return fail(Code::kInvalid, "expected kind != 'Component' for path '{}'", loader.root());
  const std::string recursed = fmt::format("recursed accumulation of path '{}'", loader.root());
  const std::string merging = fmt::format("recursed merging from path '{}'", loader.root());
  if (component) {
    // A component works on what its parent has gathered; a base starts with nothing and is merged
    // in.
    if (Result<> done = below.accumulate(into); !done)
      return in_context(std::move(done).error(), recursed);
    // kustomize v5.5.0 starts anew with what a component leaves: rows of the tables that a narrower
    // one sorts before are lost by that.
    const std::vector<Resource*> left = into.set.list();
    into.set.replace_list({});
    if (Result<> added = into.set.append_all(left); !added)
      return in_context(std::move(added).error(), merging);
    STRAKE_TRY(into.config, merged_config(nullptr, into.config));
    return {};
  }
  Accumulator own(context_.schemas);
  if (Result<> done = below.accumulate(own); !done)
    return in_context(std::move(done).error(), recursed);
  if (Result<> added = into.set.append_all(own.set.list()); !added)
    return in_context(std::move(added).error(), merging);
  STRAKE_TRY(into.config, merged_config(into.config, own.config));
  if (own.layer != nullptr) {
    if (into.layer == nullptr) into.layer = std::make_shared<SchemaLayer>();
    into.layer->add_layer(own.layer);
  }
  if (Result<> added = into.variables.add(own.variables); !added)
    return in_context(std::move(added).error(), merging);
  return {};
}

Result<> Target::add_config(Accumulator& into) {
  TransformerConfigPtr custom;
  for (const std::string& path : file_.configurations) {
    Result<std::string> text = loader_.load(path);
    if (!text) {
      note_failure(text.error(), "configurations", path);
      return std::unexpected(std::move(text).error());
    }
    Result<TransformerConfig> read = read_transformer_config(*text);
    if (!read) return std::unexpected(std::move(read).error().in(loader_.full_path(path)));
    TransformerConfig config = *std::move(read);
    STRAKE_TRY(custom,
               merged_config(custom, std::make_shared<const TransformerConfig>(std::move(config))));
  }
  Result<TransformerConfigPtr> own = merged_config(builtin_transformer_config(), custom);
  if (!own) {
    note_failure(own.error(), "configurations");
    return std::unexpected(std::move(own).error());
  }
  STRAKE_TRY(into.config, merged_config(into.config, *own));
  for (const std::string& path : file_.crds) {
    Result<std::string> text = loader_.load(path);
    const std::string context = fmt::format("loading CRDs [{}]", fmt::join(file_.crds, " "));
    if (!text) return in_context(std::move(text).error(), context);
    Result<TransformerConfig> config = read_crd_config(*text);
    if (!config) {
      return in_context(std::move(config).error().prefixed(
                            fmt::format("unable to parse open API definition from '{}'", path)),
                        context);
    }
    STRAKE_TRY(
        into.config,
        merged_config(into.config, std::make_shared<const TransformerConfig>(*std::move(config))));
  }
  return {};
}

Result<> Target::add_schemas(Accumulator& into) {
  if (!file_.openapi_extras) return {};
  if (into.layer == nullptr) into.layer = std::make_shared<SchemaLayer>();
  for (const std::string& path : file_.openapi_extras->schemas) {
    STRAKE_TRY(const std::string text, loader_.load(path));
    if (Result<> added = into.layer->add_document(text); !added)
      return in_context(std::move(added).error(), fmt::format("invalid schema file '{}'", path));
  }
  for (const SchemaLayer::Keys& keys : file_.openapi_extras->keys)
    STRAKE_CHECK(into.layer->add_keys(keys));
  return {};
}

Result<> Target::absorb(Accumulator& into, const std::vector<Resource*>& made,
                        const BuildOrigin* origin) {
  for (Resource* resource : made) {
    if (resource->origin == nullptr) resource->origin = origin;
    if (Result<> done = into.set.absorb(resource, context_.arena); !done)
      return in_context(std::move(done).error(), "merging from generator");
  }
  return {};
}

Result<> Target::run_generators(Accumulator& into) {
  NodeArena& arena = context_.arena;
  const OriginId before = arena.origin();
  const auto generate = [&](const GeneratorArgs& given, bool secret) -> Result<> {
    GeneratorArgs args = given;
    args.options = with_global(given.options, file_.generator_options);
    arena.set_origin(context_.origins.add(
        {.file = full_file_name(), .step = secret ? "secretGenerator" : "configMapGenerator"}));
    const std::string_view field = secret ? "secretGenerator" : "configMapGenerator";
    Result<Resource*> made = secret ? generate_secret(args, loader_, context_)
                                    : generate_config_map(args, loader_, context_);
    if (!made) {
      note_failure(made.error(), field, args.name);
      return std::unexpected(std::move(made).error());
    }
    Result<> done =
        absorb(into, {*made}, builtin_origin(secret ? "SecretGenerator" : "ConfigMapGenerator"));
    if (!done) note_failure(done.error(), field, args.name);
    return done;
  };
  // kustomize v5.5.0 looks at charts before it makes anything.
  if (!file_.helm_charts.empty()) {
    if (Result<> allowed = check_helm(settings_.helm); !allowed) {
      note_failure(allowed.error(), "helmCharts");
      return allowed;
    }
  }
  for (const GeneratorArgs& args : file_.config_maps) STRAKE_CHECK(generate(args, false));
  for (const GeneratorArgs& args : file_.secrets) STRAKE_CHECK(generate(args, true));
  for (const HelmChart& chart : file_.helm_charts) {
    arena.set_origin(context_.origins.add({.file = full_file_name(), .step = "helmCharts"}));
    auto made = inflate_chart(chart, file_.helm_globals, settings_.helm, loader_, context_);
    if (!made) {
      note_failure(made.error(), "helmCharts", chart.name);
      return std::unexpected(std::move(made).error());
    }
    STRAKE_CHECK(absorb(into, *made, builtin_origin("HelmChartInflationGenerator")));
  }
  Result<std::vector<Resource*>> configs = read_configs("generators", file_.generators);
  if (!configs) return in_context(std::move(configs).error(), "loading generator plugins");
  for (const Resource* config : *configs) {
    arena.set_origin(context_.origins.add(
        {.file = full_file_name(), .step = fmt::format("generators ({})", config->kind())}));
    Result<std::vector<Resource*>> made =
        run_plugin_generator(*config, {context_, loader_, full_file_name()});
    if (!made) {
      return in_context(std::move(made).error(),
                        "loading generator plugins: failed to load generator");
    }
    STRAKE_CHECK(absorb(into, *made, plugin_origin(*config)));
  }
  arena.set_origin(before);
  return {};
}

Result<std::vector<Resource*>> Target::read_configs(std::string_view field,
                                                    const std::vector<std::string>& entries) {
  Accumulator configs(context_.schemas);
  std::vector<std::string> paths;
  for (const std::string& entry : entries) {
    // An entry is tried as inline YAML first. A path reads as a plain string, which is no resource,
    // and so falls through.
    Result<std::vector<Resource*>> own = read_resources(entry, context_);
    if (!own) {
      paths.push_back(entry);
      continue;
    }
    if (origin_) {
      const BuildOrigin& origin =
          context_.build_origins.emplace_back(origin_below(*origin_, file_name_));
      for (Resource* resource : *own) resource->origin = &origin;
    }
    STRAKE_CHECK(configs.set.append_all(*own));
  }
  STRAKE_CHECK(accumulate_resources(configs, field, paths));
  return configs.set.list();
}

const BuildOrigin* Target::builtin_origin(std::string_view kind) {
  if (!origin_) return nullptr;
  BuildOrigin& out = context_.build_origins.emplace_back();
  out.repo = origin_->repo;
  out.ref = origin_->ref;
  out.configured_in = join_path(origin_->path, file_name_);
  out.api_version = "builtin";
  out.kind = kind;
  return &out;
}

const BuildOrigin* Target::plugin_origin(const Resource& config) {
  if (config.origin == nullptr) return nullptr;
  BuildOrigin& out = context_.build_origins.emplace_back();
  out.repo = config.origin->repo;
  out.ref = config.origin->ref;
  out.configured_in = config.origin->path;
  out.api_version = config.api_version();
  out.kind = config.kind();
  out.name = config.name();
  out.namespace_name = config.namespace_name();
  return &out;
}

}  // namespace strake::kustomize

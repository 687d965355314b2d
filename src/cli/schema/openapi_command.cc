#include "cli/schema/openapi_command.h"

#include <filesystem>

#include "cli/cluster/cluster_flags.h"
#include "cli/command/shared_flags.h"
#include "cli/io/files.h"
#include "cli/io/terminal.h"
#include "cli/kustomize/kustomize_command.h"
#include "cli/schema/openapi_facts.h"
#include "kube/openapi.h"
#include "kustomize/merge/builtin_schema.h"
#include "kustomize/merge/builtin_table.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kApiChoices[] = {"v2", "v3"};
constexpr std::string_view kFormatChoices[] = {"json", "yaml"};
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

value::ReadOptions as_sent() {
  value::ReadOptions out;
  out.duplicates = value::DuplicatePolicy::kLastWins;
  out.text = value::TextPolicy::kReplace;
  return out;
}

Result<value::Document> parsed(std::string text, std::string_view path) {
  auto document = value::read_json(std::move(text), as_sent());
  if (!document) return std::unexpected(std::move(document).error().prefixed(path));
  return document;
}

std::string rendered(const value::Value& root, bool yaml) {
  if (yaml) return value::to_yaml(root);
  return value::to_json(root, {.indent = 2}) + "\n";
}

struct Part {
  std::string name;
  value::Document document;
};

Result<std::vector<Part>> fetch_parts(const kube::Client& cluster, Io& io) {
  STRAKE_TRY(const std::vector<kube::OpenApiPart> listed, kube::list_openapi_v3(cluster));
  std::vector<std::string> paths;
  for (const kube::OpenApiPart& part : listed) paths.push_back(part.path);
  STRAKE_TRY(std::vector<std::string> texts, get_all(cluster, paths, io));
  std::vector<Part> out;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    STRAKE_TRY(value::Document document, parsed(std::move(texts[i]), paths[i]));
    out.push_back({.name = listed[i].name, .document = std::move(document)});
  }
  return out;
}

// Names come from the server: they must not lead out of the folder.
Result<fs::path> file_below(const std::string& folder, const std::string& name,
                            std::string_view extension) {
  const fs::path relative = fs::path(name + std::string(extension)).lexically_normal();
  if (relative.is_absolute() || relative.empty() || *relative.begin() == "..")
    return fail(Code::kInvalid, "the cluster names a document \"{}\"", name);
  return fs::path(folder) / relative;
}

Result<> write_parts(const std::vector<Part>& parts, const std::string& folder, bool yaml) {
  for (const Part& part : parts) {
    STRAKE_TRY(const fs::path file, file_below(folder, part.name, yaml ? ".yaml" : ".json"));
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    if (error)
      return fail(Code::kIo, "cannot make {}: {}", file.parent_path().string(), error.message());
    STRAKE_CHECK(write_file(file.string(), rendered(part.document.root(), yaml)));
  }
  return {};
}

Result<> write_one(const value::Value& root, const std::string& file, bool yaml, Io& io) {
  const std::string text = rendered(root, yaml);
  if (file.empty() || file == "-") {
    io.out.write(text);
    return {};
  }
  return write_file(file, text);
}

std::string line_of(std::string_view file, std::string_view facts) {
  return printable(fmt::format("{}: {}", file, facts)) + "\n";
}

Result<> fetch_into(const Arguments& args, Io& io) {
  STRAKE_TRY(const kube::Client cluster,
             connect_cluster(args.text("kubeconfig"), args.text("context"), io));
  const bool yaml = args.text("format") == "yaml";
  const std::string target(args.operands().empty() ? args.text("output") : args.operands()[0]);
  std::error_code error;
  const bool folder = !target.empty() && (target.ends_with('/') || fs::is_directory(target, error));
  if (args.text("api") == "v2") {
    if (folder)
      return fail(Code::kUsage, "{} is a folder, and OpenAPI v2 is one document: name a file",
                  target);
    STRAKE_TRY(std::string text, kube::fetch_openapi_v2(cluster));
    STRAKE_TRY(const value::Document document, parsed(std::move(text), "/openapi/v2"));
    STRAKE_CHECK(write_one(document.root(), target, yaml, io));
    if (!target.empty() && target != "-")
      io.err.write(line_of(target, facts_of(document.root()).to_string()));
    return {};
  }
  STRAKE_TRY(std::vector<Part> parts, fetch_parts(cluster, io));
  if (folder) {
    STRAKE_CHECK(write_parts(parts, target, yaml));
    io.err.write(line_of(target, fmt::format("{} documents", parts.size())));
    return {};
  }
  std::vector<value::Document> documents;
  for (Part& part : parts) documents.push_back(std::move(part.document));
  STRAKE_TRY(const value::Document merged, kube::merge_openapi_v3(documents));
  STRAKE_CHECK(write_one(merged.root(), target, yaml, io));
  if (!target.empty() && target != "-")
    io.err.write(line_of(target, facts_of(merged.root()).to_string()));
  return {};
}

ExitCode run_fetch(const Arguments& args, Io& io) {
  if (args.given("output") && !args.operands().empty()) {
    print_error("name the file once: as an argument or with --output", io);
    return ExitCode::kInput;
  }
  const auto done = fetch_into(args, io);
  return done ? ExitCode::kFine : failed(done.error(), io);
}

Result<> tell_facts(const std::string& file, Io& io) {
  STRAKE_TRY(const std::string text, read_input(file, kMostBytes, io));
  STRAKE_TRY(const OpenApiFacts facts, facts_of_file(text, file));
  io.out.write(line_of(file, facts.to_string()));
  return {};
}

ExitCode run_info(const Arguments& args, Io& io) {
  if (args.operands().empty()) {
    OpenApiFacts facts = facts_of(kustomize::builtin_schema().root());
    facts.version = "built in";
    facts.about = fmt::format("Kubernetes {}", kustomize::kBuiltinVersion);
    io.out.write(facts.to_string() + "\n");
  }
  for (const std::string& file : args.operands()) {
    if (const auto told = tell_facts(file, io); !told) return refused(told.error(), io);
  }
  return ExitCode::kFine;
}

constexpr FlagSpec kFetchFlags[] = {
    {.name = "output",
     .letter = 'o',
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "write to this file; for v3, a folder gets one file per group and version"},
    kContextFlag,
    kKubeconfigFlag,
    choice_flag("api", "VERSION", kApiChoices, "v2",
                "OpenAPI v2, or v3 with the documents of all groups merged into one"),
    choice_flag("format", "FORMAT", kFormatChoices, "json", "json or yaml"),
};

constexpr Example kFetchExamples[] = {
    {"strake openapi fetch -o openapi.json", "save the schema for openapi.path of a kustomization"},
    {"strake openapi fetch --context prod --api v3 -o schemas/",
     "write one file per group and version"},
};

constexpr Example kInfoExamples[] = {
    {"strake openapi info", "describe the built-in schema"},
    {"strake openapi info openapi.json", "describe the schema in a file"},
};

constexpr std::string_view kFetchFailed =
    "Error fetching schema from cluster.\n"
    "Please make sure kubectl is installed, its context is set correctly, and your cluster is up.\n"
    "Installation and setup instructions: https://kubernetes.io/docs/tasks/tools/install-kubectl/";

constexpr FlagSpec kKustomizeFetchFlags[] = {{.name = "format",
                                              .kind = FlagKind::kText,
                                              .value_name = "FORMAT",
                                              .fallback = "json",
                                              .summary = "json or yaml"}};

// To standard output as kustomize 5.5 does, or to a file as KEP-2206 has it, with its line of text.
Result<> fetch_as_kustomize(const std::string& file, bool yaml, Io& io) {
  if (!file.empty())
    io.out.write("Fetching OpenAPI document using the current context in kubeconfig\n");
  STRAKE_TRY(const kube::Client cluster, connect_cluster("", "", io));
  STRAKE_TRY(std::string text, kube::fetch_openapi_v2(cluster));
  STRAKE_TRY(const value::Document document, parsed(std::move(text), "/openapi/v2"));
  return write_one(document.root(), file, yaml, io);
}

Result<> kustomize_openapi_fetch(std::span<const std::string> args, Io& io) {
  STRAKE_TRY(const Arguments parsed_args,
             parse_arguments(kKustomizeFetchFlags, {.usage = "[FILE]", .at_most = 1}, args));
  const std::string_view format = parsed_args.text("format");
  if (format != "json" && format != "yaml")
    return fail(Code::kUsage, "format must be either 'json' or 'yaml'");
  const std::string file = parsed_args.operands().empty() ? "" : parsed_args.operands()[0];
  auto done = fetch_as_kustomize(file, format == "yaml", io);
  if (done) return {};
  // A file that cannot be written is no fault of the cluster.
  if (done.error().source() == file && !file.empty()) return done;
  return fail(done.error().code(), "{}\n{}", done.error().to_string(), kFetchFailed);
}

Result<> kustomize_openapi_info(std::span<const std::string> args, Io& io) {
  STRAKE_CHECK(parse_arguments({}, {}, args));
  io.out.write(fmt::format("{{title:Kubernetes,version:{}}}\n", kustomize::kBuiltinVersion));
  return {};
}

constexpr KustomizeCommand kKustomizeOpenApi[] = {
    {.name = "fetch",
     .operands = "[FILE]",
     .summary = "Fetches the OpenAPI specification from the current kubernetes cluster specified "
                "in the user's kubeconfig, to FILE or to standard output",
     .flags = kKustomizeFetchFlags,
     .run = kustomize_openapi_fetch},
    {.name = "info",
     .summary = "Prints the `info` field from the kubernetes OpenAPI data",
     .run = kustomize_openapi_info},
};

}  // namespace

Result<> run_kustomize_openapi(std::span<const std::string> args, Io& io) {
  return run_kustomize_family("openapi", "Commands for interacting with the OpenAPI data",
                              kKustomizeOpenApi, args, io);
}

constinit const Command kOpenApiFetchCommand = {
    .name = "openapi fetch",
    .group = Group::kBuild,
    .summary = "fetch the OpenAPI schema of a cluster",
    .description =
        "Reads the OpenAPI document of the cluster in the kubeconfig and writes it with sorted "
        "keys, so that two documents can be compared. Use it as openapi.path of a kustomization, "
        "as one of openapi.strake.schemas in addition to the built-in schema, or with "
        "`strake validate -s`.\n\n"
        "The kubeconfig can have certificates, tokens, passwords or a credential plugin. "
        "Exits 5 if the cluster cannot be reached or rejects the request.",
    .flags = kFetchFlags,
    .operands = {.usage = "[FILE]", .at_most = 1, .files = true},
    .examples = kFetchExamples,
    .run = run_fetch,
};

constinit const Command kOpenApiInfoCommand = {
    .name = "openapi info",
    .group = Group::kBuild,
    .summary = "describe the built-in schema or a schema file",
    .description =
        "Shows the version and the number of kinds and of lists with merge keys. A file can be any "
        "schema that a build accepts: an OpenAPI document, or CRDs.",
    .operands = {.usage = "[FILE|-]...", .at_most = kAnyNumber, .files = true},
    .examples = kInfoExamples,
    .run = run_info,
};

}  // namespace strake::cli

#include "cli/build/build_options.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/io/files.h"
#include "cli/io/terminal.h"

namespace strake::cli {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  });
  return text;
}

std::string file_name(const kustomize::BuildResult::Item& item, bool with_namespace) {
  std::vector<std::string> parts;
  if (with_namespace && !item.cluster_scoped)
    parts.push_back(item.namespace_name.empty() ? "default" : item.namespace_name);
  for (const std::string& part : {item.group, item.version, item.kind}) {
    if (!part.empty()) parts.push_back(part);
  }
  parts.push_back(item.name);
  std::string name = lower(fmt::format("{}.yaml", fmt::join(parts, "_")));
  // Names of resources come from files: none may lead elsewhere.
  std::ranges::replace(name, '/', '_');
  return name;
}

}  // namespace

Result<> BuildRun::read(const Arguments& args, bool allow_remote) {
  const std::string_view restrictor = args.text("load-restrictor");
  if (restrictor != "LoadRestrictionsRootOnly" && restrictor != "LoadRestrictionsNone") {
    return fail(Code::kUsage,
                "illegal flag value --load-restrictor {}; legal values: [LoadRestrictionsRootOnly "
                "LoadRestrictionsNone]",
                restrictor);
  }
  options_.root_only = restrictor == "LoadRestrictionsRootOnly";
  const std::string_view reorder = args.text("reorder");
  if (reorder == "legacy") options_.reorder = kustomize::Reorder::kLegacy;
  if (reorder == "none") options_.reorder = kustomize::Reorder::kNone;
  if (!reorder.empty() && reorder != "legacy" && reorder != "none")
    return fail(Code::kUsage, "illegal flag value --reorder {}; legal values: [legacy none]",
                reorder);
  options_.managed_by_label = args.on("enable-managedby-label");
  if (allow_remote) options_.remote = &remote_.emplace();
  if (args.on("enable-helm")) {
    if (args.text("helm-command").empty()) return fail(Code::kUsage, "must specify --helm-command");
    options_.helm = &helm_.emplace(std::string(args.text("helm-command")));
  }
  options_.helm_kube_version = args.text("helm-kube-version");
  options_.helm_api_versions = args.texts("helm-api-versions");
  options_.helm_debug = args.on("helm-debug");
  return {};
}

Result<kustomize::BuildResult> BuildRun::run(Io& io) {
  STRAKE_TRY(options_.working_folder, working_folder());
  options_.files = &files_;
  if (io.env("KUSTOMIZE_ENABLE_MANAGEDBY_LABEL") == "on") options_.managed_by_label = true;
  std::vector<std::string> warnings;
  auto result = kustomize::build(options_, warnings);
  for (const std::string& warning : warnings) io.err.write(printable_lines(warning) + "\n");
  if (!result) return std::unexpected(without_credentials(result.error()));
  return result;
}

Error without_credentials(const Error& error) {
  Error out(error.code(), kustomize::without_credentials(error.message()));
  if (!error.source().empty()) out = std::move(out).in(error.source());
  if (!error.path().empty()) out = std::move(out).at(error.path());
  if (error.position()) out = std::move(out).at(*error.position());
  for (const Error& cause : error.causes())
    out = std::move(out).because(without_credentials(cause));
  return out;
}

Result<> write_build(const kustomize::BuildResult& result, const std::string& path, Io& io) {
  namespace fs = std::filesystem;
  if (path.empty()) {
    for (std::size_t i = 0; i < result.items().size(); ++i) {
      if (i > 0) io.out.write("---\n");
      io.out.write(result.items()[i].yaml);
    }
    return {};
  }
  std::error_code error;
  if (!fs::is_directory(path, error)) return write_file(path, result.yaml());
  std::set<std::string> namespaces;
  for (const auto& item : result.items()) {
    if (!item.cluster_scoped)
      namespaces.insert(item.namespace_name.empty() ? "default" : item.namespace_name);
  }
  for (const auto& item : result.items())
    STRAKE_CHECK(
        write_file((fs::path(path) / file_name(item, namespaces.size() > 1)).string(), item.yaml));
  return {};
}

}  // namespace strake::cli

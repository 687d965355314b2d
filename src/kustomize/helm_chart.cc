#include "kustomize/helm_chart.h"

#include <algorithm>

#include "kustomize/file/paths.h"
#include "kustomize/merge/merge.h"
#include "kustomize/tree/node_reader.h"
#include "kustomize/tree/node_value.h"

namespace strake::kustomize {
namespace {

// The chart with what the command line and the defaults say about it.
struct Plan {
  HelmChart chart;
  std::string home;         // of charts, absolute
  std::string config_home;  // may be empty
};

Result<Plan> make_plan(HelmChart chart, const std::optional<HelmGlobals>& globals,
                       const HelmSettings& settings, const Loader& loader) {
  if (chart.name.empty()) return fail(Code::kInvalid, "chart name cannot be empty");
  // They stand alone on the command line, where they would be taken for flags; helm has some that
  // run programs.
  for (const std::string* word : {&chart.name, &chart.release_name}) {
    if (word->starts_with('-'))
      return fail(Code::kInvalid, "'{}' cannot be the name of a chart or release", *word);
  }
  // What the kustomization says wins over the command line, whatever one might expect.
  if (chart.kube_version.empty()) chart.kube_version = settings.kube_version;
  if (chart.api_versions.empty()) chart.api_versions = settings.api_versions;
  chart.debug = chart.debug || settings.debug;
  if (chart.values_merge.empty()) chart.values_merge = "override";
  if (chart.values_merge != "merge" && chart.values_merge != "override" &&
      chart.values_merge != "replace")
    return fail(Code::kInvalid, "valuesMerge must be one of [merge override replace]");
  Plan plan;
  const std::string folder =
      globals && !globals->chart_home.empty() ? globals->chart_home : "charts";
  plan.home = loader.full_path(folder);
  if (!chart.version.empty() && !chart.repo.empty())
    plan.home = join_path(plan.home, fmt::format("{}-{}", chart.name, chart.version));
  if (globals) plan.config_home = globals->config_home;
  if (chart.values_file.empty())
    chart.values_file = join_path(join_path(plan.home, chart.name), "values.yaml");
  for (std::string& file : chart.additional_values_files) {
    Result<std::string> text = loader.load(file);
    if (!text) {
      return std::unexpected(
          std::move(text).error().prefixed("could not load additionalValuesFile"));
    }
    file = join_path(loader.root(), file);
  }
  plan.chart = std::move(chart);
  return plan;
}

std::vector<std::string> pull_arguments(const Plan& plan) {
  std::vector<std::string> out = {"pull", "--untar", "--untardir", plan.home};
  std::string repo = plan.chart.repo;
  if (repo.starts_with("oci://")) {
    if (repo.ends_with('/')) repo.pop_back();
    out.push_back(repo + "/" + plan.chart.name);
  } else {
    out.insert(out.end(), {"--repo", repo, plan.chart.name});
  }
  if (!plan.chart.version.empty()) out.insert(out.end(), {"--version", plan.chart.version});
  return out;
}

std::vector<std::string> template_arguments(const Plan& plan, const std::string& values) {
  const HelmChart& chart = plan.chart;
  std::vector<std::string> out = {"template"};
  out.push_back(chart.release_name.empty() ? "--generate-name" : chart.release_name);
  out.push_back(join_path(plan.home, chart.name));
  if (!chart.namespace_name.empty()) out.insert(out.end(), {"--namespace", chart.namespace_name});
  if (!chart.name_template.empty()) out.insert(out.end(), {"--name-template", chart.name_template});
  out.insert(out.end(), {"-f", values});
  for (const std::string& file : chart.additional_values_files) out.insert(out.end(), {"-f", file});
  for (const std::string& version : chart.api_versions)
    out.insert(out.end(), {"--api-versions", version});
  if (!chart.kube_version.empty()) out.insert(out.end(), {"--kube-version", chart.kube_version});
  if (chart.include_crds) out.emplace_back("--include-crds");
  if (chart.skip_tests) out.emplace_back("--skip-tests");
  if (chart.skip_hooks) out.emplace_back("--no-hooks");
  if (chart.debug) out.emplace_back("--debug");
  return out;
}

// The values of the chart with those of the kustomization.
Result<std::string> merged_values(const Plan& plan, const Loader& loader, BuildContext& context) {
  const HelmChart& chart = plan.chart;
  if (chart.values_inline.empty()) return loader.load(chart.values_file);
  if (chart.values_merge == "replace") return chart.values_inline;
  STRAKE_TRY(std::string text, loader.load(chart.values_file));
  STRAKE_TRY(const std::vector<Node*> file,
             read_nodes(context.keep(std::move(text)), context.arena));
  STRAKE_TRY(const std::vector<Node*> own,
             read_nodes(context.keep(chart.values_inline), context.arena));
  Node* from_file = file.empty() ? context.arena.map() : file.front();
  Node* from_here = own.empty() ? context.arena.map() : own.front();
  const bool ours_win = chart.values_merge == "override";
  STRAKE_TRY(Node * merged,
             strategic_merge(ours_win ? from_file : from_here, ours_win ? from_here : from_file,
                             MergeSchemas(context.schemas, nullptr), {}, context.arena));
  return merged == nullptr ? std::string("{}\n") : to_text(*merged);
}

}  // namespace

Result<> check_helm(const HelmSettings& settings) {
  if (settings.program != nullptr) return {};
  return fail(
      Code::kUnsupported,
      "trouble configuring builtin HelmChartInflationGenerator: must specify --enable-helm");
}

Result<std::vector<Resource*>> inflate_chart(const HelmChart& chart,
                                             const std::optional<HelmGlobals>& globals,
                                             const HelmSettings& settings, const Loader& loader,
                                             BuildContext& context) {
  STRAKE_CHECK(check_helm(settings));
  STRAKE_TRY(const Plan plan, make_plan(chart, globals, settings, loader));
  STRAKE_CHECK(loader.check_outside_path(join_path(plan.home, plan.chart.name)));
  if (!loader.is_folder(join_path(plan.home, plan.chart.name))) {
    if (plan.chart.repo.empty()) {
      return fail(Code::kNotFound, "no repo specified for pull, no chart found at '{}'",
                  join_path(plan.home, plan.chart.name));
    }
    STRAKE_CHECK(settings.program->run({pull_arguments(plan), plan.config_home}));
  }
  STRAKE_TRY(const std::string values, merged_values(plan, loader, context));
  STRAKE_TRY(const std::string values_file,
             settings.program->write_values(plan.chart.name + "-kustomize-values.yaml", values));
  STRAKE_TRY(std::string output,
             settings.program->run({template_arguments(plan, values_file), plan.config_home}));
  auto made = read_resources(output, context);
  if (made) return made;
  // The program may say something before its first document.
  const std::size_t first = output.find("---\n");
  if (first == std::string::npos) return made;
  return read_resources(output.substr(first), context);
}

}  // namespace strake::kustomize

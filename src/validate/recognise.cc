#include "validate/recognise.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "validate/messages.h"
#include "value/fields.h"
#include "value/yaml_reader.h"

namespace strake::validate {
namespace {

struct Words {
  std::string_view one;
  std::string_view many;
  std::string_view japanese;
  Phrase explanation;
};

Words words_of(NotManifest what) {
  switch (what) {
    case NotManifest::kNo: break;
    case NotManifest::kKustomization:
      return {"kustomization", "kustomizations", "kustomization", Phrase::kKustomization};
    case NotManifest::kPatch:
      return {"patch of a kustomization", "patches of kustomizations", "kustomization のパッチ",
              Phrase::kPatch};
    case NotManifest::kHelmTemplate:
      return {"Helm template", "Helm templates", "Helm テンプレート", Phrase::kHelmTemplate};
    case NotManifest::kHelmChart:
      return {"Helm chart file", "Helm chart files", "Helm チャートのファイル", Phrase::kHelmChart};
    case NotManifest::kHelmValues:
      return {"Helm values file", "Helm values files", "Helm の値のファイル", Phrase::kHelmValues};
    case NotManifest::kCompose:
      return {"Compose file", "Compose files", "Compose のファイル", Phrase::kCompose};
    case NotManifest::kNode:
      return {"Node.js file", "Node.js files", "Node.js のファイル", Phrase::kNode};
    case NotManifest::kLock: return {"lock file", "lock files", "ロックファイル", Phrase::kLock};
    case NotManifest::kPipeline:
      return {"CI pipeline", "CI pipelines", "CI パイプライン", Phrase::kPipeline};
    case NotManifest::kToolConfig:
      return {"tool configuration", "tool configurations", "ツールの設定", Phrase::kToolConfig};
    case NotManifest::kNoKind:
      return {"document without apiVersion and kind", "documents without apiVersion and kind",
              "apiVersion と kind のない文書", Phrase::kNoKind};
    case NotManifest::kExcluded:
      return {"object of a kind that is skipped", "objects of kinds that are skipped",
              "対象外の種類のオブジェクト", Phrase::kKindSkipped};
    case NotManifest::kNoFile:
      return {"pipe, socket or device", "pipes, sockets or devices", "パイプ、ソケット、デバイス",
              Phrase::kNoFile};
  }
  return {};
}

struct KnownName {
  std::string_view name;
  NotManifest what;
};
// Sorted by name.
constexpr KnownName kNames[] = {
    {"Chart.lock", NotManifest::kLock},
    {"Chart.yaml", NotManifest::kHelmChart},
    {"Kustomization", NotManifest::kKustomization},
    {"Taskfile.yaml", NotManifest::kToolConfig},
    {"Taskfile.yml", NotManifest::kToolConfig},
    {"angular.json", NotManifest::kNode},
    {"appveyor.yml", NotManifest::kPipeline},
    {"azure-pipelines.yaml", NotManifest::kPipeline},
    {"azure-pipelines.yml", NotManifest::kPipeline},
    {"bitbucket-pipelines.yml", NotManifest::kPipeline},
    {"bower.json", NotManifest::kNode},
    {"buildspec.yml", NotManifest::kPipeline},
    {"cloudbuild.yaml", NotManifest::kPipeline},
    {"codecov.yml", NotManifest::kToolConfig},
    {"compose.override.yaml", NotManifest::kCompose},
    {"compose.yaml", NotManifest::kCompose},
    {"compose.yml", NotManifest::kCompose},
    {"composer.json", NotManifest::kToolConfig},
    {"composer.lock", NotManifest::kLock},
    {"ct.yaml", NotManifest::kToolConfig},
    {"deno.json", NotManifest::kNode},
    {"devfile.yaml", NotManifest::kToolConfig},
    {"docker-compose.override.yml", NotManifest::kCompose},
    {"docker-compose.yaml", NotManifest::kCompose},
    {"docker-compose.yml", NotManifest::kCompose},
    {"helmfile.yaml", NotManifest::kToolConfig},
    {"jsconfig.json", NotManifest::kNode},
    {"jsonnetfile.json", NotManifest::kToolConfig},
    {"jsonnetfile.lock.json", NotManifest::kLock},
    {"kustomization.yaml", NotManifest::kKustomization},
    {"kustomization.yml", NotManifest::kKustomization},
    {"lerna.json", NotManifest::kNode},
    {"mkdocs.yaml", NotManifest::kToolConfig},
    {"mkdocs.yml", NotManifest::kToolConfig},
    {"npm-shrinkwrap.json", NotManifest::kLock},
    {"nx.json", NotManifest::kNode},
    {"package-lock.json", NotManifest::kLock},
    {"package.json", NotManifest::kNode},
    {"pnpm-lock.yaml", NotManifest::kLock},
    {"pnpm-workspace.yaml", NotManifest::kNode},
    {"renovate.json", NotManifest::kToolConfig},
    {"requirements.lock", NotManifest::kLock},
    {"strake.yaml", NotManifest::kToolConfig},
    {"tsconfig.json", NotManifest::kNode},
    {"turbo.json", NotManifest::kNode},
    {"values.schema.json", NotManifest::kHelmChart},
    {"values.yaml", NotManifest::kHelmValues},
    {"values.yml", NotManifest::kHelmValues},
};
static_assert(std::ranges::is_sorted(kNames, {}, &KnownName::name));

// Groups whose kinds are configuration of programs. A name that starts with a dot stands for all
// groups that end in it.
struct KnownGroup {
  std::string_view group;
  std::string_view kind;  // empty for all kinds
  NotManifest what;
};
constexpr KnownGroup kGroups[] = {
    {"kustomize.config.k8s.io", "Kustomization", NotManifest::kKustomization},
    {"kustomize.config.k8s.io", "Component", NotManifest::kKustomization},
    {"builtin", "", NotManifest::kToolConfig},  // transformers and generators of kustomize
    {"kubeadm.k8s.io", "", NotManifest::kToolConfig},
    {"kubelet.config.k8s.io", "", NotManifest::kToolConfig},
    {"kubeproxy.config.k8s.io", "", NotManifest::kToolConfig},
    {"kubescheduler.config.k8s.io", "", NotManifest::kToolConfig},
    {"kubecontrollermanager.config.k8s.io", "", NotManifest::kToolConfig},
    {"apiserver.config.k8s.io", "", NotManifest::kToolConfig},
    {"apiserver.k8s.io", "", NotManifest::kToolConfig},
    {"pod-security.admission.config.k8s.io", "", NotManifest::kToolConfig},
    {"audit.k8s.io", "Policy", NotManifest::kToolConfig},
    {"client.authentication.k8s.io", "", NotManifest::kToolConfig},
    {"config.kubernetes.io", "ResourceList", NotManifest::kToolConfig},
    {"kind.x-k8s.io", "", NotManifest::kToolConfig},
    {"k3d.io", "", NotManifest::kToolConfig},
    {"skaffold", "Config", NotManifest::kToolConfig},
    {"backstage.io", "", NotManifest::kToolConfig},
    {"krew.googlecontainertools.github.com", "Plugin", NotManifest::kToolConfig},
    {"eksctl.io", "", NotManifest::kToolConfig},
};

}  // namespace

std::string counted(NotManifest what, std::size_t count, Locale locale) {
  const Words words = words_of(what);
  if (locale == Locale::kJapanese) return fmt::format("{} {} 件", words.japanese, count);
  return fmt::format("{} {}", count, count == 1 ? words.one : words.many);
}

std::string explain(NotManifest what, Locale locale) {
  return what == NotManifest::kNo ? std::string() : say_in(locale, words_of(what).explanation);
}

NotManifest known_file(std::string_view name) {
  if (const std::size_t slash = name.rfind('/'); slash != std::string_view::npos)
    name.remove_prefix(slash + 1);
  const auto at = std::ranges::lower_bound(kNames, name, {}, &KnownName::name);
  return at != std::end(kNames) && at->name == name ? at->what : NotManifest::kNo;
}

std::vector<std::string> patches_of(std::string_view kustomization) {
  std::vector<std::string> out;
  const auto document = value::read_yaml(kustomization);
  if (!document) return out;
  // A patch may also stand there itself, in lines.
  const auto add = [&](const value::Value& name) {
    const std::string_view text = value::text_of(name);
    if (!text.empty() && !text.contains('\n')) out.emplace_back(text);
  };
  for (const std::string_view key : {"patches", "patchesJson6902"}) {
    for (const value::Value& one : document->root().get(key).items()) add(one.get("path"));
  }
  for (const value::Value& one : document->root().get("patchesStrategicMerge").items()) add(one);
  return out;
}

bool is_foreign_folder(std::string_view name) {
  return name == "node_modules" || name == "bower_components" || name == "__pycache__";
}

bool is_chart_values(std::string_view name) {
  return (name.ends_with(".yaml") || name.ends_with(".yml")) &&
         (name.starts_with("values") || name.find("-values.") != std::string_view::npos ||
          name.find(".values.") != std::string_view::npos);
}

NotManifest known_kind(const meta::GroupVersionKind& gvk) {
  if (gvk.group.empty() && gvk.version == "v1" && gvk.kind == "Config")
    return NotManifest::kToolConfig;  // a kubeconfig
  if (gvk.group.empty() && gvk.version == "builtin") return NotManifest::kToolConfig;
  for (const KnownGroup& known : kGroups) {
    if (known.group == gvk.group && (known.kind.empty() || known.kind == gvk.kind))
      return known.what;
  }
  return NotManifest::kNo;
}

bool looks_like_template(std::string_view text) {
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    if (at + 1 >= text.size() || (text[at + 1] != '{' && text[at + 1] != '%')) continue;
    const std::string_view close = text[at + 1] == '{' ? "}}" : "%}";
    const std::size_t end = text.find('\n', at);
    if (text.substr(at, end - at).find(close) == std::string_view::npos) continue;
    std::size_t before = at;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t')) --before;
    if (before == 0) return true;
    const char sign = text[before - 1];
    if (sign == '\n' || sign == ':' || sign == '-') return true;
  }
  return false;
}

}  // namespace strake::validate

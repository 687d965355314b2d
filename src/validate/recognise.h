#pragma once
// What lies beside manifests in a repository and is none: files of other tools, known by their
// names; kinds that tools read and no server takes; templates that are yet to be rendered.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "meta/gvk.h"
#include "validate/locale.h"

namespace strake::validate {

enum class NotManifest : std::uint8_t {
  kNo,  // it may well be one
  kKustomization,
  kPatch,  // that a kustomization names
  kHelmTemplate,
  kHelmChart,
  kHelmValues,
  kCompose,
  kNode,        // package.json and its like
  kLock,        // of a package manager
  kPipeline,    // of a CI system
  kToolConfig,  // of an editor, a linter, a generator, a cluster tool
  kNoKind,      // neither apiVersion nor kind
  kExcluded,    // by --skip
  kNoFile,      // a pipe, a socket or a device in a folder
};
// "3 kustomizations", "1 Helm template".
std::string counted(NotManifest what, std::size_t count, Locale locale = Locale::kEnglish);
// "a kustomization: strake build makes manifests of it". What it is, and what to do.
std::string explain(NotManifest what, Locale locale = Locale::kEnglish);

// By the last part of a path. Such a file is no manifest, whatever is in it.
NotManifest known_file(std::string_view name);
// The files that a kustomization takes as patches, as it names them: they say only what changes.
// None when the text cannot be read.
std::vector<std::string> patches_of(std::string_view kustomization);
// Folders that hold the work of others: node_modules.
bool is_foreign_folder(std::string_view name);
// Of a file of a folder that has a Chart.yaml.
bool is_chart_values(std::string_view name);

// Kinds that look like objects and are read by a tool.
NotManifest known_kind(const meta::GroupVersionKind& gvk);

// Whether a text that is no YAML would be once a template engine has rendered it: {{ or {% where a
// value or a line begins.
bool looks_like_template(std::string_view text);

}  // namespace strake::validate

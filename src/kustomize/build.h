#pragma once
// A build: a kustomization in, resources out. Pure but for the roles it is given.
//
//   BuildOptions options{.target = "overlays/prod", .working_folder = "/home/me/app"};
//   options.files = &disk;
//   std::vector<std::string> warnings;
//   STRAKE_TRY(const BuildResult result, build(options, warnings));
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kustomize/file/file_tree.h"
#include "kustomize/file/remote.h"
#include "value/document.h"

namespace strake::kustomize {

enum class Reorder : std::uint8_t { kUnspecified, kLegacy, kNone };

struct BuildOptions {
  std::string target = ".";    // a folder, or a URL of one
  std::string working_folder;  // absolute; where a relative target starts
  const FileTree* files = nullptr;
  Remote* remote = nullptr;  // null refuses what is elsewhere
  Helm* helm = nullptr;      // null refuses charts
  std::string helm_kube_version;
  std::vector<std::string> helm_api_versions;
  bool helm_debug = false;
  bool root_only = true;  // files must lie in or below the root of their kustomization
  Reorder reorder = Reorder::kUnspecified;
  bool managed_by_label = false;
};

struct BuildContext;

// The resources of a build in the order of its output.
class BuildResult {
 public:
  struct Item {
    std::string api_version;
    std::string group;
    std::string version;
    std::string kind;
    std::string name;
    std::vector<std::string> earlier_names;  // before prefixes, suffixes and hashes
    std::string namespace_name;              // as written, may be empty
    bool cluster_scoped = false;             // as far as is known
    std::string yaml;                        // one document, without `---`
  };
  // Who set a field: a file with a line, or a step that a file configures.
  struct Setter {
    std::string path;   // ".spec.replicas"
    std::string value;  // of a scalar, as JSON
    std::string file;
    std::uint32_t line = 0;  // 0 when not known
    std::string step;        // empty for what stood in a file
  };

  BuildResult(std::unique_ptr<BuildContext> context, std::vector<const void*> roots,
              std::vector<Item> items);
  ~BuildResult();
  BuildResult(BuildResult&&) noexcept;
  BuildResult& operator=(BuildResult&&) noexcept;

  const std::vector<Item>& items() const { return items_; }
  // The object of an item as a server reads its YAML, for those who would parse it: its numbers are
  // int64 where they fit and double otherwise. It points into the result, which must outlive it.
  Result<value::Document> object(std::size_t item) const;
  // All documents, divided by `---`.
  std::string yaml() const;
  // Of every scalar and empty collection of an item, in the order of the output.
  std::vector<Setter> setters(std::size_t item) const;
  // The place in the source of what is at the path (or its nearest ancestor that has one).
  std::optional<Setter> origin_of(std::size_t item, const std::vector<std::string>& path) const;

 private:
  std::unique_ptr<BuildContext> context_;
  std::vector<const void*> roots_;  // Node*, one an item
  std::vector<Item> items_;
};

// Warnings are added even when the build fails. Errors have the words of kustomize v5.5.0.
Result<BuildResult> build(const BuildOptions& options, std::vector<std::string>& warnings);

}  // namespace strake::kustomize

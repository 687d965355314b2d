#pragma once
// Where things come from, for the annotations of `buildMetadata` and for `--why`.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kustomize/tree/node.h"

namespace strake::kustomize {

// What the annotations config.kubernetes.io/origin and .../transformations tell.
struct BuildOrigin {
  std::string path;
  std::string repo;
  std::string ref;
  std::string configured_in;
  std::string api_version;  // of the configuration object
  std::string kind;
  std::string name;
  std::string namespace_name;

  std::string to_yaml(std::size_t indent = 0) const;  // lines, each ended
};

// As the annotation has them; empty when there is none.
std::string to_yaml(const std::vector<const BuildOrigin*>& transformations);

class KustomizationPlaces;

// A text within a kustomization: an entry of one of its lists.
struct InlinePlace {
  std::shared_ptr<const KustomizationPlaces> in;  // null when nobody knows where it stands
  std::string field;
  std::size_t index = 0;
  std::uint32_t skipped = 0;  // lines at its start that were not read
};

// Names for OriginId: files, and steps of the build.
class OriginTable {
 public:
  struct Row {
    std::string file;  // that holds the field, or that configures the step
    std::string step;  // "namePrefix", "patches", ...; empty for a field of a file
    std::optional<InlinePlace> place = std::nullopt;  // of a text within the file

    // The line of the file for one of what was read; 0 when it is not known.
    std::uint32_t line_of(std::uint32_t line) const;
  };
  OriginId add(Row row) {
    rows_.push_back(std::move(row));
    return static_cast<OriginId>(rows_.size());
  }
  // Null for 0.
  const Row* find(OriginId id) const {
    return id == 0 || id > rows_.size() ? nullptr : &rows_[id - 1];
  }

 private:
  std::vector<Row> rows_;
};

}  // namespace strake::kustomize

#pragma once
// Declared documents as they stand in files, read and judged one by one; then all of them together.
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/position.h"
#include "ops/kom/problems.h"
#include "provider/model/app.h"
#include "provider/model/cluster.h"
#include "provider/names/resource_id.h"
#include "value/document.h"

namespace strake::ops {

// What a run takes when it is not told.
struct KomDefaults {
  std::vector<std::string> kom_path;
  std::string app_id;
};

struct KomDocument {
  std::string kind;
  std::string name;
  std::optional<provider::ResourceId> id;  // Defaults have none
  std::string path;                        // of the file
  std::size_t index = 0;                   // in the file, from 1
  Position at;                             // of the Resource ID, or else of the document
  // As it was read, with the annotations that tell from where.
  value::Document object;
  // Nothing when the document has faults: then it is here only so that others find their parent.
  std::variant<std::monostate, provider::Workspace, provider::ProviderEntity, provider::Cluster,
               provider::App, provider::Box, KomDefaults>
      model;
};

inline constexpr std::size_t kMostKomFileBytes = std::size_t{2} << 20;

// Documents of other API versions, and empty ones, are passed over. `with_defaults` is for the app
// file; elsewhere Defaults are passed over as well.
void read_kom_text(const std::string& path, std::string text, bool with_defaults,
                   std::vector<KomDocument>& out, KomProblems& problems);

// Sorts them by kind (Workspace, Provider, Cluster, App, Box), then by Resource ID, and checks that
// each is there once and has its parent. There must be no Defaults among them.
void check_across(std::vector<KomDocument>& documents, KomProblems& problems);

}  // namespace strake::ops

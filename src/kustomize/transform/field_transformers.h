#pragma once
// Steps that write fields: labels, annotations, images, replica counts, values added to paths, and
// hashes in names.
#include <memory>
#include <string>
#include <vector>

#include "kustomize/config/kustomization.h"
#include "kustomize/transform/transformer.h"
#include "kustomize/tree/field_spec.h"

namespace strake::kustomize {

// Labels or annotations: entries of the maps that the specs name.
std::unique_ptr<Transformer> make_entries(const TextMap& entries, const FieldSpecs& specs);
Result<std::unique_ptr<Transformer>> make_image(const Image& image, const FieldSpecs& specs);
std::unique_ptr<Transformer> make_replica(const Replica& replica, const FieldSpecs& specs);

struct ValueTarget {
  std::optional<Selector> selector;
  std::string field_path;
  std::int64_t position = 0;  // among the parts of a file path; 0 replaces the whole
};
std::unique_ptr<Transformer> make_value_add(std::string value, std::vector<ValueTarget> targets);

// Appends the hash of their content to the names of generated resources.
std::unique_ptr<Transformer> make_hash();

}  // namespace strake::kustomize

#pragma once
// The fields `namePrefix`, `nameSuffix` and `namespace`.
#include <cstdint>
#include <memory>
#include <string>

#include "kustomize/transform/transformer.h"
#include "kustomize/tree/field_spec.h"

namespace strake::kustomize {

std::unique_ptr<Transformer> make_prefix(std::string prefix, const FieldSpecs& specs);
std::unique_ptr<Transformer> make_suffix(std::string suffix, const FieldSpecs& specs);

enum class SubjectMode : std::uint8_t { kDefaultOnly, kAllServiceAccounts, kNone };
struct NamespaceOptions {
  bool unset_only = false;
  SubjectMode subjects = SubjectMode::kDefaultOnly;
};
std::unique_ptr<Transformer> make_namespace(std::string namespace_name, const FieldSpecs& specs,
                                            const NamespaceOptions& options);
// Sets one resource's namespace, without a check for others of that name.
Result<> set_namespace(Resource& resource, std::string_view namespace_name, FieldWriters& writers,
                       const NamespaceOptions& options, Scopes& scopes, NodeArena& arena);
// Those specs that set_namespace() leaves to tables.
FieldSpecs namespace_specs(const FieldSpecs& specs, bool core_namespace, bool role_binding);

}  // namespace strake::kustomize

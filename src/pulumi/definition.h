#pragma once
// The CustomResourceDefinition of a component, put together from its parts.
#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "crd/crd.h"
#include "crd/diff.h"
#include "pulumi/identity.h"
#include "value/value.h"

namespace strake::pulumi {

struct DefinitionParts {
  value::Value spec;                   // schemas
  std::optional<value::Value> status;  // with it the status subresource
  // Whose other versions stay, with its conversion, short names and labels.
  const crd::Crd* previous = nullptr;
};

// As a value in the arena; its strings point into the identity and the parts.
value::Value make_definition(const Identity& identity, const DefinitionParts& parts, Arena& arena);

// Code::kInvalid when the CRD is about something else than the identity.
Result<> check_previous(const Identity& identity, const crd::Crd& previous);

// What users of the previous CRD will notice: crd::diff, and what a version of another name has
// that the new one lacks, since objects are converted between them by name alone.
std::vector<crd::Change> compatibility(const crd::Crd& previous, const crd::Crd& next,
                                       std::string_view new_version);

// A minimal object of the version that the schemas accept, as a value in the arena.
value::Value make_sample(const Identity& identity, const value::Value& spec, Arena& arena);

}  // namespace strake::pulumi

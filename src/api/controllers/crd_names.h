#pragma once
// Which names a CRD gets: within a group, no two CRDs share a plural, singular or short name, nor a
// kind or list kind.
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/hash.h"
#include "crd/crd.h"
#include "value/document.h"

namespace strake::api {

// Names that other CRDs of the group have been given.
struct TakenNames {
  using TextSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;
  TextSet resources;  // plurals, singulars, short names
  TextSet kinds;      // kinds, list kinds
  void add(const crd::Names& names);
};

struct NameVerdict {
  bool accepted = true;
  std::string reason;  // "NoConflicts", or the last conflict's
  std::string message;
};

// Writes status.acceptedNames of the document: each part that is free moves over, others stay as
// they were.
NameVerdict accept_names(value::Document& document, const crd::Crd& crd, const TakenNames& taken);

// The approval that the groups of the project itself need, as a condition; empty for other groups.
struct ApprovalVerdict {
  bool needed = false;
  bool approved = false;
  std::string reason;
  std::string message;
};
ApprovalVerdict judge_approval(const crd::Crd& crd);

}  // namespace strake::api

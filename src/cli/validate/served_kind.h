#pragma once
// Under which name a kind is served.
#include <string>

#include "meta/gvk.h"
#include "validate/catalog.h"

namespace strake::cli {

struct ServedKind {
  std::string plural;
  bool namespaced = true;
  std::vector<std::string> versions;
};
// As its CRD says, or else as Kubernetes serves it, or else by a guess.
ServedKind served_kind(const meta::GroupVersionKind& gvk, const validate::Catalog& catalog);

}  // namespace strake::cli

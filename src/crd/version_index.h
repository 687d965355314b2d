#pragma once
// Finds the versions of a definition by name, for whoever looks for many of them: Crd::version
// looks at one after the other.
#include <string_view>
#include <unordered_map>

#include "crd/crd.h"

namespace strake::crd {

class VersionIndex {
 public:
  // The definition must outlive the index.
  explicit VersionIndex(const Crd& crd) {
    for (const Version& version : crd.versions()) by_name_.emplace(version.name(), &version);
  }
  // The first of that name, null when there is none.
  const Version* find(std::string_view name) const {
    const auto at = by_name_.find(name);
    return at != by_name_.end() ? at->second : nullptr;
  }

 private:
  std::unordered_map<std::string_view, const Version*> by_name_;
};

}  // namespace strake::crd

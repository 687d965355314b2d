#pragma once
// Which resources a patch or another step is for.
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "kustomize/config/kustomization.h"
#include "kustomize/tree/resource_set.h"

namespace strake::kustomize {

// Group, version, kind, name and namespace are regular expressions for the whole text; name and
// namespace fit when the first or the current one does. In load order. Fails with kInvalid for
// expressions and selectors that cannot be read.
Result<std::vector<Resource*>> select(const ResourceSet& set, const Selector& selector);

// Only the selectors of labels and annotations.
class LabelMatcher {
 public:
  static Result<LabelMatcher> make(const Selector& selector);
  bool matches(const Resource& resource) const;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace strake::kustomize

#pragma once
// The kinds that Kubernetes itself has: which there are in a version, and judges that decode their
// objects as that version's server would and then show them to the rules of the kind.
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "kinds/describe.h"
#include "meta/gvk.h"
#include "validate/judge.h"
#include "validate/judges.h"

namespace strake::validate {

// "1.33", "v1.33" or "1.33.2" as its minor version. Code::kUsage for what is none, and for versions
// whose fields are not known.
Result<int> kubernetes_minor(std::string_view text);
std::string newest_kubernetes();  // "1.36"

class BuiltinKinds {
 public:
  BuiltinKinds(const JudgeOptions& options, int minor) : options_(options), minor_(minor) {}

  // Null when the version has no such kind. Any thread may ask.
  const Judge* find(const meta::GroupVersionKind& gvk) const;
  // Whether the kind is there, or was, be it in another version of its group.
  bool knows(const meta::GroupKind& group_kind) const;
  // Why there is none, and what there is instead. Empty when nothing is near.
  std::string explain_missing(const meta::GroupVersionKind& gvk) const;

 private:
  std::unique_ptr<const Judge> make(const meta::GroupVersionKind& gvk) const;
  // What to use instead; empty when there is nothing.
  std::string replacement_of(const kinds::RemovedKind& removed,
                             const meta::GroupVersionKind& gvk) const;

  JudgeOptions options_;
  int minor_;
  mutable std::mutex mu_;
  mutable std::map<meta::GroupVersionKind, std::unique_ptr<const Judge>> judges_;  // guarded by mu_
};

}  // namespace strake::validate

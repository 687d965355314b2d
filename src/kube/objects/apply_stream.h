#pragma once
// Whole manifests, made so by server-side apply: what is so already is not sent.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/applier.h"
#include "kube/objects/ensured.h"
#include "kube/objects/objects.h"
#include "value/document.h"

namespace strake::kube {

struct StreamOptions {
  ApplyOptions apply;
  bool always = false;   // sends what is so already too
  bool dry_run = false;  // tells what would be done, and does not do it
};

// What became of an object, told as it happens. `before` is null when it was not there.
struct AppliedObject {
  const value::Value& wanted;
  std::string title;  // "Deployment traefik/traefik"
  Ensured how = Ensured::kUnchanged;
  const value::Value* before = nullptr;
};
using TellApplied = std::function<void(const AppliedObject& one)>;

// The documents of a YAML or JSON stream, empty ones left out. Fails with kParse and kLimit.
Result<std::vector<value::Document>> read_manifests(std::string_view stream);

// In the order in which they stand; lists are taken apart. After a CustomResourceDefinition it
// waits until the server has taken it in, since its objects may follow. Stops at the first error,
// and names the object.
Result<> apply_manifests(const Client& cluster, const std::vector<value::Document>& manifests,
                         const StreamOptions& options, const TellApplied& tell = {});

}  // namespace strake::kube

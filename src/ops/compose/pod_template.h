#pragma once
// The pod of a component, and the hash of what it refers to.
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/compose/plan.h"
#include "ops/compose/tree_builder.h"
#include "ops/compose/volumes.h"

namespace strake::ops::compose {

inline constexpr std::string_view kInitContainer = "init-volume-subpaths";
inline constexpr std::string_view kInitImage = "busybox:1.36";

value::Value pod_template(const TreeBuilder& build, const Plan& plan,
                          std::span<const BoundVolume> volumes);

value::Value requirements(const TreeBuilder& build,
                          const std::vector<provider::LabelRequirement>& all);

// The text that a container sees as `text`: $(NAME) and $$ in commands and values mean something to
// a kubelet, and nothing in Compose.
std::string escape_for_kubelet(std::string_view text);

// What a pod refers to: "Secret" or "ConfigMap", and its name.
struct PodReference {
  std::string_view kind;
  std::string name;
  friend bool operator==(const PodReference&, const PodReference&) = default;
};
// Of a Deployment, as it is now: image pull secrets, envFrom of containers by their names, then
// what its volumes show, in their order.
std::vector<PodReference> pod_references(const value::Value& deployment);

// The hash for the annotation of the pod template. `content_hash` gives that of a reference: the
// annotation on the object, or empty text. The answer is empty when nothing is referred to.
std::string pod_hash(const value::Value& deployment,
                     const std::function<std::string(const PodReference&)>& content_hash);

}  // namespace strake::ops::compose

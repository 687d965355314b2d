#pragma once
// kustomize v5.5.0 keeps what it remembers about a resource in annotations of the resource itself.
// Here it stands in Resource, and is written out only for what can see or change annotations.
#include <string_view>

#include "kustomize/transform/build_context.h"
#include "kustomize/tree/resource.h"

namespace strake::kustomize {

inline constexpr std::string_view kOriginAnnotation = "config.kubernetes.io/origin";
inline constexpr std::string_view kTransformationsAnnotation =
    "alpha.config.kubernetes.io/transformations";

// Whether kustomize v5.5.0 takes the annotation for one of its own, whoever set it.
bool is_internal_annotation(std::string_view key);

// What is remembered, as annotations.
TextMap tracking_annotations(const Resource& resource);
// Adds them to those of the object, unless it has something else in their place.
void write_tracking(Resource& resource, NodeArena& arena);
// Takes what is left of them out of the object again; what is not there is forgotten.
void read_tracking(Resource& resource, BuildContext& context);

// The steps that the annotation of an object already tells of.
void take_written_transformations(Resource& resource, BuildContext& context);

// Whether merging the patch can touch annotations that it does not name.
bool may_change_tracking(const Node& patch);

}  // namespace strake::kustomize

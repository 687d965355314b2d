#pragma once
// Annotations of pods that mean something to the server: mirror pods, and the profiles that are
// fields today.
#include <string_view>

#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

inline constexpr std::string_view kMirrorPodAnnotation = "kubernetes.io/config.mirror";
inline constexpr std::string_view kSeccompPodAnnotation =
    "seccomp.security.alpha.kubernetes.io/pod";
// Followed by the name of a container.
inline constexpr std::string_view kSeccompContainerAnnotations =
    "container.seccomp.security.alpha.kubernetes.io/";
inline constexpr std::string_view kAppArmorAnnotations =
    "container.apparmor.security.beta.kubernetes.io/";

// `at` is the path of the annotations.
void check_pod_annotations(const value::Value& metadata, const value::Value& spec,
                           const PodAllowances& allowed, const FieldPath& at,
                           value::FieldErrors& errors);
// That annotations for profiles say the same as the fields, on a new pod or in any template.
// `spec_path` is the path of the spec.
void check_profile_annotations_match(const value::Value& metadata, const value::Value& spec,
                                     const FieldPath& spec_path, value::FieldErrors& errors);

// controller.kubernetes.io/pod-deletion-cost is a number, or not given.
bool has_good_deletion_cost(const value::Value& metadata);

}  // namespace strake::kinds

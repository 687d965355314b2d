#pragma once
// The spec of pods, wherever it stands: in pods, and in the templates of what makes pods. All that
// kube-apiserver 1.36 fills in, refuses and warns of, with the default feature gates.
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// Defaults of a PodTemplateSpec {metadata, spec}, in place; of a PodSpec.
void apply_pod_template_defaults(value::Value& pod_template, Arena& arena);
void apply_pod_spec_defaults(value::Value& spec, Arena& arena);

// What an object that was stored before may keep although a new one could not have it: found in the
// old spec (kube-apiserver's GetValidationOptionsFromPodTemplate). Null for a new object.
struct PodCheckOptions {
  bool in_template = false;  // a pod template: resource claims, names and ports differ in detail
  const value::Value* old_spec = nullptr;
  const value::Value* old_metadata = nullptr;  // beside the old spec
};
void check_pod_template(const value::Value& pod_template, const PodCheckOptions& options,
                        const FieldPath& at, value::FieldErrors& errors);
// Of a pod. `metadata` is the one beside the spec: of its rules only those of annotations that mean
// something for the spec are checked here, at "metadata.annotations". Without an old spec the pod is
// new: profiles of annotations and fields must then agree. That a new pod has no ephemeral
// containers, and no node behind gates, is up to the caller.
void check_pod_spec(const value::Value& spec, const value::Value& metadata,
                    const PodCheckOptions& options, const FieldPath& at,
                    value::FieldErrors& errors);

// Warnings about {metadata, spec} at `at`, which is empty for a pod itself. `old` is the same
// before the update, or null.
std::vector<std::string> pod_template_warnings(const value::Value& pod_template,
                                               const value::Value* old, const FieldPath& at);

}  // namespace strake::kinds

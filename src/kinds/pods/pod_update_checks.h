#pragma once
// What may change of a pod: kube-apiserver 1.36's rules for updates beside those that every pod
// must keep (pod_spec.h). All compare decoded and prepared pods.
#include <string>

#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// A write of the pod itself.
void check_pod_changes(const value::Value& pod, const value::Value& old,
                       value::FieldErrors& errors);
// A write of ephemeral containers: those that are there stay as they are.
void check_ephemeral_changes(const value::Value& pod, const value::Value& old,
                             value::FieldErrors& errors);
// Annotations that no write may add, change or remove.
void check_fixed_annotations(const value::Value& pod, const value::Value& old,
                             value::FieldErrors& errors);

// A pod that a node runs by itself, and only shows to the server. Some subresources are not for
// them.
bool is_mirror_pod(const value::Value& pod);

// A refusal of the whole pod, whatever the fields.
value::FieldErrors refuse_pod(std::string detail);

}  // namespace strake::kinds

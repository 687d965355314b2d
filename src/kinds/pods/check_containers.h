#pragma once
// The three lists of containers of a pod spec.
#include "base/field_path.h"
#include "kinds/pods/check_scope.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// containers, initContainers and ephemeralContainers; `at` is the path of the spec. The claims and
// good volumes of the scope must be known.
void check_containers(const PodScope& pod, const FieldPath& at, value::FieldErrors& errors);
// What is asked of images in pods but not in templates. check_containers() asks it of ephemeral
// containers.
void check_images_of_pod(const value::Value& spec, const FieldPath& at, value::FieldErrors& errors);
void check_image_of_pod(const value::Value& container, const FieldPath& at,
                        value::FieldErrors& errors);

// {containerPort, hostPort, name, protocol}
void check_container_ports(const value::Value& container, const FieldPath& at,
                           value::FieldErrors& errors);
// One that is required.
void check_pull_policy(const value::Value& holder, std::string_view key, const FieldPath& at,
                       value::FieldErrors& errors);

}  // namespace strake::kinds

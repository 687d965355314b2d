#pragma once
// Rules for what ingresses say.
#include <span>
#include <string_view>

#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// Named the class before there was a field for it.
inline constexpr std::string_view kIngressClassAnnotation = "kubernetes.io/ingress.class";
bool has_class_annotation(const value::Value& ingress);
// That the annotation and the field name the same class, where both are there.
void check_class_annotation(const value::Value& ingress, value::FieldErrors& errors);

// `old` is the spec before an update, or null. What it has wrong and older servers took stays good.
void check_ingress_spec(const value::Value& spec, const value::Value* old,
                        value::FieldErrors& errors);
// status.loadBalancer.ingress; what was there before stays good.
void check_balancers(std::span<const value::Value> balancers, std::span<const value::Value> before,
                     value::FieldErrors& errors);

}  // namespace strake::kinds

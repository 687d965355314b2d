#pragma once
// Names of what quotas and limits count ("cpu", "requests.memory", "count/widgets.example.com"),
// and lists of amounts by such a name. Which names go where is as in kube-apiserver 1.36.
#include <string_view>

#include "base/arena.h"
#include "base/field_path.h"
#include "base/quantity.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// A name without a domain, or of one of Kubernetes itself.
bool is_native_resource(std::string_view name);
// Devices and the like, which nodes name: "example.com/gpu".
bool is_extended_resource(std::string_view name);
// "hugepages-2Mi" and the like, of any size.
bool is_huge_page(std::string_view name);
// A name without a domain that quotas know.
bool is_quota_resource(std::string_view name);
// Whether its values are a default for its requests too: neither an extended resource nor huge
// pages.
bool may_be_overcommitted(std::string_view name);

// Of any list of amounts.
void check_resource_name(std::string_view name, const FieldPath& at, value::FieldErrors& errors);
void check_container_resource_name(std::string_view name, const FieldPath& at,
                                   value::FieldErrors& errors);
// An amount of what has that name: not negative, and whole where things are counted.
void check_resource_amount(std::string_view name, const value::Value& given, const FieldPath& at,
                           value::FieldErrors& errors);
// The members of a list of a quota: names and amounts.
void check_quota_amounts(const value::Value& holder, std::string_view key, const FieldPath& at,
                         value::FieldErrors& errors);

// An amount of a decoded object; zero when it is none.
Quantity amount_of(const value::Value& amount);
// Brings the amounts of a list up to whole thousandths, as decoding does in kube-apiserver 1.36.
void round_amounts(value::Value& holder, std::string_view key, Arena& arena);

}  // namespace strake::kinds

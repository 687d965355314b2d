#pragma once
// Names under which a quota counts the objects of a resource: "count/widgets.example.com", and for
// a few resources of the core group the plural alone.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meta/gvk.h"

namespace strake::admission {

std::vector<std::string> count_names_of(const meta::GroupResource& resource);
// The resource whose objects the name counts; nothing for amounts of cpu, memory and the like.
std::optional<meta::GroupResource> counted_resource(std::string_view name);
// As in kube-apiserver 1.36 quotas do not see events.
bool is_counted(const meta::GroupResource& resource);

}  // namespace strake::admission

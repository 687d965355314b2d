#include "admission/quota/count_names.h"

#include <algorithm>

namespace strake::admission {
namespace {

constexpr std::string_view kCount = "count/";
constexpr std::string_view kOlderNames[] = {
    "configmaps", "persistentvolumeclaims", "replicationcontrollers",
    "secrets",    "resourcequotas",         "services"};

bool has_older_name(std::string_view plural) {
  return std::ranges::find(kOlderNames, plural) != std::end(kOlderNames);
}

}  // namespace

std::vector<std::string> count_names_of(const meta::GroupResource& resource) {
  std::vector<std::string> out = {std::string(kCount) + resource.to_string()};
  if (resource.group.empty() && has_older_name(resource.resource)) out.push_back(resource.resource);
  return out;
}

std::optional<meta::GroupResource> counted_resource(std::string_view name) {
  if (has_older_name(name)) return meta::GroupResource{"", std::string(name)};
  if (!name.starts_with(kCount)) return std::nullopt;
  name.remove_prefix(kCount.size());
  const std::size_t dot = std::min(name.find('.'), name.size());
  return meta::GroupResource{std::string(name.substr(std::min(dot + 1, name.size()))),
                             std::string(name.substr(0, dot))};
}

bool is_counted(const meta::GroupResource& resource) {
  return resource.resource != "events" ||
         (!resource.group.empty() && resource.group != "events.k8s.io");
}

}  // namespace strake::admission

#include "api/routes/unserved_path.h"

#include <algorithm>
#include <optional>

#include "api/verbs/respond.h"

namespace strake::api {
namespace {

// The API group that a path is of, whether or not there is such a group.
std::optional<std::string_view> group_of_path(std::string_view path) {
  if (path.starts_with("/api/")) return std::string_view();
  constexpr std::string_view kGroups = "/apis/";
  if (!path.starts_with(kGroups)) return std::nullopt;
  path.remove_prefix(kGroups.size());
  return path.substr(0, path.find('/'));
}

bool has_own_kinds(const Registry::Snapshot& served, std::string_view group) {
  const auto found = served.groups.find(group);
  return found != served.groups.end() && std::ranges::any_of(found->second, [](const auto& one) {
           return !one.second->resource().definition;
         });
}

}  // namespace

Answer<http::Response> unserved_path(const Call& call, const Registry& registry) {
  const auto group = group_of_path(call.info.path);
  if (group && has_own_kinds(*registry.snapshot(), *group))
    return refuse(meta::Status::path_not_found());
  return not_found_page();
}

}  // namespace strake::api

#include "api/request/registry.h"

namespace strake::api {

EndpointPtr Registry::Snapshot::find(std::string_view group, std::string_view plural) const {
  const auto in_group = groups.find(group);
  if (in_group == groups.end()) return nullptr;
  const auto found = in_group->second.find(plural);
  return found == in_group->second.end() ? nullptr : found->second;
}

bool Registry::Snapshot::has_group_version(std::string_view group, std::string_view version) const {
  const auto in_group = groups.find(group);
  if (in_group == groups.end()) return false;
  for (const auto& [plural, endpoint] : in_group->second) {
    if (endpoint->resource().served_version(version) != nullptr) return true;
  }
  return false;
}

std::vector<kinds::ResourcePtr> Registry::Snapshot::resources() const {
  std::vector<kinds::ResourcePtr> out;
  for (const auto& [group, endpoints] : groups) {
    for (const auto& [plural, endpoint] : endpoints) out.push_back(endpoint->resource_ptr());
  }
  return out;
}

Registry::Registry() : current_(std::make_shared<const Snapshot>()) {}

void Registry::put(EndpointPtr endpoint) { put_all({std::move(endpoint)}); }

void Registry::put_all(std::vector<EndpointPtr> endpoints) {
  const std::lock_guard lock(writing_);
  auto next = std::make_shared<Snapshot>(*snapshot());
  ++next->generation;
  for (EndpointPtr& one : endpoints)
    next->groups[one->resource().group][one->resource().plural] = std::move(one);
  current_.store(std::move(next), std::memory_order_release);
  if (of_changes_) of_changes_();
}

void Registry::remove(std::string_view group, std::string_view plural) {
  const std::lock_guard lock(writing_);
  auto next = std::make_shared<Snapshot>(*snapshot());
  ++next->generation;
  const auto in_group = next->groups.find(group);
  if (in_group == next->groups.end()) return;
  if (const auto found = in_group->second.find(plural); found != in_group->second.end())
    in_group->second.erase(found);
  if (in_group->second.empty()) next->groups.erase(in_group);
  current_.store(std::move(next), std::memory_order_release);
  if (of_changes_) of_changes_();
}

void Registry::tell(std::function<void()> of_changes) {
  const std::lock_guard lock(writing_);
  of_changes_ = std::move(of_changes);
}

}  // namespace strake::api

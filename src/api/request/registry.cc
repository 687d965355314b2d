#include "api/request/registry.h"

#include <algorithm>

namespace strake::api {
namespace {

std::string place_beside(std::string_view plural, std::string_view version) {
  std::string out(plural);
  out += '/';
  out += version;
  return out;
}

std::string place_of(const kinds::Resource& resource) {
  return resource.beside ? place_beside(resource.plural, resource.versions.front().name)
                         : resource.plural;
}

}  // namespace

EndpointPtr Registry::Snapshot::find(std::string_view group, std::string_view plural) const {
  const auto in_group = groups.find(group);
  if (in_group == groups.end()) return nullptr;
  const auto found = in_group->second.find(plural);
  return found == in_group->second.end() ? nullptr : found->second;
}

EndpointPtr Registry::Snapshot::find(std::string_view group, std::string_view plural,
                                     std::string_view version) const {
  EndpointPtr out = find(group, plural);
  if (!out || out->resource().definition || out->resource().served_version(version) != nullptr)
    return out;
  EndpointPtr other = find(group, place_beside(plural, version));
  return other ? other : out;
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
  for (EndpointPtr& one : endpoints) {
    EndpointPtr& place = next->groups[one->resource().group][place_of(one->resource())];
    note_replaced(place);
    place = std::move(one);
  }
  current_.store(std::move(next), std::memory_order_release);
  if (of_changes_) of_changes_();
}

void Registry::remove(std::string_view group, std::string_view plural) {
  const std::lock_guard lock(writing_);
  auto next = std::make_shared<Snapshot>(*snapshot());
  ++next->generation;
  const auto in_group = next->groups.find(group);
  if (in_group == next->groups.end()) return;
  if (const auto found = in_group->second.find(plural); found != in_group->second.end()) {
    note_replaced(found->second);
    in_group->second.erase(found);
  }
  if (in_group->second.empty()) next->groups.erase(in_group);
  current_.store(std::move(next), std::memory_order_release);
  if (of_changes_) of_changes_();
}

EndpointUse Registry::use(EndpointPtr found) const {
  while (true) {
    EndpointUse out(std::move(found));
    const kinds::Resource& resource = out.endpoint()->resource();
    // The count comes first, then a look at what is served: who replaces an endpoint does it the
    // other way round, and one of both sees the other.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    found = this->find(resource.group, resource.plural);
    if (!found || found == out.endpoint()) return out;
  }
}

void Registry::note_replaced(const EndpointPtr& endpoint) {
  std::erase_if(replaced_, [](const auto& one) { return one.expired(); });
  // Built-in kinds have one version.
  if (endpoint && endpoint->resource().definition) replaced_.push_back(endpoint);
}

bool Registry::may_be_stored_elsewhere(std::string_view group, std::string_view plural,
                                       std::string_view version) {
  const std::lock_guard lock(writing_);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return std::ranges::any_of(replaced_, [&](const auto& one) {
    const EndpointPtr endpoint = one.lock();
    return endpoint && endpoint->is_written_through() && endpoint->resource().group == group &&
           endpoint->resource().plural == plural &&
           endpoint->resource().storage_version().name != version;
  });
}

void Registry::tell(std::function<void()> of_changes) {
  const std::lock_guard lock(writing_);
  of_changes_ = std::move(of_changes);
}

}  // namespace strake::api

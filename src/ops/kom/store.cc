#include "ops/kom/store.h"

#include <algorithm>

#include "base/quote.h"

namespace strake::ops {
namespace {

using provider::FailureClass;
using provider::Outcome;

template <typename T>
const T* by_id(const std::deque<T>& all, std::string_view id) {
  const auto found = std::ranges::find(all, id, &T::id);
  return found == all.end() ? nullptr : &*found;
}

struct Words {
  std::string_view one;
  std::string_view several;
};

template <typename T>
Outcome<const T*> find_one(const std::deque<T>& all, std::string_view id_or_name, Words words) {
  if (id_or_name.contains('/')) {
    if (const T* found = by_id(all, id_or_name)) return found;
    return provider::refuse(FailureClass::kNotFound, "{} {} not found", words.one,
                            quote(id_or_name));
  }
  const T* found = nullptr;
  std::size_t count = 0;
  std::string ids;
  for (const T& one : all) {
    if (one.name != id_or_name) continue;
    ids += (count++ == 0 ? "" : ", ") + one.id;
    found = &one;
  }
  if (count == 1) return found;
  if (count == 0)
    return provider::refuse(FailureClass::kNotFound, "{} {} not found", words.one,
                            quote(id_or_name));
  return provider::refuse(FailureClass::kInvalid, "multiple {} found with name {}: {}",
                          words.several, quote(id_or_name), ids);
}

}  // namespace

Outcome<const provider::Workspace*> Store::find_workspace(std::string_view id_or_name) const {
  return find_one(workspaces_, id_or_name, {"workspace", "workspaces"});
}

Outcome<const provider::ProviderEntity*> Store::find_provider(std::string_view id_or_name) const {
  return find_one(providers_, id_or_name, {"provider", "providers"});
}

Outcome<const provider::Cluster*> Store::find_cluster(std::string_view id_or_name) const {
  return find_one(clusters_, id_or_name, {"cluster", "clusters"});
}

Outcome<const provider::App*> Store::find_app(std::string_view id_or_name) const {
  return find_one(apps_, id_or_name, {"app", "apps"});
}

Outcome<const provider::Box*> Store::find_box(std::string_view id_or_name) const {
  return find_one(boxes_, id_or_name, {"box", "boxes"});
}

const provider::Workspace* Store::workspace_by_id(std::string_view id) const {
  return by_id(workspaces_, id);
}
const provider::ProviderEntity* Store::provider_by_id(std::string_view id) const {
  return by_id(providers_, id);
}
const provider::Cluster* Store::cluster_by_id(std::string_view id) const {
  return by_id(clusters_, id);
}
const provider::App* Store::app_by_id(std::string_view id) const { return by_id(apps_, id); }
const provider::Box* Store::box_by_id(std::string_view id) const { return by_id(boxes_, id); }

std::vector<const provider::App*> Store::apps_of(const provider::Cluster& cluster) const {
  std::vector<const provider::App*> out;
  for (const provider::App& one : apps_)
    if (one.cluster_id == cluster.id) out.push_back(&one);
  return out;
}

std::vector<const provider::Box*> Store::boxes_of(const provider::App& app) const {
  std::vector<const provider::Box*> out;
  for (const provider::Box& one : boxes_)
    if (one.app_id == app.id) out.push_back(&one);
  return out;
}

}  // namespace strake::ops

#pragma once
// The workspaces, providers, clusters, apps and boxes that a run was given. It is filled once and
// then only read; what it returns lives as long as it does and does not move.
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "provider/failure.h"
#include "provider/model/app.h"
#include "provider/model/cluster.h"

namespace strake::ops {

class Store {
 public:
  void add(provider::Workspace one) { workspaces_.push_back(std::move(one)); }
  void add(provider::ProviderEntity one) { providers_.push_back(std::move(one)); }
  void add(provider::Cluster one) { clusters_.push_back(std::move(one)); }
  void add(provider::App one) { apps_.push_back(std::move(one)); }
  void add(provider::Box one) { boxes_.push_back(std::move(one)); }

  // In the order in which they were added.
  const std::deque<provider::Workspace>& workspaces() const { return workspaces_; }
  const std::deque<provider::ProviderEntity>& providers() const { return providers_; }
  const std::deque<provider::Cluster>& clusters() const { return clusters_; }
  const std::deque<provider::App>& apps() const { return apps_; }
  const std::deque<provider::Box>& boxes() const { return boxes_; }

  // By ID when the text has a slash, else by name. Fails with kNotFound (`cluster "<n>" not
  // found`), or with kInvalid when several have the name (`multiple clusters found with name ...`).
  provider::Outcome<const provider::Workspace*> find_workspace(std::string_view id_or_name) const;
  provider::Outcome<const provider::ProviderEntity*> find_provider(
      std::string_view id_or_name) const;
  provider::Outcome<const provider::Cluster*> find_cluster(std::string_view id_or_name) const;
  provider::Outcome<const provider::App*> find_app(std::string_view id_or_name) const;
  provider::Outcome<const provider::Box*> find_box(std::string_view id_or_name) const;

  // What somebody refers to by its ID. Null when there is none.
  const provider::Workspace* workspace_by_id(std::string_view id) const;
  const provider::ProviderEntity* provider_by_id(std::string_view id) const;
  const provider::Cluster* cluster_by_id(std::string_view id) const;
  const provider::App* app_by_id(std::string_view id) const;
  const provider::Box* box_by_id(std::string_view id) const;

  std::vector<const provider::App*> apps_of(const provider::Cluster& cluster) const;
  std::vector<const provider::Box*> boxes_of(const provider::App& app) const;

 private:
  std::deque<provider::Workspace> workspaces_;
  std::deque<provider::ProviderEntity> providers_;
  std::deque<provider::Cluster> clusters_;
  std::deque<provider::App> apps_;
  std::deque<provider::Box> boxes_;
};

}  // namespace strake::ops

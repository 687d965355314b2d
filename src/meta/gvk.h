#pragma once
// What the API calls things: groups, versions, kinds and resources, read and printed as the API
// server does.
#include <compare>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::meta {

struct GroupVersion {
  std::string group;  // empty for the core group
  std::string version;

  std::string to_string() const;  // "apps/v1", "v1"
  bool empty() const { return group.empty() && version.empty(); }
  friend auto operator<=>(const GroupVersion&, const GroupVersion&) = default;
};

struct GroupKind {
  std::string group;
  std::string kind;

  std::string to_string() const;  // "Deployment.apps", "Pod"
  bool empty() const { return group.empty() && kind.empty(); }
  friend auto operator<=>(const GroupKind&, const GroupKind&) = default;
};

struct GroupResource {
  std::string group;
  std::string resource;

  std::string to_string() const;  // "deployments.apps", "pods"
  bool empty() const { return group.empty() && resource.empty(); }
  friend auto operator<=>(const GroupResource&, const GroupResource&) = default;
};

struct GroupVersionKind {
  std::string group;
  std::string version;
  std::string kind;

  std::string to_string() const;  // "apps/v1, Kind=Deployment", "/v1, Kind=Pod"
  GroupVersion group_version() const { return {group, version}; }
  GroupKind group_kind() const { return {group, kind}; }
  friend auto operator<=>(const GroupVersionKind&, const GroupVersionKind&) = default;
};

struct GroupVersionResource {
  std::string group;
  std::string version;
  std::string resource;

  std::string to_string() const;  // "apps/v1, Resource=deployments"
  GroupVersion group_version() const { return {group, version}; }
  GroupResource group_resource() const { return {group, resource}; }
  friend auto operator<=>(const GroupVersionResource&, const GroupVersionResource&) = default;
};

// An apiVersion: "", "v1" or "apps/v1". Fails with kBadRequest: "unexpected GroupVersion string:
// a/b/c".
Result<GroupVersion> parse_group_version(std::string_view text);
// "Deployment.apps" and "deployments.apps": the first dot divides.
GroupKind parse_group_kind(std::string_view text);
GroupResource parse_group_resource(std::string_view text);
// The kind of an object by its own two fields; without a version when the apiVersion is none.
GroupVersionKind from_api_version_and_kind(std::string_view api_version, std::string_view kind);

// By the order in which versions are preferred: v10 before v2 before v1, then v1beta2, v1beta1,
// v1alpha1, then others by their text. True when a comes first.
bool version_precedes(std::string_view a, std::string_view b);

}  // namespace strake::meta

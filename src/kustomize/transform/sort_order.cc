#include "kustomize/transform/sort_order.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/hash.h"

namespace strake::kustomize {
namespace {

constexpr std::array<std::string_view, 22> kFirst = {"Namespace",
                                                     "ResourceQuota",
                                                     "StorageClass",
                                                     "CustomResourceDefinition",
                                                     "ServiceAccount",
                                                     "PodSecurityPolicy",
                                                     "Role",
                                                     "ClusterRole",
                                                     "RoleBinding",
                                                     "ClusterRoleBinding",
                                                     "ConfigMap",
                                                     "Secret",
                                                     "Endpoints",
                                                     "Service",
                                                     "LimitRange",
                                                     "PriorityClass",
                                                     "PersistentVolume",
                                                     "PersistentVolumeClaim",
                                                     "Deployment",
                                                     "StatefulSet",
                                                     "CronJob",
                                                     "PodDisruptionBudget"};
constexpr std::array<std::string_view, 2> kLast = {"MutatingWebhookConfiguration",
                                                   "ValidatingWebhookConfiguration"};

using Ranks = std::unordered_map<std::string, int, TextHash, std::equal_to<>>;

template <typename First, typename Last>
Ranks make_ranks(const First& first, const Last& last) {
  Ranks out;
  for (std::size_t i = 0; i < first.size(); ++i)
    out[std::string(first[i])] = static_cast<int>(i) - static_cast<int>(first.size());
  for (std::size_t i = 0; i < last.size(); ++i) out[std::string(last[i])] = static_cast<int>(i) + 1;
  return out;
}

const Ranks& default_ranks() {
  static const Ranks kRanks = make_ranks(kFirst, kLast);
  return kRanks;
}

int rank_in(const Ranks& ranks, std::string_view kind) {
  const auto found = ranks.find(kind);
  return found == ranks.end() ? 0 : found->second;
}

struct Keyed {
  Resource* resource;
  int rank;
  bool namespace_kind;
  bool core;
  std::string gvk;
  std::string rest;
  std::size_t place;
};

Keyed keyed(Resource* resource, std::size_t place, const Ranks& ranks, Scopes& scopes) {
  const ResourceId id = resource->id(scopes);
  return {.resource = resource,
          .rank = rank_in(ranks, id.gvk.kind),
          .namespace_kind = id.gvk.kind == "Namespace",
          .core = id.gvk.group.empty(),
          .gvk = gvk_sort_text(id.gvk),
          .rest = fmt::format("{}|{}|{}", id.gvk.to_string(),
                              id.namespace_name.empty() ? "~X" : id.namespace_name,
                              id.name.empty() ? "~N" : id.name),
          .place = place};
}

// By rank of the kind, then by the text of group, version and kind, then by namespace and name. The
// place in load order makes it stable.
bool comes_before(const Keyed& a, const Keyed& b) {
  if (a.gvk != b.gvk) {
    if (a.rank != b.rank) return a.rank < b.rank;
    // An empty group is written ~G, and '~' sorts behind all letters. Turned round, so that the
    // core Namespace comes before kinds of other groups with that name.
    if (a.namespace_kind && b.namespace_kind && (a.core || b.core)) return a.gvk > b.gvk;
    return a.gvk < b.gvk;
  }
  return a.rest != b.rest ? a.rest < b.rest : a.place < b.place;
}

}  // namespace

int default_kind_rank(std::string_view kind) { return rank_in(default_ranks(), kind); }

std::string gvk_sort_text(const Gvk& gvk) {
  return fmt::format("{}_{}_{}", gvk.group.empty() ? "~G" : gvk.group,
                     gvk.version.empty() ? "~V" : gvk.version, gvk.kind.empty() ? "~K" : gvk.kind);
}

Result<> sort_resources(ResourceSet& set, const std::optional<SortOptions>& options) {
  if (options && options->order != "fifo" && options->order != "legacy")
    return fail(Code::kInvalid, "the field 'sortOptions.order' must be one of [fifo, legacy]");
  if (options && options->order == "fifo") {
    if (!options->legacy) return {};
    return fail(Code::kInvalid,
                "the field 'sortOptions.legacySortOptions' is set but the selected sort order is "
                "'fifo', not 'legacy'");
  }
  const bool own = options && options->legacy;
  const Ranks ranks = own ? make_ranks(options->legacy->first, options->legacy->last) : Ranks();
  std::vector<Keyed> order;
  order.reserve(set.size());
  for (Resource* resource : set.list())
    order.push_back(keyed(resource, order.size(), own ? ranks : default_ranks(), set.scopes()));
  std::ranges::sort(order, comes_before);
  set.replace_list({});
  for (const Keyed& one : order) {
    Result<> added = set.append(one.resource);
    if (!added) {
      return std::unexpected(
          std::move(added).error().prefixed("SortOrderTransformer: Failed to append to resources"));
    }
  }
  return {};
}

}  // namespace strake::kustomize

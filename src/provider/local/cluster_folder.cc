#include "provider/local/cluster_folder.h"

#include "base/quote.h"
#include "kube/access.h"
#include "provider/install/api_call.h"

namespace strake::provider::local {
namespace {

constexpr std::string_view kClusterFile = "cluster.json";
constexpr std::uint64_t kMostKubeconfigBytes = 1 << 20;

}  // namespace

ClusterFolder::ClusterFolder(const Site& site, const Cluster& cluster)
    : site_(site),
      name_(cluster.name),
      resource_(site.names.cluster(cluster.name)),
      path_(site.path(kClusters, resource_)),
      tags_(cluster_tags(site.names.owner(cluster.name, ""))) {}

std::string ClusterFolder::file(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

Outcome<std::optional<ClusterObject>> ClusterFolder::read(const Call& call) const {
  STRAKE_TRY(const bool there, site_.is_there(call));
  if (!there) return std::nullopt;
  const std::string at = file(kClusterFile);
  STRAKE_TRY(const auto text, site_.files.read(call, at, kMostObjectBytes));
  if (!text) return std::nullopt;
  STRAKE_TRY(ClusterObject out, in_context(at, read_cluster_object(*text)));
  if (!has_tags(out.tags, tags_)) {
    return refuse(FailureClass::kConflict, "{} has the tags of another owner: move it away", path_);
  }
  return out;
}

Outcome<> ClusterFolder::write(const Call& call, const ClusterObject& object) const {
  return site_.files.write(call, file(kClusterFile), to_json(object));
}

Outcome<> ClusterFolder::make(const Call& call, const ClusterObject& object) const {
  const std::string made = site_.path(kClusters, name_of_new(resource_));
  STRAKE_CHECK(site_.files.make_folder(call, made));
  STRAKE_CHECK(site_.files.write(call, fmt::format("{}/{}", made, kClusterFile), to_json(object)));
  return site_.files.rename(call, made, path_);
}

Outcome<bool> ClusterFolder::has_leftovers(const Call& call) const {
  STRAKE_TRY(const bool made,
             site_.files.exists(call, site_.path(kClusters, name_of_new(resource_))));
  if (made) return true;
  return site_.files.exists(call, site_.path(kClusters, name_of_old(resource_)));
}

Outcome<> ClusterFolder::sweep(const Call& call) const {
  for (const std::string& name : {name_of_new(resource_), name_of_old(resource_)}) {
    STRAKE_TRY(const bool left, site_.files.exists(call, site_.path(kClusters, name)));
    if (left) STRAKE_CHECK(site_.files.remove(call, site_.path(kClusters, name)));
  }
  return {};
}

// Renamed first: half of a folder would be taken for a cluster.
Outcome<> ClusterFolder::remove(const Call& call) const {
  const std::string old = site_.path(kClusters, name_of_old(resource_));
  STRAKE_CHECK(site_.files.rename(call, path_, old));
  return site_.files.remove(call, old);
}

Outcome<std::optional<RunningServer>> ClusterFolder::running(const Call& call) const {
  const std::string alive = file("alive");
  return external(site_.files.calls(), call, {"find server", alive},
                  [&] { return RunningServer::find(alive); });
}

Outcome<Secret> ClusterFolder::kubeconfig(const Call& call) const {
  STRAKE_TRY(const auto object, read(call));
  std::optional<std::string> text;
  if (object) {
    STRAKE_TRY(text, site_.files.read(call, file("data/admin.kubeconfig"), kMostKubeconfigBytes));
  }
  if (!text) return refuse(FailureClass::kNotFound, "cluster {} is not provisioned", quote(name_));
  return Secret(*std::move(text));
}

Outcome<kube::Client> ClusterFolder::client(const Call& call) const {
  STRAKE_TRY(const Secret text, kubeconfig(call));
  STRAKE_TRY(kube::Access access, kube::access_of_kubeconfig(text, {.allow_plugins = false}));
  kube::ClientOptions options;
  options.user_agent = "kompoxops/local";
  options.timeout = std::chrono::seconds(30);
  options.rate = kube::kOperatorRate;
  const kube::Client client(std::move(access), std::move(options));
  return client_for(client, call, site_.files.calls());
}

}  // namespace strake::provider::local

#pragma once
// The names, labels and selectors that an app has in Kubernetes. They follow from declared names
// alone; nothing here asks a cluster.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "provider/failure.h"
#include "provider/names/hashes.h"

namespace strake::provider {

using Labels = std::map<std::string, std::string, std::less<>>;

inline constexpr std::string_view kAppComponent = "app";
// The longest name of an app that leaves room for the rest of its namespace's name.
inline constexpr std::size_t kMaxAppName = 45;
inline constexpr std::string_view kContentHashAnnotation = "kompox.dev/compose-content-hash";
inline constexpr std::string_view kHeadlessLabel = "kompox.dev/compose-service-headless";

// A DNS-1123 label of at most kMaxAppName characters. Fails with kValidation.
Outcome<> check_app_name(std::string_view app);

// "k4x-<provider hash>-<app>-<app id hash>", without a check.
std::string app_namespace(const Hashes& hashes, std::string_view app);
// Of the PersistentVolume and its claim: "k4x-<provider hash>-<volume>-<app id hash>-<hash>", where
// the last is that of the disk's handle, byte for byte as the provider lists it.
std::string volume_claim_name(const Hashes& hashes, std::string_view volume,
                              std::string_view handle);

class KubeNames {
 public:
  // Fails with kValidation when the app is not named as check_app_name() wants it, or when
  // "<app>-<component>" is too long for a Service and a label. `component` is "app" or that of a
  // box.
  static Outcome<KubeNames> of(OwnerNames owner, std::string_view component = kAppComponent);

  const OwnerNames& owner() const { return owner_; }
  const std::string& component() const { return component_; }
  const Hashes& hashes() const { return hashes_; }

  std::string namespace_name() const;
  Labels namespace_annotations(std::string_view driver) const;
  // Of the PersistentVolume and its claim.
  std::string volume_name(std::string_view volume, std::string_view handle) const;

  std::string resource_name() const;  // of the Deployment and the Service: "<app>-<component>"
  Labels base_labels() const;         // on everything
  Labels component_labels() const;    // on what belongs to one component; the base ones included
  // What the pods are found by.
  Labels selector_labels() const;
  std::string selector() const;           // "app=<app>-<component>"
  std::string headless_selector() const;  // of the headless Services, one for each Compose service
  // What everything of this app in this cluster has, for all components.
  std::string instance_selector() const;

  std::string account_name() const { return owner_.app; }  // and of the NetworkPolicy
  std::string access_role_name() const;                    // and of its RoleBinding

  std::string default_ingress_name() const;
  std::string custom_ingress_name() const;
  // "<app>-<app id hash>-<port>.<domain>"
  std::string default_host(std::int64_t port, std::string_view domain) const;

  // Environment of a Compose service, from its files and set by hand.
  std::string base_secret_name(std::string_view service) const;
  std::string override_secret_name(std::string_view service) const;
  std::string pull_secret_name() const;
  std::string config_map_name(std::string_view config) const;
  std::string file_secret_name(std::string_view secret) const;

  std::string kubectl_context() const;  // "<app>-<app instance hash>"

 private:
  KubeNames(OwnerNames owner, std::string_view component);

  OwnerNames owner_;
  std::string component_;
  Hashes hashes_;
};

}  // namespace strake::provider

#pragma once
// Which controllers a server runs, by the names and the rules of --controllers of
// kube-controller-manager 1.36: `*` stands for all, `NAME` turns one on, `-NAME` turns it off.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::api {

inline constexpr std::string_view kCertificateSigner =
    "certificatesigningrequest-signing-controller";
inline constexpr std::string_view kRoleAggregation = "clusterrole-aggregation-controller";
inline constexpr std::string_view kGarbageCollector = "garbage-collector-controller";
inline constexpr std::string_view kNamespaceController = "namespace-controller";
inline constexpr std::string_view kResourceQuota = "resourcequota-controller";
inline constexpr std::string_view kRootCaPublisher = "root-ca-certificate-publisher-controller";
inline constexpr std::string_view kServiceAccountController = "serviceaccount-controller";
inline constexpr std::string_view kServiceAccountTokenController =
    "serviceaccount-token-controller";
inline constexpr std::string_view kStorageVersionMigrator = "storage-version-migrator-controller";

class EnabledControllers {
 public:
  EnabledControllers() = default;  // all of them
  // Fails with kUsage for a name that is none of the above.
  static Result<EnabledControllers> parse(std::span<const std::string> choices);

  bool has(std::string_view name) const;

 private:
  std::vector<std::string> choices_ = {"*"};
};

}  // namespace strake::api

#pragma once
// Whom a main server tells extension servers to believe: what stands in its ConfigMap
// kube-system/extension-apiserver-authentication. Pure, from any thread.
#include <optional>
#include <string>
#include <vector>

#include "auth/front_proxy.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::auth {

inline constexpr std::string_view kTrustNamespace = "kube-system";
inline constexpr std::string_view kTrustName = "extension-apiserver-authentication";
// The role in that namespace that lets its ConfigMap be read.
inline constexpr std::string_view kTrustRole = "extension-apiserver-authentication-reader";

// What is not given is nothing.
struct ClusterTrust {
  std::optional<std::string> client_ca_pem;
  std::optional<std::string> proxy_ca_pem;
  std::optional<std::vector<std::string>> allowed_names;
  std::optional<std::vector<std::string>> username_headers;
  std::optional<std::vector<std::string>> uid_headers;
  std::optional<std::vector<std::string>> group_headers;
  std::optional<std::vector<std::string>> extra_prefixes;

  // Of the ConfigMap. Fails with kInvalid, naming the key, when a certificate or a list cannot be
  // read: a part of it is never used. Keys of others are passed over.
  static Result<ClusterTrust> read(const value::Value& config_map);

  // Itself, completed by what it lacks.
  ClusterTrust or_else(const ClusterTrust& other) const;
  // Of whoever a proxy may be; nothing without an authority for proxies. Lists that are missing are
  // empty: without a header for the user, no proxy is believed.
  std::optional<FrontProxyOptions> front_proxy() const;

  friend bool operator==(const ClusterTrust&, const ClusterTrust&) = default;
};

}  // namespace strake::auth

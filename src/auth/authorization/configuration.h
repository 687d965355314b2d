#pragma once
// Who decides about rights, in which order: AuthorizationConfiguration of apiserver.config.k8s.io,
// or the flags that say the same. Read and checked by the rules of kube-apiserver 1.36, in its
// words.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "auth/authorization/access_review.h"
#include "auth/authorization/allowed_paths.h"
#include "base/result.h"
#include "kube/webhook_connection.h"

namespace strake::auth {

struct AuthorizationWebhook {
  std::chrono::nanoseconds authorized_ttl = std::chrono::minutes(5);  // zero: not cached
  std::chrono::nanoseconds unauthorized_ttl = std::chrono::seconds(30);
  std::chrono::nanoseconds timeout = std::chrono::seconds(30);
  AccessReviewVersion version = AccessReviewVersion::kV1;
  bool denies_on_failure = false;
  std::string kubeconfig = {};
  // In place of the file, what is known without one.
  std::shared_ptr<const kube::WebhookConnection> service = nullptr;
  std::vector<std::string> conditions = {};  // expressions, all of which compile
  friend bool operator==(const AuthorizationWebhook&, const AuthorizationWebhook&) = default;
};

struct AuthorizationConfiguration {
  enum class Type : std::uint8_t { kAlwaysAllow, kAlwaysDeny, kWebhook, kRbac };
  struct Authorizer {
    Type type = Type::kRbac;
    std::string name;
    std::optional<AuthorizationWebhook> webhook = std::nullopt;
    friend bool operator==(const Authorizer&, const Authorizer&) = default;
  };
  std::vector<Authorizer> authorizers;
  AllowedPaths open_paths = {};  // to everyone, before anybody is asked

  // YAML or JSON. `file` is for messages. Looks whether the kubeconfig files are there.
  static Result<AuthorizationConfiguration> read(std::string_view text, const std::string& file);

  // Whether this may follow another in a running server: types but Webhook neither come nor go.
  Result<> check_follows(const AuthorizationConfiguration& before) const;
  bool has(Type type) const;
  bool is_rbac_alone() const { return authorizers.size() == 1 && has(Type::kRbac); }
};

// The flags of kube-apiserver, with the default that suits a server with roles.
struct AuthorizationFlags {
  std::vector<std::string> modes = {};  // none: RBAC
  std::string webhook_config_file = {};
  std::string webhook_version = "v1beta1";
  std::chrono::nanoseconds authorized_ttl = std::chrono::minutes(5);
  std::chrono::nanoseconds unauthorized_ttl = std::chrono::seconds(30);

  Result<AuthorizationConfiguration> to_configuration() const;
};

}  // namespace strake::auth

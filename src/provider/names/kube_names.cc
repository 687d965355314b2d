#include "provider/names/kube_names.h"

#include <fmt/format.h>

#include "meta/names.h"
#include "provider/names/quote_briefly.h"

namespace strake::provider {
namespace {

constexpr std::size_t kMaxLabel = 63;  // of a label's value, and of the name of a Service

std::string selector_of(const Labels& labels) {
  std::string out;
  for (const auto& [key, value] : labels) {
    if (!out.empty()) out += ',';
    out += fmt::format("{}={}", key, value);
  }
  return out;
}

}  // namespace

Outcome<> check_app_name(std::string_view app) {
  if (app.empty()) return refuse(FailureClass::kValidation, "app name must not be empty");
  if (app.size() > kMaxAppName) {
    return refuse(FailureClass::kValidation,
                  "app name {} must be at most {} characters, got {}: the name of its namespace "
                  "would be too long",
                  quote_briefly(app), kMaxAppName, app.size());
  }
  if (const auto wrong = meta::check_dns1123_label(app); !wrong.empty()) {
    return refuse(FailureClass::kValidation, "invalid app name {}: {}", quote_briefly(app),
                  meta::join(wrong));
  }
  return {};
}

std::string app_namespace(const Hashes& hashes, std::string_view app) {
  return fmt::format("k4x-{}-{}-{}", hashes.provider, app, hashes.app_id);
}

std::string volume_claim_name(const Hashes& hashes, std::string_view volume,
                              std::string_view handle) {
  return fmt::format("k4x-{}-{}-{}-{}", hashes.provider, volume, hashes.app_id, short_hash(handle));
}

Outcome<KubeNames> KubeNames::of(OwnerNames owner, std::string_view component) {
  STRAKE_CHECK(check_app_name(owner.app));
  if (const auto wrong = meta::check_dns1123_label(component); !wrong.empty()) {
    return refuse(FailureClass::kValidation, "invalid component name {}: {}",
                  quote_briefly(component), meta::join(wrong));
  }
  const std::size_t size = owner.app.size() + 1 + component.size();
  if (size > kMaxLabel) {
    return refuse(FailureClass::kValidation,
                  "app {} and component {} together must be at most {} characters, got {}: the "
                  "name of their Service would be too long",
                  quote_briefly(owner.app), quote_briefly(component), kMaxLabel - 1, size - 1);
  }
  return KubeNames(std::move(owner), component);
}

KubeNames::KubeNames(OwnerNames owner, std::string_view component)
    : owner_(std::move(owner)), component_(component), hashes_(hashes_of(owner_)) {}

std::string KubeNames::namespace_name() const { return app_namespace(hashes_, owner_.app); }

Labels KubeNames::namespace_annotations(std::string_view driver) const {
  return {{"kompox.dev/app", fmt::format("{}/{}/{}/{}", owner_.workspace, owner_.provider,
                                         owner_.cluster, owner_.app)},
          {"kompox.dev/provider-driver", std::string(driver)}};
}

std::string KubeNames::volume_name(std::string_view volume, std::string_view handle) const {
  return volume_claim_name(hashes_, volume, handle);
}

std::string KubeNames::resource_name() const {
  return fmt::format("{}-{}", owner_.app, component_);
}

Labels KubeNames::base_labels() const {
  return {{"app.kubernetes.io/name", owner_.app},
          {"app.kubernetes.io/instance", kubectl_context()},
          {"app.kubernetes.io/managed-by", "kompox"},
          {"kompox.dev/app-instance-hash", hashes_.app_instance},
          {"kompox.dev/app-id-hash", hashes_.app_id}};
}

Labels KubeNames::component_labels() const {
  Labels out = base_labels();
  out.emplace("app", resource_name());
  out.emplace("app.kubernetes.io/component", component_);
  return out;
}

Labels KubeNames::selector_labels() const { return {{"app", resource_name()}}; }

std::string KubeNames::selector() const { return selector_of(selector_labels()); }

std::string KubeNames::headless_selector() const {
  Labels labels = selector_labels();
  labels.emplace(kHeadlessLabel, "true");
  return selector_of(labels);
}

std::string KubeNames::instance_selector() const {
  return selector_of({{"app.kubernetes.io/instance", kubectl_context()},
                      {"app.kubernetes.io/managed-by", "kompox"}});
}

std::string KubeNames::access_role_name() const { return owner_.app + "-access"; }

std::string KubeNames::default_ingress_name() const { return resource_name() + "-default"; }
std::string KubeNames::custom_ingress_name() const { return resource_name() + "-custom"; }

std::string KubeNames::default_host(std::int64_t port, std::string_view domain) const {
  return fmt::format("{}-{}-{}.{}", owner_.app, hashes_.app_id, port, domain);
}

std::string KubeNames::base_secret_name(std::string_view service) const {
  return fmt::format("{}-{}-base", resource_name(), service);
}

std::string KubeNames::override_secret_name(std::string_view service) const {
  return fmt::format("{}-{}-override", resource_name(), service);
}

// Two dashes: no Compose service can be named so that its Secret has one of these names.
std::string KubeNames::pull_secret_name() const { return resource_name() + "--pull"; }

std::string KubeNames::config_map_name(std::string_view config) const {
  return fmt::format("{}--cfg-{}", resource_name(), config);
}

std::string KubeNames::file_secret_name(std::string_view secret) const {
  return fmt::format("{}--sec-{}", resource_name(), secret);
}

std::string KubeNames::kubectl_context() const {
  return fmt::format("{}-{}", owner_.app, hashes_.app_instance);
}

}  // namespace strake::provider

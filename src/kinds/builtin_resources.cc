#include <algorithm>

#include "kinds/builtins.h"
#include "kinds/declare_resource.h"
#include "kinds/types.h"
#include "kinds/types/declarations.h"

namespace strake::kinds {
namespace {

constexpr std::string_view kNamespaceType = "io.k8s.api.core.v1.Namespace";
constexpr std::string_view kCrdType =
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition";

void add_core(std::vector<ResourcePtr>& out) {
  const Type& namespace_type = described_type(kNamespaceType);
  Subresource finalize = status_subresource(namespace_type, {"status"});
  finalize.name = "finalize";
  finalize.verbs = {Verb::kUpdate};
  std::vector<Verb> no_collection = kObjectVerbs;
  std::erase(no_collection, Verb::kDeleteCollection);
  auto namespaces = make_resource(
      {.type = kNamespaceType,
       .plural = "namespaces",
       .strategy = &namespace_strategy(),
       .namespaced = false,
       .short_names = {"ns"},
       .unconditional_update = true,
       .subresources = {std::move(finalize), status_subresource(namespace_type, {"spec"})},
       .verbs = std::move(no_collection)});
  namespaces->is_namespace = true;
  out.push_back(std::move(namespaces));
  out.push_back(make_resource({.type = "io.k8s.api.core.v1.ConfigMap",
                               .plural = "configmaps",
                               .strategy = &config_map_strategy(),
                               .short_names = {"cm"},
                               .unconditional_update = true}));
  out.push_back(make_resource({.type = "io.k8s.api.core.v1.Secret",
                               .plural = "secrets",
                               .strategy = &secret_strategy(),
                               .unconditional_update = true}));
  out.push_back(
      make_resource({.type = "io.k8s.api.core.v1.ServiceAccount",
                     .plural = "serviceaccounts",
                     .strategy = &service_account_strategy(),
                     .short_names = {"sa"},
                     .unconditional_update = true,
                     .subresources = {{.name = "token",
                                       .kind = {"authentication.k8s.io", "v1", "TokenRequest"},
                                       .verbs = {Verb::kCreate},
                                       .resets = {}}}}));
}

void add_services(std::vector<ResourcePtr>& out) {
  constexpr std::string_view kService = "io.k8s.api.core.v1.Service";
  Subresource proxy{
      .name = "proxy",
      .kind = {"", "v1", "ServiceProxyOptions"},
      .verbs = {Verb::kCreate, Verb::kDelete, Verb::kGet, Verb::kPatch, Verb::kUpdate},
      .resets = {},
      .connection = Subresource::Connection::kService};
  auto services = make_resource(
      {.type = kService,
       .plural = "services",
       .strategy = &service_strategy(),
       .short_names = {"svc"},
       .categories = {"all"},
       .unconditional_update = true,
       .create_on_update = true,
       .returns_deleted = true,
       .storage_folder = "services/specs",
       .subresources = {std::move(proxy), status_subresource(described_type(kService), {"spec"})}});
  services->picks_addresses = true;
  out.push_back(std::move(services));
  out.push_back(make_resource({.type = "io.k8s.api.core.v1.Endpoints",
                               .plural = "endpoints",
                               .strategy = &endpoints_strategy(),
                               .short_names = {"ep"},
                               .unconditional_update = true,
                               .create_on_update = true,
                               .storage_folder = "services/endpoints"}));
  out.push_back(make_resource({.type = "io.k8s.api.discovery.v1.EndpointSlice",
                               .plural = "endpointslices",
                               .strategy = &endpoint_slice_strategy(),
                               .keeps_generation = true,
                               .unconditional_update = true}));
}

void add_limits(std::vector<ResourcePtr>& out) {
  constexpr std::string_view kQuota = "io.k8s.api.core.v1.ResourceQuota";
  out.push_back(
      make_resource({.type = kQuota,
                     .plural = "resourcequotas",
                     .strategy = &resource_quota_strategy(),
                     .short_names = {"quota"},
                     .unconditional_update = true,
                     .returns_deleted = true,
                     .subresources = {status_subresource(described_type(kQuota), {"spec"})}}));
  out.push_back(make_resource({.type = "io.k8s.api.core.v1.LimitRange",
                               .plural = "limitranges",
                               .strategy = &limit_range_strategy(),
                               .short_names = {"limits"},
                               .unconditional_update = true,
                               .create_on_update = true}));
}

// Both kinds of events lie in one place, in the form of the core group.
void add_events(std::vector<ResourcePtr>& out) {
  const auto event = [&](std::string_view type, const BuiltinStrategy& strategy) {
    auto made = make_resource({.type = type,
                               .plural = "events",
                               .strategy = &strategy,
                               .short_names = {"ev"},
                               .unconditional_update = true,
                               .create_on_update = true});
    made->ttl = std::chrono::hours(1);
    made->many_forms = true;
    if (!made->group.empty()) made->stored_as = meta::GroupVersionKind{"", "v1", "Event"};
    out.push_back(std::move(made));
  };
  event("io.k8s.api.core.v1.Event", core_event_strategy());
  event("io.k8s.api.events.v1.Event", event_strategy());
}

void add_extensions(std::vector<ResourcePtr>& out) {
  out.push_back(make_resource(
      {.type = kCrdType,
       .plural = "customresourcedefinitions",
       .namespaced = false,
       .short_names = {"crd", "crds"},
       .categories = {"api-extensions"},
       .keeps_generation = true,
       .storage_folder = "apiextensions.k8s.io/customresourcedefinitions",
       .subresources = {status_subresource(described_type(kCrdType), {"metadata", "spec"})}}));
}

void add_api_services(std::vector<ResourcePtr>& out) {
  constexpr std::string_view kType =
      "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService";
  out.push_back(make_resource(
      {.type = kType,
       .plural = "apiservices",
       .strategy = &api_service_strategy(),
       .namespaced = false,
       .categories = {"api-extensions"},
       .storage_folder = "apiregistration.k8s.io/apiservices",
       .subresources = {status_subresource(described_type(kType), {"metadata", "spec"})}}));
}

void add_admission(std::vector<ResourcePtr>& out) {
  const auto add = [&](std::string_view type, std::string plural, const BuiltinStrategy& strategy,
                       std::vector<Subresource> subresources = {}) {
    out.push_back(make_resource({.type = type,
                                 .plural = std::move(plural),
                                 .strategy = &strategy,
                                 .namespaced = false,
                                 .categories = {"api-extensions"},
                                 .keeps_generation = true,
                                 .subresources = std::move(subresources)}));
  };
  constexpr std::string_view kPolicy =
      "io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicy";
  add("io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration",
      "validatingwebhookconfigurations", validating_webhook_configuration_strategy());
  add("io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration",
      "mutatingwebhookconfigurations", mutating_webhook_configuration_strategy());
  add(kPolicy, "validatingadmissionpolicies", validating_admission_policy_strategy(),
      {status_subresource(described_type(kPolicy), {"metadata", "spec"})});
  add("io.k8s.api.admissionregistration.v1.ValidatingAdmissionPolicyBinding",
      "validatingadmissionpolicybindings", validating_admission_policy_binding_strategy());
  add("io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicy", "mutatingadmissionpolicies",
      mutating_admission_policy_strategy());
  add("io.k8s.api.admissionregistration.v1.MutatingAdmissionPolicyBinding",
      "mutatingadmissionpolicybindings", mutating_admission_policy_binding_strategy());
}

void add_rbac(std::vector<ResourcePtr>& out) {
  const auto add = [&](std::string_view type, std::string plural, const BuiltinStrategy& strategy,
                       bool namespaced) {
    out.push_back(make_resource({.type = type,
                                 .plural = std::move(plural),
                                 .strategy = &strategy,
                                 .namespaced = namespaced,
                                 .unconditional_update = true,
                                 .create_on_update = true}));
  };
  add("io.k8s.api.rbac.v1.Role", "roles", role_strategy(), true);
  add("io.k8s.api.rbac.v1.RoleBinding", "rolebindings", role_binding_strategy(), true);
  add("io.k8s.api.rbac.v1.ClusterRole", "clusterroles", cluster_role_strategy(), false);
  add("io.k8s.api.rbac.v1.ClusterRoleBinding", "clusterrolebindings",
      cluster_role_binding_strategy(), false);
}

void add_reviews(std::vector<ResourcePtr>& out) {
  const auto add = [&](std::string_view type, std::string plural, Review review,
                       const BuiltinStrategy& strategy, bool namespaced = false) {
    out.push_back(make_resource({.type = type,
                                 .plural = std::move(plural),
                                 .strategy = &strategy,
                                 .namespaced = namespaced,
                                 .review = review,
                                 .verbs = {Verb::kCreate}}));
  };
  add("io.k8s.api.authentication.v1.TokenReview", "tokenreviews", Review::kToken,
      token_review_strategy());
  add("io.k8s.api.authentication.v1.SelfSubjectReview", "selfsubjectreviews", Review::kSelf,
      self_subject_review_strategy());
  add("io.k8s.api.authorization.v1.SubjectAccessReview", "subjectaccessreviews", Review::kAccess,
      subject_access_review_strategy());
  add("io.k8s.api.authorization.v1.SelfSubjectAccessReview", "selfsubjectaccessreviews",
      Review::kOwnAccess, self_subject_access_review_strategy());
  add("io.k8s.api.authorization.v1.LocalSubjectAccessReview", "localsubjectaccessreviews",
      Review::kAccess, local_subject_access_review_strategy(), true);
  add("io.k8s.api.authorization.v1.SelfSubjectRulesReview", "selfsubjectrulesreviews",
      Review::kOwnRules, self_subject_rules_review_strategy());
}

void add_coordination(std::vector<ResourcePtr>& out) {
  out.push_back(make_resource({.type = "io.k8s.api.coordination.v1.Lease",
                               .plural = "leases",
                               .strategy = &lease_strategy(),
                               .create_on_update = true}));
}

void add_certificates(std::vector<ResourcePtr>& out) {
  constexpr std::string_view kType = "io.k8s.api.certificates.v1.CertificateSigningRequest";
  Subresource approval = status_subresource(described_type(kType), {"spec"});
  approval.name = "approval";
  auto made = make_resource(
      {.type = kType,
       .plural = "certificatesigningrequests",
       .strategy = &certificate_signing_request_strategy(),
       .namespaced = false,
       .short_names = {"csr"},
       .unconditional_update = true,
       .subresources = {std::move(approval), status_subresource(described_type(kType), {"spec"})}});
  // Neither is changed there, and nobody owns what the server writes.
  made->versions.front().resets = {"spec", "status"};
  out.push_back(std::move(made));
}

void add_storage_migration(std::vector<ResourcePtr>& out) {
  constexpr std::string_view kType = "io.k8s.api.storagemigration.v1beta1.StorageVersionMigration";
  out.push_back(make_resource(
      {.type = kType,
       .plural = "storageversionmigrations",
       .strategy = &storage_version_migration_strategy(),
       .namespaced = false,
       .subresources = {status_subresource(described_type(kType), {"metadata", "spec"})}}));
}

void add_flow_control(std::vector<ResourcePtr>& out) {
  const auto add = [&](std::string_view type, std::string plural, const BuiltinStrategy& strategy) {
    out.push_back(make_resource(
        {.type = type,
         .plural = std::move(plural),
         .strategy = &strategy,
         .namespaced = false,
         .keeps_generation = true,
         .unconditional_update = true,
         .subresources = {status_subresource(described_type(type), {"metadata", "spec"})}}));
  };
  add("io.k8s.api.flowcontrol.v1.FlowSchema", "flowschemas", flow_schema_strategy());
  add("io.k8s.api.flowcontrol.v1.PriorityLevelConfiguration", "prioritylevelconfigurations",
      priority_level_strategy());
}

std::vector<ResourcePtr> make_all() {
  std::vector<ResourcePtr> out;
  add_core(out);
  add_services(out);
  add_limits(out);
  add_events(out);
  add_extensions(out);
  add_coordination(out);
  add_certificates(out);
  add_storage_migration(out);
  add_flow_control(out);
  add_api_services(out);
  add_admission(out);
  add_rbac(out);
  add_reviews(out);
  std::sort(out.begin(), out.end(), [](const ResourcePtr& a, const ResourcePtr& b) {
    return std::tie(a->group, a->plural) < std::tie(b->group, b->plural);
  });
  return out;
}

}  // namespace

std::vector<std::string_view> type_declarations() {
  std::vector<std::string_view> all = {kMetaTypes,
                                       kRuntimeTypes,
                                       kCoreTypes,
                                       kEventsTypes,
                                       kCoordinationTypes,
                                       kAdmissionTypes,
                                       kApiRegistrationTypes,
                                       kApiExtensionsTypes,
                                       kRbacTypes,
                                       kAuthenticationTypes,
                                       kAuthorizationTypes};
  for (const std::string_view* text : types::kAll) all.push_back(*text);
  return all;
}

const std::vector<ResourcePtr>& builtin_resources() {
  static const std::vector<ResourcePtr>& all = *new std::vector<ResourcePtr>(make_all());
  return all;
}

const ResourcePtr& token_request_resource() {
  static const ResourcePtr& made =
      *new ResourcePtr(make_resource({.type = "io.k8s.api.authentication.v1.TokenRequest",
                                      .plural = "tokenrequests",
                                      .strategy = &token_request_strategy(),
                                      .review = Review::kTokenRequest,
                                      .verbs = {Verb::kCreate}}));
  return made;
}

const Resource& namespace_resource() {
  static const Resource& found = **std::ranges::find_if(
      builtin_resources(), [](const ResourcePtr& one) { return one->is_namespace; });
  return found;
}

}  // namespace strake::kinds

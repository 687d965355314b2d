#include <future>
#include <thread>

#include "api/filters/in_flight.h"
#include "kinds/workloads/workload_resources.h"
#include "server/certificate_metrics.h"
#include "server/kept_identity.h"
#include "server/kubelet_setup.h"
#include "server/option_files.h"
#include "server/server_impl.h"
#include "server/trust.h"
#include "store/memory_store.h"
#include "store/sqlite/sqlite_store.h"

namespace strake::server {
namespace {

Result<std::unique_ptr<store::Store>> open_store(const Options& options,
                                                 const std::optional<DataDir>& folder,
                                                 const Clock& clock) {
  if (options.in_memory) return std::make_unique<store::MemoryStore>(clock);
  STRAKE_TRY(std::unique_ptr<store::sqlite::SqliteStore> opened,
             store::sqlite::SqliteStore::open({.path = folder->file("strake.db")}));
  return opened;
}

}  // namespace

// Keys and certificates take as long as the built-in kinds, and neither needs the other.
Result<> Server::Impl::make_identity_and_kinds() {
  const bool kept = folder || !options.kept_keys.empty();
  std::future<Result<>> made = std::async(std::launch::async, [&]() -> Result<> {
    const std::vector<std::string> hosts = host_names(options);
    if (!kept) return make_own_keys(identity, hosts, system_clock());
    STRAKE_TRY(identity, folder ? folder->identity(hosts, system_clock())
                                : kept_identity(options.kept_keys, hosts, system_clock()));
    return {};
  });
  kinds::builtin_resources();
  if (options.workloads) kinds::workload_resources();
  Identity here;
  const Result<> also = kept ? Result<>() : make_front_proxy_keys(here, system_clock());
  STRAKE_CHECK(made.get());
  if (kept) return {};
  identity.front_proxy_ca = std::move(here.front_proxy_ca);
  identity.front_proxy_client = std::move(here.front_proxy_client);
  return also;
}

Result<> Server::Impl::assemble() {
  if (!options.data_dir.empty()) {
    STRAKE_TRY(folder, DataDir::open(options.data_dir));
  } else if (!options.in_memory) {
    return fail(Code::kUsage, "a data folder is needed unless everything is to live in memory");
  }
  STRAKE_CHECK(make_identity_and_kinds());
  files = std::make_unique<FileReloads>(followed_files());
  STRAKE_TRY(store, open_store(options, folder, clock()));
  if (options.test_clock != nullptr) {
    clock_route = std::make_unique<ClockRoute>(*options.test_clock, [this] {
      if (auto* in_memory = dynamic_cast<store::MemoryStore*>(store.get())) in_memory->expire();
    });
  }
  STRAKE_TRY(std::vector<auth::StaticToken> known, read_tokens(options));
  STRAKE_TRY(auth::ServiceAccountTokens::Keys keys, read_token_keys(options, identity));
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  loops = std::make_unique<async::Loops>(options.io_threads > 0 ? options.io_threads : cores);
  workers = std::make_unique<async::Workers>(cores);
  if (options.delegation) {
    STRAKE_TRY(delegation,
               Delegation::make(*options.delegation,
                                {.loops = *loops, .workers = *workers, .clock = clock()}));
  }
  STRAKE_TRY(auth::AuthorizationConfiguration authorization,
             delegation ? delegation->authorization() : read_authorization(options));
  STRAKE_CHECK(open_audit_log());
  hub = std::make_unique<api::Hub>(*store, *loops);
  account_tokens = std::make_unique<auth::ServiceAccountTokens>(
      *hub, clock(), token_options(options), std::move(keys));
  secret_tokens = std::make_unique<auth::SecretTokens>(*hub, *account_tokens);
  // The service accounts of an extension server are those of its main server.
  authenticator = std::make_unique<auth::RequestAuthenticator>(
      std::move(known), delegation ? nullptr : account_tokens.get());
  revocations = std::make_unique<auth::Revocations>(*hub);
  revoking =
      std::make_unique<auth::RevokingAuthenticator>(*authenticator, *authenticator, *revocations);
  STRAKE_CHECK(believe_others());
  namespaces = std::make_unique<api::NamespaceInformer>(*hub);
  roles = std::make_unique<auth::Rbac>(*hub);
  STRAKE_CHECK(start_authorization(std::move(authorization)));
  const api::Authorizer& authorizer = chain ? *chain : roles->authorizer();
  authentication_config = std::make_unique<auth::AuthenticationConfigMap>(*hub);
  // Of a main server it is not known yet.
  if (!delegation) {
    STRAKE_TRY(prepared_tls, believe(identity));
  }
  webhooks = std::make_unique<admission::Webhooks>(*hub, clock());
  converter = std::make_unique<admission::WebhookConverter>(*loops, clock());
  policies = std::make_unique<admission::Policies>(*hub, authorizer);
  quotas = std::make_unique<admission::Quotas>(*hub, options.controllers);
  builtin_admission =
      std::make_unique<admission::BuiltinAdmission>(registry, options.admission_plugins);
  signing_rules = std::make_unique<auth::SigningRules>(authorizer);
  certificate_signer = std::make_unique<auth::CertificateSigner>(*hub, system_clock());
  mutating = std::make_unique<admission::MutatingChain>(policies->mutating(), *webhooks);
  aggregation = std::make_unique<aggregator::Aggregation>(*hub, aggregation_options(options));
  STRAKE_CHECK(show_proxy_certificate(*aggregation, options, identity));
  STRAKE_CHECK(reload_service_map());
  if (!options.aggregate_file.empty()) STRAKE_CHECK(Members::check(options.aggregate_file));
  if (options.workloads) {
    kubelets = std::make_unique<kubelet::KubeletConnections>(
        *loops, kubelet::Options{.address_types = options.kubelet_address_types});
    STRAKE_CHECK(use_kubelet_certificates(*kubelets, options, folder, identity));
  }
  const auto limit_of = [&](std::size_t given) {
    return !options.fair_use && given == 0 ? api::InFlightStage::kNoLimit : given;
  };
  STRAKE_TRY(operations, Operations::make(options.operations, folder, options.version, clock()));
  api = std::make_unique<api::ApiServer>(
      api::Core{.hub = *hub,
                .registry = registry,
                .namespaces = *namespaces,
                .clock = clock(),
                .rules = rules,
                .workers = *workers,
                .authenticator = *revoking,
                .authorizer = authorizer,
                .streams = streams,
                .token_reviewer = revoking.get(),
                .token_issuer = account_tokens.get(),
                .connections = kubelets.get(),
                .exposure = delegation ? &delegation->exposure() : nullptr,
                .stopping = stopping.token()},
      api::ApiOptions{.max_reads_in_flight = limit_of(options.max_requests_in_flight),
                      .max_writes_in_flight = limit_of(options.max_writes_in_flight),
                      .fair_use = options.fair_use,
                      .root_ca_pem = identity.ca_pem,
                      .controllers = options.controllers,
                      .advertised_address = options.advertised_address,
                      .version = options.version,
                      .request_log = &request_log,
                      .admission = admission_order(),
                      .auditor = auditor.get(),
                      .workloads = options.workloads,
                      .service_ranges = options.service_ranges,
                      .remote_documents = &aggregation->documents(),
                      .converter = converter.get(),
                      .rights = options.ready_before_roles ? &rights : nullptr,
                      .stages = options.stages,
                      .routes = given_routes(),
                      .health = operations->health_checks(),
                      .metrics = {[this](std::string& out) { aggregation->write_metrics(out); },
                                  [this](std::string& out) { operations->write_metrics(out); }}});
  webhooks->use(api->core());
  if (kubelets) kubelets->use(api->core());
  return {};
}

std::vector<const api::Admission*> Server::Impl::admission_order() const {
  std::vector<const api::Admission*> out = {&roles->escalation(), signing_rules.get()};
  if (options.workloads) out.push_back(builtin_admission.get());
  out.insert(out.end(), {mutating.get(), &policies->param_rights(), &policies->validating(),
                         &webhooks->validating(), quotas.get()});
  return out;
}

std::vector<api::Route*> Server::Impl::given_routes() {
  std::vector<api::Route*> out = {&aggregation->route()};
  if (clock_route) out.push_back(clock_route.get());
  for (api::Route* route : operations->routes()) out.push_back(route);
  return out;
}

// Those who know of tokens that are not the server's own.
Result<> Server::Impl::believe_others() {
  if (options.oidc && !options.authentication_config_file.empty())
    return fail(Code::kUsage, "authentication-config file and oidc-* flags are mutually exclusive");
  token_issuers = std::make_unique<auth::JwtAuthenticators>(*loops, *workers, clock());
  authenticator->use(*token_issuers);
  authenticator->set_anonymous({.enabled = options.anonymous_auth.value_or(true), .paths = {}});
  if (!options.authentication_config_file.empty()) {
    authentication_file = std::make_unique<auth::AuthenticationFile>(
        auth::AuthenticationFile::Options{.path = options.authentication_config_file,
                                          .disallowed = account_issuers(options),
                                          .anonymous = options.anonymous_auth},
        *token_issuers, *authenticator);
  }
  STRAKE_CHECK(reload_issuers());
  if (delegation) authenticator->use(delegation->tokens());
  if (options.token_webhook_file.empty()) return {};
  STRAKE_TRY(kube::Access access,
             kube::find_access(
                 {.kubeconfig = options.token_webhook_file, .context = {}, .environment = {}}));
  auto webhook = auth::TokenWebhook::make({.access = std::move(access),
                                           .version = options.token_webhook_version,
                                           .kept = options.token_webhook_kept,
                                           .api_audiences = account_tokens->audiences()},
                                          {.loops = *loops, .workers = *workers, .clock = clock()});
  if (!webhook) return std::unexpected(Error(webhook.error()).in(options.token_webhook_file));
  token_webhook = *std::move(webhook);
  authenticator->use(*token_webhook);
  return {};
}

// What TLS verifies, and who is whom among those whose certificates pass.
Result<http::TlsOptions> Server::Impl::believe(const Identity& from) {
  STRAKE_TRY(http::TlsOptions tls, tls_options(options, from));
  STRAKE_TRY(Trust trust, delegation
                              ? delegated_trust(options, delegation->trust(), tls.client_ca_pem)
                              : trust_of(options, from, tls.client_ca_pem));
  warn_of(trust);
  note_certificates(from, tls.certificate_pem);
  authentication_data = trust.to_config_map();
  tls.client_ca_pem = trust.client_ca_pem + "\n" + trust.proxy_ca_pem;
  std::optional<auth::FrontProxy> proxy;
  if (trust.proxy) proxy.emplace(*std::move(trust.proxy), std::move(trust.proxy_sums));
  authenticator->set_authorities(
      {.clients = std::move(trust.client_sums), .proxy = std::move(proxy)});
  if (delegation) {
    STRAKE_TRY(std::set<std::string> own, http::certificate_sums(from.ca_pem));
    delegation->set_own_authorities(std::move(own));
  }
  return tls;
}

Result<> Server::Impl::start_authorization(auth::AuthorizationConfiguration with) {
  first_authorization = std::move(with);
  // The usual case costs nothing: whoever decides is asked directly.
  if (options.authorization_config_file.empty() && first_authorization.is_rbac_alone()) return {};
  chain = std::make_unique<auth::AuthorizerChain>(roles->authorizer(), *loops, clock());
  STRAKE_CHECK(chain->use(first_authorization));
  roles->ask(*chain);
  return {};
}

Result<> Server::Impl::open_audit_log() {
  const bool to_file = !options.audit_log_path.empty();
  const bool to_webhook = !options.audit_webhook_config_file.empty();
  if (options.audit_policy_file.empty() == (to_file || to_webhook))
    return fail(Code::kUsage,
                "an audit policy and the path of the audit log, or an audit webhook, must be given "
                "together");
  if (!to_file && !to_webhook) return {};
  STRAKE_TRY(audit::Policy policy, read_audit_policy(options));
  audit::Sinks sinks;
  if (to_file) {
    STRAKE_TRY(audit_log,
               audit::LogFile::open(
                   {.path = options.audit_log_path,
                    .most_bytes = static_cast<std::int64_t>(options.audit_log_megabytes) << 20,
                    .most_backups = options.audit_log_backups,
                    .oldest = std::chrono::days(options.audit_log_days),
                    .truncate = options.audit_log_truncate}));
    sinks.add(*audit_log, options.audit_log_mode);
  }
  if (to_webhook) {
    audit::WebhookSink::Options with = options.audit_webhook;
    STRAKE_TRY(with.service, read_audit_webhook(options));
    if (options.audit_webhook_mode != audit::Mode::kBatch) with.send_at_once();
    audit_webhook = std::make_unique<audit::WebhookSink>(std::move(with), *loops);
  }
  if (audit_webhook) sinks.add(*audit_webhook, options.audit_webhook_mode);
  auditor = std::make_unique<audit::Recorder>(std::move(policy), std::move(sinks), clock());
  return {};
}

}  // namespace strake::server

#include "server/server.h"

#include <fmt/format.h>
#include <malloc.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <charconv>
#include <mutex>
#include <thread>

#include "admission/conversion/webhook_converter.h"
#include "admission/mutating_chain.h"
#include "admission/policy/policies.h"
#include "admission/quota/quotas.h"
#include "admission/webhook/webhooks.h"
#include "api/server.h"
#include "async/run.h"
#include "async/signal.h"
#include "audit/log_file.h"
#include "audit/recorder.h"
#include "audit/webhook_sink.h"
#include "auth/authentication_config_map.h"
#include "auth/authentication_file.h"
#include "auth/authenticator.h"
#include "auth/authorization/chain.h"
#include "auth/certificates/request_signer.h"
#include "auth/certificates/signing_rules.h"
#include "auth/rbac/rbac.h"
#include "auth/tokens/secret_tokens.h"
#include "auth/tokens/service_account_tokens.h"
#include "auth/users/revocations.h"
#include "base/arena.h"
#include "base/log.h"
#include "extension/registration.h"
#include "extension/resolver_file.h"
#include "rules/engine.h"
#include "server/aggregation_setup.h"
#include "server/data_dir.h"
#include "server/delegation.h"
#include "server/ending.h"
#include "server/file_limit.h"
#include "server/file_reloads.h"
#include "server/members.h"
#include "server/temporary_folder.h"
#include "server/trust.h"
#include "server/unregister.h"
#include "store/compactor.h"
#include "store/memory_store.h"
#include "store/sqlite/sqlite_store.h"

namespace strake::server {
namespace {

// What one document may take while it is worked on. A body of 3 MiB, the most that is read, becomes
// 150 MB at the worst; nothing ordinary comes near.
constexpr std::size_t kDocumentMemory = 512U << 20;

// From the end of the drain until nobody waits for work any more.
constexpr std::chrono::milliseconds kGrace{2'000};
// Before requests are drained, a server that takes its registration back may use that part of the
// time. For its entry in the main server's file it waits so long.
constexpr int kPartToUnregister = 4;
constexpr std::chrono::milliseconds kLastEntry{1'000};
// For audit events, however late it is by then.
constexpr std::chrono::milliseconds kLastAuditEvents{1'000};

Result<std::unique_ptr<store::Store>> open_store(const Options& options,
                                                 const std::optional<DataDir>& folder) {
  if (options.in_memory) return std::make_unique<store::MemoryStore>();
  STRAKE_TRY(std::unique_ptr<store::sqlite::SqliteStore> opened,
             store::sqlite::SqliteStore::open({.path = folder->file("strake.db")}));
  return opened;
}

std::vector<std::string> host_names(const Options& options) {
  std::vector<std::string> out = {"localhost",
                                  "127.0.0.1",
                                  "::1",
                                  "kubernetes",
                                  "kubernetes.default",
                                  "kubernetes.default.svc",
                                  "kubernetes.default.svc.cluster.local"};
  const auto add = [&out](const std::string& host) {
    if (!host.empty() && std::find(out.begin(), out.end(), host) == out.end()) out.push_back(host);
  };
  if (options.host != "0.0.0.0" && options.host != "::") add(options.host);
  for (const std::string& host : options.extra_hosts) add(host);
  if (options.registration) add(options.registration->service.host());
  if (options.delegation) add(std::string(extension::kMembersHosts));
  return out;
}

Result<http::TlsOptions> tls_options(const Options& options, const Identity& identity) {
  http::TlsOptions tls;
  tls.certificate_pem = identity.serving.certificate_pem;
  tls.key_pem = identity.serving.key_pem.reveal();
  tls.client_ca_pem = identity.ca_pem;
  if (options.tls_certificate_file.empty() != options.tls_key_file.empty()) {
    return fail(Code::kUsage, "a certificate and its key must be given together");
  }
  if (!options.tls_certificate_file.empty()) {
    STRAKE_TRY(tls.certificate_pem, read_file(options.tls_certificate_file));
    STRAKE_TRY(tls.key_pem, read_file(options.tls_key_file));
  }
  if (!options.client_ca_file.empty()) {
    STRAKE_TRY(const std::string more, read_file(options.client_ca_file));
    // Ours stand before it, so that text without any certificate would pass unseen.
    if (const auto first = http::read_certificate(more); !first)
      return std::unexpected(Error(first.error()).prefixed("client CA").in(options.client_ca_file));
    tls.client_ca_pem += more;
  }
  return tls;
}

Result<std::vector<auth::StaticToken>> tokens(const Options& options) {
  if (options.token_file.empty()) return std::vector<auth::StaticToken>();
  STRAKE_TRY(const std::string text, read_file(options.token_file));
  auto read = auth::read_token_file(text);
  if (!read) return std::unexpected(Error(read.error()).in(options.token_file));
  return read;
}

Result<auth::AuthorizationConfiguration> read_authorization(const Options& options) {
  if (options.authorization_config_file.empty()) return options.authorization.to_configuration();
  STRAKE_TRY(const std::string text, read_file(options.authorization_config_file));
  return auth::AuthorizationConfiguration::read(text, options.authorization_config_file);
}

Result<std::shared_ptr<const kube::WebhookConnection>> audit_service(const Options& options) {
  auto opened = kube::WebhookConnection::open(options.audit_webhook_config_file);
  if (!opened)
    return std::unexpected(std::move(opened).error().prefixed("initializing audit webhook"));
  return opened;
}

Result<audit::Policy> audit_policy(const Options& options) {
  STRAKE_TRY(const std::string text, read_file(options.audit_policy_file));
  return audit::Policy::read(text, options.audit_policy_file);
}

Result<auth::ServiceAccountTokens::Keys> token_keys(const Options& options,
                                                    const Identity& identity) {
  Secret signing_pem = identity.service_account_key;
  std::string name = "pki/sa.key";
  if (!options.service_account_signing_key_file.empty()) {
    name = options.service_account_signing_key_file;
    STRAKE_TRY(std::string text, read_file(name));
    signing_pem = Secret(std::move(text));
  }
  auto signing = auth::SigningKey::read(signing_pem);
  if (!signing) return std::unexpected(Error(signing.error()).in(name));
  auth::ServiceAccountTokens::Keys out{.signing = *std::move(signing), .verifying = {}};
  const auto add = [&out](std::string_view pem, const std::string& from) -> Result<> {
    auto keys = auth::VerifyingKey::read(pem);
    if (!keys) return std::unexpected(Error(keys.error()).in(from));
    for (auth::VerifyingKey& one : *keys) out.verifying.push_back(std::move(one));
    return {};
  };
  if (!identity.service_account_public_pem.empty())
    STRAKE_CHECK(add(identity.service_account_public_pem, "pki/sa.pub"));
  for (const std::string& file : options.service_account_key_files) {
    STRAKE_TRY(const std::string text, read_file(file));
    STRAKE_CHECK(add(text, file));
  }
  return out;
}

auth::ServiceAccountTokens::Options token_options(const Options& options) {
  auth::ServiceAccountTokens::Options out;
  if (!options.service_account_issuers.empty()) out.issuers = options.service_account_issuers;
  out.audiences = options.api_audiences;
  out.longest_life = options.service_account_longest_life;
  out.keys_url = options.service_account_keys_url;
  return out;
}

std::vector<std::string> account_issuers(const Options& options) {
  return token_options(options).issuers;
}

// The issuer of the flags; nothing when there is none.
Result<std::vector<auth::CompiledJwt>> flag_issuers(const Options& options) {
  std::vector<auth::CompiledJwt> out;
  if (!options.oidc) return out;
  auth::JwtConfig config = *options.oidc;
  if (!options.oidc_ca_file.empty()) {
    STRAKE_TRY(config.issuer.certificate_authority, read_file(options.oidc_ca_file));
  }
  STRAKE_TRY(auth::CompiledJwt one, auth::compile_jwt(config, account_issuers(options)));
  out.push_back(std::move(one));
  return out;
}

}  // namespace

struct Server::Impl {
  Options options;
  std::optional<DataDir> folder;
  Identity identity;
  std::optional<http::TlsOptions> prepared_tls;  // until it listens
  std::optional<TemporaryFolder> temporary;      // for the kubeconfig, when there is no other place
  std::string kubeconfig_path;
  std::string url;

  std::unique_ptr<store::Store> store;
  std::unique_ptr<async::Loops> loops;
  std::unique_ptr<async::Workers> workers;
  std::unique_ptr<Delegation> delegation;             // null unless there is a main server
  std::unique_ptr<audit::LogFile> audit_log;          // null without such a file
  std::unique_ptr<audit::WebhookSink> audit_webhook;  // null without a webhook
  std::unique_ptr<audit::Recorder> auditor;           // null without an audit log
  rules::Engine rules;
  api::Registry registry;
  std::unique_ptr<api::Hub> hub;
  std::unique_ptr<extension::Registration> registration;  // null unless it is wanted
  std::unique_ptr<auth::ServiceAccountTokens> account_tokens;
  std::unique_ptr<auth::SecretTokens> secret_tokens;
  std::unique_ptr<auth::JwtAuthenticators> token_issuers;
  std::unique_ptr<auth::TokenWebhook> token_webhook;  // null without one
  std::unique_ptr<auth::RequestAuthenticator> authenticator;
  std::unique_ptr<auth::Revocations> revocations;
  std::unique_ptr<auth::RevokingAuthenticator> revoking;
  std::unique_ptr<auth::AuthenticationFile> authentication_file;  // null without one
  std::unique_ptr<api::NamespaceInformer> namespaces;
  std::unique_ptr<auth::Rbac> roles;
  auth::AuthorizationConfiguration first_authorization;
  std::unique_ptr<auth::AuthorizerChain> chain;  // null while roles alone decide
  std::mutex reloading;                          // held while anything is read again
  std::unique_ptr<FileReloads> files;
  std::unique_ptr<auth::AuthenticationConfigMap> authentication_config;
  std::map<std::string, std::string> authentication_data;
  std::unique_ptr<admission::Webhooks> webhooks;
  std::unique_ptr<admission::WebhookConverter> converter;
  std::unique_ptr<admission::Policies> policies;
  std::unique_ptr<admission::Quotas> quotas;
  std::unique_ptr<auth::SigningRules> signing_rules;
  std::unique_ptr<auth::CertificateSigner> certificate_signer;
  std::unique_ptr<admission::MutatingChain> mutating;
  std::unique_ptr<aggregator::Aggregation> aggregation;
  kube::ServicePlaces member_addresses;  // guarded by reloading
  std::unique_ptr<Members> members;      // null without a file of them
  api::RequestLogSettings request_log;
  api::StreamBudget streams;
  CancelSource stopping;  // requests under way have had their time
  std::unique_ptr<api::ApiServer> api;
  std::unique_ptr<http::Server> http;
  std::unique_ptr<async::Signal> compaction_stop;
  async::Gate background;
  bool stopped = false;

  Result<> assemble();
  Result<> listen();
  std::optional<extension::ReachableAddress> reachable_address() const;
  std::string own_address() const;  // HOST:PORT that it listens on
  Result<extension::RegistrationOptions> registration_options() const;
  Result<> begin_registration();
  Result<> follow_main_server();
  async::Task<> end_registration();
  boost::asio::awaitable<void> begin_end_of_registration(Deadline deadline);
  Result<> write_kubeconfig();
  Result<> believe_others();
  Result<> reload_tokens();
  Result<> start_authorization(auth::AuthorizationConfiguration with);
  Result<> reload_authorization();
  std::vector<FileReloads::Group> followed_files();
  void follow_files();
  Result<> reload_token_keys();
  Result<> reload_issuers();
  Result<> reload_tls();
  Result<> reload_proxy_certificate();
  Result<> reload_service_map() { return use_service_map(*aggregation, options, member_addresses); }
  Result<> begin_members();
  Result<> reload_members() { return members ? members->load() : Result<>(); }
  Result<http::TlsOptions> believe(const Identity& from);
  Result<> open_audit_log();
  Result<> reload_audit();
  async::Task<> begin();
  async::Task<> end();
};

Result<> Server::Impl::assemble() {
  if (!options.data_dir.empty()) {
    STRAKE_TRY(folder, DataDir::open(options.data_dir));
  } else if (!options.in_memory) {
    return fail(Code::kUsage, "a data folder is needed unless everything is to live in memory");
  }
  STRAKE_TRY(identity, folder ? folder->identity(host_names(options), system_clock())
                              : make_identity(host_names(options), system_clock()));
  files = std::make_unique<FileReloads>(followed_files());
  STRAKE_TRY(store, open_store(options, folder));
  STRAKE_TRY(std::vector<auth::StaticToken> known, tokens(options));
  STRAKE_TRY(auth::ServiceAccountTokens::Keys keys, token_keys(options, identity));
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  loops = std::make_unique<async::Loops>(options.io_threads > 0 ? options.io_threads : cores);
  workers = std::make_unique<async::Workers>(cores);
  if (options.delegation) {
    STRAKE_TRY(delegation,
               Delegation::make(*options.delegation,
                                {.loops = *loops, .workers = *workers, .clock = system_clock()}));
  }
  STRAKE_TRY(auth::AuthorizationConfiguration rights,
             delegation ? delegation->authorization() : read_authorization(options));
  STRAKE_CHECK(open_audit_log());
  hub = std::make_unique<api::Hub>(*store, *loops);
  account_tokens = std::make_unique<auth::ServiceAccountTokens>(
      *hub, system_clock(), token_options(options), std::move(keys));
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
  STRAKE_CHECK(start_authorization(std::move(rights)));
  const api::Authorizer& authorizer = chain ? *chain : roles->authorizer();
  authentication_config = std::make_unique<auth::AuthenticationConfigMap>(*hub);
  // Of a main server it is not known yet.
  if (!delegation) {
    STRAKE_TRY(prepared_tls, believe(identity));
  }
  webhooks = std::make_unique<admission::Webhooks>(*hub, system_clock());
  converter = std::make_unique<admission::WebhookConverter>(*loops, system_clock());
  policies = std::make_unique<admission::Policies>(*hub, authorizer);
  quotas = std::make_unique<admission::Quotas>(*hub);
  signing_rules = std::make_unique<auth::SigningRules>(authorizer);
  certificate_signer = std::make_unique<auth::CertificateSigner>(*hub);
  mutating = std::make_unique<admission::MutatingChain>(policies->mutating(), *webhooks);
  aggregation = std::make_unique<aggregator::Aggregation>(*hub, aggregation_options(options));
  STRAKE_CHECK(show_proxy_certificate(*aggregation, options, identity));
  STRAKE_CHECK(reload_service_map());
  if (!options.aggregate_file.empty()) STRAKE_CHECK(Members::check(options.aggregate_file));
  api = std::make_unique<api::ApiServer>(
      api::Core{.hub = *hub,
                .registry = registry,
                .namespaces = *namespaces,
                .clock = system_clock(),
                .rules = rules,
                .workers = *workers,
                .authenticator = *revoking,
                .authorizer = authorizer,
                .streams = streams,
                .token_reviewer = revoking.get(),
                .token_issuer = account_tokens.get(),
                .exposure = delegation ? &delegation->exposure() : nullptr,
                .stopping = stopping.token()},
      api::ApiOptions{.root_ca_pem = identity.ca_pem,
                      .controllers = options.controllers,
                      .advertised_address = options.advertised_address,
                      .version = options.version,
                      .request_log = &request_log,
                      .admission = {&roles->escalation(), signing_rules.get(), mutating.get(),
                                    &policies->param_rights(), &policies->validating(),
                                    &webhooks->validating(), quotas.get()},
                      .auditor = auditor.get(),
                      .service_ranges = options.service_ranges,
                      .remote_documents = &aggregation->documents(),
                      .converter = converter.get(),
                      .routes = {&aggregation->route()},
                      .metrics = {[this](std::string& out) { aggregation->write_metrics(out); }}});
  webhooks->use(api->core());
  return {};
}

// Those who know of tokens that are not the server's own.
Result<> Server::Impl::believe_others() {
  if (options.oidc && !options.authentication_config_file.empty())
    return fail(Code::kUsage, "authentication-config file and oidc-* flags are mutually exclusive");
  token_issuers = std::make_unique<auth::JwtAuthenticators>(*loops, *workers, system_clock());
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
  auto webhook =
      auth::TokenWebhook::make({.access = std::move(access),
                                .version = options.token_webhook_version,
                                .kept = options.token_webhook_kept,
                                .api_audiences = account_tokens->audiences()},
                               {.loops = *loops, .workers = *workers, .clock = system_clock()});
  if (!webhook) return std::unexpected(Error(webhook.error()).in(options.token_webhook_file));
  token_webhook = *std::move(webhook);
  authenticator->use(*token_webhook);
  return {};
}

async::Task<> Server::Impl::begin() {
  STRAKE_CO_CHECK(co_await hub->start());
  STRAKE_CO_CHECK(co_await api->start());
  STRAKE_CO_CHECK(
      co_await roles->start(api->core(), options.controllers.has(api::kRoleAggregation)));
  STRAKE_CO_CHECK(co_await revocations->start(api->core()));
  // The service accounts of an extension server are those of its main server.
  STRAKE_CO_CHECK(co_await secret_tokens->start(
      api->core(), !delegation && options.controllers.has(api::kServiceAccountTokenController),
      identity.ca_pem));
  if (delegation) {
    STRAKE_CO_CHECK(co_await delegation->begin(api->core()));
    STRAKE_CO_TRY(prepared_tls, believe(identity));
  }
  STRAKE_CO_CHECK(co_await authentication_config->start(api->core(), authentication_data));
  STRAKE_CO_CHECK(co_await policies->start(api->core()));
  STRAKE_CO_CHECK(co_await quotas->start(api->core()));
  STRAKE_CO_CHECK(co_await aggregation->start(api->core()));
  if (options.controllers.has(api::kCertificateSigner))
    STRAKE_CO_CHECK(co_await certificate_signer->start(api->core(), identity.ca));
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  token_issuers->start();
  compaction_stop = std::make_unique<async::Signal>(executor);
  if (audit_webhook) audit_webhook->start();
  boost::asio::co_spawn(
      executor,
      [](Impl& self) -> boost::asio::awaitable<void> {
        const async::Gate::Pass pass = self.background.enter();
        static_cast<void>(co_await store::compact_periodically(
            *self.store, self.options.compaction_period, *self.compaction_stop));
      }(*this),
      boost::asio::detached);
  co_return Result<>();
}

// What TLS verifies, and who is whom among those whose certificates pass.
Result<http::TlsOptions> Server::Impl::believe(const Identity& from) {
  STRAKE_TRY(http::TlsOptions tls, tls_options(options, from));
  STRAKE_TRY(Trust trust, delegation
                              ? delegated_trust(options, delegation->trust(), tls.client_ca_pem)
                              : trust_of(options, from, tls.client_ca_pem));
  warn_of(trust);
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

Result<> Server::Impl::listen() {
  http::ServerOptions http_options;
  http_options.host = options.host;
  http_options.port = options.port;
  http_options.tls = std::move(*prepared_tls);
  prepared_tls.reset();
  http_options.max_connections =
      connections_within(raise_file_limit(), http_options.max_connections);
  STRAKE_TRY(http, http::Server::listen(std::move(http_options), *loops, *api));
  const bool any = options.host == "0.0.0.0" || options.host == "::";
  const std::string host = any ? "127.0.0.1" : options.host;
  url = fmt::format(fmt::runtime(host.contains(':') ? "https://[{}]:{}" : "https://{}:{}"), host,
                    http->port());
  account_tokens->set_server_url(url);
  return write_kubeconfig();
}

// Where the main server's requests come in; nothing where it has to be told the way.
std::optional<extension::ReachableAddress> Server::Impl::reachable_address() const {
  if (!options.registration->resolver_file.empty()) return std::nullopt;
  const std::string& advertised = options.advertised_address;
  if (advertised.empty()) return extension::reachable(options.host, http->port());
  const std::size_t colon = advertised.rfind(':');
  std::string_view host = std::string_view(advertised).substr(0, colon);
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  std::uint16_t port = http->port();
  std::from_chars(advertised.data() + colon + 1, advertised.data() + advertised.size(), port);
  return extension::reachable(host, port);
}

std::string Server::Impl::own_address() const { return url.substr(url.find("://") + 3); }

Result<extension::RegistrationOptions> Server::Impl::registration_options() const {
  STRAKE_TRY(std::string id, registered_id(identity.ca_pem));
  extension::RegistrationOptions out{
      .cluster = delegation->cluster(),
      .server_id = std::move(id),
      .service = options.registration->service,
      .ca_pem = identity.ca_pem,
      .address = {},
      .shows = [this](std::string_view group) { return delegation->shows(group); }};
  if (!options.registration->ca_file.empty()) {
    STRAKE_TRY(out.ca_pem, read_file(options.registration->ca_file));
  } else if (!options.tls_certificate_file.empty()) {
    return fail(Code::kUsage,
                "--register with --tls-cert needs --register-ca-file: whom the main server has to "
                "trust");
  }
  return out;
}

Result<> Server::Impl::begin_registration() {
  if (!options.registration) return {};
  STRAKE_TRY(extension::RegistrationOptions with, registration_options());
  with.address = reachable_address();
  const RegisterOptions& given = *options.registration;
  if (!given.resolver_file.empty()) {
    const auto own = kube::ServicePlace::parse(own_address());
    if (!own) return fail(Code::kInvalid, "{}: must be HOST:PORT to be registered", own_address());
    STRAKE_CHECK(async::run_blocking(
        loops->at(0),
        extension::set_service_place(*workers, given.resolver_file, given.service.to_string(), *own,
                                     Deadline::after(extension::kResolverFileWait))));
  } else if (!with.address) {
    log::get("server").warn(
        "only this machine reaches this address: the main server needs an entry in its "
        "--service-resolver-file",
        {{"service", given.service.to_string()}, {"address", own_address()}});
  }
  registration = std::make_unique<extension::Registration>(std::move(with), *hub);
  return {};
}

// The servers behind this one, which is asked as any client asks it.
Result<> Server::Impl::begin_members() {
  if (options.aggregate_file.empty()) return {};
  kube::Access self{.context = "this server", .server = url, .ca_pem = identity.ca_pem};
  self.credentials.certificate_pem = identity.admin.certificate_pem;
  self.credentials.key_pem = identity.admin.key_pem;
  if (!options.tls_certificate_file.empty()) self.insecure = true;
  const auto tell = [this](const kube::ServicePlaces& addresses) {
    async::Gate::Pass pass = background.enter();
    if (!pass) return;
    workers->post([this, addresses, pass = std::move(pass)] {
      const std::lock_guard lock(reloading);
      member_addresses = addresses;
      if (const Result<> used = reload_service_map(); !used)
        log::get("server").error("the addresses of members cannot be used",
                                 {{"error", used.error()}});
    });
  };
  STRAKE_TRY(members,
             Members::start(
                 options.aggregate_file,
                 {.loops = *loops, .loop = loops->at(0), .front = std::move(self), .tell = tell}));
  return {};
}

// What goes on with the main server while this one serves.
Result<> Server::Impl::follow_main_server() {
  if (!delegation) return {};
  STRAKE_CHECK(begin_registration());
  boost::asio::co_spawn(
      loops->at(0),
      [](Impl& self) -> boost::asio::awaitable<void> {
        const async::Gate::Pass pass = self.background.enter();
        if (!pass) co_return;
        co_await self.delegation->follow([&self] {
          const std::lock_guard lock(self.reloading);
          if (const Result<> believed = self.reload_tls(); !believed)
            log::get("server").error("what the main server believes cannot be used",
                                     {{"error", believed.error()}});
        });
        if (self.registration) co_await self.registration->start();
      }(*this),
      boost::asio::detached);
  return {};
}

async::Task<> Server::Impl::end_registration() {
  const RegisterOptions& given = *options.registration;
  if (const Result<> removed = co_await registration->stop(given.removes_at_end); !removed)
    log::get("server").error("the registration could not be removed", {{"error", removed.error()}});
  if (given.removes_at_end && !given.resolver_file.empty()) {
    const Result<> removed = co_await extension::set_service_place(
        *workers, given.resolver_file, given.service.to_string(), {}, Deadline::after(kLastEntry));
    if (!removed)
      log::get("server").error("the entry of this server could not be removed",
                               {{"error", removed.error()}});
  }
  registration.reset();
  co_return Result<>();
}

// Ends it, and lets whoever shuts down go on at the deadline: `background` waits for the rest.
boost::asio::awaitable<void> Server::Impl::begin_end_of_registration(Deadline deadline) {
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  const auto ended = std::make_shared<async::Signal>(executor);
  boost::asio::co_spawn(
      executor,
      [](Impl& self, std::shared_ptr<async::Signal> done) -> boost::asio::awaitable<void> {
        const async::Gate::Pass pass = self.background.enter();
        if (pass) static_cast<void>(co_await self.end_registration());
        done->notify();
      }(*this, ended),
      boost::asio::detached);
  static_cast<void>(co_await ended->wait(deadline));
}

Result<> Server::Impl::write_kubeconfig() {
  if (folder) {
    kubeconfig_path = folder->file("admin.kubeconfig");
    // A full disk must not keep anyone from the server: the old one is right but for the port.
    if (const auto written = folder->write_kubeconfig(identity, url); !written)
      log::get("server").warn("the kubeconfig could not be written", {{"error", written.error()}});
  }
  std::string wanted = options.kubeconfig_file;
  if (wanted.empty()) {
    if (folder) return {};
    STRAKE_TRY(temporary, TemporaryFolder::make("strake"));
    wanted = temporary->file("admin.kubeconfig");
  }
  STRAKE_CHECK(write_file(wanted, kubeconfig_text(identity, url), 0600));
  kubeconfig_path = std::move(wanted);
  return {};
}

Result<> Server::Impl::reload_tokens() {
  STRAKE_TRY(std::vector<auth::StaticToken> known, tokens(options));
  authenticator->set_tokens(std::move(known));
  return {};
}

Result<> Server::Impl::start_authorization(auth::AuthorizationConfiguration with) {
  first_authorization = std::move(with);
  // The usual case costs nothing: whoever decides is asked directly.
  if (options.authorization_config_file.empty() && first_authorization.is_rbac_alone()) return {};
  chain = std::make_unique<auth::AuthorizerChain>(roles->authorizer(), *loops, system_clock());
  STRAKE_CHECK(chain->use(first_authorization));
  roles->ask(*chain);
  return {};
}

Result<> Server::Impl::reload_authorization() {
  // Under a main server, what decides is no file's matter.
  if (!chain || delegation) return {};
  STRAKE_TRY(auth::AuthorizationConfiguration fresh, read_authorization(options));
  if (const auto follows = fresh.check_follows(first_authorization); !follows)
    return std::unexpected(Error(follows.error()).in(options.authorization_config_file));
  return chain->use(fresh);
}

std::vector<FileReloads::Group> Server::Impl::followed_files() {
  const auto reload = [this](Result<> (Impl::*read_again)()) {
    return [this, read_again] {
      const std::lock_guard lock(reloading);
      return (this->*read_again)();
    };
  };
  std::vector<std::string> token_keys = options.service_account_key_files;
  token_keys.push_back(options.service_account_signing_key_file);
  std::vector<std::string> shown = {options.proxy_client_certificate_file,
                                    options.proxy_client_key_file};
  std::vector<std::string> certificates = {options.tls_certificate_file, options.tls_key_file,
                                           options.client_ca_file,
                                           options.requestheader_client_ca_file};
  if (folder) {
    for (const char* name : {"pki/sa.key", "pki/sa.pub"}) token_keys.push_back(folder->file(name));
    for (const char* name : {"pki/apiserver.crt", "pki/apiserver.key", "pki/ca.crt", "pki/ca.key",
                             "pki/front-proxy-ca.crt", "pki/front-proxy-ca.key"})
      certificates.push_back(folder->file(name));
    for (const char* name : {"pki/front-proxy-client.crt", "pki/front-proxy-client.key"})
      shown.push_back(folder->file(name));
  }
  return {
      {"tokens", {options.token_file}, reload(&Impl::reload_tokens)},
      {"keys of service account tokens", std::move(token_keys), reload(&Impl::reload_token_keys)},
      {"certificates", std::move(certificates), reload(&Impl::reload_tls)},
      {"certificate of the proxy", std::move(shown), reload(&Impl::reload_proxy_certificate)},
      {"map of services", {options.service_resolver_file}, reload(&Impl::reload_service_map)},
      {"members", {options.aggregate_file}, reload(&Impl::reload_members)},
      {"audit policy",
       {options.audit_policy_file, options.audit_webhook_config_file},
       reload(&Impl::reload_audit)},
      {"authorization configuration",
       {options.authorization_config_file},
       reload(&Impl::reload_authorization)},
      {"authentication configuration",
       {options.authentication_config_file, options.oidc_ca_file},
       reload(&Impl::reload_issuers)}};
}

void Server::Impl::follow_files() {
  // Inotify has few places for a user. Without one, SIGHUP does it.
  if (const auto followed = files->follow(loops->at(0), *workers); !followed)
    log::get("server").warn("files are only read again on SIGHUP", {{"error", followed.error()}});
}

Result<> Server::Impl::reload_issuers() {
  if (authentication_file) return authentication_file->load();
  STRAKE_TRY(std::vector<auth::CompiledJwt> issuers, flag_issuers(options));
  token_issuers->set(std::move(issuers));
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
  STRAKE_TRY(audit::Policy policy, audit_policy(options));
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
    STRAKE_TRY(with.service, audit_service(options));
    if (options.audit_webhook_mode != audit::Mode::kBatch) with.send_at_once();
    audit_webhook = std::make_unique<audit::WebhookSink>(std::move(with), *loops);
  }
  if (audit_webhook) sinks.add(*audit_webhook, options.audit_webhook_mode);
  auditor = std::make_unique<audit::Recorder>(std::move(policy), std::move(sinks), system_clock());
  return {};
}

Result<> Server::Impl::reload_audit() {
  if (!auditor) return {};
  STRAKE_TRY(audit::Policy policy, audit_policy(options));
  auditor->set_policy(std::move(policy));
  if (audit_webhook) {
    STRAKE_TRY(auto service, audit_service(options));
    audit_webhook->set_service(std::move(service));
  }
  return audit_log ? audit_log->reopen() : Result<>();
}

Result<> Server::Impl::reload_token_keys() {
  Identity fresh = identity;
  if (folder) {
    STRAKE_TRY(fresh, folder->identity(host_names(options), system_clock()));
  }
  STRAKE_TRY(auth::ServiceAccountTokens::Keys keys, token_keys(options, fresh));
  account_tokens->set_keys(std::move(keys));
  return {};
}

Result<> Server::Impl::reload_tls() {
  Identity fresh = identity;
  if (folder) {
    // A certificate of our own that is about to run out is made anew on the way.
    STRAKE_TRY(fresh, folder->identity(host_names(options), system_clock()));
    if (fresh.ca_pem != identity.ca_pem) {
      // Clients were told of the authority in many places.
      return fail(Code::kInvalid, "{} has changed, which needs a restart",
                  folder->file("pki/ca.crt"));
    }
  }
  STRAKE_TRY(const http::TlsOptions tls, believe(fresh));
  STRAKE_CHECK(http->set_tls(tls));
  authentication_config->set(authentication_data);
  identity.serving = std::move(fresh.serving);
  return {};
}

Result<> Server::Impl::reload_proxy_certificate() {
  Identity fresh = identity;
  if (folder) {
    STRAKE_TRY(fresh, folder->identity(host_names(options), system_clock()));
  }
  return show_proxy_certificate(*aggregation, options, fresh);
}

async::Task<> Server::Impl::end() {
  const Deadline drained = Deadline::after(options.drain_timeout);
  // First, so that the main server sends no more requests here. When that takes long, those that
  // are under way keep most of their time.
  if (registration)
    co_await begin_end_of_registration(Deadline::after(options.drain_timeout / kPartToUnregister));
  if (http) static_cast<void>(co_await http->drain(drained));
  if (compaction_stop) compaction_stop->notify();
  static_cast<void>(co_await files->stop());
  if (members) static_cast<void>(co_await members->stop());
  static_cast<void>(co_await background.close());
  if (delegation) static_cast<void>(co_await delegation->stop());
  static_cast<void>(co_await revocations->stop());
  static_cast<void>(co_await secret_tokens->stop());
  if (token_webhook) static_cast<void>(co_await token_webhook->stop());
  static_cast<void>(co_await token_issuers->stop());
  static_cast<void>(co_await authentication_config->stop());
  static_cast<void>(co_await policies->stop());
  static_cast<void>(co_await quotas->stop());
  static_cast<void>(co_await certificate_signer->stop());
  static_cast<void>(co_await roles->stop());
  static_cast<void>(co_await aggregation->stop());
  static_cast<void>(co_await api->stop());
  webhooks->close();
  converter->close();
  if (chain) chain->close();
  if (audit_webhook)
    co_await audit_webhook->stop(std::max(drained, Deadline::after(kLastAuditEvents)));
  static_cast<void>(co_await hub->stop());
  co_return co_await store->close();
}

Result<std::unique_ptr<Server>> Server::start(Options options) {
  // Few heaps, so that what one thread frees another can use: the objects of one request are small
  // beside what is kept.
  ::mallopt(M_ARENA_MAX, 2);
  Arena::limit_each(kDocumentMemory);
  auto impl = std::make_unique<Impl>();
  impl->options = std::move(options);
  impl->request_log.all = impl->options.log_requests;
  impl->request_log.slow = impl->options.slow_requests;
  STRAKE_CHECK(impl->assemble());
  // From here on threads run: whatever fails, they are stopped in order.
  std::unique_ptr<Server> server(new Server(std::move(impl)));
  STRAKE_CHECK(server->wait_for_begin());
  STRAKE_CHECK(server->impl_->listen());
  STRAKE_CHECK(server->impl_->begin_members());
  server->impl_->follow_files();
  STRAKE_CHECK(server->impl_->follow_main_server());
  // Reading what was there leaves holes behind.
  ::malloc_trim(0);
  return server;
}

Result<> Server::check(Options options) {
  if (options.data_dir.empty() && !options.in_memory)
    return fail(Code::kUsage, "a data folder is needed unless everything is to live in memory");
  // Assembled as ever, but with nothing that would leave traces.
  options.in_memory = true;
  options.data_dir.clear();
  if (!options.audit_log_path.empty()) options.audit_log_path = "-";
  Impl impl;
  impl.options = std::move(options);
  return impl.assemble();
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() { static_cast<void>(stop()); }

std::string Server::url() const { return impl_->url; }
std::string Server::kubeconfig_path() const { return impl_->kubeconfig_path; }
std::string Server::kubeconfig() const { return kubeconfig_text(impl_->identity, impl_->url); }

std::vector<Error> Server::reload() {
  const std::lock_guard lock(impl_->reloading);
  std::vector<Error> failures;
  // One that fails leaves the others alone.
  for (const Result<>& outcome :
       {impl_->reload_tokens(), impl_->reload_token_keys(), impl_->reload_tls(),
        impl_->reload_audit(), impl_->reload_authorization(), impl_->reload_issuers(),
        impl_->reload_proxy_certificate(), impl_->reload_service_map(), impl_->reload_members()}) {
    if (!outcome) failures.push_back(outcome.error());
  }
  return failures;
}

void Server::set_request_log(bool all, std::chrono::nanoseconds slow) {
  impl_->request_log.all = all;
  impl_->request_log.slow = slow;
}

Result<> Server::wait_for_begin() {
  const CancelToken stop = impl_->options.stop;
  const std::optional<Result<>> begun = run_until_stopped(
      impl_->loops->at(0), impl_->begin(), stop, kGrace, [this] { impl_->stopping.cancel(); });
  if (!begun) return give_up("starting");
  STRAKE_CHECK(*begun);
  if (stop.cancelled()) return fail(Code::kCancelled, "stopped while starting");
  return {};
}

Result<> Server::stop() {
  if (!impl_ || std::exchange(impl_->stopped, true)) return {};
  std::future<Result<>> ended = launch(impl_->loops->at(0), impl_->end());
  const Ending ending =
      wait_for_end(ended, {.drain = impl_->options.drain_timeout, .grace = kGrace},
                   [this] { impl_->stopping.cancel(); });
  if (ending == Ending::kGivenUp) return give_up("stopping");
  if (ending == Ending::kCancelled)
    log::get("server").warn("cancelled requests that were still under way at the end of the drain");
  impl_->http.reset();
  impl_->loops->stop();
  impl_->temporary.reset();
  return ended.get();
}

// Threads are busy with what does not hear that nobody waits: their memory is left to them.
Result<> Server::give_up(std::string_view what) {
  impl_->stopped = true;
  log::get("server").error("gave up waiting for work that does not end; the store is closed",
                           {{"while", what}});
  async::Loops own(1);
  const Result<> closed = async::run_blocking(own.at(0), impl_->store->close());
  static_cast<void>(impl_.release());
  if (!closed) return closed;
  return fail(Code::kTimeout, "work under way did not end in time; the store was closed");
}

}  // namespace strake::server

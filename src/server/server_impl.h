#pragma once
// What a running server is made of. Private to this module: the functions are in assemble.cc (from
// options to parts), server.cc (start, listen, stop), reloads.cc and other_servers.cc.
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "admission/builtin/builtin_admission.h"
#include "admission/conversion/webhook_converter.h"
#include "admission/mutating_chain.h"
#include "admission/policy/policies.h"
#include "admission/quota/quotas.h"
#include "admission/webhook/webhooks.h"
#include "api/server.h"
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
#include "extension/registration.h"
#include "kubelet/connections.h"
#include "rules/engine.h"
#include "server/aggregation_setup.h"
#include "server/clock_route.h"
#include "server/data_dir.h"
#include "server/delegation.h"
#include "server/file_reloads.h"
#include "server/loop_watch.h"
#include "server/members.h"
#include "server/operations.h"
#include "server/server.h"
#include "server/temporary_folder.h"

namespace strake::server {

struct Server::Impl {
  Options options;
  std::optional<DataDir> folder;
  Identity identity;
  std::optional<http::TlsOptions> prepared_tls;  // until it listens
  // Made of prepared_tls while the API starts.
  std::future<Result<std::shared_ptr<const http::TlsContext>>> tls_context;
  std::optional<TemporaryFolder> temporary;  // for the kubeconfig, when there is no other place
  std::string kubeconfig_path;
  std::string url;

  std::unique_ptr<async::Loops> loops;
  std::unique_ptr<async::Workers> workers;
  // Goes before the loops: its writer may still be waking one when all else has ended.
  std::unique_ptr<store::Store> store;
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
  std::unique_ptr<admission::BuiltinAdmission> builtin_admission;
  std::unique_ptr<auth::SigningRules> signing_rules;
  std::unique_ptr<auth::CertificateSigner> certificate_signer;
  std::unique_ptr<admission::MutatingChain> mutating;
  std::unique_ptr<aggregator::Aggregation> aggregation;
  kube::ServicePlaces member_addresses;  // guarded by reloading
  std::unique_ptr<Members> members;      // null without a file of them
  async::Progress rights;                // reaches 1 when the default roles are there
  std::unique_ptr<kubelet::KubeletConnections> kubelets;  // null without workloads
  std::unique_ptr<Operations> operations;
  std::unique_ptr<ClockRoute> clock_route;  // null without a clock for tests
  api::RequestLogSettings request_log;
  api::StreamBudget streams;
  CancelSource stopping;  // requests under way have had their time
  std::unique_ptr<api::ApiServer> api;
  std::unique_ptr<http::Server> http;
  std::unique_ptr<LoopWatch> loop_watch;  // null unless somebody waits for signs of life
  std::unique_ptr<async::Signal> compaction_stop;
  async::Gate background;
  bool stopped = false;

  // Of the API and the store. What TLS looks at follows the machine's clock whatever tests do.
  const Clock& clock() const {
    if (options.test_clock != nullptr) return *options.test_clock;
    return system_clock();
  }
  Result<> assemble();
  Result<> listen();
  void watch_loops();
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
  Result<> reload_kubelet_certificates();
  Result<> reload_service_map() { return use_service_map(*aggregation, options, member_addresses); }
  Result<> begin_members();
  Result<> reload_members() { return members ? members->load() : Result<>(); }
  Result<http::TlsOptions> believe(const Identity& from);
  std::vector<api::Route*> given_routes();
  // Who is asked about a write, in this order.
  std::vector<const api::Admission*> admission_order() const;
  Result<> open_audit_log();
  Result<> reload_audit();
  Result<> make_identity_and_kinds();
  async::Task<> begin();
  async::Task<> begin_roles();
  async::Task<> begin_others();
  async::Task<> end();
};

}  // namespace strake::server

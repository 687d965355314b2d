#pragma once
// The whole server put together: store, caches, API, HTTP. Start it, wait for the word to stop,
// drain it.
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admission/builtin/plugin_choice.h"
#include "api/controllers/enabled_controllers.h"
#include "audit/sink.h"
#include "audit/truncation.h"
#include "audit/webhook_sink.h"
#include "auth/authorization/configuration.h"
#include "auth/front_proxy.h"
#include "auth/oidc/config.h"
#include "base/cancel.h"
#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "kinds/service_ranges.h"
#include "kubelet/places.h"
#include "server/delegation_options.h"
#include "server/operations_options.h"

namespace strake::api {
class Stage;
}

namespace strake::server {

class TestClock;

struct Options {
  std::string data_dir;    // empty only with in_memory
  bool in_memory = false;  // nothing of the store outlives the process; keys still go to data_dir
                           // when it is given
  std::string host = "127.0.0.1";
  std::uint16_t port = 6443;
  // A descriptor that listens already, in place of host and port; the server's.
  std::optional<int> listening_socket;
  std::vector<std::string> extra_hosts;  // further names for the serving certificate
  // Certificates of the user's own instead of those that are made.
  std::string tls_certificate_file;
  std::string tls_key_file;
  std::string client_ca_file;  // trusted beside our own
  // Who may vouch for users in headers. Without a file, our own authority for proxies and the name
  // front-proxy-client.
  std::string requestheader_client_ca_file;
  auth::FrontProxyOptions front_proxy;
  // What this server shows to the servers behind APIServices, in place of pki/front-proxy-client.*,
  // and where their services are that have no endpoints here.
  std::string proxy_client_certificate_file;
  std::string proxy_client_key_file;
  std::string service_resolver_file;
  std::string token_file;
  // Tokens of service accounts. The key that signs them, in place of pki/sa.key; further keys that
  // verify them; whose they are (the first of new ones), and whom they are meant for.
  std::string service_account_signing_key_file;
  std::vector<std::string> service_account_key_files;
  std::vector<std::string> service_account_issuers;
  std::vector<std::string> api_audiences;
  std::chrono::seconds service_account_longest_life{0};  // zero: no limit of the server's own
  std::string service_account_keys_url;                  // the server's own unless given
  // Tokens of other issuers: of one, by kube-apiserver's flags, or of those in a file, which says
  // who may come without credentials too.
  std::optional<auth::JwtConfig> oidc;
  std::string oidc_ca_file;
  std::string authentication_config_file;
  std::optional<bool> anonymous_auth;  // nothing: everyone, unless the file says otherwise
  // A webhook that knows of tokens (a kubeconfig), the version of what it is sent, and how long its
  // answers are kept.
  std::string token_webhook_file;
  std::string token_webhook_version = "v1beta1";
  std::chrono::nanoseconds token_webhook_kept = std::chrono::minutes(2);
  // Where the administrator's kubeconfig goes too, mode 0600. Without it and without data_dir, it
  // goes to a temporary folder that the server removes when it stops.
  std::string kubeconfig_file;
  // False: to that file alone, if one is named. Whoever starts the server asks for its text.
  bool keeps_kubeconfig = true;
  // Without data_dir: keys and certificates are kept in this folder, for the next server of it.
  std::string kept_keys;
  // The server is ready before its default roles are made: who needs them waits.
  bool ready_before_roles = false;
  // Who decides about rights: by flags, or by a file, which is read again when it changes.
  auth::AuthorizationFlags authorization;
  std::string authorization_config_file;
  api::EnabledControllers controllers;
  // HOST:PORT at which clients reach the server, as /api tells them; empty for where each did.
  std::string advertised_address;
  kinds::ServiceRanges service_ranges = kinds::default_service_ranges();
  // Pods, nodes, deployments and all other kinds that run programs, stored without controllers,
  // and the plugins that change or refuse them.
  bool workloads = false;
  admission::PluginChoice admission_plugins;
  // What kubelets of those nodes are shown, in place of pki/apiserver-kubelet-client.*; who signs
  // their certificates (nobody is verified without it); and the types of the addresses of nodes
  // that are tried, the preferred one first.
  std::string kubelet_client_certificate_file;
  std::string kubelet_client_key_file;
  std::string kubelet_authority_file;
  std::vector<std::string> kubelet_address_types = kubelet::default_address_types();
  // A server behind another one, and how it makes itself known there (delegation.h).
  std::optional<DelegationOptions> delegation;
  std::optional<RegisterOptions> registration;
  // The servers behind this one (members.h); it is read again when it changes.
  std::string aggregate_file;
  // With fair use, the sum is the number of seats that requests share. Otherwise each is a limit of
  // its own, and 0 stands for none.
  bool fair_use = true;
  std::size_t max_requests_in_flight = 400;
  std::size_t max_writes_in_flight = 200;
  bool log_requests = false;
  std::chrono::nanoseconds slow_requests{0};  // those that take longer are logged; zero for none
  // The audit log: a policy, with a file or a webhook that events go to, or nothing of it.
  std::string audit_policy_file;
  std::string audit_log_path;                 // "-" for standard output
  std::size_t audit_log_megabytes = 100;      // of one file; 0 for no limit
  std::size_t audit_log_backups = 0;          // kept beside it; 0 for all
  std::size_t audit_log_days = 0;             // that those are kept; 0 for ever
  std::string audit_webhook_config_file;      // a kubeconfig
  audit::WebhookSink::Options audit_webhook;  // without its service
  audit::Mode audit_webhook_mode = audit::Mode::kBatch;
  audit::TruncateOptions audit_log_truncate;
  audit::Mode audit_log_mode = audit::Mode::kBlocking;
  OperationsOptions operations;
  std::size_t io_threads = 0;  // 0: one a core
  std::chrono::seconds drain_timeout{30};
  std::chrono::nanoseconds compaction_period = std::chrono::minutes(5);
  std::string version;
  // For tests: the clock of the API, which clients may move (clock_route.h), in place of the
  // machine's; and stages that see each request before all others. They must outlive the server.
  TestClock* test_clock = nullptr;
  std::vector<api::Stage*> stages;
  // Called so often, as long as all loops that serve requests turn.
  std::optional<std::chrono::nanoseconds> alive_period;
  std::function<void()> alive;
  CancelToken stop;  // gives up a start that is under way
};

// What clients of a server need besides its URL, in PEM.
struct Credentials {
  std::string ca_pem;
  std::string client_certificate_pem;  // the administrator's
  Secret client_key_pem;
};

class Server {
 public:
  // Ready to serve when it returns. Fails with kCancelled when it was told to stop first.
  static Result<std::unique_ptr<Server>> start(Options options);
  // Whether it would get as far as to open the store and to listen: what can be said from the
  // options and the files that they name. Writes nothing.
  static Result<> check(Options options);
  ~Server();  // stop()

  std::string url() const;              // https://127.0.0.1:6443
  std::string kubeconfig_path() const;  // a file for the administrator
  std::string kubeconfig() const;       // its text
  Credentials administrator() const;
  // Reads again what was given by files: tokens and the keys that sign and verify them, certificate
  // and key, client authorities. What cannot be used stays as it was, and is returned. Connections
  // go on as they are. May block.
  std::vector<Error> reload();
  // As the options of the same names. From the next request on.
  void set_request_log(bool all, std::chrono::nanoseconds slow);
  // Ends watches cleanly, lets requests in flight finish until the drain timeout, and closes the
  // store. Fails with kTimeout when work goes on in spite of being cancelled: the store is closed
  // even then, but threads are still busy with what is never freed, so the process should end
  // without further ado (std::_Exit).
  Result<> stop();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  Result<> wait_for_begin();
  Result<> give_up(std::string_view what);
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::server

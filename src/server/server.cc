#include "server/server.h"

#include <fmt/format.h>
#include <malloc.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "async/run.h"
#include "async/start_on.h"
#include "base/arena.h"
#include "base/log.h"
#include "http/tls.h"
#include "server/ending.h"
#include "server/file_limit.h"
#include "server/server_impl.h"
#include "store/compactor.h"

namespace strake::server {
namespace {

// What one document may take while it is worked on. A body of 3 MiB, the most that is read, becomes
// 150 MB at the worst; nothing ordinary comes near.
constexpr std::size_t kDocumentMemory = 512U << 20;

// From the end of the drain until nobody waits for work any more.
constexpr std::chrono::milliseconds kGrace{2'000};
// Before requests are drained, a server that takes its registration back may use that part of the
// time.
constexpr int kPartToUnregister = 4;
// For audit events, however late it is by then.
constexpr std::chrono::milliseconds kLastAuditEvents{1'000};

}  // namespace

async::Task<> Server::Impl::begin() {
  STRAKE_CO_CHECK(co_await hub->start());
  STRAKE_CO_CHECK(co_await api->serve());
  // Roles take as long to make as all the rest, and neither needs the other.
  async::OneShot<> roles_made = async::start_on(loops->at(1 % loops->size()), begin_roles());
  const Result<> others = co_await begin_others();
  if (options.ready_before_roles) co_return others;
  STRAKE_CO_CHECK(co_await roles_made.wait());
  co_return others;
}

async::Task<> Server::Impl::begin_roles() {
  const async::Gate::Pass pass = background.enter();
  const Result<> made =
      co_await roles->start(api->core(), options.controllers.has(api::kRoleAggregation));
  if (made) {
    rights.reach(1);
  } else {
    rights.end();
    log::get("server").error("the default roles could not be made", {{"error", made.error()}});
  }
  co_return made;
}

async::Task<> Server::Impl::begin_others() {
  STRAKE_CO_CHECK(co_await api->start());
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

Result<> Server::Impl::listen() {
  http::ServerOptions http_options;
  http_options.host = options.host;
  http_options.port = options.port;
  const bool inherited = options.listening_socket.has_value();
  http_options.listening_socket =
      std::exchange(options.listening_socket, std::nullopt).value_or(-1);
  if (tls_context.valid()) {
    STRAKE_TRY(http_options.tls_context, tls_context.get());
  }
  http_options.tls = std::move(*prepared_tls);
  prepared_tls.reset();
  http_options.max_connections =
      connections_within(raise_file_limit(), http_options.max_connections);
  STRAKE_TRY(http, http::Server::listen(std::move(http_options), *loops, *api));
  const std::string bound = inherited ? http->host() : options.host;
  const bool any = bound == "0.0.0.0" || bound == "::";
  const std::string host = any ? "127.0.0.1" : bound;
  url = fmt::format(fmt::runtime(host.contains(':') ? "https://[{}]:{}" : "https://{}:{}"), host,
                    http->port());
  account_tokens->set_server_url(url);
  return write_kubeconfig();
}

void Server::Impl::watch_loops() {
  if (!options.alive_period) return;
  loop_watch = std::make_unique<LoopWatch>(*loops, *options.alive_period, options.alive);
  loop_watch->start();
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
    if (folder || !options.keeps_kubeconfig) return {};
    STRAKE_TRY(temporary, TemporaryFolder::make("strake"));
    STRAKE_TRY(kubeconfig_path,
               temporary->write("admin.kubeconfig", kubeconfig_text(identity, url)));
    return {};
  }
  STRAKE_CHECK(write_file(wanted, kubeconfig_text(identity, url), 0600));
  kubeconfig_path = std::move(wanted);
  return {};
}

async::Task<> Server::Impl::end() {
  const Deadline drained = Deadline::after(options.drain_timeout);
  operations->cancel();
  // First, so that the main server sends no more requests here. When that takes long, those that
  // are under way keep most of their time.
  if (registration)
    co_await begin_end_of_registration(Deadline::after(options.drain_timeout / kPartToUnregister));
  if (http) static_cast<void>(co_await http->drain(drained));
  if (compaction_stop) compaction_stop->notify();
  static_cast<void>(co_await files->stop());
  if (members) static_cast<void>(co_await members->stop());
  static_cast<void>(co_await background.close());
  static_cast<void>(co_await operations->stop());
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
  if (kubelets) kubelets->close();
  static_cast<void>(co_await api->stop());
  webhooks->close();
  converter->close();
  if (chain) chain->close();
  if (audit_webhook)
    co_await audit_webhook->stop(std::max(drained, Deadline::after(kLastAuditEvents)));
  static_cast<void>(co_await hub->stop());
  const Result<> closed = co_await store->close();
  // Last: while all this goes on, somebody still waits for signs of life.
  if (loop_watch) static_cast<void>(co_await loop_watch->stop());
  co_return closed;
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
  if (impl->prepared_tls) {
    impl->tls_context = std::async(
        std::launch::async, [&tls = *impl->prepared_tls] { return http::TlsContext::make(tls); });
  }
  // From here on threads run: whatever fails, they are stopped in order.
  std::unique_ptr<Server> server(new Server(std::move(impl)));
  STRAKE_CHECK(server->wait_for_begin());
  STRAKE_CHECK(server->impl_->listen());
  STRAKE_CHECK(server->impl_->begin_members());
  server->impl_->follow_files();
  server->impl_->operations->start(server->impl_->loops->at(0));
  server->impl_->watch_loops();
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

Credentials Server::administrator() const {
  const Identity& identity = impl_->identity;
  return {.ca_pem = identity.ca_pem,
          .client_certificate_pem = identity.admin.certificate_pem,
          .client_key_pem = identity.admin.key_pem};
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

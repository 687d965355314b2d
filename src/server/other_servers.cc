#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <charconv>

#include "async/run.h"
#include "async/signal.h"
#include "base/log.h"
#include "extension/resolver_file.h"
#include "server/server_impl.h"
#include "server/unregister.h"

namespace strake::server {
namespace {

// For the entry in the main server's file, when the server ends; and for what it takes back at that
// server, however short the drain is.
constexpr std::chrono::milliseconds kLastEntry{1'000};

// Cancels `late` then, unless `done` comes first.
boost::asio::awaitable<void> cancel_at(Deadline deadline, std::shared_ptr<CancelSource> late,
                                       CancelToken done) {
  if (co_await async::sleep_until(deadline, std::move(done))) late->cancel();
}

}  // namespace

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
  const auto late = std::make_shared<CancelSource>();
  CancelSource done;
  boost::asio::co_spawn(co_await boost::asio::this_coro::executor,
                        cancel_at(Deadline::after(std::max<std::chrono::nanoseconds>(
                                      options.drain_timeout, kLastEntry)),
                                  late, done.token()),
                        boost::asio::detached);
  const Result<> ended = co_await registration->stop(given.removes_at_end, late->token());
  done.cancel();
  if (!ended)
    log::get("server").error("the registration could not be removed", {{"error", ended.error()}});
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

}  // namespace strake::server

#include "cli/testserver/etcd_alias.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "async/run.h"
#include "cli/io/terminal.h"
#include "cli/serve/listen.h"
#include "cli/testserver/tool_flags.h"
#include "etcd/handler.h"
#include "http/server.h"
#include "server/signal_watch.h"

namespace strake::cli {
namespace {

using enum ToolFlag::Use;

// etcd 3.6. None of its other flags matters to an etcd that keeps nothing on disk.
constexpr ToolFlag kEtcdFlags[] = {
    {.name = "advertise-client-urls", .use = kUsed},
    {.name = "data-dir", .use = kUsed},
    {.name = "initial-advertise-peer-urls", .use = kUsed},
    {.name = "initial-cluster", .use = kUsed},
    {.name = "initial-cluster-state", .use = kUsed},
    {.name = "initial-cluster-token", .use = kUsed},
    {.name = "listen-client-urls", .use = kUsed},
    {.name = "listen-peer-urls", .use = kUsed},
    {.name = "name", .use = kUsed},
    {.name = "unsafe-no-fsync", .use = kUsed, .is_switch = true},
    {.name = "auto-compaction-mode"},
    {.name = "auto-compaction-retention"},
    {.name = "election-timeout"},
    {.name = "enable-pprof", .is_switch = true},
    {.name = "heartbeat-interval"},
    {.name = "listen-metrics-urls"},
    {.name = "log-level"},
    {.name = "log-outputs"},
    {.name = "logger"},
    {.name = "max-request-bytes"},
    {.name = "max-txn-ops"},
    {.name = "metrics"},
    {.name = "quota-backend-bytes"},
    {.name = "snapshot-count"},
    // Clients with certificates expect to be known.
    {.name = "cert-file", .use = kRefused},
    {.name = "client-cert-auth", .use = kRefused, .is_switch = true, .plain = "false"},
    {.name = "config-file", .use = kRefused},
    {.name = "key-file", .use = kRefused},
    {.name = "trusted-ca-file", .use = kRefused},
};

// The first URL of --listen-client-urls.
Result<Address> client_address(const ToolArguments& given) {
  const std::string urls = given.text("listen-client-urls", "http://localhost:2379");
  const std::string_view first = std::string_view(urls).substr(0, urls.find(','));
  constexpr std::string_view kScheme = "http://";
  if (!first.starts_with(kScheme))
    return fail(Code::kUsage, "--listen-client-urls: strake as etcd speaks plain HTTP only, got {}",
                first);
  return parse_address(first.substr(kScheme.size()));
}

Result<> serve_keys(std::span<const std::string> args, Io& io) {
  STRAKE_TRY(const ToolArguments given, ToolArguments::read("etcd", kEtcdFlags, args));
  for (const std::string& warning : given.warnings())
    io.err.write(fmt::format("warning: {}\n", printable(warning)));
  STRAKE_TRY(Address address, client_address(given));
  ::signal(SIGPIPE, SIG_IGN);
  server::SignalWatch signals(std::chrono::seconds(10));
  const std::string own_url = fmt::format("http://{}:{}", address.host, address.port);
  const std::string urls = given.text("advertise-client-urls", own_url);
  etcd::Handler handler(
      etcd::Service(given.text("name", "default"), urls.substr(0, urls.find(','))));
  async::Loops loops(1);
  http::ServerOptions options;
  options.host = std::move(address.host);
  options.port = address.port;
  STRAKE_TRY(auto server, http::Server::listen(std::move(options), loops, handler));
  io.out.write(fmt::format("ready at http://{}:{}\n", server->host(), server->port()));
  STRAKE_CHECK(io.out.flush());
  while (signals.wait() != server::SignalWatch::Signal::kStop) {
  }
  server.reset();
  return {};
}

}  // namespace

ExitCode run_etcd(std::span<const std::string> args, Io& io) {
  if (std::ranges::find(args, "--version") != args.end()) {
    io.out.write(fmt::format("etcd Version: {}\n", etcd::kVersion));
    return ExitCode::kFine;
  }
  if (std::ranges::any_of(args, [](const auto& one) { return one == "--help" || one == "-h"; })) {
    io.out.write("strake as etcd, for tests: it keeps keys in memory\n\nFlags:\n" +
                 list_flags(kEtcdFlags));
    return ExitCode::kFine;
  }
  const Result<> done = serve_keys(args, io);
  if (done) return ExitCode::kFine;
  print_error(done.error().to_string(), io);
  return ExitCode::kFindings;
}

}  // namespace strake::cli

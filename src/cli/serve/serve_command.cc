#include "cli/serve/serve_command.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstdlib>

#include "base/log.h"
#include "cli/command/shared_flags.h"
#include "cli/io/terminal.h"
#include "cli/serve/flag_values.h"
#include "cli/serve/operate_controllers.h"
#include "cli/serve/serve_config.h"
#include "cli/serve/serve_flags.h"
#include "cli/serve/serve_options.h"
#include "server/server.h"
#include "server/service_manager.h"
#include "server/signal_watch.h"
#include "server/unregister.h"

namespace strake::cli {
namespace {

void greet(const server::Server& server, Io& io) {
  io.out.write(fmt::format("serving at {}\n  export KUBECONFIG={}\n  kubectl get namespaces\n",
                           server.url(), printable(server.kubeconfig_path())));
  static_cast<void>(io.out.flush());
}

void use_log_level(const Arguments& args) {
  if (const auto level = log::parse_level(args.text("log-level")))
    log::configure({.level = *level});
}

// What the file of --config says now, as far as that can change without a restart.
Result<> reload_config(server::Server& server, const Arguments& given, Arguments& current) {
  if (given.text("config").empty()) return {};
  STRAKE_TRY(Arguments fresh, with_config(kServeFlags, given));
  STRAKE_TRY(const std::chrono::nanoseconds slow, parse_time(fresh, "log-slow-requests"));
  for (const std::string& flag : changed_for_restart(current, fresh))
    log::get("server").warn("a change of the configuration needs a restart", {{"flag", flag}});
  use_log_level(fresh);
  server.set_request_log(fresh.on("log-requests"), slow);
  current = std::move(fresh);
  return {};
}

// In a third of the time after which the service manager gives up.
constexpr int kSignsOfLife = 3;

// The socket that is listened on, and whom to show signs of life.
Result<> use_service(server::ServiceManager& service, server::Options& options) {
  options.listening_socket = service.take_socket();
  if (options.listening_socket && options.registration)
    return fail(Code::kUsage,
                "a server that registers itself needs a --listen of its own, and no "
                "socket that is handed over");
  if (const auto time = service.watchdog()) {
    options.alive_period = *time / kSignsOfLife;
    options.alive = [service] { service.alive(); };
  }
  return {};
}

void reload(server::Server& server, const Arguments& given, Arguments& current) {
  std::vector<Error> failures = server.reload();
  if (const Result<> config = reload_config(server, given, current); !config)
    failures.push_back(config.error());
  for (const Error& failure : failures)
    log::get("server").error("not reloaded, the old one stays", {{"error", failure}});
  if (failures.empty()) log::get("server").info("reloaded the configuration and its files");
}

// What is left between the end of the drain and the end of the process, whatever goes on in it.
constexpr std::chrono::seconds kLongestEnd{10};

// Threads of the server are still busy: nothing that they may use is taken down.
[[noreturn]] void end_now(const Error& why, Io& io) {
  print_error(why.to_string(), io);
  static_cast<void>(io.out.flush());
  static_cast<void>(io.err.flush());
  std::_Exit(static_cast<int>(ExitCode::kInput));
}

ExitCode check_config(server::Options options, Io& io) {
  if (const Result<> checked = server::Server::check(std::move(options)); !checked)
    return refused(checked.error(), io);
  io.out.write("the configuration can be used\n");
  return ExitCode::kFine;
}

ExitCode run_serve(const Arguments& given, Io& io) {
  auto merged = with_config(kServeFlags, given);
  if (!merged) return refused(merged.error(), io);
  Arguments args = *std::move(merged);
  use_log_level(args);
  auto options = read_serve_options(args, io);
  if (!options) return refused(options.error(), io);
  const auto operate = read_operate(args);
  if (!operate) return refused(operate.error(), io);
  if (args.on("check-config")) return check_config(*std::move(options), io);
  ::signal(SIGPIPE, SIG_IGN);
  if (options->registration && args.on("unregister")) {
    const Result<> removed = server::unregister(*options);
    if (removed) return ExitCode::kFine;
    print_error(removed.error().to_string(), io);
    return ExitCode::kInput;
  }
  auto service = server::ServiceManager::from_environment();
  if (!service) return refused(service.error(), io);
  if (const Result<> used = use_service(*service, *options); !used)
    return refused(used.error(), io);
  server::SignalWatch signals(options->drain_timeout + kLongestEnd);
  options->stop = signals.token();

  auto server = server::Server::start(*options);
  if (!server) {
    if (server.error().code() == Code::kCancelled) return ExitCode::kFine;
    if (server.error().code() == Code::kTimeout) end_now(server.error(), io);
    print_error(server.error().to_string(), io);
    // A store of a newer version.
    return server.error().code() == Code::kUnsupported ? ExitCode::kUnsupported : ExitCode::kInput;
  }
  std::unique_ptr<OperateBeside> beside;
  if (operate->on) {
    auto started = OperateBeside::start(**server, *operate, io);
    if (!started) {
      print_error(started.error().to_string(), io);
      return ExitCode::kInput;
    }
    beside = *std::move(started);
  }
  greet(**server, io);
  if (const auto told = tell_ready(args, (*server)->url()); !told)
    print_error(told.error().to_string(), io);
  const std::string serving = fmt::format("serving at {}", (*server)->url());
  service->ready(serving);
  while (signals.wait() == server::SignalWatch::Signal::kReload) {
    service->reloading();
    reload(**server, given, args);
    service->ready(serving);
  }
  service->stopping();
  io.out.write("stopping\n");
  static_cast<void>(io.out.flush());
  // First: it gives its Lease back to the server.
  if (beside) beside->stop();
  const Result<> stopped = (*server)->stop();
  if (stopped) return ExitCode::kFine;
  if (stopped.error().code() == Code::kTimeout) end_now(stopped.error(), io);
  print_error(stopped.error().to_string(), io);
  return ExitCode::kInput;
}

constexpr Example kServeExamples[] = {
    {"strake serve --data-dir ./demo", "start a server; the folder is created; Ctrl-C stops it"},
    {"strake serve --in-memory --kubeconfig-out test.kubeconfig --listen 127.0.0.1:0",
     "for tests: keep only the kubeconfig on disk"},
    {"strake serve --config strake.yaml --check-config", "check a configuration before a restart"},
};

}  // namespace

constexpr Command kServeCommand{
    .name = "serve",
    .group = Group::kServe,
    .summary = "run an API server for custom resources",
    .description =
        "Starts a Kubernetes-compatible API server for custom resources on one SQLite file. The "
        "data folder is created if it does not exist, with the certificate authority, the "
        "certificates, the administrator's kubeconfig and the store. It must belong to you, and "
        "other users must not have access to it.\n\n"
        "Tokens, keys, certificates, authorities and configurations are read again when their "
        "files change, and on SIGHUP. If a file is invalid, the old one stays in use and the log "
        "says why. Connections continue.\n\n"
        "All flags can be given in a YAML file (--config), and --check-config says whether a "
        "server "
        "could start with them.\n\n"
        "SIGTERM and Ctrl-C end watches cleanly and let requests in progress finish. No "
        "acknowledged write is lost, "
        "however the process ends.",
    .flags = kServeFlags,
    .sections = kServeSections,
    .operands = {.usage = ""},
    .examples = kServeExamples,
    .run = run_serve,
};

}  // namespace strake::cli

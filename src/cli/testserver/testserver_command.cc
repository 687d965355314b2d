#include "cli/testserver/testserver_command.h"

#include <fmt/format.h>
#include <signal.h>

#include <future>

#include "api/controllers/enabled_controllers.h"
#include "base/log.h"
#include "cli/cluster/cluster_flags.h"
#include "cli/command/shared_flags.h"
#include "cli/command/version.h"
#include "cli/io/files.h"
#include "cli/io/terminal.h"
#include "cli/serve/flag_values.h"
#include "cli/serve/listen.h"
#include "cli/testserver/cache_folder.h"
#include "cli/testserver/company.h"
#include "cli/testserver/initial_objects.h"
#include "cli/testserver/recording_files.h"
#include "cli/testserver/test_clock_flags.h"
#include "recording/recorder.h"
#include "recording/replay.h"
#include "server/server.h"
#include "server/signal_watch.h"
#include "server/temporary_folder.h"
#include "value/document.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

// Whoever stops a test server has nothing to lose: what is under way is cut off.
constexpr std::chrono::seconds kDrain{1};
// For a command that was told to stop, and the server after it.
constexpr std::chrono::minutes kLongestEnd{5};

constexpr std::uint64_t kMostAuthorityBytes = 1 << 20;

constexpr FlagSpec kServerFlags[] = {
    {.name = "apply",
     .kind = FlagKind::kTexts,
     .value_name = "PATH",
     .summary = "apply the objects of this file or folder before the tests begin: definitions "
                "first, then namespaces, then the rest"},
    {.name = "listen",
     .kind = FlagKind::kText,
     .value_name = "HOST:PORT",
     .fallback = "127.0.0.1:0",
     .summary = "address to listen on; port 0 picks a free port"},
    {.name = "fast",
     .kind = FlagKind::kSwitch,
     .summary = "use keys and certificates that earlier servers of yours have made, kept in "
                "$XDG_CACHE_HOME/strake/testserver-keys or ~/.cache/strake/testserver-keys"},
    {.name = "kubeconfig-out",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "also write the kubeconfig to FILE (mode 0600)"},
    {.name = "controllers",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary = "controllers to run, as `serve` has them; as in other test environments, objects "
                "of deleted owners stay unless you ask for '*' (default "
                "*,-garbage-collector-controller)"},
    {.name = "log-level",
     .kind = FlagKind::kChoice,
     .value_name = "LEVEL",
     .choices = kLogLevels,
     .fallback = "warn",
     .summary = "debug, info, warn, error or off"},
};

constexpr FlagSpec kWebhookFlags[] = {
    {.name = "webhook-address",
     .kind = FlagKind::kText,
     .value_name = "HOST:PORT",
     .summary = "where webhooks run: in what --apply names, services of webhook configurations and "
                "of conversion webhooks become URLs with this address"},
    {.name = "webhook-ca",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "who vouches for the webhooks' certificate, in PEM: becomes their caBundle"},
};

constexpr FlagSpec kRecordingFlags[] = {
    {.name = "record",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "write what clients say, and what they are answered, to FILE"},
    {.name = "replay",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "in place of a command: send the requests of a recording again, and say which are "
                "answered differently (exit code 1)"},
};

constexpr auto kTestServerFlags =
    joined_flags(kServerFlags, kWebhookFlags, kRecordingFlags, kClockFlags);
constexpr auto kWebhookNames = flag_names(kWebhookFlags);
constexpr auto kRecordingNames = flag_names(kRecordingFlags);
constexpr auto kClockNames = flag_names(kClockFlags);
constexpr FlagSection kTestServerSections[] = {
    {.title = "webhooks", .flags = kWebhookNames},
    {.title = "recordings", .flags = kRecordingNames},
    {.title = "time", .flags = kClockNames},
};

Result<server::Options> options_of(const Arguments& args, const Io& io) {
  server::Options out;
  STRAKE_TRY(Address address, parse_address(args.text("listen")));
  out.host = std::move(address.host);
  out.port = address.port;
  out.in_memory = true;
  out.workloads = true;
  STRAKE_TRY(out.admission_plugins,
             admission::PluginChoice::parse({}, std::vector<std::string>{"ServiceAccount"}));
  out.kubeconfig_file = args.text("kubeconfig-out");
  out.keeps_kubeconfig = false;
  if (args.on("fast")) {
    STRAKE_TRY(const std::string cache, cache_folder(io));
    out.kept_keys = cache + "/testserver-keys";
  }
  out.ready_before_roles = true;
  std::vector<std::string> controllers = read_list(args, "controllers");
  if (controllers.empty()) controllers = {"*", fmt::format("-{}", api::kGarbageCollector)};
  STRAKE_TRY(out.controllers, api::EnabledControllers::parse(controllers));
  out.drain_timeout = kDrain;
  out.version = version_number();
  return out;
}

// How the server is reached, as files in a folder that only we can read.
struct ClientFiles {
  std::string kubeconfig;
  std::string authority;
  std::string certificate;
  std::string key;
};

Result<ClientFiles> write_client_files(const server::Server& server,
                                       const server::TemporaryFolder& folder) {
  const server::Credentials credentials = server.administrator();
  ClientFiles out;
  STRAKE_TRY(out.kubeconfig, folder.write("kubeconfig", server.kubeconfig()));
  STRAKE_TRY(out.authority, folder.write("ca.crt", credentials.ca_pem));
  STRAKE_TRY(out.certificate, folder.write("client.crt", credentials.client_certificate_pem));
  STRAKE_TRY(out.key, folder.write("client.key", credentials.client_key_pem.reveal()));
  return out;
}

// One line of JSON that tells a program how to reach the server.
std::string introduction(const server::Server& server, const ClientFiles& files) {
  value::Document out;
  out.root() = value::Value::object({});
  const auto add = [&](std::string_view key, const std::string& text) {
    out.root().set(key, value::Value::string(out.arena().copy(text)), out.arena());
  };
  add("url", server.url());
  add("kubeconfig", files.kubeconfig);
  add("certificateAuthority", files.authority);
  add("clientCertificate", files.certificate);
  add("clientKey", files.key);
  return value::to_json(out.root()) + "\n";
}

// On a thread of its own: a thread keeps connections for its next request, and the server would
// wait half a second for their end.
template <typename Work>
auto apart(Work work) {
  return std::async(std::launch::async, std::move(work)).get();
}

Result<LocalWebhooks> local_webhooks(const Arguments& args, Io& io) {
  LocalWebhooks out{.address = std::string(args.text("webhook-address")), .ca_pem = {}};
  const std::string file(args.text("webhook-ca"));
  if (out.address.empty() && !file.empty())
    return fail(Code::kUsage, "--webhook-ca needs a --webhook-address");
  if (!out.address.empty() && !parse_address(out.address))
    return fail(Code::kUsage, "--webhook-address wants HOST:PORT, got \"{}\"", out.address);
  if (!file.empty()) {
    STRAKE_TRY(out.ca_pem, read_input(file, kMostAuthorityBytes, io));
  }
  return out;
}

Result<ExitCode> replay_recording(const recording::Recording& recorded, const kube::Client& cluster,
                                  const CancelToken& stop, Io& io) {
  STRAKE_TRY(const recording::Replay done,
             recording::replay(recorded, cluster.access(), {.cancel = stop}));
  io.out.write(printable_lines(recording::describe(done, recorded)));
  return done.differences.empty() ? ExitCode::kFine : ExitCode::kFindings;
}

// What runs while the server does: the command, or whoever started this program.
Result<ExitCode> keep_company(const Arguments& args, const Parent& parent,
                              const server::Server& server, const ClientFiles& files,
                              const CancelToken& stop, Io& io) {
  if (args.operands().empty()) {
    io.out.write(introduction(server, files));
    STRAKE_CHECK(io.out.flush());
    STRAKE_CHECK(parent.wait_while_in_company(stop));
    return ExitCode::kFine;
  }
  STRAKE_TRY(const int code,
             run_in_company(args.operands(), {"KUBECONFIG=" + files.kubeconfig}, stop));
  return static_cast<ExitCode>(code);
}

Result<ExitCode> run_tests(const Arguments& args, Io& io) {
  const Parent parent;
  const std::string replayed(args.text("replay"));
  if (!replayed.empty() && !args.operands().empty())
    return fail(Code::kUsage, "--replay takes the place of a command");
  recording::Recording recorded;
  if (!replayed.empty()) {
    STRAKE_TRY(recorded, read_recording(replayed, io));
  }
  STRAKE_TRY(const LocalWebhooks webhooks, local_webhooks(args, io));
  STRAKE_TRY(const std::shared_ptr<server::TestClock> clock, read_test_clock(args));
  if (const auto level = log::parse_level(args.text("log-level")))
    log::configure({.level = *level});
  STRAKE_TRY(const server::TemporaryFolder folder,
             server::TemporaryFolder::make("strake-testserver"));
  STRAKE_TRY(server::Options options, options_of(args, io));
  options.test_clock = clock.get();
  std::shared_ptr<recording::Recorder> recorder;
  if (const std::string file(args.text("record")); !file.empty()) {
    STRAKE_TRY(recorder, recording::Recorder::open({.path = file}));
    options.stages = {recorder.get()};
  }
  // A server that gives up on work that does not end leaves threads behind that use them.
  io.freed_at_exit.push_back(clock);
  io.freed_at_exit.push_back(recorder);
  ::signal(SIGPIPE, SIG_IGN);
  server::SignalWatch signals(kLongestEnd);
  options.stop = signals.token();
  auto server = server::Server::start(std::move(options));
  if (!server && server.error().code() == Code::kCancelled) return ExitCode::kFine;
  if (!server) return std::unexpected(server.error());
  STRAKE_TRY(const ClientFiles files, write_client_files(**server, folder));
  const auto connect = [&] { return connect_cluster(files.kubeconfig, {}, io); };
  if (const auto& paths = args.texts("apply"); !paths.empty()) {
    STRAKE_CHECK(apart([&]() -> Result<> {
      STRAKE_TRY(const kube::Client cluster, connect());
      return apply_files(paths, webhooks, cluster, io);
    }));
  }
  if (recorder) recorder->begin();
  Result<ExitCode> out = replayed.empty()
                             ? keep_company(args, parent, **server, files, signals.token(), io)
                             : apart([&]() -> Result<ExitCode> {
                                 STRAKE_TRY(const kube::Client cluster, connect());
                                 return replay_recording(recorded, cluster, signals.token(), io);
                               });
  STRAKE_CHECK(out);
  STRAKE_CHECK((*server)->stop());
  return out;
}

ExitCode run_testserver(const Arguments& args, Io& io) {
  const Result<ExitCode> done = run_tests(args, io);
  return done ? *done : failed(done.error(), io);
}

constexpr Example kTestServerExamples[] = {
    {"strake testserver --apply config/crd -- go test ./...",
     "a server for one run of the tests, which find it by KUBECONFIG"},
    {"strake testserver --apply crds/ --apply webhooks.yaml -- pytest -x",
     "webhook configurations are objects like others"},
    {"strake testserver --apply crds/ --record run.jsonl -- go test ./...",
     "keeps what the tests and the operator said"},
    {"strake testserver --apply crds/ --replay run.jsonl", "says it again to a fresh server"},
    {"strake testserver --clock frozen -- pytest", "tests move the time themselves"},
    {"strake testserver", "for a program: prints how to reach the server, ends with the program"},
};

}  // namespace

constinit const Command kTestServerCommand = {
    .name = "testserver",
    .group = Group::kServe,
    .summary = "run an API server for the time of a test suite",
    .description =
        "Starts an API server in memory on a free port, with the built-in kinds (pods, "
        "deployments, nodes and so on, stored without controllers), applies the objects that you "
        "name, and runs the command with KUBECONFIG set. Its exit code is that of the command. "
        "Nothing is left behind. Any number can run at once.\n\n"
        "Without a command it prints one line of JSON (url, kubeconfig, certificateAuthority, "
        "clientCertificate, clientKey) when it is ready, and ends with the program that started "
        "it, when its standard input is closed, or on SIGTERM.\n\n"
        "`strake testserver diff A B` shows where two recordings part; `strake testserver assets` "
        "is for test harnesses that start kube-apiserver and etcd themselves.",
    .flags = kTestServerFlags,
    .sections = kTestServerSections,
    .operands = {.usage = "[-- COMMAND [ARGUMENT]...]", .at_most = kAnyNumber},
    .examples = kTestServerExamples,
    .run = run_testserver,
};

}  // namespace strake::cli

#include "provider/local/clusters.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/quote.h"
#include "base/trim.h"
#include "kube/objects/objects.h"
#include "provider/install/api_call.h"
#include "provider/install/installer.h"
#include "provider/local/cluster_folder.h"
#include "provider/local/dns.h"
#include "provider/local/wait.h"
#include "value/fields.h"

namespace strake::provider::local {
namespace {

constexpr std::uint64_t kMostReadyBytes = 4096;
constexpr std::string_view kDrainSeconds = "5";  // of requests under way, as the server ends
// All that a server gets of the environment: it outlives the program, whose secrets are not its
// business.
constexpr std::array<std::string_view, 9> kVariables = {
    "HOME",   "LANG", "LC_ALL",        "LD_LIBRARY_PATH", "PATH",
    "TMPDIR", "TZ",   "SSL_CERT_FILE", "SSL_CERT_DIR"};

// "https://127.0.0.1:1234" to "127.0.0.1:1234".
std::string address_of(std::string_view url) {
  constexpr std::string_view kScheme = "https://";
  return std::string(url.starts_with(kScheme) ? url.substr(kScheme.size()) : url);
}

std::string port_of(std::string_view address) {
  return std::string(address.substr(address.rfind(':') + 1));
}

// Whether a server could listen there now; true when that cannot be told, since it will say.
bool is_free(const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const bool bracketed = host.starts_with('[') && host.ends_with(']');
  const std::string plain = bracketed ? host.substr(1, host.size() - 2) : host;
  if (::getaddrinfo(plain.c_str(), port.c_str(), &hints, &found) != 0) return true;
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owned(found, &::freeaddrinfo);
  const OwnedFd probe(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ::setsockopt(probe.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  return !probe || ::bind(probe.get(), found->ai_addr, found->ai_addrlen) == 0;
}

class LocalClusters final : public ClusterDriver {
 public:
  explicit LocalClusters(SharedSite site) : site_(std::move(site)) {}

  Outcome<> provision(const Call& call, const Cluster& cluster,
                      const ProvisionOptions& options) override {
    STRAKE_TRY(const ClusterSettings settings, read_settings(cluster));
    const ClusterFolder folder(*site_, cluster);
    const Journal::Fields fields = {{"cluster", cluster.name}, {"resource", folder.resource()}};
    if (!options.force) {
      STRAKE_TRY(const bool done, is_provisioned(call, folder));
      if (done) {
        call.step("skip", "provision cluster", fields);
        return {};
      }
    }
    if (call.dry_run) return plan(call, folder, fields);
    STRAKE_TRY(const NamedLock lock, site_->lock(call, folder.resource()));
    STRAKE_CHECK(folder.sweep(call));
    STRAKE_TRY(std::optional<ClusterObject> object, folder.read(call));
    if (!object) {
      object = ClusterObject{.tags = folder.tags(),
                             .address = fmt::format("{}:{}", settings.host, settings.port)};
      STRAKE_CHECK(folder.make(call, *object));
      call.step("create", "cluster", fields);
    }
    return run(call, cluster, folder, *std::move(object), options);
  }

  Outcome<> deprovision(const Call& call, const Cluster& cluster,
                        const ProvisionOptions& /*options*/) override {
    STRAKE_TRY(const ClusterSettings settings, read_settings(cluster));
    const ClusterFolder folder(*site_, cluster);
    const Journal::Fields fields = {{"cluster", cluster.name}, {"resource", folder.resource()}};
    STRAKE_TRY(std::optional<ClusterObject> object, folder.read(call));
    STRAKE_TRY(const bool left, folder.has_leftovers(call));
    if (call.dry_run) {
      call.step(object || left ? "plan" : "skip", "deprovision cluster", fields);
      return {};
    }
    if (object || left) {
      STRAKE_TRY(const NamedLock lock, site_->lock(call, folder.resource()));
      STRAKE_CHECK(folder.sweep(call));
      STRAKE_TRY(object, folder.read(call));
      if (object) {
        STRAKE_CHECK(stop(call, folder, settings.stop));
        STRAKE_CHECK(folder.remove(call));
      }
      call.step("delete", "cluster", fields);
    } else {
      call.step("skip", "deprovision cluster", fields);
    }
    STRAKE_TRY(const bool there, site_->is_there(call));
    if (!there) return {};
    // Best effort: another cluster, or another run, finds them again.
    if (const Outcome<> gone = remove_empty_zones(*site_, call, settings); !gone) {
      if (gone.error().stops_everything()) return gone;
      call.warn("DNS zones were left", {{"reason", gone.error().message()}});
    }
    return site_->tidy(call);
  }

  Outcome<ClusterStatus> status(const Call& call, const Cluster& cluster) override {
    const ClusterFolder folder(*site_, cluster);
    ClusterStatus out;
    out.existing = cluster.existing;
    STRAKE_TRY(const auto object, folder.read(call));
    if (!object) return out;
    STRAKE_TRY(const auto server, folder.running(call));
    if (!server) return out;
    out.provisioned = true;
    // One that does not answer yet is not installed, as far as anybody can tell.
    auto installer = connect(call, folder);
    if (!installer && installer.error().error_class() == FailureClass::kNotFound) return out;
    if (!installer) return std::unexpected(std::move(installer).error());
    STRAKE_TRY(const IngressState ingress, installer->ingress_state(call, cluster));
    out.installed = ingress.installed;
    out.ingress_global_ip = ingress.ip;
    out.ingress_fqdn = ingress.hostname;
    return out;
  }

  Outcome<> install(const Call& call, const Cluster& cluster,
                    const InstallOptions& options) override {
    STRAKE_TRY(const ClusterSettings settings, read_settings(cluster));
    const ClusterFolder folder(*site_, cluster);
    STRAKE_TRY(Installer installer, connect(call, folder));
    STRAKE_CHECK(installer.ensure_ingress_namespace(call, cluster));
    STRAKE_CHECK(installer.ensure_ingress_account(call, cluster, {}));
    STRAKE_CHECK(installer.install_ingress(call, cluster, {.edit = {}, .force = options.force}));
    return balance_load(call, cluster, settings, folder);
  }

  Outcome<> uninstall(const Call& call, const Cluster& cluster,
                      const InstallOptions& /*options*/) override {
    const ClusterFolder folder(*site_, cluster);
    auto installer = connect(call, folder);
    // Without a cluster there is nothing in it.
    if (!installer && installer.error().error_class() == FailureClass::kNotFound) {
      call.step("skip", "uninstall cluster", {{"cluster", cluster.name}});
      return {};
    }
    if (!installer) return std::unexpected(std::move(installer).error());
    STRAKE_CHECK(installer->uninstall_ingress(call, cluster));
    return installer->delete_ingress_namespace(call, cluster);
  }

  Outcome<Secret> kubeconfig(const Call& call, const Cluster& cluster) override {
    return ClusterFolder(*site_, cluster).kubeconfig(call);
  }

 private:
  // Nothing runs Deployments in such a cluster: they are not waited for.
  Outcome<Installer> connect(const Call& call, const ClusterFolder& folder) const {
    STRAKE_TRY(const Secret text, folder.kubeconfig(call));
    return Installer::connect(text, {.runs_workloads = false}, site_->files.calls());
  }

  // The load balancer of this machine is its own address: told as clouds tell theirs, in the status
  // of the Service.
  Outcome<> balance_load(const Call& call, const Cluster& cluster, const ClusterSettings& settings,
                         const ClusterFolder& folder) const {
    STRAKE_TRY(const kube::Client client, folder.client(call));
    kube::Objects objects(client);
    const kube::ObjectRef service{.of = {.api_version = "v1", .kind = "Service"},
                                  .namespace_name = ingress_namespace(cluster),
                                  .name = std::string(kIngressRelease)};
    const Journal::Fields fields = {{"cluster", cluster.name}, {"ip", settings.ingress_ip}};
    STRAKE_TRY(const auto found, of_api(objects.find(service)));
    if (!found && !call.dry_run) {
      return refuse(FailureClass::kConflict, "Service {}/{} was removed meanwhile",
                    service.namespace_name, service.name);
    }
    const auto entries =
        !found ? std::span<const value::Value>()
               : found->root().get("status").get("loadBalancer").get("ingress").items();
    if (entries.size() == 1 && value::text_of(entries[0], "ip") == settings.ingress_ip) {
      call.step("skip", "load balancer", fields);
      return {};
    }
    if (call.dry_run) {
      call.step("plan", "load balancer", fields);
      return {};
    }
    kube::PatchRequest patch;
    patch.object = service;
    patch.subresource = "status";
    patch.body = fmt::format(R"({{"status":{{"loadBalancer":{{"ingress":[{{"ip":"{}"}}]}}}}}})",
                             settings.ingress_ip);
    STRAKE_TRY([[maybe_unused]] const auto patched, of_api(objects.patch(patch)));
    call.step("update", "load balancer", fields);
    return {};
  }

  // Its server runs, and answers.
  Outcome<bool> is_provisioned(const Call& call, const ClusterFolder& folder) const {
    STRAKE_TRY(const auto object, folder.read(call));
    // Without a port, a run that was cut off did not come to its end.
    if (!object || port_of(object->address) == "0") return false;
    STRAKE_TRY(const auto server, folder.running(call));
    if (!server) return false;
    const Outcome<> answer = ask(call, folder);
    if (!answer && answer.error().stops_everything()) return std::unexpected(answer.error());
    return answer.has_value();
  }

  // What a dry run tells: nothing is made, so all of it is looked at.
  Outcome<> plan(const Call& call, const ClusterFolder& folder,
                 const Journal::Fields& fields) const {
    STRAKE_TRY(const auto object, folder.read(call));
    if (!object) {
      call.step("plan", "create cluster", fields);
      return {};
    }
    STRAKE_TRY(const auto server, folder.running(call));
    call.step("plan", server ? "start server again" : "start server", fields);
    return {};
  }

  // Its API says that it is ready, to whoever has the key of the folder.
  Outcome<> ask(const Call& call, const ClusterFolder& folder) const {
    STRAKE_TRY(const kube::Client client, folder.client(call));
    STRAKE_TRY([[maybe_unused]] const std::string answer, of_api(client.get("/readyz")));
    return {};
  }

  // From here on the lock is held.
  Outcome<> run(const Call& call, const Cluster& cluster, const ClusterFolder& folder,
                ClusterObject object, const ProvisionOptions& options) const {
    STRAKE_TRY(const ClusterSettings settings, read_settings(cluster));
    const Call mine = call.within(settings.start + settings.stop);
    STRAKE_TRY(std::optional<RunningServer> server, folder.running(call));
    if (server && options.force) {
      STRAKE_CHECK(stop(mine, folder, settings.stop));
      server.reset();
    }
    const bool was_there = server.has_value();
    if (!was_there) STRAKE_CHECK(start(call, settings, folder, object));
    // Also one that another run has started, and not waited for.
    STRAKE_TRY(const std::string url, wait_until_ready(call, settings, folder));
    if (object.address != address_of(url)) {
      object.address = address_of(url);
      STRAKE_CHECK(folder.write(call, object));
    }
    const Outcome<> answer = ask(call, folder);
    if (!answer) {
      return in_context(
          fmt::format("the server of cluster {} runs and does not answer", quote(cluster.name)),
          answer);
    }
    call.step(was_there ? "skip" : "update", "server",
              {{"cluster", cluster.name}, {"address", object.address}});
    return {};
  }

  Outcome<> start(const Call& call, const ClusterSettings& settings, const ClusterFolder& folder,
                  const ClusterObject& object) const {
    // A port that was asked for is the one; a free one is kept while nobody else takes it.
    std::string port = std::to_string(settings.port);
    if (settings.port == 0) {
      port = port_of(object.address);
      if (port != "0" && !is_free(settings.host, port)) {
        call.warn("port is taken by another program: the cluster gets another one",
                  {{"address", object.address}});
        port = "0";
      }
    }
    ServerProgram program;
    program.arguments = {site_->settings.program, "serve", "--data-dir", folder.file("data"),
                         "--listen", fmt::format("{}:{}", settings.host, port), "--workloads",
                         // No controller there would ever let go of a claim that was deleted.
                         "--disable-admission-plugins=StorageObjectInUseProtection", "--ready-fd",
                         std::to_string(kReadyDescriptor), "--drain-seconds",
                         std::string(kDrainSeconds)};
    for (const std::string_view name : kVariables) {
      if (const auto found = site_->variables.find(name); found != site_->variables.end())
        program.environment.push_back(fmt::format("{}={}", name, found->second));
    }
    program.folder = folder.path();
    program.log = folder.file("server.log");
    program.alive = folder.file("alive");
    program.ready = folder.file("ready");
    return external(site_->files.calls(), call, {"start server", folder.path(), Effect::kWrite},
                    [&] { return start_server(program); });
  }

  // The server writes its URL to a file, not to us: whoever started it may be gone by then.
  Outcome<std::string> wait_until_ready(const Call& call, const ClusterSettings& settings,
                                        const ClusterFolder& folder) const {
    const std::string ready = folder.file("ready");
    return external(
        site_->files.calls(), call, {"wait for server", ready}, [&]() -> Outcome<std::string> {
          const Deadline last = Deadline::after(settings.start);
          FileWatch watch;
          const std::array<std::string, 1> files = {ready};
          STRAKE_CHECK(watch.add(files, {}));
          while (true) {
            STRAKE_CHECK(call.check());
            STRAKE_TRY(const auto text, Files(direct_calls()).read(call, ready, kMostReadyBytes));
            if (text && text->ends_with('\n')) return std::string(trim(*text));
            STRAKE_TRY(const auto server, RunningServer::find(folder.file("alive")));
            if (!server) return ended(folder);
            if (last.expired()) {
              return refuse(FailureClass::kServer, "the server was not ready after {} s: {}",
                            settings.start.count(), last_lines(folder.file("server.log")));
            }
            const int over = server->ended();
            STRAKE_TRY(const Wakeup wakeup, Wakeup::make(call, std::span(&over, 1)));
            STRAKE_TRY([[maybe_unused]] const bool changed,
                       watch.wait(std::chrono::milliseconds(0),
                                  last.or_earlier(system_deadline(call)), wakeup.descriptor()));
          }
        });
  }

  static std::unexpected<Failure> ended(const ClusterFolder& folder) {
    return refuse(FailureClass::kInternal, "the server ended as it started: {}",
                  last_lines(folder.file("server.log")));
  }

  Outcome<> stop(const Call& call, const ClusterFolder& folder,
                 std::chrono::nanoseconds patience) const {
    STRAKE_TRY(const auto server, folder.running(call));
    if (!server) return {};
    return external(site_->files.calls(), call, {"stop server", folder.path(), Effect::kWrite},
                    [&] { return server->stop(call, patience); });
  }

  SharedSite site_;
};

}  // namespace

std::unique_ptr<ClusterDriver> make_clusters(SharedSite site) {
  return std::make_unique<LocalClusters>(std::move(site));
}

}  // namespace strake::provider::local

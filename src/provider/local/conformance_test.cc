// The driver `local` through the suite of all drivers, with real files and real servers.
#include "provider/conformance/conformance.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "kube/access.h"
#include "kube/client.h"
#include "provider/local/object.h"
#include "provider/local/pool_record.h"
#include "provider/local/process.h"
#include "provider/local/test_site.h"
#include "provider/local/zone_file.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider::local {
namespace {

namespace fs = std::filesystem;

class LocalUnderTest final : public DriverUnderTest {
 public:
  explicit LocalUnderTest(std::string program) : program_(std::move(program)) {}

  Driver driver(ExternalCalls& calls) override {
    DriverEnvironment from;
    from.program = program_;
    from.data_folder = root();
    from.variables = {{"PATH", "/usr/bin:/bin"}};
    auto made = make_driver(
        &site_.workspace,
        {.id = {}, .name = "here", .workspace_id = {}, .driver = "local", .settings = {}}, from,
        calls);
    EXPECT_TRUE(made) << why(made);
    return *std::move(made);
  }

  Cluster cluster() override {
    Cluster out = site_.cluster;
    out.settings["LOCAL_DNS_ZONES"] = "example.com";
    return out;
  }

  std::vector<Thing> things() override {
    std::vector<Thing> out;
    std::error_code error;
    for (const auto& provider : fs::directory_iterator(root(), error)) {
      for (const auto& kind : fs::directory_iterator(provider.path())) {
        for (const auto& one : fs::directory_iterator(kind.path())) add(one.path(), out);
      }
    }
    std::ranges::sort(out, {}, &Thing::text);
    return out;
  }

 private:
  std::string root() const { return site_.path("root"); }

  static bool is_tagged(const Tags& tags) {
    return has_tags(tags, {{std::string(kManagedByTag), std::string(kManagedByValue)},
                           {std::string(kWorkspaceTag), "ops"},
                           {std::string(kProviderTag), "here"}});
  }

  void add(const fs::path& path, std::vector<Thing>& out) {
    const std::string name = path.filename();
    // What is half made is nobody's thing yet, and goes with the next run.
    if (name.starts_with(".")) return;
    if (path.extension() == ".zone") {
      const auto zone = read_zone(text_of(path));
      ASSERT_TRUE(zone) << why(zone);
      // With no records left, it stays until its cluster goes.
      if (zone->records.empty()) return;
      std::string text = "zone " + zone->origin;
      for (const ZoneRecord& one : zone->records)
        text += fmt::format(" {} {} {} {}", one.name, one.ttl, one.type, one.rdata);
      out.push_back({.text = text, .tagged = is_tagged(zone->tags)});
    } else if (fs::exists(path / "object.json")) {
      const auto object = read_volume_object(text_of(path / "object.json"));
      ASSERT_TRUE(object) << why(object);
      const auto assigned = object->tags.find(kDiskAssignedTag);
      out.push_back(
          {.text = fmt::format(
               "{} {} bytes{}", name, object->size,
               assigned != object->tags.end() && assigned->second == "true" ? ", assigned" : ""),
           .tagged = is_tagged(object->tags)});
    } else if (fs::exists(path / "cluster.json")) {
      add_cluster(path, out);
    } else {
      out.push_back({.text = "left behind: " + name, .tagged = false});
    }
  }

  void add_cluster(const fs::path& path, std::vector<Thing>& out) {
    const auto object = read_cluster_object(text_of(path / "cluster.json"));
    ASSERT_TRUE(object) << why(object);
    const auto running = RunningServer::find(path / "alive");
    ASSERT_TRUE(running) << why(running);
    // Whatever runs in its folder is a server of it.
    int servers = 0;
    for (const auto& process : fs::directory_iterator("/proc")) {
      std::error_code error;
      servers += fs::read_symlink(process.path() / "cwd", error) == path && !error ? 1 : 0;
    }
    EXPECT_EQ(servers, *running ? 1 : 0);
    // Between a cut and the next run it may be made, and not run yet.
    out.push_back({.text = fmt::format("{}{}", path.filename().string(), *running ? ", runs" : ""),
                   .tagged = is_tagged(object->tags)});
    if (!*running || !text_of_ready(path).ends_with('\n')) return;
    const kube::Client client(
        kube::access_of_kubeconfig(Secret(text_of(path / "data/admin.kubeconfig"))).value(), {});
    for (const std::string kind : {"configmaps", "nodes", "namespaces", "services",
                                   "serviceaccounts", "persistentvolumeclaims"}) {
      const auto text = client.get("/api/v1/" + kind);
      if (!text) continue;  // just on its way
      const auto list = value::read_json(*text);
      for (const value::Value& one : list->root().get("items").items()) add_object(kind, one, out);
    }
  }

  static std::string text_of_ready(const fs::path& path) {
    return fs::exists(path / "ready") ? text_of(path / "ready") : std::string();
  }

  static void add_object(std::string_view kind, const value::Value& object,
                         std::vector<Thing>& out) {
    const value::Value& about = object.get("metadata");
    const std::string_view name = value::text_of(about, "name");
    const std::string_view in = value::text_of(about, "namespace");
    const value::Value& labels = about.get("labels");
    const bool of_pool = !value::text_of(labels, kPoolLabel).empty();
    const bool of_ingress = in == "traefik" || name == "traefik";
    // What every cluster has by itself.
    const bool by_itself = name == "kube-root-ca.crt" || name == "default";
    if ((!of_pool && !of_ingress) || by_itself) return;
    const value::Value& notes = about.get("annotations");
    out.push_back(
        {.text = fmt::format("{} {}/{} {} {}", kind, in, name, value::text_of(labels, "nodes"),
                             value::text_of(object.get("data"), "pool.json")),
         .tagged = value::text_of(notes, kManagedByTag) == kManagedByValue ||
                   value::text_of(labels, "app.kubernetes.io/managed-by") == kManagedByValue});
  }

  TestSite site_;
  std::string program_;
};

DriverCase local_case() {
  DriverCase out;
  out.name = "Local";
  out.zone = "example.com";
  out.make = [](std::string& why_not) -> std::unique_ptr<DriverUnderTest> {
    const char* program = std::getenv("STRAKE_BINARY");
    if (program != nullptr) return std::make_unique<LocalUnderTest>(program);
    why_not = "STRAKE_BINARY names no program that could be a cluster";
    return nullptr;
  };
  return out;
}

}  // namespace
}  // namespace strake::provider::local

STRAKE_DRIVER_CONFORMANCE(Local, local::local_case())

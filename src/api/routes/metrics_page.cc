#include "api/routes/metrics_page.h"

#include <fmt/format.h>

#include "api/metrics/metrics.h"
#include "base/metrics.h"
#include "schema/node.h"

namespace strake::api {
namespace {

// Objects by resource, of everything that is stored under its own name: events lie in one place
// for two groups, and are told of once, with the core group.
void write_objects(MetricsText& page, const Registry::Snapshot& snapshot) {
  const auto each = [&](auto write) {
    for (const auto& [group, endpoints] : snapshot.groups) {
      for (const auto& [plural, endpoint] : endpoints) {
        const kinds::Resource& resource = endpoint->resource();
        if (resource.stored() && !resource.stored_as)
          write(group, plural, endpoint->cache().size());
      }
    }
  };
  page.family("apiserver_storage_objects", "gauge",
              "[STABLE] Number of stored objects at the time of last check split by kind. In case "
              "of a fetching error, the value will be -1.");
  each([&](const std::string& group, const std::string& plural, std::size_t count) {
    page.sample(fmt::format("resource=\"{}\"", meta::GroupResource{group, plural}.to_string()),
                count);
  });
  page.family("apiserver_resource_objects", "gauge",
              "[ALPHA] Number of stored objects at the time of last check split by kind.");
  each([&](const std::string& group, const std::string& plural, std::size_t count) {
    page.sample(fmt::format("group=\"{}\",resource=\"{}\"", group, plural), count);
  });
}

}  // namespace

std::string metrics_page(Core& core, const InFlightCounts& in_flight,
                         std::string_view git_version) {
  std::string out = metrics().requests_text();
  MetricsText page(out);
  page.family("apiserver_current_inflight_requests", "gauge",
              "[STABLE] Maximal number of currently used inflight request limit of this apiserver "
              "per request kind in last second.");
  page.sample("request_kind=\"mutating\"", in_flight.writes.load());
  page.sample("request_kind=\"readOnly\"", in_flight.reads.load());
  write_objects(page, *core.registry.snapshot());
  page.family("kubernetes_build_info", "gauge",
              "[ALPHA] A metric with a constant '1' value labeled by major, minor, git version, "
              "git commit, git tree state, build date, Go version, and compiler from which "
              "Kubernetes was built, and platform on which it is running.");
  page.sample(
      fmt::format(R"(build_date="",compiler="clang",git_commit="",git_tree_state="clean",)"
                  R"(git_version="{}",go_version="",major="1",minor="36",platform="linux/amd64")",
                  git_version),
      1);
  page.single("strake_other_requests_total", "counter",
              "Requests that reached no resource: documents, refusals, unknown paths.",
              metrics().other_requests.load());
  page.single("strake_store_revision", "gauge", "The newest revision of the store.",
              core.hub.revision());
  page.single("strake_store_compacted_revision", "gauge", "History before this revision is gone.",
              core.hub.store().compacted_revision());
  page.single("strake_cached_objects", "gauge", "Objects that are held in memory.",
              core.hub.objects());
  const schema::InternStats stats = schema::intern_stats();
  page.single("strake_schema_nodes", "gauge", "Schema nodes that are held, each once.",
              stats.nodes);
  page.single("strake_schema_bytes", "gauge", "Memory that schema nodes take.", stats.bytes);
  write_process_metrics(out);
  write_metric_families(out);
  return out;
}

}  // namespace strake::api

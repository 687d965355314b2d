#include "api/request/request_metrics.h"

namespace strake::api {
namespace {

using Verb = RequestLabels::Verb;
using Scope = RequestLabels::Scope;
using DryRun = RequestLabels::DryRun;

// As the HTTP methods are called, but for what a read is and for server-side apply. Deleting a
// collection is a DELETE too, told by its scope.
Verb verb_of(const Call& call) {
  const std::string_view verb = call.info.verb;
  if (verb == "get") return Verb::kGet;
  if (verb == "list") return Verb::kList;
  if (verb == "watch") return Verb::kWatch;
  if (verb == "create") return Verb::kPost;
  if (verb == "update") return Verb::kPut;
  if (verb == "delete" || verb == "deletecollection") return Verb::kDelete;
  if (verb != "patch") return Verb::kOther;
  return call.request.headers.get("Content-Type") == "application/apply-patch+yaml" ? Verb::kApply
                                                                                    : Verb::kPatch;
}

Scope scope_of(const RequestInfo& info) {
  if (!info.name.empty() || info.verb == "create") return Scope::kResource;
  return info.namespace_name.empty() ? Scope::kCluster : Scope::kNamespace;
}

DryRun dry_run_of(const http::Query& query) {
  DryRun out = DryRun::kNo;
  for (const http::Header& parameter : query.all()) {
    if (parameter.name != "dryRun") continue;
    if (parameter.value != "All") return DryRun::kInvalid;
    out = DryRun::kAll;
  }
  return out;
}

bool is_health_path(std::string_view path) {
  return path == "/healthz" || path == "/livez" || path == "/readyz";
}

std::size_t size_of(const http::Response& response) {
  std::size_t out = 0;
  for (const http::Piece& piece : response.body) out += piece.view().size();
  return out;
}

}  // namespace

RequestLabels labels_of(const Call& call) {
  return {.verb = verb_of(call), .scope = scope_of(call.info), .dry_run = dry_run_of(call.query)};
}

RequestSeries* series_of(const Call& call) {
  if (!call.endpoint || call.version == nullptr) return nullptr;
  const std::string& subresource = call.info.subresource;
  if (!subresource.empty() && call.version->subresource(subresource) == nullptr) return nullptr;
  return &call.endpoint->metrics().of(call.version->name, subresource).series(labels_of(call));
}

void count_request(const Call& call, const http::Response& response,
                   std::chrono::nanoseconds time) {
  if (response.stream) return;
  if (RequestSeries* series = series_of(call)) {
    series->count(response.status, time);
    const std::string_view verb = call.info.verb;
    if (verb == "get" || verb == "list") series->count_bytes(size_of(response));
    return;
  }
  if (is_health_path(call.info.path) && call.request.method == "GET" && response.status != 401 &&
      response.status != 403) {
    RequestSeries& series = metrics().health(call.info.path);
    series.count(response.status, time);
    series.count_bytes(size_of(response));
    return;
  }
  metrics().other_requests.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace strake::api

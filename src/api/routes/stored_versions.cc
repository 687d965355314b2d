#include "api/routes/stored_versions.h"

#include <fmt/format.h>

#include <map>

#include "api/verbs/by_worker.h"
#include "api/verbs/respond.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using http::Response;
using meta::Status;

constexpr std::string_view kPath = "/strake/stored-versions";
constexpr std::size_t kAtATime = 10'000;

// A piece at a time, so that writers are not held up by what is held here.
Answer<std::map<std::string, std::size_t, std::less<>>> count_versions(const Call& call,
                                                                       const Endpoint& endpoint) {
  std::map<std::string, std::size_t, std::less<>> out;
  const std::string& prefix = endpoint.resource().storage_prefix;
  std::string next;
  while (true) {
    if (call.is_cancelled()) return refuse(Call::cancelled());
    const ResourceCache::Taken taken = endpoint.cache().take(prefix, next, kAtATime);
    taken.objects.for_each([&](const ObjectPtr& object) {
      auto found = out.find(object->version());
      if (found == out.end()) found = out.emplace(std::string(object->version()), 0).first;
      ++found->second;
      next = object->key() + '\0';
      return true;
    });
    if (taken.objects.behind() == 0) return out;
  }
}

Answer<std::string> tell(const Core& core, const Call& call) {
  const std::optional<std::string_view> only = call.query.get("resource");
  std::string out = R"({"resources":[)";
  bool first = true;
  const Registry::SnapshotPtr snapshot = core.registry.snapshot();
  for (const auto& [group, endpoints] : snapshot->groups) {
    for (const auto& [plural, endpoint] : endpoints) {
      const std::string name = fmt::format("{}.{}", plural, group);
      if (!endpoint->resource().definition || (only && *only != name)) continue;
      STRAKE_TRY(const auto counts, count_versions(call, *endpoint));
      out += first ? R"({"name":)" : R"(,{"name":)";
      first = false;
      value::write_json_string(name, out);
      out += R"(,"storageVersion":)";
      value::write_json_string(endpoint->resource().storage_version().name, out);
      out += R"(,"objects":{)";
      bool first_version = true;
      for (const auto& [version, count] : counts) {
        if (!first_version) out += ',';
        first_version = false;
        value::write_json_string(version, out);
        out += fmt::format(":{}", count);
      }
      out += "}}";
    }
  }
  return out + "]}\n";
}

}  // namespace

bool StoredVersionsRoute::takes(const Call& call) const { return call.info.path == kPath; }

AnswerTask<Response> StoredVersionsRoute::answer(std::shared_ptr<Call> call) {
  if (call->request.method != "GET") co_return refuse(Status::method_not_supported());
  const auto tell_it = [&] { return tell(core_, *call); };
  STRAKE_CO_TRY(std::string text, co_await by_worker(core_, tell_it));
  co_return json_response(200, std::move(text));
}

}  // namespace strake::api

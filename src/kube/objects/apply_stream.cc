#include "kube/objects/apply_stream.h"

#include "kube/objects/applied.h"
#include "kube/objects/waiting.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/yaml_reader.h"

namespace strake::kube {
namespace {

using value::Document;
using value::text_of;
using value::Value;

constexpr std::uint64_t kMostManifestBytes = std::uint64_t{64} << 20;
constexpr std::size_t kMostManifests = 10'000;
constexpr std::size_t kMostManifestDepth = 200;

bool is_definition(const Value& object) {
  return text_of(object, "kind") == "CustomResourceDefinition" &&
         text_of(object, "apiVersion") == "apiextensions.k8s.io/v1";
}

class StreamApplier {
 public:
  StreamApplier(const Client& cluster, const StreamOptions& options, const TellApplied& tell)
      : cluster_(cluster),
        options_(options),
        tell_(tell),
        applier_(cluster, options.apply),
        objects_(cluster) {}

  Result<> apply(const Value& object) {
    Result<> outcome = apply_one(object);
    if (outcome || text_of(object.get("metadata"), "name").empty()) return outcome;
    return std::unexpected(std::move(outcome).error().prefixed(object_title(object)));
  }

 private:
  Result<> apply_one(const Value& object) {
    const Result<std::string> path = applier_.path_of(object);
    if (!path) {
      // A definition that was only planned.
      if (!options_.dry_run || path.error().code() != Code::kNotFound)
        return std::unexpected(path.error());
      return tell(object, Ensured::kCreated, nullptr);
    }
    STRAKE_TRY(const std::optional<Document> before, find(*path));
    const Value* live = before ? &before->root() : nullptr;
    Ensured how = Ensured::kCreated;
    if (live != nullptr) {
      const bool is_so =
          !options_.always && is_applied(*live, object, options_.apply.field_manager);
      how = is_so ? Ensured::kUnchanged : Ensured::kUpdated;
    }
    if (!options_.dry_run && how != Ensured::kUnchanged) {
      STRAKE_TRY(const std::string after, applier_.apply(object));
    }
    STRAKE_CHECK(tell(object, how, live));
    if (options_.dry_run || !is_definition(object)) return {};
    return wait_until_established(objects_, std::string(text_of(object.get("metadata"), "name")));
  }

  Result<std::optional<Document>> find(const std::string& path) const {
    const Result<std::string> body = cluster_.get(path);
    if (!body && body.error().code() == Code::kNotFound) return std::nullopt;
    if (!body) return std::unexpected(body.error());
    STRAKE_TRY(Document out, value::read_json(*body, value::ReadOptions::as_api_server()));
    return std::optional<Document>(std::move(out));
  }

  Result<> tell(const Value& object, Ensured how, const Value* before) const {
    if (tell_)
      tell_({.wanted = object, .title = object_title(object), .how = how, .before = before});
    return {};
  }

  const Client& cluster_;
  const StreamOptions& options_;
  const TellApplied& tell_;
  Applier applier_;
  Objects objects_;
};

}  // namespace

Result<std::vector<Document>> read_manifests(std::string_view stream) {
  value::ReadOptions options;
  options.limits.bytes = kMostManifestBytes;
  options.limits.depth = kMostManifestDepth;
  std::vector<Document> out;
  value::YamlReader reader(stream, options);
  while (true) {
    STRAKE_TRY(std::optional<Document> next, reader.next());
    if (!next) return out;
    if (next->root().is_null()) continue;
    if (out.size() == kMostManifests)
      return fail(Code::kLimit, "there are more than {} manifests", kMostManifests);
    out.push_back(*std::move(next));
  }
}

Result<> apply_manifests(const Client& cluster, const std::vector<Document>& manifests,
                         const StreamOptions& options, const TellApplied& tell) {
  StreamApplier applier(cluster, options, tell);
  for (const Document& one : manifests) {
    std::vector<const Value*> objects;
    take_apart(one.root(), objects);
    if (objects.empty() && !one.root().is_object())
      return fail(Code::kInvalid, "an object needs an apiVersion and a kind");
    for (const Value* object : objects) STRAKE_CHECK(applier.apply(*object));
  }
  return {};
}

}  // namespace strake::kube

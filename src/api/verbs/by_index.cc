#include "api/verbs/by_index.h"

#include "api/verbs/by_worker.h"
#include "api/verbs/list_stream.h"

namespace strake::api {
namespace {

FieldIndex::TextOf text_of_field(const EndpointPtr& endpoint, const kinds::ServedVersion& version,
                                 std::string_view field) {
  // The endpoint owns the index.
  return [weak = std::weak_ptr(endpoint), &version,
          field = std::string(field)](const Object& object) -> std::optional<std::string> {
    const EndpointPtr endpoint = weak.lock();
    if (!endpoint || !endpoint->is_as_stored(object, version)) return std::nullopt;
    const auto content = parse_stored(*object.bytes());
    if (!content) return std::nullopt;
    return endpoint->strategy().field(content->root(), field);
  };
}

// Null when it was given up.
Answer<std::shared_ptr<FieldIndex>> make_index(const Call& call, std::string_view field) {
  ResourceCache& cache = call.endpoint->cache();
  auto index = std::make_shared<FieldIndex>(text_of_field(call.endpoint, *call.version, field),
                                            cache.prefix().size());
  return cache.add_index(index, [&call] { return !call.is_cancelled(); }) ? index : nullptr;
}

}  // namespace

AnswerTask<std::optional<ResourceCache::Taken>> take_by_index(Core& core,
                                                              std::shared_ptr<const Call> call,
                                                              const Selection& selection,
                                                              std::string_view key_prefix,
                                                              std::string_view start) {
  ResourceCache& cache = call->endpoint->cache();
  if (!selection.needs_content() || cache.size() <= kAtOnce) co_return std::nullopt;
  const FieldIndexes& indexes = call->endpoint->field_indexes();
  std::vector<ResourceCache::Sought> sought;
  const auto required = selection.required_content();
  for (const auto& one : required) {
    std::shared_ptr<FieldIndex> index = indexes.find(*call->version, one.field);
    if (auto making = index ? std::nullopt : indexes.begin(*call->version, one.field)) {
      STRAKE_CO_TRY(index, co_await by_worker(core, [&] { return make_index(*call, one.field); }));
      if (index) making->done(index);
    }
    if (index) sought.push_back({.index = std::move(index), .text = one.value});
  }
  if (sought.empty()) co_return std::nullopt;
  co_return cache.take_by(sought, key_prefix, start);
}

}  // namespace strake::api

#include "admission/quota/namespace_usage.h"

#include <algorithm>

#include "admission/quota/count_names.h"
#include "base/log.h"

namespace strake::admission {
namespace {

// What a worker reads at a time: others have work for it too.
constexpr std::size_t kReadByWorker = 1U << 20;
constexpr std::chrono::seconds kLongestWait{10};

std::string_view name_in(std::string_view key) { return key.substr(key.rfind('/') + 1); }

std::size_t bytes_of(const api::ObjectPtr& object) { return object ? object->bytes()->size() : 0; }

// Each once.
std::vector<Scopes> sets_asked(const std::vector<std::shared_ptr<const QuotaFacts>>& quotas,
                               const kinds::QuotaEvaluator& evaluator) {
  std::vector<Scopes> out;
  for (const auto& quota : quotas) {
    const bool asks = std::ranges::any_of(
        quota->limits, [&](const auto& limit) { return evaluator.counts(limit.first); });
    if (asks && !has_scopes(out, quota->scopes)) out.push_back(quota->scopes);
  }
  return out;
}

using Measures = std::vector<std::optional<Measured::Measure>>;

// Nothing for what is gone, or cannot be read.
std::optional<Measured::Measure> measure(const Measured& measured, const api::ObjectPtr& object,
                                         WallTime now) {
  if (!object) return std::nullopt;
  const auto document = api::parse_stored(*object->bytes());
  if (document) return measured.measure(document->root(), now);
  log::get("admission")
      .warn("an object cannot be counted by quotas",
            {{"key", object->key()}, {"error", document.error()}});
  return std::nullopt;
}

}  // namespace

NamespaceUsage::NamespaceUsage(api::Core& core, std::shared_ptr<Usage> usage,
                               std::string namespace_name)
    : core_(core), usage_(std::move(usage)), namespace_name_(std::move(namespace_name)) {
  for (const meta::GroupResource& one : kinds::evaluated_resources()) {
    api::EndpointPtr endpoint = core_.registry.find(one.group, one.resource);
    // Pods and claims are not served everywhere.
    if (endpoint)
      resources_.push_back({.evaluator = kinds::find_quota_evaluator(one),
                            .endpoint = std::move(endpoint),
                            .measured = nullptr});
  }
}

NamespaceUsage::~NamespaceUsage() {
  for (const Resource& one : resources_) usage_->unfollow(namespace_name_, one.endpoint->cache());
}

async::Task<> NamespaceUsage::refresh(std::vector<std::shared_ptr<const QuotaFacts>> quotas) {
  for (Resource& one : resources_) {
    std::vector<Scopes> sets = sets_asked(quotas, *one.evaluator);
    if (sets.empty()) {
      usage_->unfollow(namespace_name_, one.endpoint->cache());
      one.measured.reset();
    } else if (one.measured && std::ranges::all_of(sets, [&](const Scopes& set) {
                 return one.measured->has(set);
               })) {
      STRAKE_CO_CHECK(co_await take_news(one, *one.measured));
    } else {
      STRAKE_CO_CHECK(co_await measure_all(one, std::move(sets)));
    }
    if (one.measured) one.measured->pass_time(Instant::from(core_.clock.now()));
  }
  co_return Result<>();
}

// What changes while all is read is noted, and what had changed before is in what is read. All of
// that has been told when the notes are taken, so none of it is still charged.
async::Task<> NamespaceUsage::measure_all(Resource& resource, std::vector<Scopes> sets) {
  auto measured = std::make_unique<Measured>(*resource.evaluator, std::move(sets));
  api::ResourceCache& cache = resource.endpoint->cache();
  usage_->follow(namespace_name_, cache);
  Objects objects;
  STRAKE_CO_TRY(const api::Revision changed, co_await core_.workers.run([&] {
    const api::ResourceCache::Listed all =
        cache.list(resource.endpoint->key_prefix(namespace_name_));
    objects.reserve(all.objects.size());
    for (const api::ObjectPtr& one : all.objects) objects.emplace_back(one->key(), one);
    return Result<api::Revision>(all.changed);
  }));
  co_await take_in(*measured, objects);
  STRAKE_CO_TRY(const bool told,
                co_await core_.hub.wait_for(changed, Deadline::after(kLongestWait)));
  if (!told) co_return fail(Code::kServiceUnavailable, "the server does not follow its store");
  if (resource.measured) {
    for (const auto& [id, pending] : resource.measured->pendings()) measured->charge(id, pending);
  }
  STRAKE_CO_CHECK(co_await take_news(resource, *measured));
  resource.measured = std::move(measured);
  co_return Result<>();
}

async::Task<> NamespaceUsage::take_news(Resource& resource, Measured& measured) {
  Usage::News news = usage_->take(namespace_name_, resource.endpoint->cache());
  Objects objects(std::make_move_iterator(news.objects.begin()),
                  std::make_move_iterator(news.objects.end()));
  for (const std::uint64_t id : news.ended) measured.end_charge(id);
  co_await take_in(measured, objects);
  co_return Result<>();
}

boost::asio::awaitable<void> NamespaceUsage::take_in(Measured& measured, const Objects& objects) {
  const WallTime now = core_.clock.now();
  for (std::size_t next = 0; next < objects.size();) {
    std::size_t bytes = 0;
    const std::size_t first = next;
    while (next < objects.size() && bytes < kReadByWorker)
      bytes += bytes_of(objects[next++].second);
    Measures measures(next - first);
    const auto read = [&] {
      for (std::size_t i = first; i < next; ++i)
        measures[i - first] = measure(measured, objects[i].second, now);
      return Result<>();
    };
    if (bytes > api::kDoneAtOnce) {
      static_cast<void>(co_await core_.workers.run(read));
    } else {
      static_cast<void>(read());
    }
    for (std::size_t i = first; i < next; ++i) {
      if (measures[i - first]) {
        measured.put(name_in(objects[i].first), *std::move(measures[i - first]));
      } else {
        measured.remove(name_in(objects[i].first));
      }
    }
  }
}

std::optional<Quantity> NamespaceUsage::used(const std::string& name, const Scopes& scopes) const {
  Quantity out;
  bool counted = false;
  for (const meta::GroupResource& one : kinds::evaluated_resources())
    counted = counted || kinds::find_quota_evaluator(one)->counts(name);
  for (const Resource& one : resources_) {
    if (!one.measured || !one.evaluator->counts(name)) continue;
    const Amounts& used = one.measured->used(scopes);
    if (const auto found = used.find(name); found != used.end())
      static_cast<void>(out.add(found->second));
  }
  if (counted) return out;
  // Nothing else is of cpu, memory and the like, or stands behind a name that nobody knows.
  const std::optional<meta::GroupResource> resource = counted_resource(name);
  if (!resource) return out;
  if (!is_counted(*resource)) return std::nullopt;
  const api::EndpointPtr endpoint = core_.registry.find(resource->group, resource->resource);
  if (!endpoint || !endpoint->resource().namespaced || !scopes.empty()) return out;
  return Quantity(usage_->count(namespace_name_, endpoint->cache()));
}

std::unique_ptr<Usage::Charge> NamespaceUsage::charge(const Demand& demand) {
  std::unique_ptr<Usage::Charge> out = Usage::Charge::make(usage_, namespace_name_, demand);
  if (!out || demand.evaluator == nullptr) return out;
  for (Resource& one : resources_) {
    if (one.evaluator == demand.evaluator && one.measured)
      one.measured->charge(out->id(), std::make_shared<const Measured::Pending>(demand));
  }
  return out;
}

std::optional<Instant> NamespaceUsage::next_change() const {
  std::optional<Instant> out;
  for (const Resource& one : resources_) {
    if (!one.measured) continue;
    const std::optional<Instant> next = one.measured->next_change();
    if (next && (!out || *next < *out)) out = next;
  }
  return out;
}

}  // namespace strake::admission

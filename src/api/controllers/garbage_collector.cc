#include "api/controllers/garbage_collector.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "api/controllers/controller.h"
#include "api/verbs/decode.h"
#include "api/verbs/dependents_finalizers.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "base/log.h"
#include "meta/object_meta.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using value::Document;
using value::Value;
using Propagation = DeleteOptions::Propagation;

constexpr std::chrono::seconds kRetryAfter{1};

std::string uid_of(const Object& object) {
  const Answer<Document> document = parse_current(*object.bytes());
  return document ? std::string(ObjectMeta::of(document->root()).uid()) : std::string();
}

// The namespace in a key; empty for an object that is in none.
std::string_view namespace_in(std::string_view key) {
  const std::string_view rest = key.substr(storage_prefix_of(key).size());
  const std::size_t slash = rest.find('/');
  return slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
}

// The endpoint that serves what is stored there; null when there is none, or when its objects go by
// themselves after a while (events), as kube-controller-manager leaves those alone.
EndpointPtr endpoint_at(Core& core, std::string_view storage_prefix) {
  const Registry::SnapshotPtr snapshot = core.registry.snapshot();
  for (const auto& [group, endpoints] : snapshot->groups) {
    for (const auto& [plural, endpoint] : endpoints) {
      const kinds::Resource& resource = endpoint->resource();
      if (resource.stored && resource.ttl.count() == 0 && resource.storage_prefix == storage_prefix)
        return endpoint;
    }
  }
  return nullptr;
}

// Changes the metadata of an object as it stands. Someone else may have deleted it meanwhile.
boost::asio::awaitable<bool> edit_metadata(Core& core, EndpointPtr endpoint, ObjectPtr object,
                                           std::function<void(Document&)> edit) {
  Call call = internal_call(core, endpoint, *object);
  const auto outcome = co_await edit_object(
      core, call, {.manager = "kube-controller-manager", .apply = std::move(edit)});
  if (outcome || outcome.error().reason == "NotFound") co_return true;
  log::get("api").warn("the owners of an object could not be settled",
                       {{"key", object->key()}, {"error", outcome.error().message}});
  co_return false;
}

// Puts a list into metadata, or takes the member away when the list is empty.
void set_list(Document& document, std::string_view key, const Value& list) {
  if (list.size() == 0) {
    remove_meta(document, key);
  } else {
    set_meta(document, key, list);
  }
}

}  // namespace

GarbageCollector::GarbageCollector(Core& core, const async::Executor& executor)
    : core_(core), executor_(executor), signal_(std::make_shared<async::Signal>(executor)) {}

GarbageCollector::~GarbageCollector() { core_.hub.tell(nullptr); }

void GarbageCollector::on_change(ResourceCache& cache, const std::string& key,
                                 const ObjectPtr& gone) {
  const std::lock_guard lock(mu_);
  if (!gone) seen_owned_ = true;
  if (!seen_owned_ && !gone->is_owned()) return;
  news_.push_back({&cache, key, gone});
  if (news_.size() == 1) boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
}

void GarbageCollector::stop() {
  stopped_ = true;
  core_.hub.tell(nullptr);
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
}

async::Task<> GarbageCollector::run() {
  core_.hub.tell(this);
  for (ResourceCache* cache : core_.hub.caches()) {
    cache->take(cache->prefix(), {}).objects.for_each([&](const ObjectPtr& object) {
      if (object->is_owned() || object->is_being_deleted())
        on_change(*cache, object->key(), nullptr);
      return true;
    });
  }
  while (!stopped_) {
    std::vector<News> news;
    {
      const std::lock_guard lock(mu_);
      news = std::exchange(news_, {});
    }
    for (News& one : news) take_in(std::move(one));
    if (const auto generation = core_.registry.snapshot()->generation;
        generation != seen_generation_) {
      seen_generation_ = generation;
      work_.merge(unknown_);
    }
    if (work_.empty()) {
      const Result<bool> woken = co_await signal_->wait(
          failed_.empty() ? Deadline::never() : Deadline::after(kRetryAfter));
      if (!woken) break;
      if (!*woken) work_.merge(failed_);
      continue;
    }
    const std::vector<std::pair<std::string, ResourceCache*>> batch(work_.begin(), work_.end());
    work_.clear();
    co_await async::for_each_concurrently(batch.size(), kMostRemovals, [&](std::size_t i) {
      return handle(batch[i].second, batch[i].first);
    });
  }
  core_.hub.tell(nullptr);
  co_return Result<>();
}

void GarbageCollector::take_in(News news) {
  if (const auto found = dependents_.find(news.key); found != dependents_.end()) {
    // Whoever waits for it may have waited long enough.
    look_at_owners_of(found->second, news.key);
  }
  const ObjectPtr present = news.cache->get(news.key);
  index(*news.cache, news.key, present.get());
  if (present) look_at(*news.cache, news.key);
  if (!news.gone) return;
  const std::string uid = uid_of(*news.gone);
  if (!has_dependents(uid)) return;
  // Remembered, because its kind may go with it.
  gone_.insert_or_assign(uid, !namespace_in(news.key).empty());
  look_at_dependents_of(uid);
}

void GarbageCollector::index(ResourceCache& cache, const std::string& key, const Object* object) {
  if (const auto found = dependents_.find(key); found != dependents_.end()) {
    for (const Owner& owner : found->second.owners) {
      const auto named = by_owner_.find(owner.uid);
      if (named == by_owner_.end()) continue;
      named->second.erase(key);
      if (!named->second.empty()) continue;
      by_owner_.erase(named);
      gone_.erase(owner.uid);
    }
    dependents_.erase(found);
  }
  if (object == nullptr || !object->is_owned()) return;
  const Answer<Document> document = parse_current(*object->bytes());
  if (!document) return;
  Dependent dependent{.cache = &cache, .owners = {}};
  for (const meta::OwnerReference& one : ObjectMeta::of(document->root()).owner_references()) {
    dependent.owners.push_back({.api_version = std::string(one.api_version),
                                .kind = std::string(one.kind),
                                .name = std::string(one.name),
                                .uid = std::string(one.uid),
                                .blocks = one.block_owner_deletion.value_or(false)});
    by_owner_[std::string(one.uid)].insert(key);
  }
  dependents_.emplace(key, std::move(dependent));
}

void GarbageCollector::look_at(ResourceCache& cache, std::string key) {
  failed_.erase(key);
  unknown_.erase(key);
  work_.insert_or_assign(std::move(key), &cache);
}

bool GarbageCollector::has_dependents(std::string_view uid) const {
  return by_owner_.find(uid) != by_owner_.end();
}

void GarbageCollector::look_at_dependents_of(std::string_view uid) {
  const auto named = by_owner_.find(uid);
  if (named == by_owner_.end()) return;
  for (const std::string& key : named->second) {
    const auto dependent = dependents_.find(key);
    if (dependent != dependents_.end()) look_at(*dependent->second.cache, key);
  }
}

void GarbageCollector::look_at_owners_of(const Dependent& dependent, std::string_view key) {
  for (const Owner& owner : dependent.owners) {
    Found found = find(owner, key);
    if (found.standing != Standing::kWaiting) continue;
    look_at(core_.hub.cache(storage_prefix_of(found.key)), std::move(found.key));
  }
}

GarbageCollector::Found GarbageCollector::find(const Owner& owner,
                                               std::string_view dependent_key) const {
  // An owner lives in the namespace of its dependents or in none. What lives in none cannot name
  // one in a namespace: kube-controller-manager 1.36 leaves such a dependent alone.
  const std::string_view in = namespace_in(dependent_key);
  if (const auto gone = gone_.find(owner.uid); gone != gone_.end()) {
    if (gone->second && in.empty()) return {};
    return {.standing = Standing::kAbsent, .key = {}};
  }
  const meta::GroupVersionKind wanted =
      meta::from_api_version_and_kind(owner.api_version, owner.kind);
  const Registry::SnapshotPtr snapshot = core_.registry.snapshot();
  const auto group = snapshot->groups.find(wanted.group);
  if (group == snapshot->groups.end()) return {};
  for (const auto& [plural, endpoint] : group->second) {
    const kinds::Resource& resource = endpoint->resource();
    if (resource.kind != wanted.kind || !resource.stored ||
        resource.served_version(wanted.version) == nullptr) {
      continue;
    }
    if (resource.namespaced && in.empty()) return {};
    Found found{.standing = Standing::kAbsent,
                .key = endpoint->key(resource.namespaced ? in : std::string_view(), owner.name)};
    const ObjectPtr object = endpoint->cache().get(found.key);
    if (!object) return found;
    const Answer<Document> document = parse_current(*object->bytes());
    if (!document) return {};
    const ObjectMeta metadata = ObjectMeta::of(document->root());
    if (metadata.uid() != owner.uid) return found;
    found.standing = metadata.is_being_deleted() && metadata.has_finalizer(kForegroundFinalizer)
                         ? Standing::kWaiting
                         : Standing::kSolid;
    return found;
  }
  return {};
}

boost::asio::awaitable<void> GarbageCollector::handle(ResourceCache* cache, std::string key) {
  const ObjectPtr object = cache->get(key);
  if (!object || stopped_) co_return;
  const EndpointPtr endpoint = endpoint_at(core_, cache->prefix());
  if (!endpoint) co_return;
  if (!co_await settle(endpoint, object)) failed_.emplace(std::move(key), cache);
}

// False when it must be tried again.
boost::asio::awaitable<bool> GarbageCollector::settle(EndpointPtr endpoint, ObjectPtr object) {
  std::string uid;
  bool deleting = false;
  bool orphans = false;
  bool foreground = false;
  {
    const Answer<Document> document = parse_current(*object->bytes());
    if (!document) co_return true;
    const ObjectMeta metadata = ObjectMeta::of(document->root());
    uid = metadata.uid();
    deleting = metadata.is_being_deleted();
    orphans = metadata.has_finalizer(kOrphanFinalizer);
    foreground = metadata.has_finalizer(kForegroundFinalizer);
  }
  if (deleting && orphans) co_return co_await orphan(endpoint, object, std::move(uid));
  if (deleting && foreground)
    co_return co_await wait_for_dependents(endpoint, object, std::move(uid));
  if (deleting) co_return true;

  const auto found = dependents_.find(object->key());
  if (found == dependents_.end()) co_return true;
  const std::vector<Owner> owners = found->second.owners;
  std::set<std::string> lost;
  std::size_t solid = 0;
  bool waiting = false;
  for (const Owner& owner : owners) {
    switch (find(owner, object->key()).standing) {
      case Standing::kUnknown:
        unknown_.insert_or_assign(object->key(), &endpoint->cache());
        co_return true;
      case Standing::kSolid: ++solid; break;
      case Standing::kWaiting:
        waiting = true;
        lost.insert(owner.uid);
        break;
      case Standing::kAbsent: lost.insert(owner.uid); break;
    }
  }
  if (lost.empty()) co_return true;
  if (solid > 0) co_return co_await let_go(endpoint, object, std::move(lost));
  DeleteOptions options;
  options.uid = uid;
  options.resource_version = fmt::format("{}", object->revision());
  options.propagation = orphans      ? Propagation::kOrphan
                        : foreground ? Propagation::kForeground
                                     : Propagation::kBackground;
  if (waiting && has_dependents(uid)) {
    // Owners that wait for each other would wait for ever.
    if (waits_in_a_circle(uid) && !co_await unblock_owners(endpoint, object)) co_return false;
    options.propagation = Propagation::kForeground;
    options.resource_version.reset();
  }
  Call call = internal_call(core_, endpoint, *object);
  const auto removed =
      co_await remove_object(core_, call, std::string(object->name()), std::move(options));
  // Who changed it meanwhile has put it back on the list.
  if (removed || removed.error().reason == "NotFound" || removed.error().reason == "Conflict")
    co_return true;
  log::get("api").warn("a dependent could not be deleted",
                       {{"key", object->key()}, {"error", removed.error().message}});
  co_return false;
}

bool GarbageCollector::waits_in_a_circle(std::string_view uid) const {
  const auto named = by_owner_.find(uid);
  if (named == by_owner_.end()) return false;
  return std::any_of(named->second.begin(), named->second.end(), [&](const std::string& key) {
    const auto dependent = dependents_.find(key);
    if (dependent == dependents_.end()) return false;
    const ObjectPtr object = dependent->second.cache->get(key);
    if (!object || !object->is_being_deleted()) return false;
    const Answer<Document> document = parse_current(*object->bytes());
    return document && ObjectMeta::of(document->root()).has_finalizer(kForegroundFinalizer);
  });
}

boost::asio::awaitable<bool> GarbageCollector::unblock_owners(EndpointPtr endpoint,
                                                              ObjectPtr object) {
  co_return co_await edit_metadata(core_, endpoint, object, [](Document& document) {
    const Value* owners = ObjectMeta::of(document.root()).owner_reference_list();
    if (owners == nullptr) return;
    Value list = Value::array({});
    for (const Value& one : owners->items()) {
      Value unblocked = value::deep_copy(one, document.arena());
      if (unblocked.find("blockOwnerDeletion") != nullptr)
        unblocked.set("blockOwnerDeletion", Value::boolean(false), document.arena());
      list.append(unblocked, document.arena());
    }
    set_list(document, "ownerReferences", list);
  });
}

boost::asio::awaitable<bool> GarbageCollector::orphan(EndpointPtr endpoint, ObjectPtr object,
                                                      std::string uid) {
  std::vector<std::string> keys;
  if (const auto named = by_owner_.find(uid); named != by_owner_.end())
    keys.assign(named->second.begin(), named->second.end());
  bool all = true;
  co_await async::for_each_concurrently(
      keys.size(), kMostRemovals, [&](std::size_t i) -> boost::asio::awaitable<void> {
        // It may have gone while another was waited for.
        const auto known = dependents_.find(keys[i]);
        if (known == dependents_.end()) co_return;
        ResourceCache& cache = *known->second.cache;
        const ObjectPtr dependent = cache.get(keys[i]);
        const EndpointPtr its_endpoint = endpoint_at(core_, cache.prefix());
        if (!dependent || !its_endpoint) co_return;
        if (!co_await let_go(its_endpoint, dependent, {uid})) all = false;
      });
  if (!all) co_return false;
  co_return co_await remove_finalizer(endpoint, object, std::string(kOrphanFinalizer));
}

boost::asio::awaitable<bool> GarbageCollector::wait_for_dependents(EndpointPtr endpoint,
                                                                   ObjectPtr object,
                                                                   std::string uid) {
  bool blocked = false;
  if (const auto named = by_owner_.find(uid); named != by_owner_.end()) {
    for (const std::string& key : named->second) {
      const auto known = dependents_.find(key);
      if (known == dependents_.end()) continue;
      const Dependent& dependent = known->second;
      look_at(*dependent.cache, key);
      if (!endpoint_at(core_, dependent.cache->prefix())) continue;
      blocked =
          blocked || std::any_of(dependent.owners.begin(), dependent.owners.end(),
                                 [&](const Owner& one) { return one.uid == uid && one.blocks; });
    }
  }
  // Each dependent that goes brings the owner back here.
  if (blocked) co_return true;
  co_return co_await remove_finalizer(endpoint, object, std::string(kForegroundFinalizer));
}

boost::asio::awaitable<bool> GarbageCollector::let_go(EndpointPtr endpoint, ObjectPtr object,
                                                      std::set<std::string> owner_uids) {
  co_return co_await edit_metadata(core_, endpoint, object, [&](Document& document) {
    const Value* owners = ObjectMeta::of(document.root()).owner_reference_list();
    if (owners == nullptr) return;
    Value list = Value::array({});
    for (const Value& one : owners->items()) {
      const Value* uid = one.find("uid");
      if (uid != nullptr && uid->is_string() && owner_uids.contains(std::string(uid->as_string())))
        continue;
      list.append(one, document.arena());
    }
    set_list(document, "ownerReferences", list);
  });
}

boost::asio::awaitable<bool> GarbageCollector::remove_finalizer(EndpointPtr endpoint,
                                                                ObjectPtr object,
                                                                std::string finalizer) {
  co_return co_await edit_metadata(core_, endpoint, object, [&](Document& document) {
    Value list = Value::array({});
    for (const std::string_view one : ObjectMeta::of(document.root()).finalizers()) {
      if (one != finalizer) list.append(Value::string(one), document.arena());
    }
    set_list(document, "finalizers", list);
  });
}

}  // namespace strake::api

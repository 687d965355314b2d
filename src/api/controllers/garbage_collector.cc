#include "api/controllers/garbage_collector.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "api/controllers/controller.h"
#include "api/controllers/record_event.h"
#include "api/metrics/queue_metrics.h"
#include "api/verbs/decode.h"
#include "api/verbs/dependents_finalizers.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "base/log.h"
#include "base/quote.h"
#include "meta/object_meta.h"

// What is to be done about an object follows from it and its owners as they are now, never from the
// event that named it: events only put keys on the list (work_). So an event may come twice, or
// late, and a restart looks at everything once.
//
//   the object itself   is being deleted and orphans       its dependents lose this owner, then it
//                                                          loses the finalizer
//                       is being deleted and waits         it loses the finalizer once no dependent
//                                                          with blockOwnerDeletion is left
//   its owners          one cannot be told (kUnknown)      nothing, until the kinds served change
//                       all are there (kSolid)             nothing
//                       some are there                     the references to the others go
//                       none is there, or only those       it is deleted; if it has dependents and
//                       that wait for it (kWaiting)        an owner waits, in the foreground too
//
// An owner is the one meant only if its uid is: another object of that name counts as absent. A
// deletion is conditional on the uid, and in the background also on the revision that was judged.
// Whoever changed the object in between causes an event, and it is judged again.
//
// Owners that wait for each other would wait for ever: where a dependent of the object is itself
// being deleted in the foreground, its references stop blocking (unblock_owners).

namespace strake::api {
namespace {

using meta::ObjectMeta;
using value::Document;
using value::Value;
using Propagation = DeleteOptions::Propagation;

constexpr std::chrono::seconds kRetryAfter{1};
// What is looked at before changes are taken in again: until then each deletion keeps the last
// state of its object.
constexpr std::size_t kRound = 1024;
const QueueMetrics gc_queue("garbage_collector_attempt_to_delete");

Result<OwnershipFacts> read_facts(const Object& object) {
  STRAKE_TRY(const Document document, parse_stored(*object.bytes()));
  const ObjectMeta metadata = ObjectMeta::of(document.root());
  OwnershipFacts out{.uid = std::string(metadata.uid()),
                     .owners = {},
                     .being_deleted = metadata.is_being_deleted(),
                     .orphans_dependents = metadata.has_finalizer(kOrphanFinalizer),
                     .waits_for_dependents = metadata.has_finalizer(kForegroundFinalizer)};
  for (const meta::OwnerReference& one : metadata.owner_references()) {
    out.owners.push_back({.api_version = std::string(one.api_version),
                          .kind = std::string(one.kind),
                          .name = std::string(one.name),
                          .uid = std::string(one.uid),
                          .blocks = one.block_owner_deletion.value_or(false)});
  }
  return out;
}

std::vector<std::string> owner_uids(const OwnershipFacts& facts) {
  std::vector<std::string> out;
  for (const OwnerFacts& owner : facts.owners) out.push_back(owner.uid);
  return out;
}

bool concerns_owners(const Object& object) {
  return object.is_owned() || object.is_being_deleted();
}

// The namespace in a key; empty for an object that is in none.
std::string_view namespace_in(std::string_view key) {
  const std::string_view rest = key.substr(storage_prefix_of(key).size());
  const std::size_t slash = rest.find('/');
  return slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash);
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

OwnershipInformer::OwnershipInformer(Hub& hub)
    : Informer(hub, {.read = read_facts,
                     .indexes = {{"owner", owner_uids}},
                     .wants = concerns_owners,
                     .every_deletion = true}) {}

GarbageCollector::GarbageCollector(Core& core, const async::Executor& executor)
    : core_(core),
      executor_(executor),
      signal_(std::make_shared<async::Signal>(executor)),
      objects_(core.hub) {}

void GarbageCollector::stop() {
  stopped_ = true;
  boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
}

async::Task<> GarbageCollector::run() {
  InformerBase::Follower follower(objects_, executor_, signal_);
  while (!stopped_) {
    for (const InformerBase::Note& note : follower.take().notes) take_in(note);
    take_in_kinds();
    look_at_more_dependents();
    if (work_.empty()) {
      const Result<bool> woken = co_await signal_->wait(
          failed_.empty() ? Deadline::never() : Deadline::after(kRetryAfter));
      if (!woken) break;
      if (!*woken) work_.merge(failed_);
      continue;
    }
    const std::vector<std::pair<std::string, ResourceCache*>> round = next_round();
    gc_queue.added(round.size());
    std::size_t left = round.size();
    gc_queue.set_depth(work_.size() + left);
    co_await async::for_each_concurrently(round.size(), kMostRemovals, [&](std::size_t i) {
      gc_queue.set_depth(work_.size() + --left);
      return handle(round[i].second, round[i].first);
    });
  }
  co_return Result<>();
}

std::vector<std::pair<std::string, ResourceCache*>> GarbageCollector::next_round() {
  std::vector<std::pair<std::string, ResourceCache*>> out;
  auto end = work_.begin();
  for (; end != work_.end() && out.size() < kRound; ++end) out.emplace_back(*end);
  work_.erase(work_.begin(), end);
  return out;
}

void GarbageCollector::take_in_kinds() {
  const Registry::SnapshotPtr snapshot = core_.registry.snapshot();
  if (snapshot->generation == seen_generation_) return;
  seen_generation_ = snapshot->generation;
  endpoints_.clear();
  for (const auto& [group, endpoints] : snapshot->groups) {
    for (const auto& [plural, endpoint] : endpoints) {
      const kinds::Resource& resource = endpoint->resource();
      // kube-controller-manager leaves events alone, which go by themselves.
      if (resource.stored() && resource.ttl.count() == 0)
        endpoints_.emplace(resource.storage_prefix, endpoint);
    }
  }
  work_.merge(unknown_);
}

EndpointPtr GarbageCollector::endpoint_at(std::string_view storage_prefix) const {
  const auto found = endpoints_.find(storage_prefix);
  return found == endpoints_.end() ? nullptr : found->second;
}

void GarbageCollector::take_in(const InformerBase::Note& note) {
  if (const auto before = OwnershipInformer::before(note)) {
    // Whoever waits for it may have waited long enough.
    look_at_owners_of(*before, note.key);
    for (const OwnerFacts& owner : before->owners) {
      if (!has_dependents(owner.uid)) gone_.erase(owner.uid);
    }
  }
  if (note.cache->get(note.key)) look_at(*note.cache, note.key);
  for (const ObjectPtr& gone : note.gone) {
    const Result<OwnershipFacts> facts = read_facts(*gone);
    if (!facts) continue;
    waiting_.erase(facts->uid);
    if (!has_dependents(facts->uid)) continue;
    // Remembered, because its kind may go with it.
    gone_.insert_or_assign(facts->uid, !namespace_in(note.key).empty());
    look_at_dependents_of(facts->uid);
  }
}

void GarbageCollector::look_at(ResourceCache& cache, std::string key) {
  failed_.erase(key);
  unknown_.erase(key);
  work_.insert_or_assign(std::move(key), &cache);
}

bool GarbageCollector::has_dependents(std::string_view uid) {
  return objects_.view().has("owner", uid);
}

void GarbageCollector::look_at_dependents_of(std::string_view uid) {
  dependents_of_.insert_or_assign(std::string(uid), std::string());
}

void GarbageCollector::look_at_more_dependents() {
  while (!dependents_of_.empty() && work_.size() < kRound) {
    const auto next = dependents_of_.begin();
    const std::size_t room = kRound - work_.size();
    std::size_t found = 0;
    objects_.view().for_each_after("owner", next->first, next->second, room,
                                   [&](const OwnershipInformer::Known& dependent) {
                                     look_at(dependent.cache(), dependent.key());
                                     next->second = dependent.key();
                                     ++found;
                                   });
    if (found < room) dependents_of_.erase(next);
  }
}

void GarbageCollector::look_at_owners_of(const OwnershipFacts& dependent, std::string_view key) {
  for (const OwnerFacts& owner : dependent.owners) {
    Found found = find(owner, key);
    if (found.standing != Standing::kWaiting) continue;
    look_at(core_.hub.cache(storage_prefix_of(found.key)), std::move(found.key));
  }
}

GarbageCollector::Found GarbageCollector::find(const OwnerFacts& owner,
                                               std::string_view dependent_key) const {
  // An owner lives in the namespace of its dependents or in none. What lives in none cannot name
  // one in a namespace: kube-controller-manager 1.36 leaves such a dependent alone.
  const std::string_view in = namespace_in(dependent_key);
  if (const auto gone = gone_.find(owner.uid); gone != gone_.end()) {
    if (gone->second && in.empty()) return {};
    return {.standing = Standing::kAbsent, .key = {}};
  }
  const EndpointPtr endpoint = endpoint_of(owner);
  if (!endpoint) return {};
  const kinds::Resource& resource = endpoint->resource();
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

EndpointPtr GarbageCollector::endpoint_of(const OwnerFacts& owner) const {
  const meta::GroupVersionKind wanted =
      meta::from_api_version_and_kind(owner.api_version, owner.kind);
  const Registry::SnapshotPtr snapshot = core_.registry.snapshot();
  const auto group = snapshot->groups.find(wanted.group);
  if (group == snapshot->groups.end()) return nullptr;
  for (const auto& [plural, endpoint] : group->second) {
    const kinds::Resource& resource = endpoint->resource();
    if (resource.kind == wanted.kind && resource.stored() &&
        resource.served_version(wanted.version) != nullptr)
      return endpoint;
  }
  return nullptr;
}

bool GarbageCollector::is_elsewhere(const OwnerFacts& owner, std::string_view dependent_key) const {
  if (gone_.contains(owner.uid)) return false;
  const EndpointPtr endpoint = endpoint_of(owner);
  if (!endpoint || !endpoint->resource().namespaced) return false;
  const std::string_view in = namespace_in(dependent_key);
  return std::ranges::any_of(
      endpoint->cache().named(owner.name, "").objects, [&](const ObjectPtr& one) {
        if (namespace_in(one->key()) == in) return false;
        const Answer<Document> document = parse_current(*one->bytes());
        return document && ObjectMeta::of(document->root()).uid() == owner.uid;
      });
}

// In the words of kube-controller-manager 1.36.
boost::asio::awaitable<void> GarbageCollector::report_elsewhere(EndpointPtr endpoint,
                                                                ObjectPtr dependent,
                                                                std::string uid, OwnerFacts owner) {
  const std::string in(namespace_in(dependent->key()));
  co_await record_event(
      core_,
      {.name = std::string(dependent->name()),
       .namespace_name = in,
       .kind = endpoint->resource().kind,
       .api_version = std::string(dependent->api_version()),
       .uid = std::move(uid),
       .component = "garbage-collector-controller",
       .reason = "OwnerRefInvalidNamespace",
       .message = fmt::format(
           "ownerRef [{}/{}, namespace: {}, name: {}, uid: {}] does not exist in namespace {}",
           owner.api_version, owner.kind, in, owner.name, owner.uid, quote(in))});
}

boost::asio::awaitable<void> GarbageCollector::handle(ResourceCache* cache, std::string key) {
  const ObjectPtr object = cache->get(key);
  if (!object || stopped_) co_return;
  std::shared_ptr<const OwnershipFacts> facts;
  {
    const OwnershipInformer::View view = objects_.view();
    const OwnershipInformer::Known known = view.find(key);
    // What has just changed comes back here.
    if (!known || known.revision() != object->revision()) co_return;
    facts = known.share();
  }
  const EndpointPtr endpoint = endpoint_at(cache->prefix());
  if (!endpoint) co_return;
  const SteadyTime begun = system_clock().steady_now();
  const bool settled = co_await settle(endpoint, object, std::move(facts));
  gc_queue.worked(system_clock().steady_now() - begun);
  if (settled) co_return;
  gc_queue.retried();
  failed_.emplace(std::move(key), cache);
}

// False when it must be tried again.
boost::asio::awaitable<bool> GarbageCollector::settle(EndpointPtr endpoint, ObjectPtr object,
                                                      std::shared_ptr<const OwnershipFacts> facts) {
  const std::string& uid = facts->uid;
  if (facts->being_deleted && facts->orphans_dependents)
    co_return co_await orphan(endpoint, object, uid);
  if (facts->being_deleted && facts->waits_for_dependents)
    co_return co_await wait_for_dependents(endpoint, object, uid);
  if (facts->being_deleted) co_return true;

  std::set<std::string> lost;
  std::size_t solid = 0;
  bool waiting = false;
  for (const OwnerFacts& owner : facts->owners) {
    const Standing standing = find(owner, object->key()).standing;
    if ((standing == Standing::kUnknown || standing == Standing::kAbsent) &&
        is_elsewhere(owner, object->key()))
      co_await report_elsewhere(endpoint, object, uid, owner);
    switch (standing) {
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
  options.propagation = facts->orphans_dependents     ? Propagation::kOrphan
                        : facts->waits_for_dependents ? Propagation::kForeground
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

bool GarbageCollector::waits_in_a_circle(std::string_view uid) {
  return objects_.view().any_of("owner", uid, [](const OwnershipInformer::Known& dependent) {
    return dependent->being_deleted && dependent->waits_for_dependents;
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

boost::asio::awaitable<void> GarbageCollector::orphan_one(ResourceCache& cache,
                                                          const std::string& key,
                                                          const std::string& owner_uid, bool& all) {
  // It may have gone while another was waited for.
  const ObjectPtr dependent = cache.get(key);
  const EndpointPtr endpoint = endpoint_at(cache.prefix());
  if (!dependent || !endpoint) co_return;
  if (!co_await let_go(endpoint, dependent, {owner_uid})) all = false;
}

boost::asio::awaitable<bool> GarbageCollector::orphan(EndpointPtr endpoint, ObjectPtr object,
                                                      std::string uid) {
  std::vector<std::pair<ResourceCache*, std::string>> dependents;
  objects_.view().for_each("owner", uid, [&dependents](const OwnershipInformer::Known& one) {
    dependents.emplace_back(&one.cache(), one.key());
  });
  bool all = true;
  co_await async::for_each_concurrently(dependents.size(), kMostRemovals, [&](std::size_t i) {
    const auto& [cache, key] = dependents[i];
    return orphan_one(*cache, key, uid, all);
  });
  if (!all) co_return false;
  co_return co_await remove_finalizer(endpoint, object, std::string(kOrphanFinalizer));
}

boost::asio::awaitable<bool> GarbageCollector::wait_for_dependents(EndpointPtr endpoint,
                                                                   ObjectPtr object,
                                                                   std::string uid) {
  if (waiting_.insert(uid).second) look_at_dependents_of(uid);
  const bool blocked =
      objects_.view().any_of("owner", uid, [&](const OwnershipInformer::Known& dependent) {
        return endpoint_at(dependent.cache().prefix()) &&
               std::ranges::any_of(dependent->owners, [&](const OwnerFacts& one) {
                 return one.uid == uid && one.blocks;
               });
      });
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

#include "api/controllers/storage_version_migrator.h"

#include <fmt/format.h>

#include "api/controllers/conditions.h"
#include "api/verbs/write.h"
#include "base/log.h"
#include "meta/object_meta.h"
#include "value/fields.h"

// When may a version be taken out of storedVersions? When no object is stored in it, and none will
// be. The second is the difficult part:
//
//   - a request that began before the definition named its new storage version may still store an
//     object in the old one. Calls that store objects hold their endpoint for as long
//     (EndpointUse), so a walk counts only if it began after the last of them was gone.
//   - the definition may change again meanwhile. The walk belongs to one endpoint, and begins anew
//     when there is another; and as in kube-apiserver 1.36 the stored versions are left alone when
//     the definition's generation is not the one at which the migration began.
//
// Unlike kube-controller-manager 1.36 a migration that failed leaves them alone, too: it would take
// out versions that objects are still stored in.

namespace strake::api {
namespace {

using meta::GroupResource;
using meta::ObjectMeta;
using std::chrono::milliseconds;
using value::Document;
using value::Value;

constexpr std::string_view kGroup = "storagemigration.k8s.io";
constexpr std::string_view kPlural = "storageversionmigrations";
constexpr std::string_view kPrefix = "/registry/storageversionmigrations/";
constexpr std::string_view kDefinitions = "customresourcedefinitions";
constexpr std::string_view kStorageMigrating = "StorageMigrating";
constexpr milliseconds kWriteAgain{500};
constexpr milliseconds kServedSoon{200};

std::string text(const GroupResource& resource) {
  return fmt::format("{}.{}", resource.resource, resource.group);
}

Result<MigrationFacts> read_migration(const Object& object) {
  STRAKE_TRY(const Document document, parse_stored(*object.bytes()));
  const Value& root = document.root();
  const Value& resource = root.get("spec").get("resource");
  return MigrationFacts{.resource = {std::string(value::text_of(resource, "group")),
                                     std::string(value::text_of(resource, "resource"))},
                        .name = std::string(object.name()),
                        .created = std::string(ObjectMeta::of(root).creation_timestamp()),
                        .running = condition_status(root, "Running") == "True",
                        .ended = condition_status(root, "Succeeded") == "True" ||
                                 condition_status(root, "Failed") == "True"};
}

std::string_view storage_version_of(const Value& definition) {
  for (const Value& one : definition.get("spec").get("versions").items()) {
    if (value::flag_of(one, "storage")) return value::text_of(one, "name");
  }
  return {};
}

void set_stored_versions(Document& definition, std::string_view version) {
  Value list = Value::array({});
  list.append(Value::string(definition.arena().copy(version)), definition.arena());
  definition.root()
      .object_at("status", definition.arena())
      .set("storedVersions", list, definition.arena());
}

// Where the migration began. It stays once it is there.
void set_revision(Document& migration, std::string_view revision) {
  Value& status = migration.root().object_at("status", migration.arena());
  if (!value::text_of(status, "resourceVersion").empty()) return;
  status.set("resourceVersion", Value::string(migration.arena().copy(revision)), migration.arena());
}

// In the words of kube-controller-manager 1.36.
std::string running_message(std::string_view migration) {
  return fmt::format("Migration {} is running", migration);
}

std::string_view release_message(bool success, bool reduced) {
  if (!success) return "The migration has failed";
  return reduced ? "The migration has succeeded and the stored versions have been updated"
                 : "The migration has succeeded but the stored versions have not been updated due "
                   "to a generation mismatch";
}

// A webhook may have much to say, and a condition has room for 32 KiB.
std::string shortened(std::string why) {
  constexpr std::size_t kMost = 4096;
  if (why.size() <= kMost) return why;
  std::size_t size = kMost;
  while (size > 0 && (static_cast<unsigned char>(why[size]) & 0xc0) == 0x80) --size;
  why.resize(size);
  return why + "…";
}

// What somebody needs to find the object.
std::string object_in(const Endpoint& endpoint, const std::string& key) {
  return key.substr(endpoint.resource().storage_prefix.size());
}

}  // namespace

MigrationInformer::MigrationInformer(Hub& hub)
    : Informer(hub, {.prefixes = {std::string(kPrefix)},
                     .read = read_migration,
                     .indexes = {{"resource", [](const MigrationFacts& facts) {
                                    return std::vector{text(facts.resource)};
                                  }}}}) {}

StorageVersionMigrator::StorageVersionMigrator(Core& core, MigrationInformer& migrations,
                                               MigrationPace pace, const async::Executor& executor)
    : Controller(core, migrations, executor), migrations_(migrations), pace_(pace) {}

boost::asio::awaitable<milliseconds> StorageVersionMigrator::sync(std::string key,
                                                                  ObjectPtr object) {
  if (!object) {
    const auto found = running_.find(key);
    if (found == running_.end()) co_return milliseconds(0);
    const GroupResource resource = found->second.resource;
    running_.erase(found);
    // Nobody says any more how it has gone.
    static_cast<void>(co_await release_definition(resource, key.substr(kPrefix.size()), false));
    co_return co_await start_next(resource);
  }
  const Result<MigrationFacts> facts = read_migration(*object);
  if (!facts) co_return milliseconds(0);
  if (facts->ended || !facts->running) {
    running_.erase(key);
    co_return co_await start_next(facts->resource);
  }
  Running& running = running_[key];
  running.resource = facts->resource;
  co_return co_await go_on(*facts, running);
}

boost::asio::awaitable<milliseconds> StorageVersionMigrator::start_next(GroupResource resource) {
  std::optional<MigrationFacts> next;
  bool busy = false;
  migrations_.view().for_each(
      "resource", text(resource), [&](const MigrationInformer::Known& known) {
        if (known->ended) return;
        busy = busy || known->running;
        if (!next || std::tie(known->created, known->name) < std::tie(next->created, next->name))
          next = *known;
      });
  if (!next || busy) co_return milliseconds(0);
  co_return co_await start(*std::move(next)) ? milliseconds(0) : kWriteAgain;
}

boost::asio::awaitable<bool> StorageVersionMigrator::start(MigrationFacts migration) {
  const EndpointPtr endpoint =
      core().registry.find(migration.resource.group, migration.resource.resource);
  if (!endpoint || !endpoint->resource().stored()) {
    co_return co_await end(migration,
                           fmt::format("no resource {} is stored here", text(migration.resource)));
  }
  if (endpoint->resource().definition) {
    const EndpointPtr definitions = core().registry.find("apiextensions.k8s.io", kDefinitions);
    Call call = internal_call(core(), definitions, "", endpoint->resource().definition->name);
    const std::string now = call.now_text();
    const std::string message = running_message(migration.name);
    const auto marked = co_await edit_object(
        core(), call,
        {.subresource = "status",
         .manager = "migration-runner-controller",
         .apply = [&](Document& document) {
           set_condition(document,
                         {.type = kStorageMigrating,
                          .status = "True",
                          .reason = "MigrationRunning",
                          .message = message,
                          .observed_generation = ObjectMeta::of(document.root()).generation()},
                         now);
         }});
    if (!marked) co_return false;
  }
  const std::string now =
      internal_call(core(), core().registry.find(kGroup, kPlural), "", "").now_text();
  const std::string revision = fmt::format("{}", core().hub.revision());
  co_return co_await write_status(migration.name, [&](Document& document) {
    set_revision(document, revision);
    set_condition(document,
                  {.type = "Running",
                   .status = "True",
                   .reason = "MigrationRunning",
                   .message = "The migration is running"},
                  now);
  });
}

// One piece of the work: the next objects that are stored elsewhere.
boost::asio::awaitable<milliseconds> StorageVersionMigrator::go_on(const MigrationFacts& migration,
                                                                   Running& running) {
  const GroupResource& resource = migration.resource;
  const EndpointPtr endpoint = core().registry.find(resource.group, resource.resource);
  if (!endpoint) {
    static_cast<void>(co_await end(
        migration, fmt::format("no resource {} is stored here any more", text(resource))));
    co_return kWriteAgain;
  }
  Walk& walk = running.walk;
  if (walk.epoch != endpoint->epoch()) {
    walk = {.epoch = endpoint->epoch()};
    co_await begin_walk(*endpoint, walk);
  }
  bool at_the_end = false;
  std::vector<ObjectPtr> elsewhere = next_elsewhere(*endpoint, walk, at_the_end);
  const bool nothing = elsewhere.empty();
  if (!nothing) {
    walk.found_any = true;
    std::vector<Unconverted> left =
        co_await rewrite_in_storage_version(core(), endpoint, std::move(elsewhere));
    if (core().stopping.cancelled()) co_return milliseconds(0);
    if (walk.unconverted == 0 && !left.empty()) walk.first = left.front();
    walk.unconverted += left.size();
  }
  if (!at_the_end) co_return nothing ? milliseconds(1) : pace_.pause;
  co_return co_await finish_walk(migration, endpoint, walk);
}

std::vector<ObjectPtr> StorageVersionMigrator::next_elsewhere(const Endpoint& endpoint, Walk& walk,
                                                              bool& at_the_end) const {
  std::vector<ObjectPtr> out;
  std::size_t looked_at = 0;
  const ResourceCache::Taken taken =
      endpoint.cache().take(endpoint.resource().storage_prefix, walk.next, pace_.looked_at);
  taken.objects.for_each([&](const ObjectPtr& object) {
    ++looked_at;
    walk.next = object->key() + '\0';
    if (is_stored_elsewhere(endpoint, *object)) out.push_back(object);
    return out.size() < pace_.objects;
  });
  at_the_end = looked_at == taken.objects.size() && taken.objects.behind() == 0;
  return out;
}

boost::asio::awaitable<void> StorageVersionMigrator::begin_walk(const Endpoint& endpoint,
                                                                Walk& walk) {
  walk.next.clear();
  walk.found_any = false;
  walk.unconverted = 0;
  walk.settled =
      co_await old_writers_are_done(core(), endpoint, endpoint.resource().storage_version().name);
}

boost::asio::awaitable<milliseconds> StorageVersionMigrator::finish_walk(
    const MigrationFacts& migration, const EndpointPtr& endpoint, Walk& walk) {
  if (walk.unconverted > 0 && ++walk.round >= pace_.rounds) {
    const std::string why =
        fmt::format("{} object{} of {} cannot be stored in {}; the first is {}: {}",
                    walk.unconverted, walk.unconverted == 1 ? "" : "s", text(migration.resource),
                    endpoint->resource().storage_version().name,
                    object_in(*endpoint, walk.first.key), walk.first.why);
    if (!co_await release_definition(migration.resource, migration.name, false))
      co_return kServedSoon;
    static_cast<void>(co_await end(migration, why));
    co_return kWriteAgain;
  }
  const bool clean = walk.settled && !walk.found_any;
  if (!clean) {
    const milliseconds pause = walk.unconverted == 0
                                   ? pace_.pause
                                   : std::chrono::duration_cast<milliseconds>(
                                         async::pause_after(walk.round, pace_.between_rounds));
    co_await begin_walk(*endpoint, walk);
    co_return pause;
  }
  if (!co_await release_definition(migration.resource, migration.name, true)) co_return kServedSoon;
  static_cast<void>(co_await end(migration, ""));
  co_return kWriteAgain;  // in case that could not be written
}

boost::asio::awaitable<bool> StorageVersionMigrator::release_definition(GroupResource resource,
                                                                        std::string migration,
                                                                        bool success) {
  const EndpointPtr endpoint = core().registry.find(resource.group, resource.resource);
  if (!endpoint || !endpoint->resource().definition) co_return true;
  const kinds::Definition& definition = *endpoint->resource().definition;
  Call call = internal_call(core(), core().registry.find("apiextensions.k8s.io", kDefinitions), "",
                            definition.name);
  const std::string now = call.now_text();
  bool served = true;
  const auto written = co_await edit_object(
      core(), call,
      {.subresource = "status",
       .manager = "migration-runner-controller",
       .apply = [&](Document& document) {
         const std::int64_t generation = ObjectMeta::of(document.root()).generation();
         served = !success || generation == definition.generation;
         const Value* before = find_condition(document.root(), kStorageMigrating);
         if (!served) return;
         // Whoever ends a migration twice, because the server was killed in between, changes
         // nothing. Nor does one that was deleted, when the next has begun.
         if (before != nullptr && value::text_of(*before, "message") != running_message(migration))
           return;
         const bool reduced =
             success && before != nullptr && observed_generation(*before) == generation;
         if (reduced) set_stored_versions(document, storage_version_of(document.root()));
         set_condition(document,
                       {.type = kStorageMigrating,
                        .status = "False",
                        .reason = success ? "MigrationSucceeded" : "MigrationFailed",
                        .message = release_message(success, reduced),
                        .observed_generation = generation},
                       now);
       }});
  if (!written && written.error().reason != "NotFound") {
    log::get("api").warn("the stored versions of a definition could not be updated",
                         {{"name", definition.name}, {"error", written.error().message}});
    co_return false;
  }
  co_return served;
}

boost::asio::awaitable<bool> StorageVersionMigrator::end(MigrationFacts migration,
                                                         std::string why) {
  const std::string now =
      internal_call(core(), core().registry.find(kGroup, kPlural), "", "").now_text();
  const std::string message =
      why.empty() ? "" : fmt::format("migration encountered unhandled error: {}", shortened(why));
  const std::string revision = fmt::format("{}", core().hub.revision());
  const bool written = co_await write_status(migration.name, [&](Document& document) {
    set_revision(document, revision);
    if (condition_status(document.root(), "Running") == "True") {
      set_condition(document,
                    {.type = "Running",
                     .status = "False",
                     .reason = "MigrationCompleted",
                     .message = "Migration completed"},
                    now);
    }
    set_condition(document,
                  {.type = why.empty() ? "Succeeded" : "Failed",
                   .status = "True",
                   .reason = why.empty() ? "StorageVersionMigrationSucceeded"
                                         : "StorageVersionMigrationFailed",
                   .message = message},
                  now);
  });
  if (!written) co_return false;
  if (why.empty()) {
    log::get("api").info("a storage version migration has succeeded",
                         {{"migration", migration.name}, {"resource", text(migration.resource)}});
  } else {
    log::get("api").warn(
        "a storage version migration has failed",
        {{"migration", migration.name}, {"resource", text(migration.resource)}, {"error", why}});
  }
  co_return true;
}

boost::asio::awaitable<bool> StorageVersionMigrator::write_status(
    std::string name, std::function<void(Document&)> edit) {
  Call call = internal_call(core(), core().registry.find(kGroup, kPlural), "", name);
  const auto outcome = co_await edit_object(core(), call,
                                            {.subresource = "status",
                                             .manager = "storage-version-migrator-controller",
                                             .apply = std::move(edit)});
  if (!outcome && outcome.error().reason != "NotFound") {
    log::get("api").warn("the status of a migration could not be written",
                         {{"name", name}, {"error", outcome.error().message}});
  }
  co_return outcome.has_value();
}

}  // namespace strake::api

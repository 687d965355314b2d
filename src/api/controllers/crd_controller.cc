#include "api/controllers/crd_controller.h"

#include <fmt/format.h>
#include <malloc.h>

#include "api/cache/object_scan.h"
#include "api/controllers/conditions.h"
#include "api/controllers/crd_names.h"
#include "api/controllers/crd_strategy.h"
#include "api/controllers/record_event.h"
#include "api/verbs/decode.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "base/log.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using std::chrono::milliseconds;
using value::Document;
using value::Value;

constexpr std::string_view kPrefix = "/registry/apiextensions.k8s.io/customresourcedefinitions/";
constexpr std::string_view kGroup = "apiextensions.k8s.io";
constexpr std::string_view kPlural = "customresourcedefinitions";
constexpr milliseconds kSoon{200};
constexpr milliseconds kLater{1000};
constexpr std::size_t kMostRounds = 1000;

// A definition is called "<plural>.<group>", and a plural has no dot.
std::string group_in(std::string_view name) { return std::string(name.substr(name.find('.') + 1)); }

std::optional<crd::Crd> read_crd(const Object& object) {
  value::ReadOptions options;
  options.duplicates = value::DuplicatePolicy::kLastWins;
  options.text = value::TextPolicy::kReplace;
  // With bytes of its own: the CRD outlives the object.
  Result<Document> document = value::read_json(std::string(*object.bytes()), options);
  if (!document) return std::nullopt;
  Result<crd::Crd> crd = crd::Crd::read(*std::move(document));
  if (!crd) {
    log::get("api").error("a stored definition cannot be read",
                          {{"key", object.key()}, {"error", crd.error()}});
    return std::nullopt;
  }
  return *std::move(crd);
}

// By a worker: definitions are large.
boost::asio::awaitable<std::optional<crd::Crd>> read_aside(Core& core, ObjectPtr object) {
  auto read = co_await core.workers.run(
      [object] { return Result<std::optional<crd::Crd>>(read_crd(*object)); });
  co_return read ? *std::move(read) : std::nullopt;
}

// Counts it when it stays.
boost::asio::awaitable<void> remove_instance(Core& core, EndpointPtr endpoint, ObjectPtr instance,
                                             std::size_t& left) {
  Call call = internal_call(core, endpoint, *instance);
  const auto removed = co_await remove_object(core, call, std::string(instance->name()), {});
  if (!removed ? removed.error().reason != "NotFound" : !removed->gone) ++left;
}

// A definition is large, and its status is small: nothing else is parsed.
Result<DefinitionFacts> read_definition(const Object& object) {
  DefinitionFacts out{.group = group_in(object.name())};
  const std::string_view text = member_text(*object.bytes(), "status");
  if (text.empty()) return out;
  STRAKE_TRY(const Document status, parse_stored(text));
  const auto add = [](std::string_view name, std::vector<std::string>& to) {
    if (!name.empty()) to.emplace_back(name);
  };
  const Value& names = status.root().get("acceptedNames");
  for (const std::string_view key : {"plural", "singular"})
    add(value::text_of(names, key), out.resources);
  for (const Value& one : names.get("shortNames").items()) add(value::text_of(one), out.resources);
  for (const std::string_view key : {"kind", "listKind"})
    add(value::text_of(names, key), out.kinds);
  for (const Value& one : status.root().get("conditions").items()) {
    if (value::text_of(one, "type") == "NamesAccepted")
      out.waits_for_names = value::text_of(one, "status") == "False";
  }
  return out;
}

void decide_conditions(Document& document, const crd::Crd& crd, const TakenNames& taken,
                       std::string_view now) {
  const NameVerdict names = accept_names(document, crd, taken);
  set_condition(document,
                {.type = "NamesAccepted",
                 .status = names.accepted ? "True" : "False",
                 .reason = names.reason,
                 .message = names.message},
                now);
  const bool established = condition_status(document.root(), "Established") == "True";
  if (names.accepted || established) {
    set_condition(document,
                  {.type = "Established",
                   .status = "True",
                   .reason = "InitialNamesAccepted",
                   .message = "the initial names have been accepted"},
                  now);
  } else {
    set_condition(document,
                  {.type = "Established",
                   .status = "False",
                   .reason = "NotAccepted",
                   .message = "not all names are accepted"},
                  now);
  }
  const ApprovalVerdict approval = judge_approval(crd);
  if (approval.needed) {
    set_condition(document,
                  {.type = "KubernetesAPIApprovalPolicyConformant",
                   .status = approval.approved ? "True" : "False",
                   .reason = approval.reason,
                   .message = approval.message},
                  now);
  }
}

// Everything but metadata and schema that decides how the resource is served.
std::string fingerprint_of(const crd::Crd& crd) {
  const Value* status = crd.value().find("status");
  const Value* accepted = status != nullptr ? status->find("acceptedNames") : nullptr;
  return fmt::format("{} {} {}", accepted != nullptr ? value::to_json(*accepted) : "",
                     crd.condition_is_true("Established"), crd.condition_is_true("Terminating"));
}

boost::asio::awaitable<bool> write_status(Core& core, const std::string& name,
                                          std::function<void(Document&)> edit) {
  const EndpointPtr endpoint = core.registry.find(kGroup, kPlural);
  if (!endpoint) co_return false;
  Call call = internal_call(core, endpoint, "", name);
  const auto outcome = co_await edit_object(
      core, call, {.subresource = "status", .manager = "kube-apiserver", .apply = std::move(edit)});
  if (!outcome && outcome.error().reason != "NotFound") {
    log::get("api").warn("the status of a definition could not be written",
                         {{"name", name}, {"error", outcome.error().message}});
  }
  co_return outcome.has_value();
}

}  // namespace

DefinitionInformer::DefinitionInformer(Hub& hub)
    : Informer(hub, {.prefixes = {std::string(kPrefix)},
                     .read = read_definition,
                     .indexes = {{"group", [](const DefinitionFacts& facts) {
                                    return std::vector{facts.group};
                                  }}}}) {}

CrdController::CrdController(Core& core, DefinitionInformer& definitions,
                             const kinds::Strategy& custom, const async::Executor& executor)
    : Controller(core, definitions, executor), definitions_(definitions), custom_(custom) {}

// Reading definitions leaves holes of several times their size.
void CrdController::at_rest() { ::malloc_trim(0); }

boost::asio::awaitable<milliseconds> CrdController::sync(std::string key, ObjectPtr object) {
  const std::string name = key.substr(kPrefix.size());
  // What this controller wrote comes back to it. Instances that are still to go are looked at
  // again.
  const auto settled = settled_.find(name);
  if (object && settled != settled_.end() && settled->second == object->revision() &&
      !object->is_being_deleted()) {
    co_return milliseconds(0);
  }
  if (!object) {
    settled_.erase(name);
    retire(name);
    co_await look_again_at_group(group_in(name), name);
    co_return milliseconds(0);
  }
  std::optional<crd::Crd> crd = co_await read_aside(core(), object);
  if (!crd) co_return milliseconds(0);
  if (co_await settle_status(object, *crd)) {
    // Names that it has let go may be what another one waits for.
    co_await look_again_at_group(group_in(name), name);
    // Served from what was written just now: whoever waits for this change finds the resource.
    object = core().hub.cache(kPrefix).get(key);
    if (!object) co_return milliseconds(0);
    crd = co_await read_aside(core(), object);
    if (!crd) co_return milliseconds(0);
  }
  auto shared = std::make_shared<const crd::Crd>(std::move(*crd));
  serve(object, shared);
  settled_.insert_or_assign(name, object->revision());
  if (shared->metadata().is_being_deleted()) co_return co_await finish(object, *shared);
  co_return milliseconds(0);
}

boost::asio::awaitable<void> CrdController::report_failure(std::string key, std::string why) {
  const std::string name = key.substr(kPrefix.size());
  co_await record_event(core(), {.name = name,
                                 .kind = "CustomResourceDefinition",
                                 .api_version = "apiextensions.k8s.io/v1",
                                 .reason = "ServingFailed",
                                 .message = why});
  const std::string now =
      internal_call(core(), core().registry.find(kGroup, kPlural), "", "").now_text();
  co_await write_status(core(), name, [&](Document& current) {
    set_condition(
        current,
        {.type = "Established", .status = "False", .reason = "ServingFailed", .message = why}, now);
  });
}

// Names and conditions. True when the status had to be written.
boost::asio::awaitable<bool> CrdController::settle_status(const ObjectPtr& object,
                                                          const crd::Crd& crd) {
  const TakenNames taken = names_taken(crd);
  const std::string now =
      internal_call(core(), core().registry.find(kGroup, kPlural), "", "").now_text();
  const Value* before = crd.value().find("status");
  if (before != nullptr) {
    // Nothing but the status is looked at or changed.
    Document document;
    document.root() = Value::object({});
    document.root().set("status", value::deep_copy(*before, document.arena()), document.arena());
    decide_conditions(document, crd, taken, now);
    if (value::identical(*before, document.root().get("status"))) co_return false;
  }
  co_return co_await write_status(core(), std::string(object->name()), [&](Document& current) {
    decide_conditions(current, crd, taken, now);
  });
}

void CrdController::serve(const ObjectPtr& object, std::shared_ptr<const crd::Crd> crd) {
  if (!crd->condition_is_true("Established") && !crd->condition_is_true("NamesAccepted")) return;
  const std::string name(crd->name());
  Served now{.born = object->create_revision(),
             .generation = crd->metadata().generation(),
             .fingerprint = fingerprint_of(*crd)};
  if (const auto found = served_.find(name); found != served_.end() && found->second == now) return;
  // Read again from the cache when it is needed: parsed, it takes several times the memory.
  ResourceCache& crds = core().hub.cache(kPrefix);
  kinds::ResourcePtr resource =
      kinds::resource_of(*crd, [&crds, key = object->key()]() -> std::shared_ptr<const crd::Crd> {
        const ObjectPtr present = crds.get(key);
        std::optional<crd::Crd> read = present ? read_crd(*present) : std::nullopt;
        return read ? std::make_shared<const crd::Crd>(*std::move(read)) : nullptr;
      });
  ResourceCache& cache = core().hub.cache(resource->storage_prefix);
  core().registry.put(std::make_shared<const Endpoint>(std::move(resource), custom_,
                                                       *core().converter, cache, object->revision(),
                                                       object->create_revision()));
  served_.insert_or_assign(name, std::move(now));
}

void CrdController::retire(std::string_view crd_name) {
  const auto found = served_.find(crd_name);
  if (found != served_.end()) served_.erase(found);
  const std::size_t dot = crd_name.find('.');
  core().registry.remove(crd_name.substr(dot + 1), crd_name.substr(0, dot));
}

// The names that other definitions of the group have been given. All of them count, whether they
// are served or not: after a start, who comes first may not take what another one had.
TakenNames CrdController::names_taken(const crd::Crd& crd) {
  TakenNames out(crd.names());
  const std::string key = fmt::format("{}{}", kPrefix, crd.name());
  definitions_.view().for_each("group", std::string(crd.group()),
                               [&](const DefinitionInformer::Known& one) {
                                 if (one.key() == key) return;
                                 for (const std::string& name : one->resources)
                                   out.add_resource(name);
                                 for (const std::string& name : one->kinds) out.add_kind(name);
                               });
  return out;
}

// A name that became free may be what another CRD waits for; and who gets one may let go another.
boost::asio::awaitable<void> CrdController::look_again_at_group(std::string group,
                                                                std::string except) {
  std::size_t rounds = 0;
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<ObjectPtr> waiting;
    definitions_.view().for_each("group", group, [&](const DefinitionInformer::Known& one) {
      if (!one->waits_for_names) return;
      if (ObjectPtr object = one.cache().get(one.key())) waiting.push_back(std::move(object));
    });
    for (const ObjectPtr& object : waiting) {
      if (object->name() == except) continue;
      const std::optional<crd::Crd> crd = co_await read_aside(core(), object);
      if (crd && co_await settle_status(object, *crd)) changed = true;
    }
    // Each round gives a name to somebody, and there are not more names than that.
    if (++rounds > kMostRounds) co_return;
  }
}

// Deletes the objects, then lets the CRD go.
boost::asio::awaitable<milliseconds> CrdController::finish(const ObjectPtr& object,
                                                           const crd::Crd& crd) {
  if (!crd.metadata().has_finalizer(kCrdCleanup)) co_return milliseconds(0);
  const std::string name(object->name());
  const EndpointPtr endpoint = core().registry.find(crd.group(), crd.names().plural);
  std::string now = internal_call(core(), core().registry.find(kGroup, kPlural), "", "").now_text();
  std::size_t left = 0;
  // Whoever began to create an object before the definition was deleted may still do so.
  bool settled = true;
  if (endpoint) {
    settled = co_await old_writers_are_done(core(), *endpoint);
    const std::vector<ObjectPtr> instances =
        endpoint->cache().list(endpoint->resource().storage_prefix).objects;
    co_await async::for_each_concurrently(instances.size(), kMostRemovals, [&](std::size_t i) {
      return remove_instance(core(), endpoint, instances[i], left);
    });
  }
  if (left > 0 || !settled) {
    co_await write_status(core(), name, [&](Document& current) {
      set_condition(current,
                    {.type = "Terminating",
                     .status = "True",
                     .reason = "InstanceDeletionInProgress",
                     .message = "CustomResource deletion is in progress"},
                    now);
    });
    co_return kSoon;
  }
  const bool written = co_await write_status(core(), name, [&](Document& current) {
    set_condition(
        current,
        {.type = "Terminating",
         .status = "False",
         .reason = endpoint ? "InstanceDeletionCompleted" : "NeverEstablished",
         .message = endpoint ? "removed all instances" : "resource was never established"},
        now);
    Value list = Value::array({});
    for (const std::string_view one : meta::ObjectMeta::of(current.root()).finalizers()) {
      if (one != kCrdCleanup) list.append(Value::string(one), current.arena());
    }
    if (list.size() == 0) {
      remove_meta(current, "finalizers");
    } else {
      set_meta(current, "finalizers", list);
    }
  });
  co_return written ? milliseconds(0) : kLater;
}

}  // namespace strake::api

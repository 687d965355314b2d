#include "api/controllers/namespace_controller.h"

#include <fmt/format.h>

#include <map>

#include "api/controllers/conditions.h"
#include "api/verbs/decode.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "base/log.h"
#include "meta/object_meta.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using std::chrono::milliseconds;
using value::Document;
using value::Value;

constexpr milliseconds kLookAgain{100};
constexpr milliseconds kTryAgain{1000};

// What is left in a namespace after everything was told to go.
struct Remains {
  std::map<std::string, std::size_t> resources;   // "widgets.example.com", "pods." -> how many
  std::map<std::string, std::size_t> finalizers;  // which hold them
};

std::string list_counts(const std::map<std::string, std::size_t>& counts, std::string_view word) {
  std::string out;
  for (const auto& [name, count] : counts) {
    out += fmt::format("{}{} {} {} resource instances", out.empty() ? "" : ", ", name, word, count);
  }
  return out;
}

void note_finalizers(const Bytes& bytes, Remains& remains) {
  const Answer<Document> document = parse_current(*bytes);
  if (!document) return;
  for (const std::string_view one : ObjectMeta::of(document->root()).finalizers()) {
    ++remains.finalizers[std::string(one)];
  }
}

boost::asio::awaitable<void> delete_one(Core& core, EndpointPtr endpoint, ObjectPtr object,
                                        Remains& remains) {
  Call call = internal_call(core, endpoint, *object);
  const auto removed = co_await remove_object(core, call, std::string(object->name()), {});
  if (removed && removed->gone) co_return;
  if (!removed && removed.error().reason == "NotFound") co_return;
  // With the dot even where the group is empty, as in kube-controller-manager 1.36.
  ++remains
        .resources[fmt::format("{}.{}", endpoint->resource().plural, endpoint->resource().group)];
  if (removed) note_finalizers(removed->bytes, remains);
}

boost::asio::awaitable<Remains> delete_content(Core& core, std::string name) {
  Remains remains;
  const Registry::SnapshotPtr snapshot = core.registry.snapshot();
  for (const auto& [group, endpoints] : snapshot->groups) {
    for (const auto& [plural, endpoint] : endpoints) {
      const kinds::Resource& resource = endpoint->resource();
      if (!resource.namespaced || !resource.stored() || !resource.has_verb(kinds::Verb::kDelete))
        continue;
      const std::vector<ObjectPtr> objects =
          endpoint->cache().list(endpoint->key_prefix(name)).objects;
      co_await async::for_each_concurrently(objects.size(), kMostRemovals, [&](std::size_t i) {
        return delete_one(core, endpoint, objects[i], remains);
      });
    }
  }
  co_return remains;
}

void set_deletion_conditions(Document& document, const Remains& remains, std::string_view now) {
  set_condition(document,
                {.type = "NamespaceDeletionDiscoveryFailure",
                 .status = "False",
                 .reason = "ResourcesDiscovered",
                 .message = "All resources successfully discovered"},
                now);
  set_condition(document,
                {.type = "NamespaceDeletionGroupVersionParsingFailure",
                 .status = "False",
                 .reason = "ParsedGroupVersions",
                 .message = "All legacy kube types successfully parsed"},
                now);
  set_condition(document,
                {.type = "NamespaceDeletionContentFailure",
                 .status = "False",
                 .reason = "ContentDeleted",
                 .message = "All content successfully deleted, may be waiting on finalization"},
                now);
  const bool left = !remains.resources.empty();
  const std::string resources =
      "Some resources are remaining: " + list_counts(remains.resources, "has");
  set_condition(
      document,
      {.type = "NamespaceContentRemaining",
       .status = left ? "True" : "False",
       .reason = left ? "SomeResourcesRemain" : "ContentRemoved",
       .message = left ? std::string_view(resources) : "All content successfully removed"},
      now);
  const bool held = !remains.finalizers.empty();
  const std::string finalizers = "Some content in the namespace has finalizers remaining: " +
                                 list_counts(remains.finalizers, "in");
  set_condition(document,
                {.type = "NamespaceFinalizersRemaining",
                 .status = held ? "True" : "False",
                 .reason = held ? "SomeFinalizersRemain" : "ContentHasNoFinalizers",
                 .message = held ? std::string_view(finalizers)
                                 : "All content-preserving finalizers finished"},
                now);
}

boost::asio::awaitable<bool> write_namespace(Core& core, std::string name, std::string subresource,
                                             std::function<void(Document&)> edit) {
  const EndpointPtr endpoint = core.registry.find("", "namespaces");
  if (!endpoint) co_return false;
  Call call = internal_call(core, endpoint, "", name);
  const auto outcome = co_await edit_object(core, call,
                                            {.subresource = std::move(subresource),
                                             .manager = "kube-controller-manager",
                                             .apply = std::move(edit)});
  co_return outcome.has_value() || outcome.error().reason == "NotFound";
}

}  // namespace

NamespaceController::NamespaceController(Core& core, Duties duties, const async::Executor& executor)
    : Controller(core, core.namespaces, executor), duties_(std::move(duties)) {}

boost::asio::awaitable<milliseconds> NamespaceController::sync(std::string key, ObjectPtr object) {
  if (!object) co_return milliseconds(0);
  std::string name(object->name());
  if (object->is_being_deleted()) {
    if (!duties_.empties) co_return milliseconds(0);
    co_return co_await empty(std::move(name), std::move(object));
  }
  co_await add_default_objects(std::move(name));
  co_return milliseconds(0);
}

boost::asio::awaitable<milliseconds> NamespaceController::empty(std::string name,
                                                                ObjectPtr object) {
  const Remains remains = co_await delete_content(core(), name);
  const std::string now =
      internal_call(core(), core().registry.find("", "namespaces"), "", name).now_text();
  if (!remains.resources.empty()) {
    co_await write_namespace(core(), name, "status", [&](Document& document) {
      set_deletion_conditions(document, remains, now);
    });
    co_return kLookAgain;
  }
  const bool done = co_await write_namespace(core(), name, "finalize", [](Document& document) {
    Value* spec = document.root().find("spec");
    const Value* held = spec != nullptr ? spec->find("finalizers") : nullptr;
    if (held == nullptr) return;
    Value left = Value::array({});
    for (const Value& one : held->items()) {
      if (one.as_string() != "kubernetes") left.append(one, document.arena());
    }
    if (left.size() == 0) {
      spec->remove("finalizers");
    } else {
      spec->set("finalizers", left, document.arena());
    }
  });
  co_return done ? milliseconds(0) : kTryAgain;
}

boost::asio::awaitable<void> NamespaceController::add_default_objects(std::string name) {
  if (duties_.default_account) {
    co_await ensure_object(
        core(), "", "serviceaccounts", name,
        R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"default"}})");
  }
  if (duties_.root_ca.empty()) co_return;
  std::string json =
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"kube-root-ca.crt","annotations":{"kubernetes.io/description":)"
      R"("The certificate by which clients in this namespace know the API server."}},"data":{"ca.crt":)";
  value::write_json_string(duties_.root_ca, json);
  co_await ensure_object(core(), "", "configmaps", name, json + "}}");
}

boost::asio::awaitable<void> ensure_object(Core& core, std::string group, std::string plural,
                                           std::string namespace_name, std::string json) {
  const EndpointPtr endpoint = core.registry.find(group, plural);
  if (!endpoint) co_return;
  Result<Document> document = value::read_json(std::move(json));
  if (!document) co_return;
  const std::string name(ObjectMeta::of(document->root()).name());
  if (endpoint->cache().get(endpoint->key(namespace_name, name))) co_return;
  Call call = internal_call(core, endpoint, namespace_name, name);
  if (endpoint->resource().namespaced) {
    set_meta(*document, "namespace", Value::string(document->arena().copy(namespace_name)));
  }
  if (!endpoint->strategy().decode(document->root(), document->arena(), *call.version,
                                   {.from_text = false})) {
    co_return;
  }
  const auto outcome = co_await create_object(core, call, *std::move(document), {});
  if (!outcome && outcome.error().reason != "AlreadyExists" &&
      outcome.error().reason != "NotFound") {
    log::get("api").warn("could not create an object of the server's own",
                         {{"name", name}, {"error", outcome.error().message}});
  }
}

}  // namespace strake::api

#include "api/controllers/flow_controller.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "api/controllers/conditions.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "base/log.h"
#include "meta/object_meta.h"

namespace strake::api {
namespace {

using value::Document;
using value::Value;

// As fields are owned there.
constexpr std::string_view kProducer = "api-priority-and-fairness-config-producer-v1";
constexpr std::size_t kAtOnce = 32;
constexpr std::string_view kConsumer = "api-priority-and-fairness-config-consumer-v1";

const kinds::DefaultFlowObject* default_of(std::string_view key) {
  for (const kinds::DefaultFlowObject& one : kinds::default_flow_objects()) {
    if (key == fmt::format("/registry/{}/{}", one.plural, one.name)) return &one;
  }
  return nullptr;
}

// What the annotation says; nothing when it says nothing that Go reads as a bool.
std::optional<bool> auto_update(const Value& object) {
  const std::string_view text = meta::ObjectMeta::of(object).annotation(kinds::kAutoUpdateSpec);
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

// `spec.exempt` is the administrator's.
void copy_spec(Document& to, const kinds::DefaultFlowObject& wanted) {
  Arena& arena = to.arena();
  Value spec = value::deep_copy(wanted.document.root().get("spec"), arena);
  const Value* exempt = to.root().get("spec").find("exempt");
  if (spec.find("exempt") != nullptr && exempt != nullptr && exempt->is_object())
    spec.set("exempt", *exempt, arena);
  to.root().set("spec", spec, arena);
}

Condition condition_of(std::string& message, std::string_view level, bool found) {
  message = fmt::format(
      "This FlowSchema references the PriorityLevelConfiguration object named "
      "\"{}\" {}",
      level, found ? "and it exists" : "but there is no such object");
  return {.type = "Dangling",
          .status = found ? "False" : "True",
          .reason = found ? "Found" : "NotFound",
          .message = message};
}

// Somebody else was faster, which is told by itself.
bool is_outrun(const meta::Status& status) {
  return status.reason == "NotFound" || status.reason == "AlreadyExists" ||
         status.reason == "Conflict";
}

void check(const Answer<WriteOutcome>& outcome) {
  if (!outcome && !is_outrun(outcome.error())) throw std::runtime_error(outcome.error().message);
}

}  // namespace

bool restore_flow_object(Document& present, const kinds::DefaultFlowObject& wanted) {
  Value& root = present.root();
  Arena& arena = present.arena();
  const std::optional<bool> says = auto_update(root);
  // Without a word, what nobody has changed since it was made is updated.
  const bool restores =
      wanted.mandatory || says.value_or(meta::ObjectMeta::of(root).generation() == 1);
  bool changed = false;
  if (says != restores) {
    root.object_at("metadata", arena)
        .object_at("annotations", arena)
        .set(kinds::kAutoUpdateSpec, Value::string(restores ? "true" : "false"), arena);
    changed = true;
  }
  if (!restores) return changed;
  Document restored;
  restored.root() = value::deep_copy(root, restored.arena());
  copy_spec(restored, wanted);
  if (value::identical(restored.root().get("spec"), root.get("spec"))) return changed;
  copy_spec(present, wanted);
  return true;
}

FlowController::FlowController(Core& core, FlowInformer& informer, bool tells_dangling,
                               const async::Executor& executor)
    : Controller(core, informer, executor), informer_(informer), tells_dangling_(tells_dangling) {}

boost::asio::awaitable<void> FlowController::restore_all() {
  const std::vector<kinds::DefaultFlowObject>& all = kinds::default_flow_objects();
  const auto restore_one = [&](std::size_t i) -> boost::asio::awaitable<void> {
    const std::string prefix = fmt::format("/registry/{}/", all[i].plural);
    try {
      co_await restore(all[i], core().hub.cache(prefix).get(prefix + std::string(all[i].name)));
    } catch (const std::exception& error) {
      // What is mandatory is in force all the same.
      log::get("api").warn("a flow schema or priority level could not be restored",
                           {{"name", all[i].name}, {"error", error.what()}});
    }
  };
  co_await async::for_each_concurrently(all.size(), kAtOnce, restore_one);
}

boost::asio::awaitable<std::chrono::milliseconds> FlowController::sync(std::string key,
                                                                       ObjectPtr object) {
  if (const kinds::DefaultFlowObject* wanted = default_of(key)) {
    co_await restore(*wanted, object);
  } else if (object) {
    const Result<Document> document = parse_stored(*object->bytes());
    if (document && auto_update(document->root()).value_or(false)) {
      co_await remove(object);
      co_return std::chrono::milliseconds(0);
    }
  }
  if (!tells_dangling_) co_return std::chrono::milliseconds(0);
  if (key.starts_with(kFlowSchemas)) {
    co_await tell_dangling(key);
    co_return std::chrono::milliseconds(0);
  }
  std::vector<std::string> schemas;
  {
    const FlowInformer::View view = informer_.view();
    FlowInformer::for_each_schema_of(
        view, std::string_view(key).substr(kPriorityLevels.size()),
        [&](const FlowInformer::Known& known) { schemas.push_back(known.key()); });
  }
  for (const std::string& one : schemas) co_await tell_dangling(one);
  co_return std::chrono::milliseconds(0);
}

boost::asio::awaitable<void> FlowController::restore(const kinds::DefaultFlowObject& wanted,
                                                     ObjectPtr present) {
  const EndpointPtr endpoint = core().registry.find(kinds::kFlowControlGroup, wanted.plural);
  if (!endpoint) co_return;
  if (!present) {
    Call call = internal_call(core(), endpoint, "", wanted.name);
    Document document;
    document.root() = value::deep_copy(wanted.document.root(), document.arena());
    WriteOptions options;
    options.field_manager = kProducer;
    check(co_await create_object(core(), call, std::move(document), std::move(options)));
    co_return;
  }
  if (present->is_being_deleted()) co_return;
  Result<Document> document = parse_stored(*present->bytes());
  if (!document || !restore_flow_object(*document, wanted)) co_return;
  Call call = internal_call(core(), endpoint, *present);
  check(co_await edit_object(core(), call,
                             {.manager = std::string(kProducer), .apply = [&](Document& current) {
                                static_cast<void>(restore_flow_object(current, wanted));
                              }}));
}

boost::asio::awaitable<void> FlowController::remove(ObjectPtr object) {
  const bool is_schema = std::string_view(object->key()).starts_with(kFlowSchemas);
  const EndpointPtr endpoint = core().registry.find(
      kinds::kFlowControlGroup, is_schema ? "flowschemas" : "prioritylevelconfigurations");
  if (!endpoint || object->is_being_deleted()) co_return;
  Call call = internal_call(core(), endpoint, *object);
  const auto removed = co_await remove_object(core(), call, std::string(object->name()), {});
  if (!removed && !is_outrun(removed.error())) throw std::runtime_error(removed.error().message);
}

boost::asio::awaitable<void> FlowController::tell_dangling(std::string key) {
  const ObjectPtr object = core().hub.cache(kFlowSchemas).get(key);
  const EndpointPtr endpoint = core().registry.find(kinds::kFlowControlGroup, "flowschemas");
  if (!object || !endpoint) co_return;
  Result<Document> document = parse_stored(*object->bytes());
  if (!document) co_return;
  const std::string level = read_flow_schema(document->root()).level;
  const bool found =
      core().hub.cache(kPriorityLevels).get(std::string(kPriorityLevels) + level) != nullptr;
  std::string message;
  const Condition condition = condition_of(message, level, found);
  Call call = internal_call(core(), endpoint, *object);
  const std::string now = call.now_text();
  if (!set_condition(*document, condition, now)) co_return;
  check(co_await edit_object(
      core(), call,
      {.subresource = "status", .manager = std::string(kConsumer), .apply = [&](Document& current) {
         // Of the spec as it stands: whoever changed it is told next.
         if (read_flow_schema(current.root()).level == level)
           static_cast<void>(set_condition(current, condition, now));
       }}));
}

}  // namespace strake::api

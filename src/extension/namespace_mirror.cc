#include "extension/namespace_mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "api/controllers/namespace_controller.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "base/log.h"
#include "kinds/resource.h"
#include "meta/object_meta.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::extension {
namespace {

using meta::ObjectMeta;
using value::Document;
using value::Value;

constexpr std::string_view kNamespacesPath = "/api/v1/namespaces";
// The server keeps it itself.
constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
constexpr std::string_view kMirrorManager = "strake-namespace-mirror";
// These are always there, and never deleted.
constexpr std::string_view kKept[] = {"default", "kube-system", "kube-public"};

std::map<std::string, std::string> labels_of(const ObjectMeta& metadata) {
  std::map<std::string, std::string> out;
  if (metadata.labels() == nullptr) return out;
  for (const value::Member& one : metadata.labels()->members()) {
    if (one.key != kNameLabel) out.emplace(one.key, value::text_of(one.value));
  }
  return out;
}

Value to_value(const std::map<std::string, std::string>& texts, Arena& arena) {
  Value out = Value::object({});
  for (const auto& [key, text] : texts)
    out.set(arena.copy(key), Value::string(arena.copy(text)), arena);
  return out;
}

}  // namespace

class NamespaceMirror::Sink final : public kube::ObjectSink {
 public:
  explicit Sink(NamespaceMirror& mirror) : mirror_(mirror) {}

  void on_list(const std::vector<const Value*>& objects) override {
    for (const auto& [name, wanted] : mirror_.wanted_) mirror_.settling_.mark(name);
    mirror_.wanted_.clear();
    for (const Value* one : objects) on_set(*one);
    // Copies of those that went meanwhile.
    const std::string& prefix = kinds::namespace_resource().storage_prefix;
    for (const api::ObjectPtr& one : mirror_.core_->hub.cache(prefix).list(prefix).objects)
      mirror_.settling_.mark(std::string(one->name()));
    mirror_.settling_.wake();
  }
  void on_set(const Value& object) override {
    const ObjectMeta metadata = ObjectMeta::of(object);
    if (metadata.name().empty()) return;
    const std::string name(metadata.name());
    if (metadata.is_being_deleted()) {
      mirror_.wanted_.erase(name);
    } else {
      mirror_.wanted_[name] = {.uid = std::string(metadata.uid()), .labels = labels_of(metadata)};
    }
    mirror_.settling_.mark(name);
    mirror_.settling_.wake();
  }
  void on_deleted(const Value& object) override {
    const std::string name(ObjectMeta::of(object).name());
    mirror_.wanted_.erase(name);
    mirror_.settling_.mark(name);
    mirror_.settling_.wake();
  }
  void on_trouble(const Error& why) override {
    log::get("extension")
        .error("the namespaces of the main server cannot be followed", {{"error", why}});
  }
  void on_recovery() override {
    log::get("extension").info("the namespaces of the main server are followed again");
  }

 private:
  NamespaceMirror& mirror_;
};

NamespaceMirror::NamespaceMirror(Options options)
    : options_(std::move(options)),
      settling_({.settle = [this](std::string name) { return settle(std::move(name)); },
                 .failed =
                     [](const std::string& name, const Error& why) {
                       log::get("extension")
                           .warn("a namespace of the main server could not be copied",
                                 {{"namespace", name}, {"error", why}});
                     },
                 .backoff = options_.backoff}) {}
NamespaceMirror::~NamespaceMirror() = default;

async::Task<> NamespaceMirror::start(api::Core& core) {
  const async::Executor loop = co_await boost::asio::this_coro::executor;
  core_ = &core;
  sink_ = std::make_unique<Sink>(*this);
  watch_ = std::make_unique<kube::ObjectWatch>(
      options_.cluster,
      kube::ObjectWatch::Options{.path = std::string(kNamespacesPath), .backoff = options_.backoff},
      *sink_);
  if (const Result<> listed = co_await watch_->begin(); !listed) {
    sink_->on_trouble(listed.error());
  } else {
    co_await settling_.settle_all();
  }
  boost::asio::co_spawn(loop, follow(), boost::asio::detached);
  co_await settling_.start();
  co_return Result<>();
}

async::Task<> NamespaceMirror::stop() {
  if (watch_) watch_->stop();
  static_cast<void>(co_await settling_.stop());
  co_return co_await following_.close();
}

boost::asio::awaitable<void> NamespaceMirror::follow() {
  if (const async::Gate::Pass pass = following_.enter()) co_await watch_->run();
}

api::ObjectPtr NamespaceMirror::present(const std::string& name) const {
  const std::string& prefix = kinds::namespace_resource().storage_prefix;
  return core_->hub.cache(prefix).get(prefix + name);
}

// What is not settled yet waits for others, such as for the end of an older namespace.
async::Task<bool> NamespaceMirror::settle(std::string name) {
  const auto found = wanted_.find(name);
  const api::ObjectPtr there = present(name);
  if (found == wanted_.end()) {
    if (!there) co_return true;
    co_return co_await remove(std::move(name), there);
  }
  if (there) co_return co_await put_right(std::move(name), there, found->second);
  const Wanted wanted = found->second;
  STRAKE_CO_CHECK(co_await make(name, wanted));
  co_return present(name) != nullptr;
}

async::Task<> NamespaceMirror::make(std::string name, Wanted wanted) {
  Document document;
  Arena& arena = document.arena();
  Value metadata = Value::object({});
  metadata.set("name", Value::string(arena.copy(name)), arena);
  if (!wanted.labels.empty()) metadata.set("labels", to_value(wanted.labels, arena), arena);
  metadata.set("annotations", to_value({{std::string(kMainUid), wanted.uid}}, arena), arena);
  document.root() = Value::object({});
  document.root().set("apiVersion", Value::string("v1"), arena);
  document.root().set("kind", Value::string("Namespace"), arena);
  document.root().set("metadata", metadata, arena);
  co_await api::ensure_object(*core_, "", "namespaces", "", value::to_json(document.root()));
  co_return Result<>();
}

async::Task<bool> NamespaceMirror::put_right(std::string name, api::ObjectPtr present,
                                             Wanted wanted) {
  const auto read = api::parse_stored(*present->bytes());
  if (!read) co_return std::unexpected(read.error());
  const ObjectMeta metadata = ObjectMeta::of(read->root());
  const std::string_view copied = metadata.annotation(kMainUid);
  const bool is_kept = std::ranges::find(kKept, name) != std::end(kKept);
  // That one is gone, and so is what was in it.
  if (!copied.empty() && copied != wanted.uid && !is_kept)
    co_return co_await remove(std::move(name), present);
  if (metadata.is_being_deleted()) co_return false;
  if (copied == wanted.uid && labels_of(metadata) == wanted.labels) co_return true;
  const api::EndpointPtr endpoint = core_->registry.find("", "namespaces");
  api::Call call = api::internal_call(*core_, endpoint, *present);
  const auto edited = co_await api::edit_object(
      *core_, call, {.manager = std::string(kMirrorManager), .apply = [&wanted](Document& current) {
                       Arena& arena = current.arena();
                       const ObjectMeta now = ObjectMeta::of(current.root());
                       std::map<std::string, std::string> labels = wanted.labels;
                       if (const std::string_view own = now.label(kNameLabel); !own.empty())
                         labels.emplace(kNameLabel, own);
                       std::map<std::string, std::string> annotations;
                       if (now.annotations() != nullptr) {
                         for (const value::Member& one : now.annotations()->members())
                           annotations.emplace(one.key, value::text_of(one.value));
                       }
                       annotations[std::string(kMainUid)] = wanted.uid;
                       api::set_meta(current, "labels", to_value(labels, arena));
                       api::set_meta(current, "annotations", to_value(annotations, arena));
                     }});
  if (!edited) co_return fail(Code::kInternal, "{}", edited.error().message);
  co_return true;
}

async::Task<bool> NamespaceMirror::remove(std::string name, api::ObjectPtr present) {
  if (std::ranges::find(kKept, name) != std::end(kKept)) co_return true;
  const auto read = api::parse_stored(*present->bytes());
  if (!read) co_return std::unexpected(read.error());
  const ObjectMeta metadata = ObjectMeta::of(read->root());
  if (metadata.annotation(kMainUid).empty()) co_return true;
  const bool awaited = wanted_.contains(name);  // another of that name, once this one is gone
  if (metadata.is_being_deleted()) co_return !awaited;
  const api::EndpointPtr endpoint = core_->registry.find("", "namespaces");
  api::Call call = api::internal_call(*core_, endpoint, *present);
  api::DeleteOptions options;
  options.uid = std::string(metadata.uid());
  const auto removed = co_await api::remove_object(*core_, call, name, std::move(options));
  if (!removed && removed.error().reason != "NotFound" && removed.error().reason != "Conflict")
    co_return fail(Code::kInternal, "{}", removed.error().message);
  co_return !awaited;
}

}  // namespace strake::extension

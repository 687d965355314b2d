#include "aggregator/services/local_services.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "api/controllers/controller.h"
#include "api/controllers/namespace_controller.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "base/log.h"
#include "kinds/fields.h"
#include "value/document.h"
#include "value/fields.h"

namespace strake::aggregator {
namespace {

using value::Document;
using value::text_of;
using value::Value;

constexpr std::string_view kGroup = "apiregistration.k8s.io";
constexpr std::string_view kPlural = "apiservices";
constexpr std::string_view kAtStart = "onstart";
constexpr std::string_view kAlways = "true";
// Writes at a time: they share commits.
constexpr std::size_t kAtOnce = 16;
constexpr std::chrono::seconds kTryAgain{1};

}  // namespace

LocalApiServices::WantedByName LocalApiServices::wanted_now(
    const api::Registry::Snapshot& snapshot) {
  WantedByName out;
  for (const auto& [group, endpoints] : snapshot.groups) {
    // This group is always there, and always first.
    if (group == kGroup) continue;
    for (const auto& [plural, endpoint] : endpoints) {
      const kinds::Resource& resource = endpoint->resource();
      for (const kinds::ServedVersion& version : resource.versions) {
        if (!version.served) continue;
        Wanted& wanted = out[fmt::format("{}.{}", version.name, group)];
        wanted = {.group = group,
                  .version = version.name,
                  .group_priority = std::max(wanted.group_priority, resource.group_priority),
                  .version_priority = std::max(wanted.version_priority, resource.version_priority),
                  .at_start_only = wanted.at_start_only || resource.definition == nullptr};
      }
    }
  }
  return out;
}

async::Task<> LocalApiServices::start(api::Core& core) {
  core_ = &core;
  executor_ = co_await boost::asio::this_coro::executor;
  signal_ = std::make_shared<async::Signal>(executor_);
  follower_ =
      std::make_unique<api::InformerBase::Follower>(services_.changes(), executor_, signal_);
  core.registry.tell([this, signal = signal_] {
    if (stopped_) return;
    boost::asio::post(executor_, [signal] { signal->notify(); });
  });
  for (const api::InformerBase::Note& note : follower_->take().notes)
    at_start_.insert(note.key.substr(note.key.rfind('/') + 1));
  const api::Registry::SnapshotPtr snapshot = core.registry.snapshot();
  generation_ = snapshot->generation;
  wanted_ = wanted_now(*snapshot);
  std::set<std::string> names(at_start_.begin(), at_start_.end());
  for (const auto& [name, one] : wanted_) names.insert(name);
  co_await settle_all(std::move(names));
  boost::asio::co_spawn(executor_, run(), boost::asio::detached);
  co_return Result<>();
}

async::Task<> LocalApiServices::stop() {
  stopped_ = true;
  if (core_ != nullptr) {
    core_->registry.tell({});
    boost::asio::post(executor_, [signal = signal_] { signal->notify(); });
  }
  static_cast<void>(co_await running_.close());
  follower_.reset();
  co_return Result<>();
}

boost::asio::awaitable<void> LocalApiServices::run() {
  const async::Gate::Pass pass = running_.enter();
  while (pass && !stopped_) {
    std::set<std::string> names = std::exchange(again_, {});
    for (const api::InformerBase::Note& note : follower_->take().notes)
      names.insert(note.key.substr(note.key.rfind('/') + 1));
    const api::Registry::SnapshotPtr snapshot = core_->registry.snapshot();
    if (snapshot->generation != generation_) {
      generation_ = snapshot->generation;
      WantedByName now = wanted_now(*snapshot);
      for (const auto& [name, one] : now) {
        const auto before = wanted_.find(name);
        if (before == wanted_.end() || before->second != one) names.insert(name);
      }
      for (const auto& [name, one] : wanted_) {
        if (!now.contains(name)) names.insert(name);
      }
      wanted_ = std::move(now);
    }
    co_await settle_all(std::move(names));
    const Deadline until = again_.empty() ? Deadline::never() : Deadline::after(kTryAgain);
    if (!co_await signal_->wait(until)) co_return;
  }
}

boost::asio::awaitable<void> LocalApiServices::settle_all(std::set<std::string> names) {
  const std::vector<std::string> all(names.begin(), names.end());
  co_await async::for_each_concurrently(all.size(), kAtOnce,
                                        [&](std::size_t i) { return settle(all[i]); });
}

boost::asio::awaitable<void> LocalApiServices::settle(std::string name) {
  if (co_await bring_about(name)) {
    settled_.insert(std::move(name));
  } else {
    again_.insert(std::move(name));
  }
}

// As the table at checkAPIService in kube-aggregator 1.36 has it.
boost::asio::awaitable<bool> LocalApiServices::bring_about(std::string name) {
  const api::EndpointPtr endpoint = core_->registry.find(kGroup, kPlural);
  if (!endpoint) co_return false;
  const auto wanted = wanted_.find(name);
  const bool is_wanted = wanted != wanted_.end();
  const bool settled = settled_.contains(name);
  const api::ObjectPtr current = endpoint->cache().get(endpoint->key("", name));
  if (is_wanted && wanted->second.at_start_only && settled) co_return true;
  if (!current) {
    if (!is_wanted) co_return true;
    co_return co_await create(name, Wanted(wanted->second));
  }
  Result<Document> document = api::parse_stored(*current->bytes());
  if (!document) co_return true;
  const std::string_view managed =
      text_of(document->root().get("metadata").get("labels"), kAutomanaged);
  if (managed != kAtStart && managed != kAlways) co_return true;
  if (managed == kAtStart && (settled || !at_start_.contains(name))) co_return true;
  api::Call call = api::internal_call(*core_, endpoint, "", name);
  if (!is_wanted) {
    const auto removed = co_await api::remove_object(
        *core_, call, name, {.uid = std::string(text_of(document->root().get("metadata"), "uid"))});
    // Another one of that name, or none: whoever made it so has told of it.
    co_return removed || removed.error().reason == "NotFound" ||
        removed.error().reason == "Conflict";
  }
  const Wanted right = wanted->second;
  const auto apply = [&right](Document& to) {
    Arena& arena = to.arena();
    Value spec = Value::object({});
    if (!right.group.empty()) spec.set("group", Value::string(arena.copy(right.group)), arena);
    spec.set("groupPriorityMinimum", Value::integer(right.group_priority), arena);
    spec.set("version", Value::string(arena.copy(right.version)), arena);
    spec.set("versionPriority", Value::integer(right.version_priority), arena);
    to.root().set("spec", spec, arena);
  };
  const Value& spec = document->root().get("spec");
  const bool matches =
      kinds::member(spec, "service") == nullptr && kinds::member(spec, "caBundle") == nullptr &&
      !value::flag_of(spec, "insecureSkipTLSVerify") && text_of(spec, "group") == right.group &&
      text_of(spec, "version") == right.version &&
      kinds::integer(spec, "groupPriorityMinimum") == right.group_priority &&
      kinds::integer(spec, "versionPriority") == right.version_priority;
  if (matches) co_return true;
  const auto written = co_await api::edit_object(
      *core_, call, {.subresource = {}, .manager = "kube-apiserver", .apply = apply});
  co_return written || written.error().reason == "NotFound";
}

boost::asio::awaitable<bool> LocalApiServices::create(const std::string& name,
                                                      const Wanted& wanted) {
  const std::string group =
      wanted.group.empty() ? "" : fmt::format(R"("group":"{}",)", wanted.group);
  std::string json = fmt::format(
      R"({{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{{"name":"{}","labels":{{"{}":"{}"}}}},)"
      R"("spec":{{{}"groupPriorityMinimum":{},"version":"{}","versionPriority":{}}}}})",
      name, kAutomanaged, wanted.at_start_only ? kAtStart : kAlways, group, wanted.group_priority,
      wanted.version, wanted.version_priority);
  co_await api::ensure_object(*core_, std::string(kGroup), std::string(kPlural), "",
                              std::move(json));
  const api::EndpointPtr endpoint = core_->registry.find(kGroup, kPlural);
  co_return endpoint->cache().get(endpoint->key("", name)) != nullptr;
}

}  // namespace strake::aggregator

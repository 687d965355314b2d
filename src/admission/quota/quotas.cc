#include "admission/quota/quotas.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "admission/quota/count_names.h"
#include "api/controllers/controller.h"
#include "api/verbs/write.h"
#include "async/signal.h"
#include "base/log.h"
#include "meta/object_meta.h"
#include "value/fields.h"

// settle() judges what waits in a lane one after the other, each against the numbers with all
// before it charged, and then writes each quota once. If somebody else has written one of them
// meanwhile, nothing of that counts, and all of it is judged again on the new state.
//
// What is judged against is the larger of two numbers: what the status says, and what Usage counts,
// which has every object and every charge under way. The status may be too large (objects have been
// deleted since, requests have failed after they were charged), so nobody is refused by it: before
// that, the quota is counted anew, once for a batch. It is never too small.

namespace strake::admission {
namespace {

using api::Answer;
using meta::Status;
using value::Document;
using value::Value;

// Only others who write to the same quotas get in the way.
constexpr int kMostAttempts = 20;
constexpr std::chrono::milliseconds kCountAgain{200};

const Quantity& one_object() {
  static const Quantity one(1);
  return one;
}

// "count/a=1,count/b=2"
std::string show(const Amounts& amounts) {
  std::string out;
  for (const auto& [name, amount] : amounts)
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", name, amount.to_string());
  return out;
}

bool same_amounts(const Amounts& a, const Amounts& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.first == other.first && one.second == other.second;
  });
}

Quantity plus_one(const Quantity& amount) {
  Quantity out = amount;
  static_cast<void>(out.add(one_object()));
  return out;
}

}  // namespace

// How a quota stands, as it is to be written.
struct Quotas::Standing {
  std::shared_ptr<const QuotaFacts> facts;
  api::Revision revision = 0;  // of the quota that the facts are from
  Amounts used = {};           // for each of its limits
  bool exact = false;          // counted anew, not taken from what was written before

  bool differs() const {
    return !same_amounts(facts->limits, facts->told_limits) ||
           !same_amounts(used, facts->told_used);
  }
  // The limits that an object of these names is subject to.
  bool limits(const std::vector<std::string>& names) const {
    return !facts->scoped && std::ranges::any_of(names, [&](const std::string& name) {
      return facts->limits.contains(name);
    });
  }
};

struct Quotas::Batch {
  std::vector<Waiting> waiting = {};
  bool recount = false;
};

Quotas::Quotas(api::Hub& hub) : quotas_(hub), usage_(std::make_shared<Usage>(hub)) {}

Quotas::~Quotas() { usage_->end(); }

async::Task<> Quotas::start(api::Core& core) {
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  core_.store(&core, std::memory_order_release);
  usage_->on_drift([this, executor](std::set<std::string> namespaces) {
    // Not on the thread of the store.
    boost::asio::post(executor, [this, executor, namespaces = std::move(namespaces),
                                 pass = std::make_shared<async::Gate::Pass>(working_.enter())] {
      if (*pass) recount(executor, namespaces);
    });
  });
  std::set<std::string> namespaces;
  for (const api::ObjectPtr& quota :
       core.hub.cache(quotas_.prefixes().front()).list(quotas_.prefixes().front()).objects)
    namespaces.emplace(quota->namespace_name());
  recount(executor, namespaces);
  co_return Result<>();
}

async::Task<> Quotas::stop() {
  usage_->on_drift({});
  co_return co_await working_.close();
}

api::Eventual<> Quotas::admit(api::Call& call, const api::AdmissionRequest& request) const {
  const kinds::Resource& resource = call.resource();
  if (request.phase != api::AdmissionRequest::Phase::kValidating ||
      request.operation != api::AdmissionRequest::Operation::kCreate ||
      !request.subresource.empty() || !resource.namespaced || !resource.stored()) {
    return Answer<>();
  }
  const std::string& where = call.info.namespace_name;
  if (core_.load(std::memory_order_acquire) == nullptr ||
      !quotas_.view().has(QuotaInformer::kByNamespace, where)) {
    return Answer<>();
  }
  const meta::GroupResource counted = resource.group_resource();
  if (!is_counted(counted)) return Answer<>();
  std::vector<std::string> names = count_names_of(counted);
  if (!limits(where, names)) return Answer<>();
  std::string key = call.endpoint->key(where, request.name);
  // A generated name was taken: the next one is tried for the same charge.
  for (const std::unique_ptr<api::Held>& one : call.held) {
    auto* charge = dynamic_cast<Usage::Charge*>(one.get());
    if (charge != nullptr && charge->move_to(key)) return Answer<>();
  }
  return charge(call, {.names = std::move(names),
                       .cache = &call.endpoint->cache(),
                       .key = std::move(key),
                       .resource = counted,
                       .name = std::string(request.name),
                       .dry_run = request.dry_run});
}

bool Quotas::limits(std::string_view namespace_name, const std::vector<std::string>& names) const {
  bool found = false;
  quotas_.view().for_each(QuotaInformer::kByNamespace, namespace_name, [&](const auto& quota) {
    found = found || Standing{.facts = quota.share()}.limits(names);
  });
  return found;
}

api::AnswerTask<> Quotas::charge(api::Call& call, Waiting request) const {
  const std::string where = call.info.namespace_name;
  async::OneShot<Outcome> done = request.done;
  {
    const std::lock_guard lock(mu_);
    lanes_[where].waiting.push_back(std::move(request));
  }
  run(co_await boost::asio::this_coro::executor, where);
  Result<Outcome> outcome = co_await done.wait();
  if (!outcome) co_return api::refuse(Status::from_error(outcome.error()));
  if (outcome->charge) call.held.push_back(std::move(outcome->charge));
  co_return std::move(outcome->answer);
}

void Quotas::recount(const async::Executor& executor,
                     const std::set<std::string>& namespaces) const {
  for (const std::string& one : namespaces) {
    {
      const std::lock_guard lock(mu_);
      lanes_[one].recount = true;
    }
    run(executor, one);
  }
}

void Quotas::run(const async::Executor& executor, const std::string& namespace_name) const {
  {
    const std::lock_guard lock(mu_);
    Lane& lane = lanes_[namespace_name];
    if (std::exchange(lane.running, true)) return;
  }
  boost::asio::co_spawn(executor, work(namespace_name), boost::asio::detached);
}

boost::asio::awaitable<void> Quotas::work(std::string namespace_name) const {
  const async::Gate::Pass pass = working_.enter();
  while (true) {
    Batch batch;
    {
      const std::lock_guard lock(mu_);
      Lane& lane = lanes_[namespace_name];
      batch.waiting.swap(lane.waiting);
      batch.recount = std::exchange(lane.recount, false);
      if (batch.waiting.empty() && (!batch.recount || !pass)) {
        lanes_.erase(namespace_name);
        co_return;
      }
    }
    if (!pass) {
      for (Waiting& one : batch.waiting)
        one.done.set(Outcome{.answer = api::refuse(api::Call::cancelled())});
      continue;
    }
    if (co_await settle(namespace_name, batch)) continue;
    // The store could not be written: the status is put right when it can be again.
    static_cast<void>(co_await async::sleep_for(kCountAgain));
    if (working_.closed()) continue;
    const std::lock_guard lock(mu_);
    lanes_[namespace_name].recount = true;
  }
}

boost::asio::awaitable<bool> Quotas::settle(std::string namespace_name, Batch& batch) const {
  std::vector<Outcome> outcomes;
  Answer<> written;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    outcomes.clear();
    std::vector<Standing> quotas = standings(namespace_name);
    if (batch.recount || attempt > 0)
      std::ranges::for_each(quotas, [&](Standing& one) { count_anew(one); });
    bool charged = false;
    for (const Waiting& request : batch.waiting) {
      Outcome& outcome = outcomes.emplace_back(Outcome{.answer = judge(request, quotas)});
      if (!outcome.answer || request.dry_run) continue;
      charged = true;
      outcome.charge =
          std::make_unique<Usage::Charge>(usage_, namespace_name, *request.cache, request.key);
      for (Standing& one : quotas) {
        if (!one.limits(request.names)) continue;
        for (const std::string& name : request.names) {
          if (const auto used = one.used.find(name); used != one.used.end())
            used->second = plus_one(used->second);
        }
      }
    }
    written = Answer<>();
    for (const Standing& one : quotas) {
      if (one.differs() && written) written = co_await write(one, charged);
    }
    if (written || (written.error().reason != "Conflict" && written.error().reason != "NotFound"))
      break;
  }
  const bool done = written.has_value();
  for (std::size_t i = 0; i < batch.waiting.size(); ++i) {
    Outcome& outcome = outcomes[i];
    // What could not be written was not charged.
    if (!done && outcome.charge) {
      outcome.charge.reset();
      outcome.answer = api::refuse(written.error());
    }
    batch.waiting[i].done.set(std::move(outcome));
  }
  if (!done) {
    log::get("admission")
        .warn("the status of a quota could not be written",
              {{"namespace", namespace_name}, {"error", written.error().message}});
  }
  co_return done;
}

// As they were written, but never below what there is: the status may be old.
std::vector<Quotas::Standing> Quotas::standings(const std::string& namespace_name) const {
  std::vector<Standing> out;
  quotas_.view().for_each(QuotaInformer::kByNamespace, namespace_name, [&](const auto& quota) {
    out.push_back({.facts = quota.share(), .revision = quota.revision()});
  });
  for (Standing& one : out) {
    count_anew(one);
    one.exact = true;
    for (auto& [name, amount] : one.used) {
      const auto told = one.facts->told_used.find(name);
      if (told == one.facts->told_used.end() || told->second <= amount) continue;
      amount = told->second;
      one.exact = false;
    }
  }
  return out;
}

void Quotas::count_anew(Standing& standing) const {
  standing.used.clear();
  standing.exact = true;
  for (const auto& [name, unused] : standing.facts->limits) {
    if (standing.facts->scoped) {
      standing.used.emplace(name, Quantity());
    } else if (auto amount = used(standing.facts->namespace_name, name)) {
      standing.used.emplace(name, *std::move(amount));
    }
  }
}

// Nothing is served that uses cpu, memory and the like, or that stands behind a name that nobody
// knows.
std::optional<Quantity> Quotas::used(std::string_view namespace_name, std::string_view name) const {
  const std::optional<meta::GroupResource> resource = counted_resource(name);
  if (!resource) return Quantity();
  if (!is_counted(*resource)) return std::nullopt;
  const api::EndpointPtr endpoint =
      core_.load(std::memory_order_acquire)->registry.find(resource->group, resource->resource);
  if (!endpoint || !endpoint->resource().namespaced) return Quantity();
  return Quantity(usage_->count(namespace_name, endpoint->cache()));
}

Answer<> Quotas::judge(const Waiting& request, std::vector<Standing>& standings) const {
  for (Standing& quota : standings) {
    if (!quota.limits(request.names)) continue;
    const auto exceeded = [&] {
      std::vector<std::string> out;
      for (const std::string& name : request.names) {
        const auto limit = quota.facts->limits.find(name);
        if (limit == quota.facts->limits.end()) continue;
        if (plus_one(quota.used[name]) > limit->second) out.push_back(name);
      }
      return out;
    };
    std::vector<std::string> names = exceeded();
    // The status may tell of objects that are gone, or that never came to be.
    if (!names.empty() && !quota.exact) {
      count_anew(quota);
      names = exceeded();
    }
    if (names.empty()) continue;
    Amounts requested;
    Amounts used;
    Amounts limited;
    for (const std::string& name : names) {
      requested.emplace(name, one_object());
      used.emplace(name, quota.used[name]);
      limited.emplace(name, quota.facts->limits.at(name));
    }
    return api::refuse(Status::forbidden(
        request.resource, request.name,
        fmt::format("exceeded quota: {}, requested: {}, used: {}, limited: {}", quota.facts->name,
                    show(requested), show(used), show(limited))));
  }
  return {};
}

api::AnswerTask<> Quotas::write(const Standing& standing, bool charged) const {
  api::Core& core = *core_.load(std::memory_order_acquire);
  const QuotaFacts& facts = *standing.facts;
  const api::EndpointPtr endpoint = core.registry.find("", "resourcequotas");
  if (!endpoint) co_return api::refuse(Status::internal_error("quotas are not served"));
  api::Call call = api::internal_call(core, endpoint, facts.namespace_name, facts.name);
  api::UpdatePlan plan;
  plan.name = facts.name;
  plan.subresource = "status";
  plan.is_patch = true;
  // Who writes it in Kubernetes 1.36: admission charges, the controller counts.
  plan.manager_override = charged ? "kube-apiserver" : "kube-controller-manager";
  plan.make = [&](const Value& current) -> Answer<Document> {
    // Somebody else has changed it: it is judged anew.
    if (meta::ObjectMeta::of(current).resource_version() != fmt::format("{}", standing.revision))
      return api::refuse(Status::modified(call.group_resource(), facts.name));
    Document document;
    Arena& arena = document.arena();
    document.root() = value::deep_copy(current, arena);
    Value status = Value::object({});
    const Value& hard = document.root().get("spec").get("hard");
    status.set("hard", hard.is_object() ? value::deep_copy(hard, arena) : Value::object({}), arena);
    Value& used = status.set("used", Value::object({}), arena);
    for (const auto& [name, amount] : standing.used)
      used.set(arena.copy(name), Value::string(arena.copy(amount.to_string())), arena);
    document.root().set("status", status, arena);
    return document;
  };
  const auto written = co_await api::update_object(core, call, std::move(plan));
  if (!written) co_return api::refuse(written.error());
  co_return Answer<>();
}

}  // namespace strake::admission

#include "admission/quota/quotas.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "admission/quota/count_names.h"
#include "admission/quota/quota_status.h"
#include "api/request/options.h"
#include "base/log.h"
#include "meta/object_meta.h"

// settle() judges what waits in a lane one after the other, each against the numbers with all
// before it charged, and then writes each quota once. If somebody else has written one of them
// meanwhile, nothing of that counts, and all of it is judged again on the new state.
//
// What is judged against is the larger of two numbers: what the status says, and what is counted
// here, which has every object and every charge under way. The status may be too large (objects
// have been deleted since, requests have failed after they were charged), so nobody is refused by
// it: before that, the quota is counted anew, once for a batch. It is never too small.

namespace strake::admission {
namespace {

using api::AdmissionRequest;
using api::Answer;
using meta::Status;

// Only others who write to the same quotas get in the way.
constexpr int kMostAttempts = 20;
constexpr std::chrono::milliseconds kCountAgain{200};

// Where nobody counts: a new object that has been charged, whatever name it gets.
struct ChargedOnce final : api::Held {
  explicit ChargedOnce(const api::ResourceCache& of) : cache(of) {}
  const api::ResourceCache& cache;
};

void count_anew(Standing& standing, const NamespaceUsage* usage) {
  standing.exact = true;
  if (usage == nullptr) {
    standing.used = standing.facts->told_used;
    return;
  }
  standing.used.clear();
  for (const auto& [name, limit] : standing.facts->limits) {
    if (auto amount = usage->used(name, standing.facts->scopes))
      standing.used.emplace(name, *std::move(amount));
  }
}

// As it was written, but never below what there is: the status may be old.
void count_at_least(Standing& standing, const NamespaceUsage* usage) {
  count_anew(standing, usage);
  for (auto& [name, amount] : standing.used) {
    const auto told = standing.facts->told_used.find(name);
    if (told == standing.facts->told_used.end() || told->second <= amount) continue;
    amount = told->second;
    standing.exact = false;
  }
}

// An earlier attempt of the same request has been charged for the same object.
bool is_charged_already(const api::Call& call, const Demand& demand) {
  return std::ranges::any_of(call.held, [&](const std::unique_ptr<api::Held>& one) {
    if (auto* charge = dynamic_cast<Usage::Charge*>(one.get()))
      return charge->move_to(*demand.cache, demand.key);
    const auto* once = dynamic_cast<const ChargedOnce*>(one.get());
    return once != nullptr && &once->cache == demand.cache;
  });
}

}  // namespace

struct Quotas::Batch {
  std::vector<Waiting> waiting = {};
  bool recount = false;
  std::vector<Outcome> outcomes = {};  // of what waits
  bool charged = false;

  // Judges all that waits, and adds what is let in.
  void judge(std::vector<Standing>& quotas, NamespaceUsage* usage);
  // Whether that is not done at once.
  bool is_large() const {
    std::size_t bytes = 0;
    for (const Waiting& one : waiting) bytes += one.demand.bytes;
    return bytes > api::kDoneAtOnce;
  }
};

Quotas::Quotas(api::Hub& hub, const api::EnabledControllers& controllers)
    : keeps_status_(controllers.has(api::kResourceQuota)),
      quotas_(hub),
      usage_(keeps_status_ ? std::make_shared<Usage>(hub) : nullptr) {}

Quotas::~Quotas() {
  if (usage_) usage_->end();
}

async::Task<> Quotas::start(api::Core& core) {
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  if (keeps_status_) {
    due_times_ = std::make_unique<DueTimes>(
        executor, core.clock,
        [this, executor](std::set<std::string> namespaces) { recount(executor, namespaces); });
  }
  core_.store(&core, std::memory_order_release);
  if (!keeps_status_) co_return Result<>();
  boost::asio::co_spawn(
      executor,
      [](Quotas& self) -> boost::asio::awaitable<void> {
        const async::Gate::Pass pass = self.working_.enter();
        if (pass) co_await self.due_times_->run();
      }(*this),
      boost::asio::detached);
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
  if (usage_) usage_->on_drift({});
  if (due_times_) due_times_->stop();
  co_return co_await working_.close();
}

api::Eventual<> Quotas::admit(api::Call& call, const AdmissionRequest& request) const {
  Demand demand;
  if (!read_demand(call, request, demand)) return Answer<>();
  if (request.operation == AdmissionRequest::Operation::kUpdate) {
    // What an earlier attempt was charged was for a change of what is not there any more.
    std::erase_if(call.held, [](const std::unique_ptr<api::Held>& one) {
      return dynamic_cast<const Usage::Charge*>(one.get()) != nullptr;
    });
  } else if (is_charged_already(call, demand)) {
    return Answer<>();
  }
  return charge(call, std::move(demand));
}

bool Quotas::read_demand(const api::Call& call, const AdmissionRequest& request,
                         Demand& demand) const {
  const kinds::Resource& resource = call.resource();
  const bool creates = request.operation == AdmissionRequest::Operation::kCreate;
  if (request.phase != AdmissionRequest::Phase::kValidating || request.object == nullptr ||
      !resource.namespaced || !resource.stored() ||
      (!creates && request.operation != AdmissionRequest::Operation::kUpdate)) {
    return false;
  }
  const std::string& where = call.info.namespace_name;
  if (core_.load(std::memory_order_acquire) == nullptr ||
      !quotas_.view().has(QuotaInformer::kByNamespace, where)) {
    return false;
  }
  demand.resource = resource.group_resource();
  if (!is_counted(demand.resource)) return false;
  demand.object = &request.object->root();
  demand.old = creates ? nullptr : request.old;
  demand.evaluator = kinds::find_quota_evaluator(demand.resource);
  if (demand.evaluator != nullptr) {
    if (!demand.evaluator->handles(request.subresource, *demand.object, demand.old)) return false;
  } else {
    if (!creates || !request.subresource.empty()) return false;
    demand.count_names = count_names_of(demand.resource);
  }
  if (!is_limited(where, demand)) return false;
  demand.name = request.name;
  demand.cache = &call.endpoint->cache();
  demand.key = call.endpoint->key(where, request.name);
  demand.bytes = call.request.body.size();
  demand.now = call.now;
  demand.dry_run = request.dry_run;
  demand.may_exceed = request.subresource == "status";
  if (demand.old != nullptr) {
    const auto base =
        api::parse_resource_version(meta::ObjectMeta::of(*demand.old).resource_version());
    demand.base = base ? *base : 0;
    if (const api::ObjectPtr current = demand.cache->get(demand.key))
      demand.bytes = std::max(demand.bytes, current->bytes()->size());
  }
  return true;
}

bool Quotas::is_limited(std::string_view namespace_name, const Demand& demand) const {
  return quotas_.view().any_of(QuotaInformer::kByNamespace, namespace_name, [&](const auto& quota) {
    return quota && demand.counts_any(keeps_status_ ? quota->limits : quota->told_limits);
  });
}

api::AnswerTask<> Quotas::charge(api::Call& call, Demand demand) const {
  const std::string where = call.info.namespace_name;
  Waiting request{.demand = std::move(demand)};
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
    if (!keeps_status_) continue;
    // The store could not be written: the status is put right when it can be again.
    static_cast<void>(co_await async::sleep_for(kCountAgain));
    if (working_.closed()) continue;
    const std::lock_guard lock(mu_);
    lanes_[namespace_name].recount = true;
  }
}

boost::asio::awaitable<bool> Quotas::settle(std::string namespace_name, Batch& batch) const {
  Answer<> written;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    written = co_await judge_and_write(namespace_name, batch, batch.recount || attempt > 0);
    if (written || (written.error().reason != "Conflict" && written.error().reason != "NotFound"))
      break;
  }
  const bool done = written.has_value();
  batch.outcomes.resize(batch.waiting.size());
  for (std::size_t i = 0; i < batch.waiting.size(); ++i) {
    Outcome& outcome = batch.outcomes[i];
    // What could not be written was not charged.
    if (!done && outcome.answer) outcome = {.answer = api::refuse(written.error())};
    batch.waiting[i].done.set(std::move(outcome));
  }
  if (!done) {
    log::get("admission")
        .warn("the status of a quota could not be written",
              {{"namespace", namespace_name}, {"error", written.error().message}});
  }
  co_return done;
}

api::AnswerTask<> Quotas::judge_and_write(std::string namespace_name, Batch& batch,
                                          bool anew) const {
  api::Core& core = *core_.load(std::memory_order_acquire);
  batch.outcomes.clear();
  batch.charged = false;
  std::vector<Standing> quotas = standings(namespace_name);
  auto usage = co_await usage_of(namespace_name, quotas);
  if (!usage) co_return api::refuse(Status::from_error(usage.error()));
  const auto judge_it = [&] {
    for (Standing& one : quotas) (anew ? count_anew : count_at_least)(one, *usage);
    batch.judge(quotas, *usage);
    return Result<>();
  };
  if (batch.is_large()) {
    static_cast<void>(co_await core.workers.run(judge_it));
  } else {
    static_cast<void>(judge_it());
  }
  for (const Standing& one : quotas) {
    if (one.differs()) STRAKE_CO_CHECK(co_await write_status(core, one, batch.charged));
  }
  co_return Answer<>();
}

void Quotas::Batch::judge(std::vector<Standing>& quotas, NamespaceUsage* usage) {
  for (const Waiting& request : waiting) {
    const Demand& demand = request.demand;
    Outcome& outcome = outcomes.emplace_back();
    const auto charges = admission::judge(demand, Needs(demand), quotas,
                                          [&](Standing& one) { count_anew(one, usage); });
    if (!charges) {
      outcome.answer = api::refuse(charges.error());
      continue;
    }
    if (demand.dry_run || std::ranges::all_of(*charges, &Amounts::empty)) continue;
    if (usage != nullptr) {
      outcome.charge = usage->charge(demand);
      // It will conflict, and be judged again on what it finds then.
      if (!outcome.charge) continue;
    } else if (demand.old == nullptr) {
      outcome.charge = std::make_unique<ChargedOnce>(*demand.cache);
    }
    charged = true;
    for (std::size_t i = 0; i < quotas.size(); ++i) quotas[i].add((*charges)[i]);
  }
}

std::vector<Standing> Quotas::standings(const std::string& namespace_name) const {
  std::vector<Standing> out;
  quotas_.view().for_each(QuotaInformer::kByNamespace, namespace_name, [&](const auto& quota) {
    out.push_back({.facts = quota.share(), .revision = quota.revision(), .kept = keeps_status_});
  });
  return out;
}

async::Task<NamespaceUsage*> Quotas::usage_of(std::string namespace_name,
                                              const std::vector<Standing>& quotas) const {
  if (!keeps_status_) co_return nullptr;
  std::unique_ptr<NamespaceUsage> gone;
  NamespaceUsage* usage = nullptr;
  {
    const std::lock_guard lock(mu_);
    std::unique_ptr<NamespaceUsage>& own = usages_[namespace_name];
    if (quotas.empty()) {
      gone = std::move(own);
      usages_.erase(namespace_name);
    } else if (!own) {
      own = std::make_unique<NamespaceUsage>(*core_.load(std::memory_order_acquire), usage_,
                                             namespace_name);
    }
    if (!quotas.empty()) usage = own.get();
  }
  if (usage != nullptr) {
    std::vector<std::shared_ptr<const QuotaFacts>> facts;
    for (const Standing& one : quotas) facts.push_back(one.facts);
    STRAKE_CO_CHECK(co_await usage->refresh(std::move(facts)));
  }
  due_times_->set(namespace_name, usage != nullptr ? usage->next_change() : std::nullopt);
  co_return usage;
}

}  // namespace strake::admission

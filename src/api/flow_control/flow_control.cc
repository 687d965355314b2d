#include "api/flow_control/flow_control.h"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cmath>
#include <optional>

#include "api/fairness/list_seats.h"
#include "api/flow_control/flow_ticket.h"
#include "api/request/request_selectors.h"
#include "async/cancellable.h"
#include "base/hash.h"
#include "kinds/flow_control.h"

namespace strake::api {
namespace {

constexpr std::chrono::seconds kAdjustEvery{10};
constexpr std::chrono::minutes kLongestWait{1};

std::atomic<std::uint64_t>& generations() {
  static std::atomic<std::uint64_t>& count = *new std::atomic<std::uint64_t>(0);
  return count;
}

// Where there are few seats for many levels, one may be told to lend all of its own. Who comes to
// it then would wait until the seats are divided anew, although nobody has any.
int at_least_one(const FlowLevel& level, int seats) {
  return level.range.nominal > 0 ? std::max(seats, 1) : seats;
}

bool asks_for_one_name(const RequestInfo& info) {
  if (!info.name.empty()) return true;
  if (!info.selectors) return false;
  return std::ranges::any_of(info.selectors->fields, [](const auto& one) {
    return one.field == "metadata.name" && one.equal;
  });
}

}  // namespace

FlowCounts& FlowLevel::counts_of(std::string_view schema) {
  const auto found = counts.find(schema);
  if (found != counts.end()) return *found->second;
  return *counts.emplace(std::string(schema), std::make_unique<FlowCounts>()).first->second;
}

// Its owner may be gone when it wakes.
struct FlowControl::Timer {
  Timer(const async::Executor& executor, FlowControl* owner) : timer(executor), flow(owner) {}
  boost::asio::steady_timer timer;  // touched on its executor alone
  std::mutex mu;
  FlowControl* flow;  // guarded by mu; null when it is to stop
};

// What a thread has found out about the configuration, until that changes: most requests are of
// users that were there just before.
struct FlowControl::Seen {
  struct Rule {
    const FlowEntry* entry;
    const FlowRule* rule;
  };
  struct OfUser {
    UserPtr user;             // whoever has its name and groups
    std::vector<Rule> rules;  // that are about the user
  };
  std::shared_ptr<const FlowSnapshot> snapshot;
  std::array<OfUser, 8> users;
  std::size_t next = 0;

  static Seen& here() {
    thread_local Seen seen;
    return seen;
  }
  void take(std::shared_ptr<const FlowSnapshot> of) {
    snapshot = std::move(of);
    for (OfUser& one : users) one = {};
  }
  const std::vector<Rule>& rules_of(const UserPtr& user) {
    for (const OfUser& one : users) {
      if (one.user == user ||
          (one.user && one.user->name == user->name && one.user->groups == user->groups)) {
        return one.rules;
      }
    }
    OfUser& place = users[next++ % users.size()];
    place.user = user;
    place.rules.clear();
    for (const FlowEntry& entry : snapshot->entries) {
      for (const FlowRule& rule : entry.schema->rules) {
        if (rule.is_about(*user)) place.rules.push_back({&entry, &rule});
      }
    }
    return place.rules;
  }
};

FlowControl::FlowControl(FlowInformer& informer, const Registry& registry, const Clock& clock,
                         Deadlines& deadlines, int seats, std::chrono::seconds request_timeout)
    : informer_(informer),
      registry_(registry),
      clock_(clock),
      deadlines_(deadlines),
      seats_(seats),
      request_timeout_(request_timeout) {}

FlowControl::~FlowControl() { stop(); }

void FlowControl::start(const async::Executor& executor) {
  const auto timer = std::make_shared<Timer>(executor, this);
  {
    const std::lock_guard lock(mu_);
    timer_ = timer;
  }
  boost::asio::post(executor, [timer] { arm(timer); });
}

void FlowControl::stop() {
  std::shared_ptr<Timer> timer;
  {
    const std::lock_guard lock(mu_);
    timer = std::exchange(timer_, nullptr);
  }
  if (!timer) return;
  {
    const std::lock_guard lock(timer->mu);
    timer->flow = nullptr;
  }
  boost::asio::post(timer->timer.get_executor(), [timer] { timer->timer.cancel(); });
}

void FlowControl::arm(const std::shared_ptr<Timer>& timer) {
  {
    const std::lock_guard lock(timer->mu);
    if (timer->flow == nullptr) return;
  }
  timer->timer.expires_after(kAdjustEvery);
  timer->timer.async_wait([timer](const boost::system::error_code& error) {
    if (error) return;
    {
      const std::lock_guard lock(timer->mu);
      if (timer->flow == nullptr) return;
      timer->flow->adjust();
    }
    arm(timer);
  });
}

void FlowControl::adjust() {
  const std::lock_guard lock(mu_);
  const auto is_gone = [](const auto& one) {
    const std::lock_guard of_level(one.second->mu);
    return one.second->quiescing && one.second->queues.idle();
  };
  if (std::ranges::any_of(levels_, is_gone)) {
    rebuild();
  } else if (snapshot_) {
    divide(clock_.steady_now());
  }
}

const std::shared_ptr<const FlowSnapshot>& FlowControl::current() {
  Seen& seen = Seen::here();
  const Revision changed = informer_.changed();
  if (seen.snapshot && seen.snapshot->generation == generation_.load(std::memory_order_acquire) &&
      seen.snapshot->revision >= changed) {
    return seen.snapshot;
  }
  const std::lock_guard lock(mu_);
  if (!snapshot_ || snapshot_->revision < changed) rebuild();
  seen.take(snapshot_);
  return seen.snapshot;
}

const FlowEntry& FlowControl::classify(const Call& call) {
  const FlowSnapshot& snapshot = *current();
  for (const Seen::Rule& one : Seen::here().rules_of(call.user)) {
    if (one.rule->is_about(call.info)) return *one.entry;
  }
  return snapshot.entries[snapshot.otherwise];
}

// As kube-apiserver 1.36 estimates: what lists costs by what it loads, all else one seat.
int FlowControl::seats_of(const Call& call, const FlowEntry& entry) const {
  const RequestInfo& info = call.info;
  const bool is_watch = info.verb == "watch";
  if (!info.is_resource || (info.verb != "list" && !is_watch)) return 1;
  const auto has = [&](std::string_view name) {
    const auto found = call.query.get(name);
    return found && !found->empty();
  };
  if (is_watch) {
    const auto initial = call.query.get("sendInitialEvents");
    if (!initial || (*initial != "true" && *initial != "1")) return 1;
  }
  const EndpointPtr endpoint = registry_.find(info.group, info.resource);
  if (!endpoint) return 1;  // nobody's, or another server's
  ListWork work{.single = asks_for_one_name(info),
                .selective = has("labelSelector") || has("fieldSelector"),
                .objects = static_cast<std::int64_t>(endpoint->cache().size()),
                .bytes = static_cast<std::int64_t>(endpoint->cache().bytes())};
  if (const auto limit = call.query.get("limit")) {
    for (const char digit : *limit) {
      if (digit < '0' || digit > '9' || work.limit > work.objects) break;
      work.limit = work.limit * 10 + (digit - '0');
    }
  }
  if (!is_watch) {
    const auto match = call.query.get("resourceVersionMatch");
    work.from_cache = !has("continue") && !(match && *match == "Exact");
  }
  return list_seats(work, entry.level->most_seats.load(std::memory_order_relaxed));
}

FlowControl::Entry FlowControl::enter(Call& call) {
  const FlowEntry& entry = classify(call);
  const std::string_view flow = entry.schema->flow_of(*call.user, call.info);
  auto made = std::make_unique<Ticket>(Seen::here().snapshot, entry, call, seats_of(call, entry),
                                       hash64(flow, entry.seed), clock_);
  Ticket& ticket = *made;
  call.seat = std::move(made);
  switch (ticket.start()) {
    case FairQueues::Verdict::kExecutes: return Entry::kGoesOn;
    case FairQueues::Verdict::kWaits: return Entry::kWaits;
    default: return Entry::kRefused;
  }
}

// A quarter of the time that it has, as in kube-apiserver 1.36: who waits longer would not be done
// in time.
std::chrono::nanoseconds FlowControl::longest_wait(const Call& call) const {
  const std::chrono::nanoseconds all = call.time ? call.time->limit.time : request_timeout_;
  return std::min<std::chrono::nanoseconds>(all / 4, kLongestWait);
}

boost::asio::awaitable<bool> FlowControl::wait(Call& call) {
  Ticket& ticket = Ticket::of(call);
  CancelSource ending(call.request.cancel);
  const CancelRegistration stopping = call.stopping.on_cancel([&] { ending.cancel(); });
  const Deadlines::Entry time(deadlines_, Deadline::after(longest_wait(call), clock_), ending);
  const CancelRegistration ended = async::end_wait_when(ending.token(), ticket.has_seats());
  static_cast<void>(co_await ticket.has_seats().wait());
  co_return !ending.cancelled() ||
      !ticket.give_up(time.has_expired() ? FlowRefusal::kTimeOut : FlowRefusal::kCancelled);
}

void FlowControl::leave(Call& call) {
  if (call.seat) Ticket::of(call).release();
}

FlowControl::Told FlowControl::told(const Call& call) {
  const FlowEntry& entry = Ticket::of(call).entry();
  return {.schema_uid = entry.schema->uid, .level_uid = entry.level_uid};
}

std::int64_t FlowControl::retry_after(const Call& call) {
  FlowLevel& level = Ticket::of(call).level();
  const std::lock_guard lock(level.mu);
  return level.retry_after.seconds();
}

void FlowControl::rebuild() {
  auto next = std::make_shared<FlowSnapshot>();
  next->generation = ++generations();
  next->revision = informer_.changed();
  std::vector<std::shared_ptr<const FlowSchemaFacts>> schemas;
  std::map<std::string, PriorityLevelFacts> wanted;
  {
    const FlowInformer::View view = informer_.view();
    FlowInformer::for_each(view, [&](const FlowInformer::Known& known) {
      const std::shared_ptr<const FlowFacts> facts = known.share();
      if (const auto* schema = std::get_if<FlowSchemaFacts>(facts.get())) {
        schemas.emplace_back(facts, schema);
      } else {
        const auto& level = std::get<PriorityLevelFacts>(*facts);
        wanted.emplace(level.name, level);
      }
    });
  }
  // What is mandatory is in force even while it is not there.
  for (const kinds::DefaultFlowObject& one : kinds::default_flow_objects()) {
    if (!one.mandatory) continue;
    const value::Value& object = one.document.root();
    if (one.plural == "prioritylevelconfigurations") {
      wanted.try_emplace(std::string(one.name), read_priority_level(object));
    } else if (std::ranges::none_of(schemas, [&](const auto& s) { return s->name == one.name; })) {
      schemas.push_back(std::make_shared<const FlowSchemaFacts>(read_flow_schema(object)));
    }
  }
  set_levels(wanted);
  std::ranges::sort(schemas, [](const auto& a, const auto& b) {
    return std::tie(a->precedence, a->name) < std::tie(b->precedence, b->name);
  });
  for (const auto& schema : schemas) {
    const auto found = wanted.find(schema->level);
    if (found == wanted.end()) continue;
    FlowLevel& level = *levels_.at(schema->level);
    const std::lock_guard lock(level.mu);
    if (schema->name == kinds::kCatchAllName) next->otherwise = next->entries.size();
    next->entries.push_back({.schema = schema,
                             .level = &level,
                             .counts = &level.counts_of(schema->name),
                             .level_uid = found->second.uid,
                             .seed = hash64(schema->name)});
  }
  for (const auto& [name, level] : levels_) next->levels.push_back(level);
  snapshot_ = std::move(next);
  generation_.store(snapshot_->generation, std::memory_order_release);
}

// A level that is wanted no more stays, with its part of the seats, until its requests are done.
void FlowControl::set_levels(const std::map<std::string, PriorityLevelFacts>& wanted) {
  const SteadyTime now = clock_.steady_now();
  std::erase_if(levels_, [&](const auto& one) {
    if (wanted.contains(one.first)) return false;
    const std::lock_guard lock(one.second->mu);
    one.second->quiescing = true;
    return one.second->queues.idle();
  });
  std::vector<FlowLevel*> fresh;
  for (const auto& [name, facts] : wanted) {
    std::shared_ptr<FlowLevel>& level = levels_[name];
    if (!level) {
      level = std::make_shared<FlowLevel>(name, facts.settings, 0, now);
      fresh.push_back(level.get());
    }
    level->shares = facts.shares;
    level->settings = facts.settings;
    level->quiescing = false;
  }
  std::vector<LevelShares> shares;
  for (const auto& [name, level] : levels_) shares.push_back(level->shares);
  const std::vector<SeatRange> ranges = nominal_seats(seats_, shares);
  std::size_t at = 0;
  for (const auto& [name, level] : levels_) {
    level->range = ranges[at++];
    const bool has_queues = level->settings.mode == FairQueues::Mode::kQueue;
    level->most_seats =
        has_queues ? most_seats_of_request(level->range.nominal, level->settings.dealer.hand()) : 0;
  }
  for (FlowLevel* level : fresh)
    level->seats = at_least_one(
        *level, level->range.nominal - (level->range.nominal - level->range.lowest) / 2);
  divide(now);
}

// Each level claims what it wanted of late, or used to want; it keeps what it has used of its own,
// and lends no more than it is told to.
void FlowControl::divide(SteadyTime now) {
  std::vector<SeatClaim> claims;
  int all = 0;
  for (const auto& [name, level] : levels_) {
    {
      const std::lock_guard lock(level->mu);
      level->demand.add(level->queues.read_demand(now));
    }
    const double used = std::min<double>(level->range.nominal, level->demand.latest().highest);
    SeatClaim& claim = claims.emplace_back();
    claim.low = std::max<double>(level->range.lowest, used);
    claim.high = level->range.highest;
    claim.target = std::max(claim.low, level->demand.smoothed());
    all += level->range.nominal;
  }
  const std::optional<SeatDivision> division = divide_seats(all, claims);
  std::size_t at = 0;
  std::vector<async::OneShot<>> waiting;
  for (const auto& [name, level] : levels_) {
    level->target = claims[at].target;
    if (division)
      level->seats = at_least_one(*level, static_cast<int>(std::lround(division->seats[at])));
    ++at;
    const std::lock_guard lock(level->mu);
    FairQueues::Released released;
    level->queues.configure(level->settings, now, released);
    level->queues.set_seats(level->seats, now, released);
    for (async::OneShot<>& one : Ticket::begin(released)) waiting.push_back(std::move(one));
  }
  if (division) fair_fraction_ = division->fraction;
  Ticket::tell(std::move(waiting));
}

}  // namespace strake::api

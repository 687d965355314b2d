#include "api/request/stream_budget.h"

#include <algorithm>
#include <boost/asio/post.hpp>

// Counting takes no lock: every part of every stream is counted. Only a stream that finds no room
// takes it, to be entered as waiting, and whoever makes room, to find who waits. No wake-up is
// lost: a number falls below the limit in one step of one thread, which takes the lock afterwards.
// Whoever was entered before that is found; whoever is entered after that looks at the number once
// more under the lock, and sees it below the limit.

namespace strake::api {
namespace {

std::string user_key(std::string_view user) { return "user " + std::string(user); }

}  // namespace

struct StreamBudget::State : std::enable_shared_from_this<StreamBudget::State> {
  std::shared_ptr<Account> user;
  std::shared_ptr<Account> connection;
  std::uint64_t number = 0;  // older ones have smaller numbers
  async::Executor executor;
  async::Signal* look = nullptr;  // touched on the executor
  bool is_watch = false;
  std::atomic<std::size_t> held{0};
  std::atomic<bool> asked{false};
  std::chrono::steady_clock::time_point asked_at;  // written before `asked`
};

struct StreamBudget::Account {
  Account(std::string name, std::size_t most) : key(std::move(name)), limit(most) {}
  const std::string key;
  const std::size_t limit;
  std::atomic<std::size_t> held{0};
  std::map<std::uint64_t, State*> watches;  // guarded by mu_ of the budget
  std::map<std::uint64_t, State*> waiting;  // for room; guarded by mu_ of the budget
};

std::shared_ptr<StreamBudget::Account> StreamBudget::account(std::string key, std::size_t limit) {
  std::weak_ptr<Account>& known = accounts_[key];
  std::shared_ptr<Account> found = known.lock();
  if (!found) known = found = std::make_shared<Account>(std::move(key), limit);
  return found;
}

// Under mu_. Asks as many as are needed to get below the limit, and not more: those that were asked
// before may not have ended yet.
void StreamBudget::ask_oldest(Account& account) {
  const std::size_t held = account.held.load(std::memory_order_relaxed);
  std::size_t leaving = 0;
  for (const auto& [number, state] : account.watches) {
    if (held - std::min(held, leaving) < account.limit) return;
    const std::size_t holds = state->held.load(std::memory_order_relaxed);
    leaving += holds;
    if (holds > 0) ask(*state);
  }
}

void StreamBudget::ask(State& state) {
  if (state.asked.load(std::memory_order_relaxed)) return;
  state.asked_at = std::chrono::steady_clock::now();
  state.asked.store(true, std::memory_order_release);
  tell(state);
}

void StreamBudget::tell(State& state) {
  boost::asio::post(state.executor, [told = state.shared_from_this()] {
    if (told->look != nullptr) told->look->notify();
  });
}

void StreamBudget::change(Account& account, std::size_t more) {
  // Unsigned: a smaller claim wraps around to what is taken away.
  const std::size_t before = account.held.fetch_add(more, std::memory_order_relaxed);
  if (before < account.limit || before + more >= account.limit) return;
  const std::lock_guard lock(mu_);
  for (const auto& [number, state] : account.waiting) tell(*state);
  account.waiting.clear();
}

void StreamBudget::end_watches_of(std::string_view user) {
  const std::lock_guard lock(mu_);
  const auto found = accounts_.find(user_key(user));
  const std::shared_ptr<Account> account =
      found != accounts_.end() ? found->second.lock() : nullptr;
  if (!account) return;
  for (const auto& [number, state] : account->watches) ask(*state);
}

StreamBudget::Claim::Claim(StreamBudget& budget, std::string_view user, std::string_view connection,
                           Kind kind, const async::Executor& executor, async::Signal& look)
    : budget_(budget), state_(std::make_shared<State>()) {
  state_->executor = executor;
  state_->look = &look;
  state_->is_watch = kind == Kind::kWatch;
  const std::lock_guard lock(budget.mu_);
  state_->number = ++budget.opened_;
  state_->user = budget.account(user_key(user), budget.limits_.user);
  state_->connection =
      budget.account("connection " + std::string(connection), budget.limits_.connection);
  if (!state_->is_watch) return;
  state_->user->watches.emplace(state_->number, state_.get());
  state_->connection->watches.emplace(state_->number, state_.get());
}

StreamBudget::Claim::~Claim() {
  hold(0);
  state_->look = nullptr;
  const std::lock_guard lock(budget_.mu_);
  for (std::shared_ptr<Account>* account : {&state_->user, &state_->connection}) {
    (*account)->watches.erase(state_->number);
    (*account)->waiting.erase(state_->number);
    // Others may have grown since it was asked to end, and nobody who waits asks again by himself.
    if (!(*account)->waiting.empty()) budget_.ask_oldest(**account);
    // Nobody can take hold of it meanwhile: that needs the lock.
    if (account->use_count() == 1) budget_.accounts_.erase((*account)->key);
    account->reset();
  }
}

bool StreamBudget::Claim::has_room() {
  bool room = true;
  for (const std::shared_ptr<Account>* account : {&state_->user, &state_->connection}) {
    if ((*account)->held.load(std::memory_order_relaxed) < (*account)->limit) continue;
    const std::lock_guard lock(budget_.mu_);
    // Meanwhile there may be room, of which nobody will tell.
    (*account)->waiting.emplace(state_->number, state_.get());
    if ((*account)->held.load(std::memory_order_relaxed) < (*account)->limit) continue;
    budget_.ask_oldest(**account);
    room = false;
  }
  return room;
}

void StreamBudget::Claim::hold(std::size_t bytes) {
  const std::size_t before = state_->held.exchange(bytes, std::memory_order_relaxed);
  if (before == bytes) return;
  const std::size_t more = bytes - before;
  budget_.change(*state_->user, more);
  budget_.change(*state_->connection, more);
  budget_.total_.fetch_add(more, std::memory_order_relaxed);
}

bool StreamBudget::Claim::is_asked_to_end() const {
  return state_->asked.load(std::memory_order_acquire);
}

bool StreamBudget::Claim::is_overdue() const {
  return is_asked_to_end() && std::chrono::steady_clock::now() > state_->asked_at + kPatience;
}

}  // namespace strake::api

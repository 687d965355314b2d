#pragma once
// How much memory the streams of one user, and of one connection, may hold beyond what the caches
// hold anyway: events and parts of lists that their clients have not taken. Past that, the oldest
// watches that hold something are asked to end, and nobody makes more until there is room; whoever
// found none is told when there is. Safe from any thread, but for what is said of claims.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "async/signal.h"

namespace strake::api {

class StreamBudget {
  struct Account;
  struct State;

 public:
  struct Limits {
    std::size_t user = 64U << 20;
    std::size_t connection = 16U << 20;
  };
  StreamBudget() : StreamBudget(Limits()) {}
  explicit StreamBudget(Limits limits) : limits_(limits) {}

  // What one stream holds. Made, used and destroyed on the loop of its connection; the budget must
  // outlive it.
  class Claim {
   public:
    enum class Kind : std::uint8_t { kWatch, kList };  // a list cannot be asked to end
    // `look` is notified when there is room that there was not, and when the stream is asked to
    // end; it lives as long as the claim.
    Claim(StreamBudget& budget, std::string_view user, std::string_view connection, Kind kind,
          const async::Executor& executor, async::Signal& look);
    ~Claim();
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

    // Whether the stream may make its next part. When not, older watches have been asked to end,
    // and the signal comes once it is worth asking again: there may be none then either.
    bool has_room();
    void hold(std::size_t bytes);  // in place of what it held before
    bool is_asked_to_end() const;
    // It was asked to end long ago, and its client does not take what comes before the end.
    bool is_overdue() const;

   private:
    StreamBudget& budget_;
    std::shared_ptr<State> state_;
  };

  static constexpr std::chrono::seconds kPatience{5};

  // Asks all watches of the user to end: those that the user asked for, as whoever they act.
  void end_watches_of(std::string_view user);

  std::size_t held_bytes() const { return total_.load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<Account> account(std::string key, std::size_t limit);
  void ask_oldest(Account& account);
  static void ask(State& state);
  static void tell(State& state);
  // Changes what the account holds, and wakes who waits when that makes room.
  void change(Account& account, std::size_t more);

  const Limits limits_;
  std::atomic<std::size_t> total_{0};
  std::mutex mu_;
  std::uint64_t opened_ = 0;                                // guarded by mu_
  std::map<std::string, std::weak_ptr<Account>> accounts_;  // guarded by mu_
};

}  // namespace strake::api

#include "api/fairness/fair_queues.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>

#include "api/fairness/plain_queues.h"
#include "base/hash.h"

namespace strake::api {
namespace {

using std::chrono::milliseconds;
using testing::PlainQueues;
using Verdict = FairQueues::Verdict;
using State = FairQueues::Request::State;

constexpr SteadyTime kStart{std::chrono::seconds(1)};

FairQueues::Settings queued(int queues, int hand, int length) {
  return {.mode = FairQueues::Mode::kQueue, .dealer = Dealer(queues, hand), .length = length};
}

// Requests with names, in a world where each lasts as long as it says.
class World {
 public:
  World(FairQueues::Settings settings, int seats) : queues_(settings, seats, kStart) {}

  struct Asked {
    FairQueues::Request request;
    milliseconds lasts;
    std::string who;
  };
  Verdict ask(const std::string& who, milliseconds lasts, int seats = 1) {
    auto made = std::make_unique<Asked>(Asked{FairQueues::Request(seats, hash64(who)), lasts, who});
    Asked* asked = made.get();
    asked_.push_back(std::move(made));
    FairQueues::Released released;
    const Verdict verdict = queues_.start(asked->request, now_, released);
    if (verdict == Verdict::kExecutes) begin(*asked);
    begin_all(released);
    return verdict;
  }
  // Until the next request ends. False when nothing executes.
  bool step() {
    if (ends_.empty()) return false;
    const auto next = ends_.begin();
    now_ = next->first;
    Asked& asked = *next->second;
    ends_.erase(next);
    FairQueues::Released released;
    queues_.finish(asked.request, now_, released);
    ++done_[asked.who];
    last_done_ = asked.who;
    begin_all(released);
    return true;
  }
  void wait(milliseconds time) { now_ += time; }
  FairQueues& queues() { return queues_; }
  SteadyTime now() const { return now_; }
  int done(const std::string& who) { return done_[who]; }
  milliseconds given(const std::string& who) { return given_[who]; }  // seat x time begun
  const std::string& last_done() const { return last_done_; }
  std::vector<std::unique_ptr<Asked>>& asked() { return asked_; }

 private:
  void begin(Asked& asked) {
    ends_.emplace(now_ + asked.lasts, &asked);
    given_[asked.who] += asked.lasts * asked.request.seats();
  }
  void begin_all(const FairQueues::Released& released) {
    for (FairQueues::Request* request : released) {
      for (const auto& one : asked_) {
        if (&one->request == request) begin(*one);
      }
    }
  }
  FairQueues queues_;
  SteadyTime now_ = kStart;
  std::vector<std::unique_ptr<Asked>> asked_;
  std::multimap<SteadyTime, Asked*> ends_;
  std::map<std::string, int> done_;
  std::map<std::string, milliseconds> given_;
  std::string last_done_;
};

TEST(FairQueues, NobodyWaitsWhileThereAreSeats) {
  World world(queued(8, 2, 10), 3);
  EXPECT_EQ(world.ask("a", milliseconds(5)), Verdict::kExecutes);
  EXPECT_EQ(world.ask("a", milliseconds(5)), Verdict::kExecutes);
  EXPECT_EQ(world.ask("b", milliseconds(5)), Verdict::kExecutes);
  EXPECT_EQ(world.queues().seats_in_use(), 3);
  EXPECT_EQ(world.ask("b", milliseconds(5)), Verdict::kWaits);
  EXPECT_EQ(world.queues().waiting(), 1u);
  EXPECT_TRUE(world.step());
  EXPECT_EQ(world.queues().waiting(), 0u);
  EXPECT_EQ(world.queues().executing(), 3u);
}

TEST(FairQueues, RefusesWhenTheQueueIsFull) {
  World world(queued(1, 1, 2), 1);
  EXPECT_EQ(world.ask("a", milliseconds(5)), Verdict::kExecutes);
  EXPECT_EQ(world.ask("a", milliseconds(5)), Verdict::kWaits);
  EXPECT_EQ(world.ask("a", milliseconds(5)), Verdict::kWaits);
  EXPECT_EQ(world.ask("a", milliseconds(5)), Verdict::kQueueFull);
  EXPECT_EQ(world.asked().back()->request.state(), State::kDone);
  EXPECT_EQ(world.queues().waiting(), 2u);
}

TEST(FairQueues, WithoutQueuesRefusesWhatFindsNoSeats) {
  World world({.mode = FairQueues::Mode::kReject, .dealer = {}}, 2);
  EXPECT_EQ(world.ask("a", milliseconds(5)), Verdict::kExecutes);
  EXPECT_EQ(world.ask("a", milliseconds(5), 2), Verdict::kNoSeats);
  EXPECT_EQ(world.ask("b", milliseconds(5)), Verdict::kExecutes);
  EXPECT_EQ(world.ask("b", milliseconds(5)), Verdict::kNoSeats);
}

TEST(FairQueues, ExemptRequestsNeverWait) {
  World world({.mode = FairQueues::Mode::kExempt, .dealer = {}}, 0);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(world.ask("a", milliseconds(5), 7), Verdict::kExecutes);
  EXPECT_EQ(world.queues().seats_in_use(), 7000);
}

TEST(FairQueues, APoliteClientGoesNextBesideAFlood) {
  World world(queued(64, 4, 1000), 4);
  for (int i = 0; i < 500; ++i) world.ask("flood", milliseconds(100));
  for (int i = 0; i < 20; ++i) {
    world.step();
    world.ask("polite", milliseconds(100));
    // Its request begins with the next seats that are free, and not behind the flood. (Each queue
    // of the flood may go ahead once, while its first requests are thought to be short.)
    const FairQueues::Request& mine = world.asked().back()->request;
    for (int steps = 0; mine.state() == State::kWaits; ++steps) {
      ASSERT_LT(steps, 8) << i;
      world.step();
    }
    while (mine.state() == State::kExecutes) world.step();
  }
  EXPECT_EQ(world.done("polite"), 20);
}

TEST(FairQueues, SeatsAreSharedEvenlyHoweverManyRequestsSomebodyHas) {
  World world(queued(1024, 1, 100'000), 8);
  // Four of unequal appetite; all want more than there is.
  const std::map<std::string, std::pair<milliseconds, int>> clients = {
      {"short", {milliseconds(2), 1}},
      {"long", {milliseconds(50), 1}},
      {"wide", {milliseconds(10), 4}},
      {"flood", {milliseconds(10), 1}}};
  for (int i = 0; i < 4000; ++i) {
    for (const auto& [who, what] : clients) world.ask(who, what.first, what.second);
    for (int more = 0; more < 5; ++more) world.ask("flood", milliseconds(10));
  }
  while (world.now() < kStart + std::chrono::seconds(4)) ASSERT_TRUE(world.step());
  const double all = 4.0 * 8 * 1000;
  for (const auto& [who, what] : clients)
    EXPECT_NEAR(static_cast<double>(world.given(who).count()), all / 4, all * 0.03) << who;
}

TEST(FairQueues, WhoWasSilentHasSavedNothingUp) {
  World world(queued(1024, 1, 100'000), 1);
  for (int i = 0; i < 500; ++i) world.ask("busy", milliseconds(10));
  for (int i = 0; i < 100; ++i) world.step();
  for (int i = 0; i < 500; ++i) world.ask("late", milliseconds(10));
  const int before = world.done("busy");
  for (int i = 0; i < 200; ++i) world.step();
  EXPECT_NEAR(world.done("late"), 100, 2);
  EXPECT_NEAR(world.done("busy") - before, 100, 2);
}

TEST(FairQueues, WideRequestsGetTheirTurn) {
  World world(queued(64, 1, 1000), 4);
  for (int i = 0; i < 50; ++i) world.ask("narrow", milliseconds(10));
  EXPECT_EQ(world.ask("wide", milliseconds(10), 4), Verdict::kWaits);
  EXPECT_EQ(world.ask("wider", milliseconds(10), 40), Verdict::kWaits);
  while (world.done("wide") == 0 || world.done("wider") == 0) ASSERT_TRUE(world.step());
  EXPECT_LT(world.done("narrow"), 20);
}

TEST(FairQueues, WithdrawingGivesThePlaceBack) {
  World world(queued(1, 1, 1), 2);
  world.ask("a", milliseconds(10));
  EXPECT_EQ(world.ask("a", milliseconds(10), 2), Verdict::kWaits);
  FairQueues::Request& wide = world.asked().back()->request;
  EXPECT_EQ(world.ask("a", milliseconds(10)), Verdict::kWaits) << "behind the wide one";
  FairQueues::Request& narrow = world.asked().back()->request;
  FairQueues::Released released;
  EXPECT_TRUE(world.queues().withdraw(wide, world.now(), released));
  EXPECT_FALSE(world.queues().withdraw(wide, world.now(), released));
  ASSERT_EQ(released.size(), 1u) << "nothing is in its way any more";
  EXPECT_EQ(released[0], &narrow);
  EXPECT_FALSE(world.queues().withdraw(narrow, world.now(), released)) << "it executes";
  EXPECT_EQ(world.queues().seats_waited_for(), 0);
}

TEST(FairQueues, MoreSeatsLetMoreGo) {
  World world(queued(4, 1, 100), 1);
  for (int i = 0; i < 5; ++i) world.ask("a", milliseconds(10));
  FairQueues::Released released;
  world.queues().set_seats(3, world.now(), released);
  EXPECT_EQ(released.size(), 2u);
  world.queues().set_seats(1, world.now(), released);
  EXPECT_EQ(world.queues().seats_in_use(), 3) << "nobody is stopped";
}

TEST(FairQueues, RequestsOfQueuesThatAreNoMoreAreServed) {
  World world(queued(512, 1, 100), 1);
  for (int i = 0; i < 20; ++i) world.ask("a" + std::to_string(i), milliseconds(10));
  FairQueues::Released released;
  world.queues().configure(queued(1, 1, 100), world.now(), released);
  world.ask("b", milliseconds(10));
  while (world.step()) {
  }
  EXPECT_TRUE(world.queues().idle());
  EXPECT_EQ(world.done("b"), 1);
  released.clear();
  world.queues().configure({.mode = FairQueues::Mode::kReject, .dealer = {}}, world.now(),
                           released);
  EXPECT_EQ(world.ask("c", milliseconds(10)), Verdict::kExecutes);
}

TEST(FairQueues, DemandIsWhatIsHeldAndWaitedFor) {
  World world(queued(1, 1, 100), 2);
  for (int i = 0; i < 4; ++i) world.ask("a", milliseconds(1000));
  world.step();
  world.step();
  const DemandReading reading = world.queues().read_demand(world.now() + milliseconds(1000));
  EXPECT_DOUBLE_EQ(reading.highest, 4);
  EXPECT_DOUBLE_EQ(reading.average, 3);
  EXPECT_DOUBLE_EQ(reading.deviation, 1);
}

TEST(FairQueues, GoOnWhenTheMeterIsSetBack) {
  World world(queued(1024, 1, 10'000), 1000);
  for (int i = 0; i < 3000; ++i) {
    world.ask("a", std::chrono::hours(24 * 200));
    world.ask("b", std::chrono::hours(24 * 200));
  }
  bool set_back = false;
  SeatTime before = 0;
  while (world.step()) {
    set_back = set_back || world.queues().current_r() < before;
    before = world.queues().current_r();
    ASSERT_NEAR(world.done("a"), world.done("b"), 1001);
  }
  EXPECT_TRUE(set_back);
  EXPECT_EQ(world.done("a"), 3000);
}

TEST(FairQueues, ShowWhoWaitsWhere) {
  World world(queued(1, 1, 100), 2);
  world.ask("a", milliseconds(10), 2);
  world.ask("b", milliseconds(10), 1);
  const auto queues = world.queues().queues();
  ASSERT_EQ(queues.size(), 1u);
  EXPECT_EQ(queues[0].executing, 1u);
  EXPECT_EQ(queues[0].seats_in_use, 2);
  ASSERT_EQ(queues[0].requests.size(), 1u);
  EXPECT_EQ(queues[0].requests[0], &world.asked()[1]->request);
  EXPECT_EQ(queues[0].requests[0]->queue(), 0);
  const auto executing = world.queues().executing_requests();
  ASSERT_EQ(executing.size(), 1u);
  EXPECT_EQ(executing[0], &world.asked()[0]->request);
  EXPECT_EQ(queues[0].seats_waited_for, 1);
  EXPECT_DOUBLE_EQ(seat_seconds(queues[0].work), 0.003);
}

// Random histories, against the plain implementation and the laws of what must always hold.
class RandomHistory : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomHistory, IsThatOfThePlainQueues) {
  std::minstd_rand random(GetParam());
  const auto below = [&](int most) {
    return static_cast<int>(random() % static_cast<unsigned>(most));
  };
  const int deck = 1 + below(12);
  const FairQueues::Settings settings = queued(deck, 1 + below(std::min(deck, 4)), 1 + below(6));
  int limit = below(8);
  SteadyTime now = kStart;
  FairQueues queues(settings, limit, now);
  PlainQueues plain(settings, limit, now);
  std::vector<std::unique_ptr<FairQueues::Request>> requests;
  std::map<const FairQueues::Request*, int> id_of;
  std::vector<int> waiting;
  std::vector<int> executing;
  for (int i = 0; i < 2000; ++i) {
    now += std::chrono::microseconds(below(3) * below(5000));
    FairQueues::Released released;
    std::vector<int> begun;
    std::vector<int> want;
    const int what = below(10);
    if (what < 5) {
      const int id = static_cast<int>(requests.size());
      const int seats = 1 + (below(4) == 0 ? below(10) : 0);
      const std::uint64_t flow = hash_mix(static_cast<std::uint64_t>(below(6)));
      requests.push_back(std::make_unique<FairQueues::Request>(seats, flow));
      id_of[requests.back().get()] = id;
      const Verdict verdict = queues.start(*requests.back(), now, released);
      ASSERT_EQ(verdict, plain.start(id, seats, flow, now, want));
      if (verdict == Verdict::kWaits) waiting.push_back(id);
      if (verdict == Verdict::kExecutes) begun.push_back(id);
      // Its own place among those that begin at once is not told.
      std::ranges::sort(want);
    } else if (what < 8 && !executing.empty()) {
      const auto at = executing.begin() + below(static_cast<int>(executing.size()));
      const int id = *at;
      executing.erase(at);
      queues.finish(*requests[static_cast<std::size_t>(id)], now, released);
      plain.finish(id, now, want);
    } else if (what == 8 && !waiting.empty()) {
      const auto at = waiting.begin() + below(static_cast<int>(waiting.size()));
      const int id = *at;
      waiting.erase(at);
      ASSERT_TRUE(queues.withdraw(*requests[static_cast<std::size_t>(id)], now, released));
      plain.withdraw(id, now, want);
    } else if (what == 9 && below(4) == 0) {
      limit = below(8);
      queues.set_seats(limit, now, released);
      plain.set_limit(limit, now, want);
    }
    for (const FairQueues::Request* one : released) {
      begun.push_back(id_of[one]);
      std::erase(waiting, id_of[one]);
    }
    if (what < 5) std::ranges::sort(begun);
    ASSERT_EQ(begun, want) << "step " << i;
    executing.insert(executing.end(), begun.begin(), begun.end());
    ASSERT_EQ(queues.seats_in_use(), plain.in_use());
    ASSERT_EQ(queues.seats_waited_for(), plain.waited_for());
    ASSERT_EQ(queues.current_r(), plain.r());
    ASSERT_EQ(queues.executing(), executing.size());
    ASSERT_EQ(queues.executing_requests().size(), executing.size());
    ASSERT_EQ(queues.waiting(), waiting.size());
    // Nobody narrow waits for seats that nobody wide waits for as well.
    if (!waiting.empty() && limit > 0 && executing.empty()) FAIL() << "nobody goes on, step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomHistory, ::testing::Range(1u, 61u));

TEST(Dealer, DealsDifferentCardsOfTheDeck) {
  std::minstd_rand random(7);
  for (const auto& [deck, hand] : std::vector<std::pair<int, int>>{
           {1, 1}, {16, 15}, {128, 6}, {64, 8}, {1024, 6}, {10'000'000, 2}}) {
    const Dealer dealer(deck, hand);
    for (int i = 0; i < 500; ++i) {
      Dealer::Hand cards;
      const std::uint64_t hash = hash_mix(static_cast<std::uint64_t>(random()) << 31 | random());
      const auto dealt = dealer.deal(hash, cards);
      for (std::size_t at = 0; at < dealt.size(); ++at) ASSERT_EQ(dealer.card(hash, at), dealt[at]);
      const std::set<int> different(dealt.begin(), dealt.end());
      ASSERT_EQ(different.size(), static_cast<std::size_t>(hand));
      ASSERT_GE(*different.begin(), 0);
      ASSERT_LT(*different.rbegin(), deck);
    }
  }
}

TEST(Dealer, DealsEveryHandOnceFromHashesInARow) {
  const Dealer dealer(7, 3);
  std::set<std::vector<int>> hands;
  for (std::uint64_t hash = 0; hash < 7 * 6 * 5; ++hash) {
    Dealer::Hand cards;
    const auto dealt = dealer.deal(hash, cards);
    hands.emplace(dealt.begin(), dealt.end());
  }
  EXPECT_EQ(hands.size(), 7u * 6 * 5);
}

}  // namespace
}  // namespace strake::api

#include "ops/controllers/lease.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace strake::ops {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A Lease in memory. Requests can be made to fail before they are done, or their answers be lost.
class MemoryLease final : public LeaseStore {
 public:
  enum class Fault : std::uint8_t { kNone, kNotSent, kAnswerLost };

  Result<std::optional<StoredLease>> get(Deadline) override {
    ++gets;
    if (fault != Fault::kNone) return lost();
    if (before_answer) before_answer();
    return lease;
  }
  Result<StoredLease> create(const LeaseRecord& record, Deadline) override {
    ++writes;
    if (fault == Fault::kNotSent) return lost();
    if (lease) return fail(Code::kAlreadyExists, "is there");
    return put(record);
  }
  Result<StoredLease> update(const StoredLease& one, Deadline) override {
    ++writes;
    if (fault == Fault::kNotSent) return lost();
    if (!lease) return fail(Code::kNotFound, "is not there");
    if (lease->version != one.version) return fail(Code::kConflict, "another version");
    return put(one.record);
  }

  Fault fault = Fault::kNone;
  std::optional<StoredLease> lease;
  std::function<void()> before_answer;
  int gets = 0;
  int writes = 0;

 private:
  static std::unexpected<Error> lost() { return fail(Code::kServiceUnavailable, "no answer"); }
  Result<StoredLease> put(const LeaseRecord& record) {
    lease = StoredLease{record, std::to_string(++version_)};
    if (fault == Fault::kAnswerLost) return lost();
    return *lease;
  }
  int version_ = 0;
};

struct Candidates {
  FakeClock clock;
  MemoryLease lease;
  LeaderElector a{lease, "a", {}, clock};
  LeaderElector b{lease, "b", {}, clock};
};

TEST(LeaderElection, MakesTheLeaseWhenThereIsNone) {
  Candidates all;
  EXPECT_FALSE(all.a.leads());
  ASSERT_TRUE(all.a.try_once().value());
  EXPECT_TRUE(all.a.leads());
  const LeaseRecord& record = all.lease.lease->record;
  EXPECT_EQ(record.holder, "a");
  EXPECT_EQ(record.duration, seconds(15));
  EXPECT_EQ(record.transitions, 0);
  EXPECT_EQ(record.acquired, record.renewed);
}

TEST(LeaderElection, RenewsWithoutALookAndKeepsTheTimeItWasAcquired) {
  Candidates all;
  ASSERT_TRUE(all.a.try_once().value());
  const Instant acquired = all.lease.lease->record.acquired;
  all.clock.advance(seconds(2));
  ASSERT_TRUE(all.a.try_once().value());
  EXPECT_EQ(all.lease.gets, 1);
  EXPECT_EQ(all.lease.lease->record.acquired, acquired);
  EXPECT_EQ(all.lease.lease->record.renewed.seconds, acquired.seconds + 2);
  EXPECT_EQ(all.lease.lease->record.transitions, 0);
}

TEST(LeaderElection, LeavesALeaseAloneThatIsRenewed) {
  Candidates all;
  ASSERT_TRUE(all.a.try_once().value());
  for (int i = 0; i < 30; ++i) {
    all.clock.advance(seconds(2));
    ASSERT_TRUE(all.a.try_once().value());
    EXPECT_FALSE(all.b.try_once().value());
  }
  EXPECT_EQ(all.b.holder(), "a");
}

TEST(LeaderElection, TakesTheLeaseOfAHolderThatDiedWhenItsTimeIsOver) {
  Candidates all;
  ASSERT_TRUE(all.a.try_once().value());
  EXPECT_FALSE(all.b.try_once().value());
  all.clock.advance(milliseconds(14'999));
  EXPECT_FALSE(all.b.try_once().value());
  all.clock.advance(milliseconds(1));
  EXPECT_TRUE(all.b.try_once().value());
  EXPECT_EQ(all.lease.lease->record.transitions, 1);
  EXPECT_FALSE(all.a.leads());
}

TEST(LeaderElection, CountsTheTimeFromWhenARecordWasFirstSeen) {
  Candidates all;
  ASSERT_TRUE(all.a.try_once().value());
  // Its times are long past, but nobody has watched it yet: its clock may be wrong.
  all.clock.advance(std::chrono::hours(1));
  EXPECT_FALSE(all.b.try_once().value());
  all.clock.advance(seconds(15));
  EXPECT_TRUE(all.b.try_once().value());
}

TEST(LeaderElection, StopsToLeadWhenItCannotRenew) {
  Candidates all;
  ASSERT_TRUE(all.a.try_once().value());
  all.lease.fault = MemoryLease::Fault::kNotSent;
  all.clock.advance(milliseconds(9'999));
  EXPECT_FALSE(all.a.try_once());
  EXPECT_TRUE(all.a.leads());
  all.clock.advance(milliseconds(1));
  EXPECT_FALSE(all.a.leads());
}

TEST(LeaderElection, CountsARenewalFromBeforeItWasAskedFor) {
  Candidates all;
  ASSERT_TRUE(all.a.try_once().value());
  ASSERT_TRUE(all.a.release());
  all.lease.before_answer = [&] { all.clock.advance(seconds(9)); };
  ASSERT_TRUE(all.a.try_once().value());
  all.clock.advance(seconds(1));
  EXPECT_FALSE(all.a.leads());
}

TEST(LeaderElection, GivesTheLeaseBackSoThatOthersNeedNotWait) {
  Candidates all;
  ASSERT_TRUE(all.a.try_once().value());
  EXPECT_FALSE(all.b.try_once().value());
  ASSERT_TRUE(all.a.release());
  EXPECT_FALSE(all.a.leads());
  EXPECT_EQ(all.lease.lease->record.holder, "");
  EXPECT_EQ(all.lease.lease->record.duration, seconds(1));
  EXPECT_TRUE(all.b.try_once().value());
  EXPECT_EQ(all.lease.lease->record.transitions, 1);
  // What it does not have it does not give back.
  const int writes = all.lease.writes;
  ASSERT_TRUE(all.a.release());
  EXPECT_EQ(all.lease.writes, writes);
}

TEST(LeaderElection, GoesOnWhenTheAnswerToARenewalWasLost) {
  Candidates all;
  ASSERT_TRUE(all.a.try_once().value());
  all.lease.fault = MemoryLease::Fault::kAnswerLost;
  all.clock.advance(seconds(2));
  EXPECT_FALSE(all.a.try_once());
  all.lease.fault = MemoryLease::Fault::kNone;
  all.clock.advance(seconds(2));
  EXPECT_TRUE(all.a.try_once().value());
  EXPECT_EQ(all.lease.lease->record.transitions, 0);
}

TEST(LeaderElection, StopsToLeadWhenSomebodyElseHasTheLease) {
  Candidates all;
  ASSERT_TRUE(all.a.try_once().value());
  all.lease.lease->record.holder = "somebody";
  all.lease.lease->version = "another";
  all.clock.advance(seconds(2));
  EXPECT_FALSE(all.a.try_once().value());
  EXPECT_FALSE(all.a.leads());
}

// Candidates that stand still, lose answers, cannot reach the server, die and come back: at no
// moment two of them lead, and when one is left alone it leads in the end.
TEST(LeaderElection, HasNeverTwoLeadersWhateverFails) {
  for (std::uint32_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto pick = [&](std::uint32_t below) { return random() % below; };
    FakeClock clock;
    MemoryLease lease;
    std::vector<std::unique_ptr<LeaderElector>> all;
    int made = 0;
    const auto candidate = [&] {
      return std::make_unique<LeaderElector>(lease, "candidate-" + std::to_string(made++),
                                             LeaseTimes(), clock);
    };
    for (int i = 0; i < 4; ++i) all.push_back(candidate());
    const auto expect_one_at_most = [&] {
      int leaders = 0;
      for (const auto& one : all) leaders += one->leads() ? 1 : 0;
      ASSERT_LE(leaders, 1);
    };
    int led = 0;
    for (int step = 0; step < 400; ++step) {
      std::unique_ptr<LeaderElector>& one = all[pick(4)];
      clock.advance(milliseconds(pick(pick(10) == 0 ? 12'000 : 1'500)));
      expect_one_at_most();
      // Time passes while the server answers, and while it does, others may lead.
      lease.before_answer = [&] {
        if (pick(4) == 0) clock.advance(milliseconds(pick(9'000)));
        expect_one_at_most();
      };
      switch (pick(12)) {
        case 0: lease.fault = MemoryLease::Fault::kNotSent; break;
        case 1: lease.fault = MemoryLease::Fault::kAnswerLost; break;
        case 2: one = candidate(); break;  // it was killed
        case 3: static_cast<void>(one->release()); break;
        default: lease.fault = MemoryLease::Fault::kNone; break;
      }
      static_cast<void>(one->try_once());
      expect_one_at_most();
      led += one->leads() ? 1 : 0;
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(led, 0);
    lease.fault = MemoryLease::Fault::kNone;
    lease.before_answer = nullptr;
    for (int i = 0; i < 20 && !all[0]->leads(); ++i) {
      clock.advance(seconds(2));
      static_cast<void>(all[0]->try_once());
    }
    EXPECT_TRUE(all[0]->leads());
  }
}

}  // namespace
}  // namespace strake::ops

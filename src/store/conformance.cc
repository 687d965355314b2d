#include "store/conformance.h"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <latch>

namespace strake::store {

using std::chrono::seconds;

void RecordingObserver::on_events(std::span<const Event> events) {
  const std::lock_guard lock(mu_);
  EXPECT_FALSE(events.empty());
  for (const Event& event : events) {
    if (!events_.empty()) EXPECT_GT(event.revision, events_.back().revision);
    events_.push_back(event);
  }
  changed_.notify_all();
}

void RecordingObserver::on_lost(const Error& why) { ADD_FAILURE() << why.to_string(); }

std::vector<Event> RecordingObserver::events() const {
  const std::lock_guard lock(mu_);
  return events_;
}

std::vector<Event> RecordingObserver::wait_for(std::size_t count) const {
  std::unique_lock lock(mu_);
  // Only a broken store ever waits this long.
  EXPECT_TRUE(changed_.wait_for(lock, seconds(30), [&] { return events_.size() >= count; }));
  return events_;
}

std::string shown(std::span<const Event> events) {
  std::string out;
  for (const Event& event : events) {
    if (!out.empty()) out += ' ';
    const bool created = event.value && !event.previous;
    out += fmt::format("{}:{}{}", event.revision,
                       !event.value ? "-"
                       : created    ? "+"
                                    : "",
                       event.key);
    if (event.value) out += "=" + *event.value;
    if (event.previous) out += fmt::format("({}@{})", *event.previous, event.previous_revision);
  }
  return out;
}

StoreConformance::StoreConformance() : subject_(GetParam()()) {}
StoreConformance::~StoreConformance() { subject_.reset(); }

Result<Written> StoreConformance::write(Write write) {
  return async::run_blocking(executor(), store().write(std::move(write)));
}

Revision StoreConformance::put(std::string_view key, std::string_view value, Revision expected) {
  const auto written =
      write({.key = std::string(key), .value = bytes(value), .expected = expected});
  if (!written) {
    ADD_FAILURE() << written.error().to_string();
    return 0;
  }
  EXPECT_TRUE(written->applied) << key;
  return written->revision;
}

Revision StoreConformance::remove(std::string_view key, Revision expected) {
  const auto written = write({.key = std::string(key), .expected = expected});
  if (!written) {
    ADD_FAILURE() << written.error().to_string();
    return 0;
  }
  EXPECT_TRUE(written->applied) << key;
  return written->revision;
}

Result<Page> StoreConformance::range(Range range) {
  return async::run_blocking(executor(), store().range(std::move(range)));
}

std::string StoreConformance::shown(Range wanted) {
  const auto page = range(std::move(wanted));
  if (!page) return page.error().to_string();
  std::string out;
  for (const Entry& entry : page->entries) {
    if (!out.empty()) out += ' ';
    out += fmt::format("{}={}@{}/{}", entry.key, entry.value ? *entry.value : "?",
                       entry.mod_revision, entry.create_revision);
  }
  return out;
}

Result<> StoreConformance::compact(Revision revision) {
  return async::run_blocking(executor(), store().compact(revision));
}

Result<std::unique_ptr<Subscription>> StoreConformance::subscribe(std::string_view prefix,
                                                                  Revision after,
                                                                  Observer& observer) {
  return async::run_blocking(executor(), store().subscribe(std::string(prefix), after, observer));
}

// --- writes

TEST_P(StoreConformance, IsAtRevisionOneWhenEmpty) {
  EXPECT_EQ(store().revision(), 1);
  EXPECT_EQ(store().compacted_revision(), 0);
  EXPECT_TRUE(store().health());
  EXPECT_EQ(range({.prefix = ""})->revision, 1);
  EXPECT_EQ(shown({.prefix = "", .revision = 1}), "");
}

TEST_P(StoreConformance, GivesEveryWriteTheNextRevision) {
  EXPECT_EQ(put("/a", "1"), 2);
  EXPECT_EQ(put("/b", "2"), 3);
  EXPECT_EQ(put("/a", "3", 2), 4);
  EXPECT_EQ(remove("/b", 3), 5);
  EXPECT_EQ(store().revision(), 5);
  EXPECT_EQ(shown({.prefix = "/"}), "/a=3@4/2");
}

TEST_P(StoreConformance, RefusesAWriteThatExpectsAnotherRevision) {
  put("/a", "1");
  for (const Revision wrong : {0, 1, 3}) {
    const auto refused = write({.key = "/a", .value = bytes("2"), .expected = wrong});
    ASSERT_TRUE(refused);
    EXPECT_FALSE(refused->applied);
    EXPECT_EQ(refused->revision, 2);
    ASSERT_TRUE(refused->current);
    EXPECT_EQ(*refused->current->value, "1");
    EXPECT_EQ(refused->current->key, "/a");
    EXPECT_EQ(refused->current->mod_revision, 2);
    EXPECT_EQ(refused->current->create_revision, 2);
  }
  EXPECT_EQ(store().revision(), 2);
}

TEST_P(StoreConformance, SaysThatNothingStandsWhereSomethingWasExpected) {
  const auto refused = write({.key = "/a", .value = bytes("2"), .expected = 7});
  ASSERT_TRUE(refused);
  EXPECT_FALSE(refused->applied);
  EXPECT_FALSE(refused->current);
}

TEST_P(StoreConformance, DoesNotDeleteWhatIsNotThere) {
  for (const Revision expected : {0, 3}) {
    const auto refused = write({.key = "/a", .expected = expected});
    ASSERT_TRUE(refused);
    EXPECT_FALSE(refused->applied);
  }
  EXPECT_EQ(store().revision(), 1);
}

TEST_P(StoreConformance, CreatesAnewWhatWasDeleted) {
  put("/a", "1");
  remove("/a", 2);
  EXPECT_EQ(put("/a", "2"), 4);
  EXPECT_EQ(shown({.prefix = "/"}), "/a=2@4/4");
}

TEST_P(StoreConformance, KeepsEmptyValuesAndAnyBytes) {
  const std::string odd("\0\xff\n'", 4);
  put("/empty", "");
  put("/odd" + odd, odd);
  const auto page = range({.prefix = "/"});
  ASSERT_EQ(page->entries.size(), 2u);
  ASSERT_TRUE(page->entries[0].value);
  EXPECT_EQ(*page->entries[0].value, "");
  EXPECT_EQ(page->entries[1].key, "/odd" + odd);
  EXPECT_EQ(*page->entries[1].value, odd);
}

TEST_P(StoreConformance, TakesAWriteOfTheLimitAndRefusesOneByteMore) {
  const std::string most(kMaxWriteBytes - 2, 'x');
  put("/a", most);
  EXPECT_EQ(range({.prefix = "/a"})->entries[0].value->size(), most.size());
  const auto refused = write({.key = "/b", .value = bytes(most + "x")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kRequestTooLarge);
  EXPECT_EQ(refused.error().message(), "etcdserver: request is too large");
  const auto long_key = write({.key = std::string(kMaxKeyBytes + 1, 'k'), .value = bytes("")});
  ASSERT_FALSE(long_key);
  EXPECT_EQ(long_key.error().code(), Code::kRequestTooLarge);
}

TEST_P(StoreConformance, RefusesAWriteWithoutAKey) {
  const auto refused = write({.value = bytes("1")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kBadRequest);
}

async::Task<> count_up(Store& store, std::size_t times) {
  Revision expected = 0;
  std::string value = "0";
  while (times > 0) {
    STRAKE_CO_TRY(const Written written,
                  co_await store.write({.key = "/counter",
                                        .value = bytes(std::to_string(std::stoi(value) + 1)),
                                        .expected = expected}));
    if (written.applied) {
      --times;
      value = std::to_string(std::stoi(value) + 1);
      expected = written.revision;
    } else {
      value = *written.current->value;
      expected = written.current->mod_revision;
    }
  }
  co_return Result<>();
}

TEST_P(StoreConformance, LosesNoCountToConcurrentWriters) {
  constexpr std::size_t kWriters = 8;
  constexpr std::size_t kTimes = 25;
  std::latch ended(kWriters);
  for (std::size_t i = 0; i < kWriters; ++i) {
    boost::asio::co_spawn(executor(), count_up(store(), kTimes),
                          [&](std::exception_ptr error, const Result<>& outcome) {
                            EXPECT_FALSE(error);
                            EXPECT_TRUE(outcome);
                            ended.count_down();
                          });
  }
  ended.wait();
  EXPECT_EQ(*range({.prefix = "/counter"})->entries[0].value, std::to_string(kWriters * kTimes));
  EXPECT_EQ(store().revision(), 1 + Revision(kWriters * kTimes));
}

// --- ranges

TEST_P(StoreConformance, RangesOverAPrefixInTheOrderOfBytes) {
  for (const char* key : {"/a/2", "/a/1", "/a0", "/b/1", "/a/\xc3\xa4", "/a/"}) put(key, "v");
  EXPECT_EQ(shown({.prefix = "/a/"}), "/a/=v@7/7 /a/1=v@3/3 /a/2=v@2/2 /a/\xc3\xa4=v@6/6");
  EXPECT_EQ(shown({.prefix = "/a/", .start = "/a/1"}), "/a/1=v@3/3 /a/2=v@2/2 /a/\xc3\xa4=v@6/6");
  EXPECT_EQ(shown({.prefix = "/a/", .start = std::string("/a/1\0", 5)}),
            "/a/2=v@2/2 /a/\xc3\xa4=v@6/6");
  EXPECT_EQ(shown({.prefix = "/b", .start = "/a"}), "/b/1=v@5/5");
  EXPECT_EQ(shown({.prefix = "/c"}), "");
}

TEST_P(StoreConformance, RangesOverKeysThatEndInTheHighestByte) {
  put("\xff", "1");
  put("\xff\xff", "2");
  EXPECT_EQ(range({.prefix = "\xff"})->entries.size(), 2u);
  EXPECT_EQ(range({.prefix = "\xff\xff"})->entries.size(), 1u);
  EXPECT_EQ(range({.prefix = ""})->entries.size(), 2u);
}

TEST_P(StoreConformance, SaysHowManyRemainPastTheLimit) {
  for (const char* key : {"/a", "/b", "/c", "/d"}) put(key, "v");
  put("0", "not below the prefix");
  const auto page = range({.prefix = "/", .limit = 3});
  EXPECT_EQ(page->entries.size(), 3u);
  EXPECT_EQ(page->remaining, 1u);
  EXPECT_EQ(range({.prefix = "/", .limit = 4})->remaining, 0u);
  EXPECT_EQ(range({.prefix = "/", .start = "/b", .limit = 1})->remaining, 2u);
  EXPECT_EQ(range({.prefix = "/", .limit = 1, .revision = 3})->remaining, 1u);
}

TEST_P(StoreConformance, SaysOnlyWhetherThereIsMoreWhenNobodyCounts) {
  for (const char* key : {"/a", "/b", "/c", "/d"}) put(key, "v");
  put("0", "not below the prefix");
  const auto page = range({.prefix = "/", .limit = 2, .count = false});
  EXPECT_EQ(page->entries.size(), 2u);
  EXPECT_EQ(page->remaining, 1u);
  EXPECT_EQ(range({.prefix = "/", .limit = 4, .count = false})->remaining, 0u);
  EXPECT_EQ(range({.prefix = "/", .limit = 9, .count = false})->entries.size(), 4u);
  EXPECT_EQ(range({.prefix = "/", .start = "/c", .limit = 1, .count = false})->remaining, 1u);
  EXPECT_EQ(range({.prefix = "/", .limit = 1, .revision = 3, .count = false})->remaining, 1u);
  EXPECT_EQ(range({.prefix = "/", .limit = 2, .revision = 3, .count = false})->remaining, 0u);
}

TEST_P(StoreConformance, LeavesOutValuesWhenOnlyKeysAreWanted) {
  put("/a", "1");
  put("/a", "2", 2);
  EXPECT_EQ(shown({.prefix = "/", .keys_only = true}), "/a=?@3/2");
  EXPECT_EQ(shown({.prefix = "/", .revision = 2, .keys_only = true}), "/a=?@2/2");
}

TEST_P(StoreConformance, ShowsEveryRevisionAsItWas) {
  put("/a", "1");
  put("/b", "2");
  put("/a", "3", 2);
  remove("/b", 3);
  put("/b", "4");
  const std::vector<std::string> want = {"",
                                         "",
                                         "/a=1@2/2",
                                         "/a=1@2/2 /b=2@3/3",
                                         "/a=3@4/2 /b=2@3/3",
                                         "/a=3@4/2",
                                         "/a=3@4/2 /b=4@6/6"};
  for (Revision revision = 1; revision <= 6; ++revision) {
    EXPECT_EQ(shown({.prefix = "/", .revision = revision}), want[revision]);
    EXPECT_EQ(range({.prefix = "/", .revision = revision})->revision, revision);
  }
}

TEST_P(StoreConformance, DoesNotKnowTheFuture) {
  const auto page = range({.prefix = "/", .revision = 2});
  ASSERT_FALSE(page);
  EXPECT_EQ(page.error().code(), Code::kTimeout);
  EXPECT_EQ(page.error().message(), "etcdserver: mvcc: required revision is a future revision");
  EXPECT_EQ(compact(2).error().code(), Code::kTimeout);
}

// --- compaction

TEST_P(StoreConformance, ForgetsWhatWasCompactedAndKeepsTheRest) {
  put("/a", "1");
  put("/a", "2", 2);
  put("/b", "3");
  remove("/b", 4);
  put("/a", "4", 3);
  ASSERT_TRUE(compact(5));
  EXPECT_EQ(store().compacted_revision(), 5);
  for (Revision revision = 1; revision < 5; ++revision) {
    const auto page = range({.prefix = "/", .revision = revision});
    ASSERT_FALSE(page);
    EXPECT_EQ(page.error().code(), Code::kExpired);
    EXPECT_EQ(page.error().message(), "etcdserver: mvcc: required revision has been compacted");
  }
  EXPECT_EQ(shown({.prefix = "/", .revision = 5}), "/a=2@3/2");
  EXPECT_EQ(shown({.prefix = "/"}), "/a=4@6/2");
  EXPECT_TRUE(compact(5));
  EXPECT_TRUE(compact(2));
  EXPECT_EQ(store().compacted_revision(), 5);
}

TEST_P(StoreConformance, GoesOnCountingWhenEverythingWasDeletedAndCompacted) {
  put("/a", "1");
  remove("/a", 2);
  ASSERT_TRUE(compact(3));
  EXPECT_EQ(shown({.prefix = "/"}), "");
  reopen();
  EXPECT_EQ(store().revision(), 3);
  EXPECT_EQ(put("/a", "2"), 4);
}

TEST_P(StoreConformance, KeepsWhatStandsThroughManyCompactions) {
  Revision a = put("/a", "0");
  put("/still", "here");
  for (int i = 1; i <= 20; ++i) {
    a = put("/a", std::to_string(i), a);
    const Revision b = put("/b", std::to_string(i));
    remove("/b", b);
    ASSERT_TRUE(compact(store().revision() - 1));
  }
  EXPECT_EQ(shown({.prefix = "/"}), fmt::format("/a=20@{}/2 /still=here@3/3", a));
}

// --- subscriptions

TEST_P(StoreConformance, TellsAnObserverBeforeTheWriteReturns) {
  RecordingObserver observer;
  const auto subscription = subscribe("/", 1, observer);
  ASSERT_TRUE(subscription);
  put("/a", "1");
  EXPECT_EQ(store::shown(observer.events()), "2:+/a=1");
  put("/a", "2", 2);
  remove("/a", 3);
  put("/a", "3");
  EXPECT_EQ(store::shown(observer.events()), "2:+/a=1 3:/a=2(1@2) 4:-/a(2@3) 5:+/a=3");
  const auto events = observer.events();
  EXPECT_EQ(events[1].create_revision, 2);
  EXPECT_EQ(events[2].create_revision, 2);
  EXPECT_EQ(events[3].create_revision, 5);
}

TEST_P(StoreConformance, TellsHistoryFirst) {
  put("/a", "1");
  put("/b", "2");
  put("/a", "3", 2);
  remove("/b", 3);
  const std::string all = "2:+/a=1 3:+/b=2 4:/a=3(1@2) 5:-/b(2@3)";
  for (const auto& [after, want] :
       std::vector<std::pair<Revision, std::string>>{{0, all + " 6:+/c=4"},
                                                     {1, all + " 6:+/c=4"},
                                                     {3, "4:/a=3(1@2) 5:-/b(2@3) 6:+/c=4"},
                                                     {5, "6:+/c=4"}}) {
    RecordingObserver observer;
    const auto subscription = subscribe("/", after, observer);
    ASSERT_TRUE(subscription);
    const Revision c = put("/c", "4");
    if (c == 6) EXPECT_EQ(store::shown(observer.events()), want);
    remove("/c", c);
    EXPECT_EQ(observer.events().back().revision, c + 1);
  }
}

TEST_P(StoreConformance, TellsOnlyOfTheKeysBelowThePrefix) {
  put("/a/1", "1");
  put("/b/1", "1");
  RecordingObserver a;
  RecordingObserver b;
  RecordingObserver one;
  const auto for_a = subscribe("/a/", 1, a);
  const auto for_b = subscribe("/b/", 1, b);
  const auto for_one = subscribe("/a/1", 3, one);
  put("/a/2", "2");
  put("/a", "3");
  put("/b/2", "4");
  put("/a/1", "5", 2);
  EXPECT_EQ(store::shown(a.events()), "2:+/a/1=1 4:+/a/2=2 7:/a/1=5(1@2)");
  EXPECT_EQ(store::shown(b.events()), "3:+/b/1=1 6:+/b/2=4");
  EXPECT_EQ(store::shown(one.events()), "7:/a/1=5(1@2)");
}

TEST_P(StoreConformance, WaitsForARevisionThatIsYetToCome) {
  RecordingObserver observer;
  const auto subscription = subscribe("/", 3, observer);
  ASSERT_TRUE(subscription);
  put("/a", "1");
  put("/b", "1");
  put("/c", "1");
  EXPECT_EQ(store::shown(observer.events()), "4:+/c=1");
}

TEST_P(StoreConformance, RefusesASubscriptionToCompactedHistory) {
  put("/a", "1");
  put("/a", "2", 2);
  put("/a", "3", 3);
  ASSERT_TRUE(compact(3));
  RecordingObserver observer;
  const auto refused = subscribe("/", 2, observer);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kExpired);
  const auto subscription = subscribe("/", 3, observer);
  ASSERT_TRUE(subscription);
  EXPECT_EQ(store::shown(observer.events()), "4:/a=3(2@3)");
}

TEST_P(StoreConformance, TellsNothingOnceTheSubscriptionEnded) {
  RecordingObserver observer;
  auto subscription = subscribe("/", 1, observer);
  put("/a", "1");
  subscription->reset();
  put("/b", "1");
  EXPECT_EQ(store::shown(observer.events()), "2:+/a=1");
}

// --- time to live

TEST_P(StoreConformance, DeletesAKeyWhenItsTimeIsOver) {
  RecordingObserver observer;
  const auto subscription = subscribe("/", 1, observer);
  ASSERT_TRUE(write({.key = "/short", .value = bytes("1"), .ttl = seconds(10)})->applied);
  ASSERT_TRUE(write({.key = "/long", .value = bytes("2"), .ttl = seconds(100)})->applied);
  advance(seconds(9));
  EXPECT_EQ(range({.prefix = "/"})->entries.size(), 2u);
  advance(seconds(1));
  EXPECT_EQ(store::shown(observer.wait_for(3)), "2:+/short=1 3:+/long=2 4:-/short(1@2)");
  EXPECT_EQ(shown({.prefix = "/"}), "/long=2@3/3");
}

TEST_P(StoreConformance, LetsALaterWriteDecideTheTimeToLive) {
  RecordingObserver observer;
  const auto subscription = subscribe("/", 1, observer);
  ASSERT_TRUE(write({.key = "/kept", .value = bytes("1"), .ttl = seconds(10)})->applied);
  ASSERT_TRUE(write({.key = "/longer", .value = bytes("1"), .ttl = seconds(10)})->applied);
  ASSERT_TRUE(write({.key = "/kept", .value = bytes("2"), .expected = 2})->applied);
  ASSERT_TRUE(
      write({.key = "/longer", .value = bytes("2"), .expected = 3, .ttl = seconds(20)})->applied);
  ASSERT_TRUE(write({.key = "/last", .value = bytes("1"), .ttl = seconds(30)})->applied);
  ASSERT_TRUE(write({.key = "/old", .value = bytes("1"), .ttl = seconds::max()})->applied);
  advance(seconds(30));
  EXPECT_EQ(store::shown(observer.wait_for(8)),
            "2:+/kept=1 3:+/longer=1 4:/kept=2(1@2) 5:/longer=2(1@3) 6:+/last=1 7:+/old=1 "
            "8:-/longer(2@5) 9:-/last(1@6)");
  EXPECT_EQ(shown({.prefix = "/"}), "/kept=2@4/2 /old=1@7/7");
}

TEST_P(StoreConformance, RemembersTimesToLiveWhenOpenedAgain) {
  ASSERT_TRUE(write({.key = "/a", .value = bytes("1"), .ttl = seconds(10)})->applied);
  if (!reopen()) GTEST_SKIP() << "this store keeps nothing";
  RecordingObserver observer;
  const auto subscription = subscribe("/", store().revision(), observer);
  advance(seconds(10));
  EXPECT_EQ(store::shown(observer.wait_for(1)), "3:-/a(1@2)");
}

// --- its own life

TEST_P(StoreConformance, HasEverythingWhenOpenedAgain) {
  put("/a", "1");
  put("/a", "2", 2);
  put("/b", "3");
  remove("/b", 4);
  ASSERT_TRUE(compact(3));
  if (!reopen()) GTEST_SKIP() << "this store keeps nothing";
  EXPECT_EQ(store().revision(), 5);
  EXPECT_EQ(store().compacted_revision(), 3);
  EXPECT_EQ(shown({.prefix = "/", .revision = 4}), "/a=2@3/2 /b=3@4/4");
  RecordingObserver observer;
  const auto subscription = subscribe("/", 3, observer);
  EXPECT_EQ(put("/c", "4"), 6);
  EXPECT_EQ(store::shown(observer.events()), "4:+/b=3 5:-/b(3@4) 6:+/c=4");
}

TEST_P(StoreConformance, RefusesEverythingOnceClosed) {
  put("/a", "1");
  ASSERT_TRUE(async::run_blocking(executor(), store().close()));
  ASSERT_TRUE(async::run_blocking(executor(), store().close()));
  RecordingObserver observer;
  EXPECT_EQ(write({.key = "/b", .value = bytes("1")}).error().code(), Code::kServiceUnavailable);
  EXPECT_EQ(range({.prefix = "/"}).error().code(), Code::kServiceUnavailable);
  EXPECT_EQ(compact(1).error().code(), Code::kServiceUnavailable);
  EXPECT_EQ(subscribe("/", 1, observer).error().code(), Code::kServiceUnavailable);
  EXPECT_EQ(store().health().error().code(), Code::kServiceUnavailable);
  EXPECT_EQ(store().revision(), 2);
}

}  // namespace strake::store

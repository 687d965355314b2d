// The view of other resources: current, found by indexes, right again after anything was lost, and
// followed by notification.
#include "api/cache/informer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <future>
#include <stdexcept>
#include <thread>

#include "api/cache/test_remote_store.h"
#include "async/run.h"
#include "base/log.h"
#include "value/document.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kThings = "/registry/a.example/things/";
constexpr std::string_view kOthers = "/registry/a.example/others/";

std::string thing(std::string_view name) { return std::string(kThings).append(name); }

struct Tags {
  std::vector<std::string> tags;
  std::int64_t number = 0;
};

std::atomic<int> reads = 0;

Result<Tags> read_tags(const Object& object) {
  ++reads;
  STRAKE_TRY(const value::Document document, parse_stored(*object.bytes()));
  const value::Value* tags = document.root().find("tags");
  if (tags == nullptr || !tags->is_array()) return fail(Code::kInvalid, "tags must be a list");
  Tags out;
  for (const value::Value& one : tags->items()) out.tags.emplace_back(one.as_string());
  if (const value::Value* number = document.root().find("number"))
    out.number = std::stoll(value::to_json(*number));
  if (out.number < 0) throw std::runtime_error("cannot count");
  return out;
}

Informer<Tags>::Options options() {
  return {.prefixes = {std::string(kThings), std::string(kOthers)},
          .read = read_tags,
          .indexes = {{"tag", [](const Tags& facts) { return facts.tags; }},
                      {"number", [](const Tags& facts) {
                         return std::vector{std::to_string(facts.number)};
                       }}}};
}

// Names of what is found, with a space between.
std::string names(Informer<Tags>& informer, std::string_view index, std::string_view value) {
  std::string out;
  informer.view().for_each(index, value, [&](const Informer<Tags>::Known& one) {
    out += fmt::format("{}{}", out.empty() ? "" : " ", one.key().substr(one.key().rfind('/') + 1));
  });
  return out;
}

class InformerTest : public ::testing::Test {
 protected:
  InformerTest() {
    reads = 0;
    log::configure({.style = log::Style::kText, .sink = [this](std::string_view line) {
                      const std::lock_guard lock(lines_mu_);
                      lines_.emplace_back(line);
                    }});
  }
  ~InformerTest() override {
    EXPECT_TRUE(async::run_blocking(loops_.at(0), hub_.stop()));
    loops_.stop();
    log::configure({});
  }
  void start() { ASSERT_TRUE(async::run_blocking(loops_.at(0), hub_.start())); }

  Revision put(const std::string& key, std::string_view members, Revision expected = 0) {
    return write(
        key,
        std::make_shared<const std::string>(fmt::format(
            R"({{"apiVersion":"a.example/v1","kind":"Thing","metadata":{{"name":"{}"}},{}}})",
            key.substr(key.rfind('/') + 1), members)),
        expected);
  }
  Revision remove(const std::string& key, Revision expected) { return write(key, {}, expected); }
  Revision write(const std::string& key, Bytes value, Revision expected) {
    return async::run_blocking(
               loops_.at(1),
               store_.write({.key = key, .value = std::move(value), .expected = expected}))
        .value()
        .revision;
  }
  // The stream is lost; what `meanwhile` does is forgotten by the store's history, and the hub has
  // recovered when this returns.
  template <typename Meanwhile>
  void lose_stream(Meanwhile meanwhile) {
    store_.cut();
    const Revision last = meanwhile();
    ASSERT_TRUE(async::run_blocking(loops_.at(1), store_.compact(last)));
    store_.tell();
    ASSERT_TRUE(async::run_blocking(loops_.at(1), hub_.wait_for(last, Deadline::never())).value());
  }
  std::string logged() {
    const std::lock_guard lock(lines_mu_);
    std::string out;
    for (const std::string& line : lines_) out += line + "\n";
    return out;
  }

  std::mutex lines_mu_;
  std::vector<std::string> lines_;  // guarded by lines_mu_
  RemoteStore store_;
  async::Loops loops_{2};
  Hub hub_{store_, loops_};
};

TEST_F(InformerTest, HasWhatWasThereAndEveryWriteThatHasReturned) {
  put(thing("before"), R"("tags":["x"])");
  start();
  Informer<Tags> informer(hub_, options());
  EXPECT_TRUE(informer.synced());
  EXPECT_TRUE(informer.view().find(thing("before")));
  const Revision at = put(thing("after"), R"("tags":["y"])");
  const auto view = informer.view();
  ASSERT_TRUE(view.find(thing("after")));
  EXPECT_THAT(view.find(thing("after"))->tags, ElementsAre("y"));
  EXPECT_EQ(view.find(thing("after")).revision(), at);
  EXPECT_EQ(view.revision(), at);
  EXPECT_FALSE(view.find(thing("neither")));
}

TEST_F(InformerTest, IsSyncedWhenTheHubHasStarted) {
  put(thing("a"), R"("tags":["x"])");
  Informer<Tags> informer(hub_, options());
  EXPECT_FALSE(informer.synced());
  EXPECT_EQ(informer.view().revision(), 0);
  EXPECT_FALSE(informer.view().find(thing("a")));
  start();
  EXPECT_TRUE(informer.synced());
  EXPECT_EQ(names(informer, "tag", "x"), "a");
}

TEST_F(InformerTest, KnowsTheRevisionOfChangesToOtherResources) {
  start();
  Informer<Tags> informer(hub_, options());
  const Revision at = put("/registry/configmaps/default/a", R"("data":{})");
  EXPECT_EQ(informer.view().revision(), at);
  EXPECT_LT(informer.changed(), at) << "which are no changes to what it follows";
}

TEST_F(InformerTest, ReadsAnObjectOnceHoweverOftenItChangedAndIsAskedFor) {
  start();
  Informer<Tags> informer(hub_, options());
  Revision at = put(thing("a"), R"("tags":["0"])");
  for (int i = 1; i < 5; ++i) at = put(thing("a"), fmt::format(R"("tags":["{}"])", i), at);
  EXPECT_EQ(reads, 0) << "not on the thread of the store";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(names(informer, "tag", "4"), "a");
  EXPECT_EQ(reads, 1);
  put(thing("a"), R"("tags":["5"])", at);
  EXPECT_EQ(names(informer, "tag", "5"), "a");
  EXPECT_EQ(reads, 2);
}

TEST_F(InformerTest, FindsObjectsUnderEveryValueOfAnIndexAndUnderNoFormerOne) {
  start();
  Informer<Tags> informer(hub_, options());
  const Revision a = put(thing("a"), R"("tags":["x","y","x"],"number":1)");
  put(thing("b"), R"("tags":["y"],"number":1)");
  EXPECT_EQ(names(informer, "tag", "x"), "a");
  EXPECT_EQ(names(informer, "tag", "y"), "a b");
  EXPECT_EQ(names(informer, "number", "1"), "a b");
  const Revision changed = put(thing("a"), R"("tags":["z"],"number":2)", a);
  EXPECT_EQ(names(informer, "tag", "x"), "");
  EXPECT_FALSE(informer.view().has("tag", "x"));
  EXPECT_EQ(names(informer, "tag", "y"), "b");
  EXPECT_EQ(names(informer, "tag", "z"), "a");
  EXPECT_EQ(names(informer, "number", "1"), "b");
  remove(thing("a"), changed);
  EXPECT_EQ(names(informer, "tag", "z"), "");
  EXPECT_FALSE(informer.view().find(thing("a")));
}

TEST_F(InformerTest, ShowsWhatAnIndexHasInPieces) {
  start();
  Informer<Tags> informer(hub_, options());
  for (const std::string_view name : {"d", "a", "c", "b"}) put(thing(name), R"("tags":["x"])");
  const auto after = [&](std::string_view key, std::size_t most) {
    std::string out;
    informer.view().for_each_after(
        "tag", "x", key, most, [&](const Informer<Tags>::Known& one) { out += one.key().back(); });
    return out;
  };
  EXPECT_EQ(after("", 2), "ab");
  EXPECT_EQ(after(thing("b"), 1), "c");
  EXPECT_EQ(after(thing("bb"), 9), "cd") << "the key may have gone meanwhile";
  EXPECT_EQ(after(thing("d"), 9), "");
  std::string seen;
  const auto is_b = [&](const Informer<Tags>::Known& one) {
    seen += one.key().back();
    return one.key().back() == 'b';
  };
  EXPECT_TRUE(informer.view().any_of("tag", "x", is_b));
  EXPECT_EQ(seen, "ab") << "it looks no further";
  EXPECT_FALSE(informer.view().any_of("tag", "y", is_b));
}

TEST_F(InformerTest, SetsAsideWhatCannotBeReadUntilItChanges) {
  put(thing("bad-before"), R"("tags":7)");
  start();
  Informer<Tags> informer(hub_, options());
  const Revision good = put(thing("good"), R"("tags":["x"])");
  const Revision bad = put(thing("bad"), R"("tags":["x"],"number":-1)");
  EXPECT_EQ(names(informer, "tag", "x"), "good");
  EXPECT_FALSE(informer.view().find(thing("bad")));
  EXPECT_FALSE(informer.view().find(thing("bad-before")));
  EXPECT_THAT(logged(), HasSubstr("things/bad-before error=\"tags must be a list\""));
  EXPECT_THAT(logged(), HasSubstr("things/bad error=\"cannot count\""));
  // One gets well, the other falls ill.
  put(thing("bad"), R"("tags":["x"])", bad);
  put(thing("good"), R"("tags":null)", good);
  EXPECT_EQ(names(informer, "tag", "x"), "bad");
  EXPECT_FALSE(informer.view().find(thing("good")));
}

TEST_F(InformerTest, LeavesOutWhatIsNotWanted) {
  start();
  auto only_labelled = options();
  only_labelled.wants = [](const Object& object) { return !object.labels().empty(); };
  Informer<Tags> informer(hub_, std::move(only_labelled));
  const auto labelled = [&](std::string_view labels, Revision expected) {
    return write(
        thing("a"),
        std::make_shared<const std::string>(fmt::format(
            R"({{"apiVersion":"a.example/v1","metadata":{{"labels":{}}},"tags":["x"]}})", labels)),
        expected);
  };
  Revision at = labelled("{}", 0);
  EXPECT_EQ(names(informer, "tag", "x"), "");
  EXPECT_EQ(reads, 0);
  at = labelled(R"({"l":"1"})", at);
  EXPECT_EQ(names(informer, "tag", "x"), "a");
  labelled("{}", at);
  EXPECT_EQ(names(informer, "tag", "x"), "");
}

TEST_F(InformerTest, IsRightAgainAfterALostStreamWhoseHistoryIsThere) {
  start();
  Informer<Tags> informer(hub_, options());
  const Revision a = put(thing("a"), R"("tags":["x"])");
  store_.cut();
  const Revision last = put(thing("a"), R"("tags":["y"])", a);
  EXPECT_EQ(names(informer, "tag", "x"), "a");
  store_.tell();
  ASSERT_TRUE(async::run_blocking(loops_.at(1), hub_.wait_for(last, Deadline::never())).value());
  EXPECT_EQ(names(informer, "tag", "x"), "");
  EXPECT_EQ(names(informer, "tag", "y"), "a");
}

TEST_F(InformerTest, IsRightAgainAfterALostStreamWhoseHistoryIsGone) {
  start();
  Informer<Tags> informer(hub_, options());
  const Revision changed = put(thing("changed"), R"("tags":["x"])");
  const Revision gone = put(thing("gone"), R"("tags":["x"])");
  put(thing("kept"), R"("tags":["x"])");
  EXPECT_EQ(names(informer, "tag", "x"), "changed gone kept");
  lose_stream([&] {
    put(thing("changed"), R"("tags":["y"])", changed);
    remove(thing("gone"), gone);
    return put(std::string(kOthers) + "new", R"("tags":["x"])");
  });
  EXPECT_EQ(names(informer, "tag", "x"), "new kept");
  EXPECT_EQ(names(informer, "tag", "y"), "changed");
  EXPECT_FALSE(informer.view().find(thing("gone")));
  // The stream may be taken up again only after this.
  const Revision next = put(thing("next"), R"("tags":["x"])");
  ASSERT_TRUE(async::run_blocking(loops_.at(1), hub_.wait_for(next, Deadline::never())).value());
  EXPECT_EQ(names(informer, "tag", "x"), "new kept next") << "and follows on";
}

// Of two objects, the second is always written after the first, with the same number.
TEST_F(InformerTest, ShowsSeveralResourcesAsTheyStoodAtOneRevision) {
  start();
  Informer<Tags> informer(hub_, options());
  const std::string other = std::string(kOthers) + "a";
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      Revision last = 0;
      while (!done) {
        const auto view = informer.view();
        const auto first = view.find(thing("a"));
        const auto second = view.find(other);
        EXPECT_GE(view.revision(), last);
        last = view.revision();
        if (!second) continue;
        EXPECT_GE(first->number, second->number);
        EXPECT_LE(first->number, second->number + 1);
        EXPECT_GE(view.revision(), std::max(first.revision(), second.revision()));
        EXPECT_TRUE(view.has("number", std::to_string(first->number)));
      }
    });
  }
  Revision first = 0;
  Revision second = 0;
  for (int i = 0; i < 300; ++i) {
    first = put(thing("a"), fmt::format(R"("tags":[],"number":{})", i), first);
    second = put(other, fmt::format(R"("tags":[],"number":{})", i), second);
  }
  done = true;
  for (std::thread& one : readers) one.join();
}

TEST_F(InformerTest, ComesAndGoesWhileEventsFlow) {
  start();
  std::atomic<std::int64_t> written = -1;
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      while (!done) {
        const std::int64_t before = written;
        Informer<Tags> informer(hub_, options());
        const auto signal = std::make_shared<async::Signal>(loops_.at(0));
        InformerBase::Follower follower(informer, loops_.at(0), signal);
        const std::int64_t between = written;
        if (i % 2 == 0) static_cast<void>(follower.take());
        const auto view = informer.view();
        const auto found = view.find(thing("a"));
        if (before < 0) continue;
        ASSERT_TRUE(found);
        EXPECT_GE(found->number, between) << "what was written is there";
        EXPECT_TRUE(view.has("number", std::to_string(found->number)));
      }
    });
  }
  Revision at = 0;
  for (int i = 0; i < 300; ++i) {
    at = put(thing("a"), fmt::format(R"("tags":[],"number":{})", i), at);
    written = i;
  }
  done = true;
  for (std::thread& one : threads) one.join();
}

class FollowerTest : public InformerTest {
 protected:
  FollowerTest() { start(); }
  // "name" of each note, with what stood there before and how many were deleted.
  static std::vector<std::string> told(const InformerBase::Follower::Taken& taken) {
    std::vector<std::string> out;
    for (const InformerBase::Note& note : taken.notes) {
      std::string one = note.key.substr(note.key.rfind('/') + 1);
      if (const auto before = Informer<Tags>::before(note))
        one += fmt::format(" was {}", before->tags.front());
      if (!note.gone.empty()) one += fmt::format(" gone {}", note.gone.size());
      out.push_back(std::move(one));
    }
    return out;
  }
  boost::asio::awaitable<std::vector<std::string>> wait_for_changes(Informer<Tags>& informer,
                                                                    std::promise<void>& waiting) {
    InformerBase::Follower follower(informer, loops_.at(0), signal_);
    static_cast<void>(follower.take());
    // Runs when this one waits.
    boost::asio::post(loops_.at(0), [&waiting] { waiting.set_value(); });
    EXPECT_TRUE((co_await signal_->wait(Deadline::never())).value());
    co_return told(follower.take());
  }
  std::shared_ptr<async::Signal> signal_ = std::make_shared<async::Signal>(loops_.at(0));
};

TEST_F(FollowerTest, BeginsWithAllThatIsThere) {
  put(thing("b"), R"("tags":["x"])");
  const Revision last = put(thing("a"), R"("tags":7)");
  Informer<Tags> informer(hub_, options());
  InformerBase::Follower follower(informer, loops_.at(0), signal_);
  const auto taken = follower.take();
  EXPECT_THAT(told(taken), ElementsAre("a", "b"));
  EXPECT_EQ(taken.revision, last);
  for (const InformerBase::Note& note : taken.notes) EXPECT_EQ(note.since, 0);
  EXPECT_THAT(told(follower.take()), IsEmpty());
}

TEST_F(FollowerTest, TellsEachKeyOnceInTheOrderOfFirstChanges) {
  Informer<Tags> informer(hub_, options());
  const Revision a = put(thing("a"), R"("tags":["x"])");
  InformerBase::Follower follower(informer, loops_.at(0), signal_);
  static_cast<void>(follower.take());
  const Revision c = put(thing("c"), R"("tags":["x"])");
  const Revision a2 = put(thing("a"), R"("tags":["y"])", a);
  // A reader in between takes nothing away.
  EXPECT_EQ(names(informer, "tag", "y"), "a");
  const Revision gone = remove(thing("a"), a2);
  const Revision a3 = put(thing("a"), R"("tags":["z"])");
  const Revision gone2 = remove(thing("a"), a3);
  EXPECT_LT(gone, gone2);
  const Revision last = put(thing("c"), R"("tags":["y"])", c);
  const auto taken = follower.take();
  EXPECT_THAT(told(taken), ElementsAre("c", "a was x gone 2"));
  EXPECT_EQ(taken.notes[0].since, c);
  EXPECT_EQ(taken.notes[1].since, a2);
  EXPECT_EQ(taken.revision, last);
}

TEST_F(FollowerTest, TellsOfEveryDeletionOnceSomethingWasWanted) {
  auto only_labelled = options();
  only_labelled.wants = [](const Object& object) { return !object.labels().empty(); };
  only_labelled.every_deletion = true;
  Informer<Tags> informer(hub_, std::move(only_labelled));
  InformerBase::Follower follower(informer, loops_.at(0), signal_);
  remove(thing("a"), put(thing("a"), R"("tags":["x"])"));
  EXPECT_THAT(told(follower.take()), IsEmpty()) << "nobody could have missed it";
  write(thing("w"),
        std::make_shared<const std::string>(
            R"({"apiVersion":"a.example/v1","metadata":{"labels":{"l":"1"}},"tags":["x"]})"),
        0);
  remove(thing("a"), put(thing("a"), R"("tags":["x"])"));
  EXPECT_THAT(told(follower.take()), ElementsAre("w", "a gone 1"));
}

TEST_F(FollowerTest, TellsWhatALostStreamMissed) {
  Informer<Tags> informer(hub_, options());
  const Revision a = put(thing("a"), R"("tags":["x"])");
  const Revision b = put(thing("b"), R"("tags":["x"])");
  InformerBase::Follower follower(informer, loops_.at(0), signal_);
  static_cast<void>(follower.take());
  lose_stream([&] {
    remove(thing("a"), a);
    remove(thing("b"), b);
    return put(thing("b"), R"("tags":["y"])");
  });
  EXPECT_THAT(told(follower.take()), UnorderedElementsAre("a was x gone 1", "b was x gone 1"));
}

TEST_F(FollowerTest, IsWokenWhileItWaits) {
  Informer<Tags> informer(hub_, options());
  std::promise<void> waiting;
  auto changes = boost::asio::co_spawn(loops_.at(0), wait_for_changes(informer, waiting),
                                       boost::asio::use_future);
  waiting.get_future().wait();
  put(thing("a"), R"("tags":[])");
  EXPECT_THAT(changes.get(), ElementsAre("a"));
}

// The loop has as many tasks as there were wake-ups.
TEST_F(FollowerTest, IsWokenOnceForManyChangesAndNeverForNone) {
  boost::asio::io_context loop;
  const auto tasks = [&loop] {
    loop.restart();
    return loop.poll();
  };
  Informer<Tags> informer(hub_, options());
  InformerBase::Follower follower(informer, loop.get_executor(),
                                  std::make_shared<async::Signal>(loop.get_executor()));
  static_cast<void>(follower.take());
  for (int i = 0; i < 100; ++i) put(thing(fmt::format("t{}", i)), R"("tags":[])");
  EXPECT_EQ(tasks(), 1u);
  EXPECT_EQ(follower.take().notes.size(), 100u);
  put("/registry/configmaps/default/a", R"("data":{})");
  EXPECT_EQ(tasks(), 0u);
  put(thing("last"), R"("tags":[])");
  EXPECT_EQ(tasks(), 1u);
}

TEST_F(FollowerTest, HearsNothingOnceItHasEnded) {
  Informer<Tags> informer(hub_, options());
  {
    InformerBase::Follower follower(informer, loops_.at(0), signal_);
    put(thing("a"), R"("tags":["x"])");
  }
  put(thing("b"), R"("tags":["x"])");
  EXPECT_EQ(names(informer, "tag", "x"), "a b");
}

}  // namespace
}  // namespace strake::api

#include "kube/object_watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <deque>
#include <mutex>

#include "async/run.h"
#include "async/signal.h"
#include "http/test_server.h"
#include "value/fields.h"

namespace strake::kube {
namespace {

using http::testing::eventually;
using http::testing::test_pki;
using http::testing::text_response;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string object(std::string_view name, int version) {
  return fmt::format(R"({{"metadata":{{"name":"{}","resourceVersion":"{}"}}}})", name, version);
}

std::string list(int version, std::vector<std::string> items, std::string_view next = "") {
  return fmt::format(
      R"({{"kind":"List","metadata":{{"resourceVersion":"{}","continue":"{}"}},"items":[{}]}})",
      version, next, fmt::join(items, ","));
}

std::string event(std::string_view type, std::string_view object) {
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object);
}

// A watch that sends these parts and then waits until it is let go.
class Parts final : public http::BodyStream {
 public:
  Parts(std::deque<std::string> parts, std::shared_ptr<async::OneShot<>> end,
        milliseconds open = milliseconds(0))
      : parts_(std::move(parts)), end_(std::move(end)), open_(open) {}
  async::Task<std::vector<http::Piece>> next() override {
    std::vector<http::Piece> out;
    if (!parts_.empty()) {
      out.emplace_back(std::move(parts_.front()));
      parts_.pop_front();
    } else if (end_) {
      STRAKE_CO_CHECK(co_await end_->wait());
    } else if (open_.count() > 0) {
      STRAKE_CO_CHECK(co_await async::sleep_for(open_));
    }
    co_return out;
  }

 private:
  std::deque<std::string> parts_;
  std::shared_ptr<async::OneShot<>> end_;
  milliseconds open_;
};

class Heard final : public ObjectSink {
 public:
  void on_list(const std::vector<const value::Value*>& objects) override {
    std::string names;
    for (const value::Value* one : objects) names += " " + name(*one);
    note("list" + names);
  }
  void on_set(const value::Value& object) override { note("set " + name(object)); }
  void on_deleted(const value::Value& object) override { note("deleted " + name(object)); }
  void on_trouble(const Error& why) override { note("trouble: " + why.message()); }
  void on_recovery() override { note("recovery"); }
  std::vector<std::string> all() {
    const std::lock_guard lock(mu_);
    return heard_;
  }
  bool has(std::size_t count) {
    return eventually([&] { return all().size() >= count; });
  }

 private:
  static std::string name(const value::Value& object) {
    return std::string(value::text_of(object.get("metadata"), "name"));
  }
  void note(std::string what) {
    const std::lock_guard lock(mu_);
    heard_.push_back(std::move(what));
  }
  std::mutex mu_;
  std::vector<std::string> heard_;
};

class ObjectWatchTest : public ::testing::Test {
 protected:
  // What the server says to the n-th request, and then a watch without end.
  struct Said {
    int status = 200;
    std::string body = {};
    std::optional<std::deque<std::string>> parts = {};  // a watch
    bool ends = true;
    milliseconds open = milliseconds(0);  // before it ends
  };

  void SetUp() override { ::setenv("no_proxy", "127.0.0.1", 1); }
  void TearDown() override {
    if (watch_) watch_->stop();
    if (run_.valid()) run_.get();
    watch_.reset();
    cluster_.reset();
    end_->set({});
  }

  // After a second failure in a row it waits for as good as ever.
  static constexpr async::Backoff kSteep{
      .first = milliseconds(1), .most = std::chrono::hours(1), .factor = 1e9, .jitter = 0};

  void start(std::vector<Said> said,
             async::Backoff backoff = {.first = milliseconds(1), .most = milliseconds(2)}) {
    said_ = std::move(said);
    Access access{.server = server_.url(""), .ca_pem = test_pki().authority.certificate_pem};
    access.credentials.token = Secret("t0ken");
    cluster_ = ClusterClient::make(access, loops_, {}).value();
    watch_ = std::make_unique<ObjectWatch>(
        cluster_, ObjectWatch::Options{.path = "/api/v1/things", .backoff = backoff}, heard_);
    run_ = boost::asio::co_spawn(loops_.at(0), watch_->run(), boost::asio::use_future);
  }
  std::vector<std::string> asked() {
    const std::lock_guard lock(mu_);
    return asked_;
  }
  bool was_asked(std::size_t count) {
    return eventually([&] { return asked().size() >= count; });
  }

  boost::asio::awaitable<http::Response> answer(http::Request request) {
    std::size_t n = 0;
    {
      const std::lock_guard lock(mu_);
      n = asked_.size();
      asked_.push_back(request.path + "?" + request.query);
    }
    if (n >= said_.size()) {
      http::Response out;
      out.stream = std::make_unique<Parts>(std::deque<std::string>(), end_);
      co_return out;
    }
    const Said& said = said_[n];
    http::Response out = text_response(said.body, said.status);
    if (said.parts)
      out.stream = std::make_unique<Parts>(*said.parts, said.ends ? nullptr : end_, said.open);
    co_return out;
  }

  std::mutex mu_;
  std::vector<std::string> asked_;  // guarded by mu_
  std::vector<Said> said_;
  std::shared_ptr<async::OneShot<>> end_ = std::make_shared<async::OneShot<>>();
  http::testing::TestServer server_{
      [this](http::Request request) { return answer(std::move(request)); }, {}, true};
  async::Loops loops_{1};
  Heard heard_;
  std::shared_ptr<ClusterClient> cluster_;
  std::unique_ptr<ObjectWatch> watch_;
  std::future<void> run_;
};

constexpr std::string_view kWatch =
    "/api/v1/things?watch=true&allowWatchBookmarks=true&resourceVersion=";

TEST_F(ObjectWatchTest, ListsInPagesAndFollowsFromThere) {
  start({{.body = list(0, {object("a", 1)}, "more of it")},
         {.body = list(7, {object("b", 2)})},
         {.parts = {{event("ADDED", object("c", 8)),
                     event("MODIFIED", object("a", 9)) + event("DELETED", object("b", 10))}},
          .ends = false}});
  ASSERT_TRUE(heard_.has(4));
  EXPECT_THAT(heard_.all(), ElementsAre("list a b", "set c", "set a", "deleted b"));
  EXPECT_THAT(asked(), ElementsAre("/api/v1/things?limit=500",
                                   "/api/v1/things?limit=500&continue=more%20of%20it",
                                   fmt::format("{}7&timeoutSeconds=300", kWatch)));
}

TEST_F(ObjectWatchTest, ResumesWhereAWatchHasEnded) {
  start({{.body = list(7, {})},
         {.parts = {{event("ADDED", object("a", 8)),
                     event("BOOKMARK", R"({"metadata":{"resourceVersion":"20"}})")}}},
         {.parts = {{event("ADDED", object("b", 21))}}, .ends = false}});
  ASSERT_TRUE(heard_.has(3));
  EXPECT_THAT(heard_.all(), ElementsAre("list", "set a", "set b"));
  EXPECT_THAT(asked()[2], HasSubstr("resourceVersion=20&"));
}

TEST_F(ObjectWatchTest, ReadsAnEventThatComesInPieces) {
  const std::string whole = event("ADDED", object("a", 8)) + event("ADDED", object("b", 9));
  start({{.body = list(7, {})},
         {.parts = {{whole.substr(0, 9), whole.substr(9, 50), whole.substr(59)}}, .ends = false}});
  ASSERT_TRUE(heard_.has(3));
  EXPECT_THAT(heard_.all(), ElementsAre("list", "set a", "set b"));
}

TEST_F(ObjectWatchTest, ListsAgainWhenItsPlaceIsForgotten) {
  start({{.body = list(7, {object("a", 1)})},
         {.parts = {{event("ERROR", R"({"kind":"Status","code":410,"reason":"Expired"})")}}},
         {.body = list(30, {object("b", 29)})},
         {.status = 410, .body = R"({"kind":"Status","reason":"Expired","message":"too old"})"},
         {.body = list(40, {object("c", 39)})}});
  ASSERT_TRUE(was_asked(6));
  EXPECT_THAT(heard_.all(), ElementsAre("list a", "list b", "list c"));
  EXPECT_THAT(asked()[5], HasSubstr("resourceVersion=40&"));
}

TEST_F(ObjectWatchTest, TellsOfTroubleOnceAndOfItsEnd) {
  const std::string forbidden =
      R"({"kind":"Status","status":"Failure","reason":"Forbidden","message":"no, you may not"})";
  start({{.status = 403, .body = forbidden},
         {.status = 403, .body = forbidden},
         {.status = 403, .body = forbidden},
         {.body = list(7, {object("a", 1)})}});
  ASSERT_TRUE(heard_.has(3));
  EXPECT_THAT(heard_.all(),
              ElementsAre("trouble: GET /api/v1/things: no, you may not", "list a", "recovery"));
}

TEST_F(ObjectWatchTest, KeepsItsPlaceWhenAWatchSendsGarbage) {
  start({{.body = list(7, {})},
         {.parts = {{event("ADDED", object("a", 8)), "no event\n"}}},
         {.parts = {{event("ADDED", object("b", 9))}}, .ends = false}});
  ASSERT_TRUE(heard_.has(5));
  EXPECT_THAT(heard_.all(), ElementsAre("list", "set a",
                                        "trouble: a watch of /api/v1/things sent what is no event",
                                        "recovery", "set b"));
  EXPECT_THAT(asked()[2], HasSubstr("resourceVersion=8&"));
}

TEST_F(ObjectWatchTest, TriesAgainSoonAfterAWatchThatToldSomething) {
  const Said breaks{.parts = {{event("ADDED", object("a", 8)), "no event\n"}}};
  start({{.body = list(7, {})}, breaks, breaks, breaks}, kSteep);
  EXPECT_TRUE(was_asked(5));
}

TEST_F(ObjectWatchTest, TriesAgainSoonAfterAQuietWatchThatWasOpenForAWhile) {
  const Said quiet{.parts = {std::deque<std::string>()}, .open = milliseconds(30)};
  start({{.body = list(7, {})}, quiet, quiet, quiet}, kSteep);
  EXPECT_TRUE(was_asked(5));
}

TEST_F(ObjectWatchTest, DoesNotTakeAListThatIsNone) {
  start({{.body = "[]"}, {.body = R"({"items":[]})"}, {.body = list(7, {})}});
  ASSERT_TRUE(heard_.has(3));
  EXPECT_THAT(heard_.all(),
              ElementsAre("trouble: GET /api/v1/things: the answer is no list of objects", "list",
                          "recovery"));
}

TEST_F(ObjectWatchTest, StopsWhileItWatches) {
  start({{.body = list(7, {})}});
  ASSERT_TRUE(was_asked(2));
  watch_->stop();
  run_.get();
}

}  // namespace
}  // namespace strake::kube

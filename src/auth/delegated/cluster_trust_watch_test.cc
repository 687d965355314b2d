#include "auth/delegated/cluster_trust_watch.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <mutex>

#include "async/run.h"
#include "base/log.h"
#include "http/test_server.h"

namespace strake::auth {
namespace {

using http::testing::eventually;
using http::testing::test_pki;
using http::testing::text_response;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

// A main server with one ConfigMap, whose watches the test feeds.
class MainServer {
 public:
  void put(std::string allowed) {
    const std::lock_guard lock(mu_);
    allowed_ = std::move(allowed);
    ++version_;
    tell("MODIFIED");
  }
  void remove() {
    const std::lock_guard lock(mu_);
    ++version_;
    tell("DELETED");
    allowed_.clear();
  }
  void refuse(int status, std::string body) {
    const std::lock_guard lock(mu_);
    status_ = status;
    body_ = std::move(body);
  }
  std::shared_ptr<const kube::ClusterClient> client(const async::Loops& loops) {
    kube::Access access{.server = server_.url(""), .ca_pem = test_pki().authority.certificate_pem};
    access.credentials.token = Secret("t0ken");
    return kube::ClusterClient::make(access, loops, {}).value();
  }
  std::string target() {
    const std::lock_guard lock(mu_);
    return target_;
  }
  int lists() {
    const std::lock_guard lock(mu_);
    return lists_;
  }
  int watches() {
    const std::lock_guard lock(mu_);
    return begun_;
  }
  // All watches end.
  void end_watches() {
    const std::lock_guard lock(mu_);
    for (const auto& one : watches_) one->end();
    watches_.clear();
  }

 private:
  class Watch final : public http::BodyStream {
   public:
    struct Queue {
      void put(std::string text) {
        const std::lock_guard lock(mu);
        parts.push_back(std::move(text));
        wake();
      }
      void end() {
        const std::lock_guard lock(mu);
        ended = true;
        wake();
      }
      void wake() {
        if (waiter) std::exchange(waiter, nullptr)->set({});
      }
      std::mutex mu;
      std::vector<std::string> parts;
      bool ended = false;
      std::shared_ptr<async::OneShot<>> waiter;
    };
    explicit Watch(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}
    async::Task<std::vector<http::Piece>> next() override {
      while (true) {
        std::shared_ptr<async::OneShot<>> waiter;
        {
          const std::lock_guard lock(queue_->mu);
          std::vector<http::Piece> out;
          for (std::string& one : queue_->parts) out.emplace_back(std::move(one));
          queue_->parts.clear();
          if (!out.empty() || queue_->ended) co_return out;
          waiter = queue_->waiter = std::make_shared<async::OneShot<>>();
        }
        STRAKE_CO_CHECK(co_await waiter->wait());
      }
    }

   private:
    std::shared_ptr<Queue> queue_;
  };

  std::string object() const {
    return fmt::format(
        R"({{"metadata":{{"name":"extension-apiserver-authentication","resourceVersion":"{}"}},)"
        R"("data":{{"requestheader-allowed-names":"{}"}}}})",
        version_, allowed_);
  }
  void tell(std::string_view type) {
    for (const auto& one : watches_)
      one->put(fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object()));
  }
  boost::asio::awaitable<http::Response> answer(http::Request request) {
    const std::lock_guard lock(mu_);
    if (status_ != 200) co_return text_response(body_, status_);
    if (request.query.contains("watch=true")) {
      auto queue = std::make_shared<Watch::Queue>();
      watches_.push_back(queue);
      ++begun_;
      // What has changed since the version that it begins at.
      if (!request.query.contains(fmt::format("resourceVersion={}&", version_)))
        queue->put(fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n",
                               allowed_.empty() ? "DELETED" : "MODIFIED", object()));
      http::Response out;
      out.stream = std::make_unique<Watch>(queue);
      co_return out;
    }
    target_ = request.path + "?" + request.query;
    ++lists_;
    co_return text_response(fmt::format(R"({{"metadata":{{"resourceVersion":"{}"}},"items":[{}]}})",
                                        version_, allowed_.empty() ? "" : object()));
  }

  std::mutex mu_;
  std::string allowed_ = R"([\"a\"])";
  int version_ = 1;
  int status_ = 200;
  int lists_ = 0;
  int begun_ = 0;
  std::string body_;
  std::string target_;
  std::vector<std::shared_ptr<Watch::Queue>> watches_;
  http::testing::TestServer server_{
      [this](http::Request request) { return answer(std::move(request)); }, {}, true};
};

class ClusterTrustWatchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("no_proxy", "127.0.0.1", 1);
    log::configure({.level = log::Level::kOff});
  }
  void TearDown() override {
    static_cast<void>(async::run_blocking(loops_.at(0), watch_->stop()));
    main_.end_watches();
    watch_.reset();
    log::configure({});
  }
  Result<ClusterTrust> begin() {
    watch_ = std::make_unique<ClusterTrustWatch>(ClusterTrustWatch::Options{
        .cluster = main_.client(loops_),
        .told = [this](ClusterTrust trust) -> boost::asio::awaitable<void> {
          const std::lock_guard lock(mu_);
          told_.push_back(trust.allowed_names->front());
          co_return;
        },
        .backoff = {.first = milliseconds(1), .most = milliseconds(2)}});
    return async::run_blocking(loops_.at(0), watch_->begin());
  }
  void follow() {
    boost::asio::co_spawn(loops_.at(0), watch_->start(), boost::asio::use_future).get();
  }
  // Another watch begins when all that the last one was sent has been taken in.
  bool everything_is_heard() {
    const int before = main_.watches();
    main_.end_watches();
    return eventually([&] { return main_.watches() > before; });
  }
  std::vector<std::string> told() {
    const std::lock_guard lock(mu_);
    return told_;
  }

  MainServer main_;
  async::Loops loops_{1};
  std::unique_ptr<ClusterTrustWatch> watch_;
  std::mutex mu_;
  std::vector<std::string> told_;  // guarded by mu_
};

TEST_F(ClusterTrustWatchTest, ReadsTheOneConfigMap) {
  const auto trust = begin();
  ASSERT_TRUE(trust) << trust.error().to_string();
  EXPECT_THAT(trust->allowed_names, Optional(ElementsAre("a")));
  EXPECT_EQ(
      main_.target(),
      "/api/v1/namespaces/kube-system/"
      "configmaps?fieldSelector=metadata.name%3Dextension-apiserver-authentication&limit=500");
}

TEST_F(ClusterTrustWatchTest, TellsOfEachChangeOnce) {
  ASSERT_TRUE(begin());
  follow();
  main_.put(R"([\"b\"])");
  ASSERT_TRUE(eventually([&] { return told().size() == 1; }));
  main_.put(R"([\"b\"])");
  main_.put(R"([\"c\"])");
  ASSERT_TRUE(eventually([&] { return told().size() == 2; }));
  EXPECT_THAT(told(), ElementsAre("b", "c"));
}

TEST_F(ClusterTrustWatchTest, KeepsTheLastValuesWhenTheConfigMapGoesOrBreaks) {
  ASSERT_TRUE(begin());
  follow();
  main_.put(R"([\"b\"])");
  ASSERT_TRUE(eventually([&] { return told().size() == 1; }));
  main_.remove();
  ASSERT_TRUE(everything_is_heard());
  main_.put("no list");
  ASSERT_TRUE(everything_is_heard());
  EXPECT_THAT(told(), ElementsAre("b"));
  main_.put(R"([\"b\"])");  // as before: nothing to tell
  ASSERT_TRUE(everything_is_heard());
  main_.put(R"([\"c\"])");
  ASSERT_TRUE(eventually([&] { return told().size() == 2; }));
  EXPECT_THAT(told(), ElementsAre("b", "c"));
}

TEST_F(ClusterTrustWatchTest, FollowsAgainAfterTheServerWasAway) {
  ASSERT_TRUE(begin());
  follow();
  main_.put(R"([\"b\"])");
  ASSERT_TRUE(eventually([&] { return told().size() == 1; }));
  main_.refuse(503, "down");
  main_.end_watches();
  main_.put(R"([\"c\"])");
  main_.refuse(200, "");
  ASSERT_TRUE(eventually([&] {
    main_.put(R"([\"c\"])");
    return told().size() == 2;
  }));
  EXPECT_THAT(told(), ElementsAre("b", "c"));
}

TEST_F(ClusterTrustWatchTest, NamesTheRoleToBindWhenItMayNotRead) {
  main_.refuse(403,
               R"({"kind":"Status","reason":"Forbidden","message":"configmaps is forbidden"})");
  const auto trust = begin();
  ASSERT_FALSE(trust);
  EXPECT_EQ(trust.error().code(), Code::kForbidden);
  EXPECT_THAT(trust.error().message(),
              AllOf(HasSubstr("configmaps is forbidden"),
                    HasSubstr("bind the role extension-apiserver-authentication-reader in "
                              "kube-system to the user of the kubeconfig")));
}

TEST_F(ClusterTrustWatchTest, SaysThatTheConfigMapIsMissing) {
  main_.remove();
  const auto trust = begin();
  ASSERT_FALSE(trust);
  EXPECT_THAT(
      trust.error().message(),
      AllOf(HasSubstr("ConfigMap kube-system/extension-apiserver-authentication does not exist"),
            HasSubstr("--authentication-skip-lookup")));
}

TEST_F(ClusterTrustWatchTest, FailsWhenTheConfigMapCannotBeUsed) {
  main_.put("x");
  EXPECT_THAT(begin().error().message(), HasSubstr("key requestheader-allowed-names: must be"));
}

TEST_F(ClusterTrustWatchTest, LearnsLaterWhatItCouldNotAtFirst) {
  main_.refuse(503, "down");
  ASSERT_FALSE(begin());
  follow();
  main_.refuse(200, "");
  ASSERT_TRUE(eventually([&] { return !told().empty(); }));
  EXPECT_THAT(told(), ElementsAre("a"));
}

}  // namespace
}  // namespace strake::auth

// Who waits for the default roles of a server that is ready before them.
#include "api/filters/rights_at_start.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <future>

#include "api/filters/test_stages.h"
#include "async/loops.h"

namespace strake::api {
namespace {

using testing::call_of;
using testing::user_named;

const std::vector<std::string> kMasters = {"system:masters", "system:authenticated"};
constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";

CallPtr by_master(std::string_view target, std::vector<http::Header> headers = {}) {
  return call_of(user_named("admin", kMasters), "GET", target, std::move(headers));
}

TEST(RightsAtStart, LetInAtOnceWhoNeedsNoRoles) {
  async::Progress made;
  RightsAtStartStage stage(made);
  EXPECT_TRUE(stage.enter(*by_master(kPods)).goes_on());
}

TEST(RightsAtStart, HoldUpWhoeverNeedsThem) {
  async::Progress made;
  RightsAtStartStage stage(made);
  const CallPtr held[] = {
      call_of(user_named("jane", {"system:authenticated"}), "GET", kPods),
      by_master(kPods, {{"impersonate-user", "jane"}}),
      by_master("/apis/rbac.authorization.k8s.io/v1/clusterroles"),
      by_master("/apis/authorization.k8s.io/v1/subjectaccessreviews"),
      by_master("/readyz"),
  };
  for (const CallPtr& call : held) {
    EXPECT_TRUE(stage.enter(*call).take_wait()) << call->request.path;
  }
  made.reach(1);
  for (const CallPtr& call : held) EXPECT_TRUE(stage.enter(*call).goes_on());
}

TEST(RightsAtStart, LetInWhoHasWaited) {
  async::Progress made;
  RightsAtStartStage stage(made);
  const CallPtr call = call_of(user_named("jane", {}), "GET", kPods);
  auto waiting = stage.enter(*call).take_wait();
  ASSERT_TRUE(waiting);
  async::Loops loops(2);
  std::promise<Passage::Outcome> promise;
  boost::asio::co_spawn(
      loops.at(0), std::move(*waiting),
      [&](std::exception_ptr, Passage::Outcome outcome) { promise.set_value(std::move(outcome)); });
  made.reach(1);
  const Passage::Outcome outcome = promise.get_future().get();
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(*outcome) << "the call goes on";
}

}  // namespace
}  // namespace strake::api

#include "api/filters/deadline.h"

#include <gtest/gtest.h>

#include "api/filters/test_stages.h"

namespace strake::api {
namespace {

using testing::code_of;

class DeadlineStageTest : public ::testing::Test {
 protected:
  CallPtr call(std::string_view method, std::string_view query = "") {
    return testing::call_of(testing::user_named("jane", {}), method,
                            fmt::format("/api/v1/namespaces/here/secrets{}", query));
  }
  bool is_cancelled_after(const CallPtr& call, std::chrono::seconds time) {
    EXPECT_EQ(code_of(stage_.enter(*call)), 0);
    clock_.advance(time);
    deadlines_.expire();
    return call->is_cancelled();
  }
  FakeClock clock_;
  Deadlines deadlines_{clock_};
  DeadlineStage stage_{std::chrono::seconds(60), deadlines_, clock_};
};

TEST_F(DeadlineStageTest, CancelsACallThatIsLate) {
  using std::chrono::seconds;
  EXPECT_FALSE(is_cancelled_after(call("GET"), seconds(59)));
  EXPECT_TRUE(is_cancelled_after(call("GET"), seconds(60)));
  EXPECT_TRUE(is_cancelled_after(call("POST"), seconds(34)));
  EXPECT_TRUE(is_cancelled_after(call("GET", "?timeout=3s"), seconds(3)));
}

TEST_F(DeadlineStageTest, LeavesTimeToWhatIsSentOn) {
  const CallPtr sent_on = testing::call_of(testing::user_named("jane", {}), "POST",
                                           "/api/v1/namespaces/here/services/web/proxy/a");
  EXPECT_FALSE(is_cancelled_after(sent_on, std::chrono::hours(1)));
}

TEST_F(DeadlineStageTest, SaysThatACallWasLateWhateverItFailedWith) {
  const CallPtr late = call("GET");
  EXPECT_TRUE(is_cancelled_after(late, std::chrono::seconds(60)));
  meta::Status refusal = Call::cancelled();
  stage_.reword(*late, refusal);
  EXPECT_EQ(refusal.code, 504);
  const CallPtr other = call("GET");
  EXPECT_FALSE(is_cancelled_after(other, std::chrono::seconds(1)));
  refusal = meta::Status::unauthorized();
  stage_.reword(*other, refusal);
  EXPECT_EQ(refusal.code, 401);
}

TEST_F(DeadlineStageTest, EndsWithTheResponseButNotTheTieToTheClient) {
  CancelSource client;
  const CallPtr one = call("GET");
  one->request.cancel = client.token();
  EXPECT_EQ(code_of(stage_.enter(*one)), 0);
  http::Response response;
  stage_.leave(*one, response);
  clock_.advance(std::chrono::seconds(120));
  deadlines_.expire();
  EXPECT_FALSE(one->is_cancelled()) << "a stream goes on";
  client.cancel();
  EXPECT_TRUE(one->is_cancelled());
}

TEST_F(DeadlineStageTest, GivesWatchesAllTheTimeAndRefusesWhatIsNoDuration) {
  EXPECT_FALSE(is_cancelled_after(call("GET", "?watch=1"), std::chrono::seconds(600)));
  EXPECT_EQ(code_of(stage_.enter(*call("GET", "?timeout=soon"))), 400);
}

}  // namespace
}  // namespace strake::api

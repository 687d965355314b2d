#include "api/filters/in_flight.h"

#include <gtest/gtest.h>

#include "api/filters/test_stages.h"

namespace strake::api {
namespace {

using testing::code_of;

class InFlightStageTest : public ::testing::Test {
 protected:
  CallPtr call(std::string_view method, std::string_view target = "/api/v1/namespaces") {
    return testing::call_of(jane_, method, target);
  }
  void leave(Call& call) {
    http::Response response;
    stage_.leave(call, response);
  }
  const UserPtr jane_ = testing::user_named("jane", {"system:authenticated"});
  InFlightCounts counts_;
  Registry registry_;
  InFlightStage stage_{{.reads = 2, .writes = 1}, counts_, registry_};
};

TEST_F(InFlightStageTest, RefusesWhatIsTooMuchAndSaysWhenToComeAgain) {
  const CallPtr first = call("GET");
  const CallPtr second = call("GET");
  const CallPtr third = call("GET");
  EXPECT_EQ(code_of(stage_.enter(*first)), 0);
  EXPECT_EQ(code_of(stage_.enter(*second)), 0);
  Passage passage = stage_.enter(*third);
  const auto end = passage.take_end();
  ASSERT_TRUE(end && *end);
  EXPECT_EQ((*end)->status, 429);
  EXPECT_EQ((*end)->headers.get("Retry-After"), "1");
}

TEST_F(InFlightStageTest, CountsReadsAndWritesApart) {
  const CallPtr read = call("GET");
  const CallPtr write = call("DELETE");
  EXPECT_EQ(code_of(stage_.enter(*read)), 0);
  EXPECT_EQ(code_of(stage_.enter(*write)), 0);
  EXPECT_EQ(counts_.reads, 1u);
  EXPECT_EQ(counts_.writes, 1u);
  EXPECT_EQ(code_of(stage_.enter(*call("POST"))), 429);
}

TEST_F(InFlightStageTest, DoesNotCountWhatIsSentOn) {
  EXPECT_EQ(code_of(stage_.enter(*call("POST", "/api/v1/namespaces/a/services/b/proxy/c"))), 0);
  for (const char* path : {"exec", "attach", "portforward", "log"}) {
    const std::string target = std::string("/apis/x.example/v1/namespaces/a/things/b/") + path;
    EXPECT_EQ(code_of(stage_.enter(*call("POST", target.c_str()))), 0) << path;
  }
  EXPECT_EQ(counts_.writes, 0u);
}

TEST_F(InFlightStageTest, GivesThePlaceBackWithTheResponse) {
  const CallPtr one = call("POST");
  EXPECT_EQ(code_of(stage_.enter(*one)), 0);
  leave(*one);
  EXPECT_EQ(counts_.writes, 0u) << "the call itself may live on in a stream";
  const CallPtr next = call("POST");
  EXPECT_EQ(code_of(stage_.enter(*next)), 0);
}

TEST_F(InFlightStageTest, GivesThePlaceBackWhenTheClientIsGone) {
  EXPECT_EQ(code_of(stage_.enter(*call("POST"))), 0);
  EXPECT_EQ(counts_.writes, 0u);
}

TEST_F(InFlightStageTest, DoesNotCountWatches) {
  const CallPtr one = call("GET", "/api/v1/namespaces?watch=1");
  EXPECT_EQ(code_of(stage_.enter(*one)), 0);
  EXPECT_EQ(counts_.reads, 0u);
}

TEST_F(InFlightStageTest, LetsAdministratorsIn) {
  const CallPtr first = call("POST");
  EXPECT_EQ(code_of(stage_.enter(*first)), 0);
  const CallPtr second = call("POST");
  second->user = testing::user_named("admin", {"system:masters"});
  EXPECT_EQ(code_of(stage_.enter(*second)), 0);
}

}  // namespace
}  // namespace strake::api

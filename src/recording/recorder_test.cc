#include "recording/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "api/test_server.h"
#include "base/input_file.h"
#include "recording/recording.h"

namespace strake::recording {
namespace {

using api::testing::config_map_json;
using api::testing::TestServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kSecrets = "/api/v1/namespaces/default/secrets";

class Part final : public api::testing::TestPart {
 public:
  explicit Part(Recorder& recorder) : recorder_(recorder) {}
  std::vector<api::Stage*> stages() override { return {&recorder_}; }

 private:
  Recorder& recorder_;
};

class RecorderStage : public ::testing::Test {
 protected:
  void serve(std::uint64_t most_bytes = 1 << 20) {
    recorder_ = Recorder::open({.path = file_, .most_bytes = most_bytes, .clock = &clock_}).value();
    server_.emplace(TestServer::Options{
        .may = [](const api::User& user, const api::RequestInfo&) { return user.name != "eve"; },
        .part = [this](api::Hub&) { return std::make_unique<Part>(*recorder_); }});
  }
  std::string text() const {
    return InputFile::open(file_, Pipes::kRefused).value().read_all(1 << 24).value();
  }
  Recording recorded() const { return Recording::read(text(), "r").value(); }
  void TearDown() override {
    server_.reset();
    std::filesystem::remove(file_);
  }

  const std::string file_ =
      fmt::format("{}strake-recording-{}-{}", ::testing::TempDir(), ::getpid(),
                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
  FakeClock clock_;
  std::unique_ptr<Recorder> recorder_;
  std::optional<TestServer> server_;
};

TEST_F(RecorderStage, BeginsWhenItIsTold) {
  serve();
  server_->get(kMaps);
  EXPECT_EQ(text(), "");
  recorder_->begin();
  server_->get(kMaps);
  EXPECT_EQ(recorded().exchanges.size(), 1u);
  struct stat info{};
  ASSERT_EQ(::stat(file_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(RecorderStage, HasWhatWasAskedByWhomAndWhatWasAnswered) {
  serve();
  recorder_->begin();
  clock_.advance(std::chrono::milliseconds(1500));
  server_->ask({.method = "POST",
                .target = "/api/v1/namespaces/default/configmaps?dryRun=All",
                .body = config_map_json("one"),
                .type = "application/json",
                .agent = "robot/1"});
  server_->ask({.method = "GET", .target = kMaps, .user = "eve"});
  const Recording recording = recorded();
  ASSERT_EQ(recording.exchanges.size(), 2u);
  const Exchange& one = recording.exchanges[0];
  EXPECT_EQ(one.request.method, "POST");
  EXPECT_EQ(one.request.path, kMaps);
  EXPECT_EQ(one.request.query, "dryRun=All");
  EXPECT_EQ(one.request.agent, "robot/1");
  EXPECT_EQ(one.request.content_type, "application/json");
  EXPECT_EQ(one.request.at, 1.5);
  EXPECT_THAT(one.request.body.text, HasSubstr("\"one\""));
  ASSERT_TRUE(one.answer);
  EXPECT_EQ(one.answer->status, 201);
  EXPECT_EQ(one.answer->user, "tester");
  EXPECT_THAT(one.answer->groups, ElementsAre("system:masters"));
  EXPECT_THAT(one.answer->body.text, HasSubstr("creationTimestamp"));
  EXPECT_EQ(recording.exchanges[1].answer->status, 403);
  EXPECT_EQ(recording.exchanges[1].answer->user, "eve");
}

TEST_F(RecorderStage, HasWatchesWithTheirEventsAndTheirEnd) {
  serve();
  server_->create(kMaps, config_map_json("one"));
  recorder_->begin();
  {
    TestServer::Watch watch(*server_, fmt::format("{}?watch=1", kMaps));
    watch.next();
    server_->create(kMaps, config_map_json("two"));
    watch.next();
  }
  const Recording recording = recorded();
  ASSERT_EQ(recording.exchanges.size(), 2u);
  const Exchange& watch = recording.exchanges[0];
  ASSERT_TRUE(watch.answer);
  EXPECT_TRUE(watch.answer->goes_on);
  ASSERT_EQ(watch.events.size(), 2u);
  EXPECT_THAT(watch.events[0].body.text, HasSubstr("\"name\":\"one\""));
  EXPECT_THAT(watch.events[1].body.text, HasSubstr("\"name\":\"two\""));
  ASSERT_TRUE(watch.end);
  EXPECT_TRUE(watch.end->by_client);
}

TEST_F(RecorderStage, HasAListThatIsSentInPartsAsOneAnswer) {
  serve();
  for (int i = 0; i < 300; ++i)
    server_->create(
        kMaps, config_map_json(fmt::format("m{}", i), R"({"k":")" + std::string(500, 'x') + "\"}"));
  recorder_->begin();
  server_->get(kMaps);
  const Recording recording = recorded();
  ASSERT_EQ(recording.exchanges.size(), 1u);
  ASSERT_TRUE(recording.exchanges[0].answer);
  EXPECT_FALSE(recording.exchanges[0].answer->goes_on);
  const Body& body = recording.exchanges[0].answer->body;
  EXPECT_EQ(body.form, Body::Form::kDigest);
  EXPECT_EQ(body.text.size(), 64u);
  EXPECT_GT(body.bytes, 150'000u);
  EXPECT_NE(body.version, "");
}

TEST_F(RecorderStage, HoldsNoSecretsAndNoCredentials) {
  serve();
  recorder_->begin();
  const std::string secret = R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},)"
                             R"("stringData":{"k":"hush-hush"}})";
  server_->ask({.method = "POST",
                .target = kSecrets,
                .body = secret,
                .type = "application/json",
                .headers = {{"Authorization", "Bearer hush-hush"}, {"Cookie", "hush-hush"}}});
  server_->create(kSecrets, secret);
  server_->merge(fmt::format("{}/s", kSecrets), R"({"stringData":{"k":"hush-hush"}})");
  server_->get(kSecrets);
  server_->ask("GET", kSecrets, "", "application/json;as=Table;v=v1;g=meta.k8s.io");
  {
    TestServer::Watch(*server_, fmt::format("{}?watch=1", kSecrets)).next();
  }
  EXPECT_EQ(recorded().exchanges.size(), 6u);
  EXPECT_THAT(text(), Not(HasSubstr("hush")));
  EXPECT_THAT(text(), Not(HasSubstr("aHVzaC1odXNo")));  // in base64
  EXPECT_THAT(text(), HasSubstr("Kioq"));
}

TEST_F(RecorderStage, SaysWhenItIsFull) {
  serve(4000);
  recorder_->begin();
  for (int i = 0; i < 20; ++i) server_->get(kMaps);
  EXPECT_LT(text().size(), 4100u);
  EXPECT_TRUE(recorded().full);
  EXPECT_TRUE(text().ends_with("{\"full\":true}\n"));
}

TEST(Recorder, NeedsAFileThatItCanWrite) {
  const auto recorder = Recorder::open({.path = "/no/such/folder/r.jsonl"});
  ASSERT_FALSE(recorder);
  EXPECT_EQ(recorder.error().message(),
            "cannot write the recording /no/such/folder/r.jsonl: No such file or directory");
}

}  // namespace
}  // namespace strake::recording

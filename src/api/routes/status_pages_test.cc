#include "api/routes/status_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::api {
namespace {

using testing::Answered;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::TestServer;

constexpr std::string_view kWarning =
    "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility "
    "guarantees and is for debugging purposes only.\n";

class PagesPart final : public testing::TestPart {
 public:
  std::vector<Route*> routes() override { return {&pages_}; }
  static FakeClock& clock() {
    static FakeClock clock;
    return clock;
  }

 private:
  StatusPages pages_{{.version = "v0.1.0",
                      .flags = {{"listen", "127.0.0.1:0"}, {"backup-command", "CLASSIFIED"}},
                      .more = [] { return StatusPages::Lines{{"Next backup", "soon"}}; }},
                     clock()};
};

struct StatusPagesTest : ::testing::Test {
  Answered ask(std::string_view path, std::string_view accept) {
    return server.ask("GET", path, {}, accept);
  }
  TestServer server{{.part = [](Hub&) { return std::make_unique<PagesPart>(); }}};
};

TEST_F(StatusPagesTest, TellWhatIsRunning) {
  PagesPart::clock().advance(std::chrono::seconds(3 * 3600 + 7 * 60 + 9));
  const Answered page = ask("/statusz", "");
  EXPECT_EQ(page.code, 200);
  EXPECT_EQ(page.header("Content-Type"), "text/plain; charset=utf-8");
  EXPECT_EQ(page.body, "\nstrake statusz\n" + std::string(kWarning) +
                           "\nStarted: Mon Jan  1 00:00:00 UTC 2024\nUp: 3 hr 07 min 09 sec\n"
                           "Binary version: 1.36\nEmulation version: 1.36\n"
                           "Paths: /flagz /healthz /livez /metrics /readyz /statusz /version\n"
                           "Strake version: v0.1.0\nNext backup: soon\n");
}

TEST_F(StatusPagesTest, TellTheFlagsThatWereSet) {
  EXPECT_EQ(ask("/flagz", "text/plain").body,
            "\nstrake flagz\n" + std::string(kWarning) +
                "backup-command=CLASSIFIED\nlisten=127.0.0.1:0\n");
}

TEST_F(StatusPagesTest, AreJsonForThoseWhoAskByName) {
  const Answered flags = ask("/flagz", "application/json;v=v1beta1;g=config.k8s.io;as=Flagz");
  EXPECT_EQ(flags.header("Content-Type"), "application/json");
  EXPECT_EQ(flags.at("flags"), R"({"backup-command":"CLASSIFIED","listen":"127.0.0.1:0"})");
  EXPECT_EQ(flags.text("apiVersion"), "config.k8s.io/v1beta1");
  const Answered status =
      ask("/statusz", "application/json;v=v1alpha1;g=config.k8s.io;as=Statusz, */*");
  EXPECT_EQ(status.text("kind"), "Statusz");
  EXPECT_EQ(status.text("apiVersion"), "config.k8s.io/v1alpha1");
  EXPECT_EQ(status.text("binaryVersion"), "1.36");
}

TEST_F(StatusPagesTest, AreTextForOthersWhoTakeIt) {
  // As `kubectl get --raw` asks.
  for (const char* accept : {"", "*/*", "text/*", "application/json, */*",
                             "application/json;v=foo;g=config.k8s.io;as=Statusz,*/*"})
    EXPECT_THAT(ask("/statusz", accept).body, HasSubstr("\nUp: ")) << accept;
  for (const char* accept : {"application/xml", "application/json", "application/yaml",
                             "application/json;v=v1alpha1;g=config.k8s.io"}) {
    const Answered refused = ask("/statusz", accept);
    EXPECT_EQ(refused.code, 406) << accept;
    EXPECT_THAT(refused.body, Not(HasSubstr("Up: ")));
  }
}

}  // namespace
}  // namespace strake::api

#include "cli/serve/serve_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Said {
  ExitCode code;
  std::string out;
  std::string err;
};

class ServeConfig : public testing::Test {
 protected:
  Said check(std::string_view config, std::vector<std::string> flags = {}) {
    FakeWorld world;
    flags.insert(flags.begin(),
                 {"serve", "--check-config", "--config", folder_.write("s.yaml", config)});
    const ExitCode code = world.run(flags);
    return {code, world.out.text(), world.err.text()};
  }

  TemporaryFolder folder_;
};

TEST_F(ServeConfig, IsCheckedWithoutALeftover) {
  folder_.write("tokens", "secret,jane,1,\"dev\"\n");
  folder_.write("policy.yaml",
                "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
  const Said said = check(
      "serve:\n  dataDir: data\n  listen: 127.0.0.1:0\n  tokenFile: tokens\n"
      "  auditPolicyFile: policy.yaml\n  auditLogPath: audit.log\n  authorizationMode: RBAC\n"
      "  controllers: ['*', -garbage-collector-controller]\n  anonymousAuth: false\n");
  EXPECT_EQ(said.code, ExitCode::kFine) << said.err;
  EXPECT_EQ(said.out, "the configuration can be used\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "data"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "audit.log"));
}

TEST_F(ServeConfig, IsRefusedForWhatTheServerWouldRefuse) {
  struct {
    std::string_view config;
    std::string_view message;
  } constexpr kCases[] = {
      {"serve: {listn: x}\n", "s.yaml:1:9: unknown key \"listn\": did you mean \"listen\"?"},
      {"serve: {listen: nowhere}\n", "nowhere"},
      {"serve: {readyFd: 3}\n", "unknown key \"readyFd\""},
      {"serve: {auditLogPath: audit.log}\n", "an audit policy and the path of the audit log"},
      {"serve: {tokenFile: missing}\n", "missing"},
      {"serve: {tlsCert: missing.crt, tlsKey: missing.key}\n", "missing.crt"},
      {"serve: {auditWebhookBatchMaxWait: soon}\n",
       "--audit-webhook-batch-max-wait wants a duration such as 30s, got \"soon\""},
      {"serve: {authorizationConfig: missing.yaml}\n", "missing.yaml"},
      {"serve: {aggregate: missing.yaml}\n", "missing.yaml"},
      {"serve: {logSlowRequests: -1s}\n", "--log-slow-requests wants a duration"},
  };
  for (const auto& one : kCases) {
    const Said said = check(one.config);
    EXPECT_EQ(said.code, ExitCode::kInput) << one.config;
    EXPECT_THAT(said.err, HasSubstr(one.message)) << one.config;
    EXPECT_THAT(said.out, IsEmpty());
  }
}

TEST_F(ServeConfig, GivesWayToTheCommandLine) {
  EXPECT_EQ(check("serve: {tokenFile: missing}\n", {"--token-file", ""}).code, ExitCode::kFine);
}

TEST_F(ServeConfig, SharesAFileWithValidate) {
  EXPECT_EQ(check("serve: {inMemory: true}\nvalidate: {strict: true}\n").code, ExitCode::kFine);
}

TEST(ServeConfigChange, NeedsARestartButForTheLog) {
  constexpr FlagSpec kFlags[] = {
      {.name = "listen", .kind = FlagKind::kText, .value_name = "HOST:PORT", .fallback = ":1"},
      {.name = "tls-san", .kind = FlagKind::kTexts, .value_name = "HOST"},
      {.name = "log-level", .kind = FlagKind::kText, .value_name = "LEVEL", .fallback = "info"},
      {.name = "log-requests"},
  };
  const auto args = [&](const std::vector<std::string>& words) {
    return *parse_arguments(kFlags, {}, words);
  };
  EXPECT_THAT(changed_for_restart(args({}), args({})), IsEmpty());
  EXPECT_THAT(changed_for_restart(args({}), args({"--listen=:1"})), IsEmpty())
      << "the same as before, only said";
  EXPECT_THAT(changed_for_restart(
                  args({"--tls-san=a"}),
                  args({"--tls-san=b", "--listen=:2", "--log-level=debug", "--log-requests"})),
              ElementsAre("listen", "tls-san"));
}

}  // namespace
}  // namespace strake::cli

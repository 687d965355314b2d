#include "kube/exec_credential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::kube {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kV1 = "client.authentication.k8s.io/v1";

Access with_plugin(std::string script, std::string api_version = std::string(kV1)) {
  Access out;
  out.server = "https://a:6443";
  out.ca_pem = "CA";
  out.exec_config = R"({"audience":"abc"})";
  out.exec = ExecPlugin{.command = "sh",
                        .arguments = {"-c", std::move(script)},
                        .environment = {"STRAKE_TEST_NAME=from-config"},
                        .api_version = std::move(api_version)};
  return out;
}

std::string answer(std::string_view status) {
  return fmt::format(R"({{"apiVersion":"{}","kind":"ExecCredential","status":{}}})", kV1, status);
}

std::string error_of(const Result<Credentials>& made) {
  return made ? "no error" : made.error().to_string();
}

TEST(ExecCredential, TakesATokenAndWhenItRunsOut) {
  const auto made = run_exec_plugin(
      with_plugin("echo '" +
                  answer(R"({"token":"t0ken","expirationTimestamp":"2030-01-02T03:04:05Z"})") +
                  "'"),
      false);
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(made->token.reveal(), "t0ken");
  ASSERT_TRUE(made->expires);
  EXPECT_EQ(Instant::from(*made->expires).seconds, 1893553445);
}

TEST(ExecCredential, TakesACertificateWithItsKey) {
  const auto made =
      read_exec_credential(answer(R"({"clientCertificateData":"C","clientKeyData":"K"})"), kV1);
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(made->certificate_pem, "C");
  EXPECT_EQ(made->key_pem.reveal(), "K");
}

TEST(ExecCredential, TellsThePluginWhatItMayKnow) {
  Access access = with_plugin("echo \"$STRAKE_TEST_NAME $KUBERNETES_EXEC_INFO\" >&2; exit 1");
  EXPECT_THAT(
      error_of(run_exec_plugin(access, false)),
      HasSubstr("failed with exit status 1: from-config "
                R"({"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",)"
                R"("spec":{"interactive":false}})"));
  access.exec->provide_cluster_info = true;
  EXPECT_THAT(error_of(run_exec_plugin(access, false)),
              HasSubstr(R"("cluster":{"certificate-authority-data":"Q0E=",)"
                        R"("config":{"audience":"abc"},"server":"https://a:6443"})"));
}

TEST(ExecCredential, RefusesAnswersThatAreNone) {
  const auto refuse = [](std::string_view text) {
    return error_of(read_exec_credential(text, kV1));
  };
  EXPECT_THAT(refuse("hello"), HasSubstr("it printed no ExecCredential"));
  EXPECT_THAT(refuse("{\"kind\":\"Pod\"}"), HasSubstr("it printed no ExecCredential"));
  EXPECT_THAT(refuse(R"({"kind":"ExecCredential","apiVersion":"x/v2"})"),
              HasSubstr("it is configured to use client.authentication.k8s.io/v1, and answered in "
                        "x/v2"));
  EXPECT_THAT(refuse(fmt::format(R"({{"kind":"ExecCredential","apiVersion":"{}"}})", kV1)),
              HasSubstr("no status"));
  EXPECT_THAT(refuse(answer("{}")), HasSubstr("neither a token nor a certificate"));
  EXPECT_THAT(refuse(answer(R"({"clientKeyData":"K"})")), HasSubstr("a key without its"));
  EXPECT_THAT(refuse(answer(R"({"token":"a","expirationTimestamp":"soon"})")),
              HasSubstr("is no time: soon"));
}

TEST(ExecCredential, NeverShowsWhatThePluginPrinted) {
  const auto made = run_exec_plugin(with_plugin("echo s3cret; echo told >&2; exit 3"), false);
  EXPECT_THAT(error_of(made), HasSubstr("failed with exit status 3: told"));
  EXPECT_THAT(error_of(made), Not(HasSubstr("s3cret")));
  EXPECT_THAT(error_of(run_exec_plugin(with_plugin("echo s3cret"), false)),
              Not(HasSubstr("s3cret")));
}

TEST(ExecCredential, ShowsHowToInstallAPluginThatIsNotThere) {
  Access access = with_plugin("");
  access.exec->command = "strake-no-such-plugin";
  access.exec->install_hint = "get it from the shop";
  const auto made = run_exec_plugin(access, false);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), Code::kNotFound);
  EXPECT_THAT(made.error().message(), HasSubstr("is not there\nget it from the shop"));
}

TEST(ExecCredential, RefusesOtherVersionsOfTheProtocol) {
  EXPECT_THAT(
      error_of(run_exec_plugin(with_plugin("", "client.authentication.k8s.io/v1alpha1"), false)),
      HasSubstr("apiVersion must be client.authentication.k8s.io/v1 or "));
}

TEST(ExecCredential, NeedsATerminalForAPluginThatAlwaysAsks) {
  Access access = with_plugin("echo '" + answer(R"({"token":"a"})") + "'");
  access.exec->interactive = ExecPlugin::Interactive::kAlways;
  EXPECT_THAT(error_of(run_exec_plugin(access, false)), HasSubstr("no terminal"));
  EXPECT_TRUE(run_exec_plugin(access, true));
}

}  // namespace
}  // namespace strake::kube

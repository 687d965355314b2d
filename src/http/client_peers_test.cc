// The client against servers of others, where they are installed: nghttpd (nghttp2-server) and
// nginx (nginx-light).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/subprocess.h"
#include "http/test_http_client.h"
#include "http/test_streams.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using namespace strake::http::testing;

bool is_installed(std::string_view program) {
  return std::system(fmt::format("command -v {} >/dev/null 2>&1", program).c_str()) == 0;
}

std::uint16_t free_port() {
  TestServer taken;
  return taken.server().port();
}

class PeerClient : public HttpClient {
 protected:
  PeerClient() {
    write("serving.pem", test_pki().serving.certificate_pem);
    write("serving.key", test_pki().serving.key_pem.reveal());
    write("small", "hello\n");
    write("large", std::string(3'000'000, 'l'));
  }
  ~PeerClient() override {
    client_.reset();
    if (process_ <= 0) return;
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
  }

  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_.path() + "/" + name, std::ios::binary) << text;
  }
  // Runs it until the test ends, and waits until it listens.
  void run_server(const std::vector<std::string>& command, std::uint16_t port) {
    std::fflush(nullptr);  // or both would write what is left
    process_ = ::fork();
    if (process_ == 0) {
      std::vector<char*> arguments;
      for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      const std::string log = folder_.path() + "/log";
      if (std::freopen(log.c_str(), "w", stdout) == nullptr) std::_Exit(126);
      ::dup2(STDOUT_FILENO, STDERR_FILENO);
      ::execvp(arguments[0], arguments.data());
      std::_Exit(127);
    }
    ASSERT_TRUE(eventually([port] { return can_connect(port); }));
    port_ = port;
  }
  void check_all() {
    const Upstream there = to_port(port_);
    for (int i = 0; i < 3; ++i) {
      const Reply small = ask({.to = there, .target = "/small"});
      ASSERT_TRUE(small) << small.error().message;
      EXPECT_EQ(small->body, "hello\n");
      EXPECT_EQ(small->version, is_h2() ? 20 : 11);
      EXPECT_EQ(ask({.to = there, .target = "/large"})->body, std::string(3'000'000, 'l'));
      EXPECT_EQ(ask({.to = there, .target = "/missing"})->status, 404);
      const Reply head = ask({.to = there, .method = "HEAD", .target = "/large"});
      ASSERT_TRUE(head) << head.error().message;
      EXPECT_EQ(head->headers.get("Content-Length"), "3000000");
      EXPECT_EQ(head->body, "");
    }
    EXPECT_EQ(stats().dialled, 1u);
    for (const Reply& reply : ask_many(1000, [&](std::size_t i) {
           return ClientRequest{.to = there, .target = i % 50 == 0 ? "/large" : "/small"};
         })) {
      ASSERT_TRUE(reply) << reply.error().message;
      EXPECT_EQ(reply->status, 200);
    }
    EXPECT_EQ(stats().retries, 0u);
  }

  const ScratchFolder folder_ = *ScratchFolder::make("strake-http-");
  pid_t process_ = 0;
  std::uint16_t port_ = 0;
};

class NghttpdClient : public PeerClient {};
INSTANTIATE_TEST_SUITE_P(All, NghttpdClient, ::testing::Values(Way::kH2, Way::kH2Tls),
                         [](const auto& way) { return std::string(name_of(way.param)); });

TEST_P(NghttpdClient, Works) {
  if (!is_installed("nghttpd")) GTEST_SKIP() << "nghttpd is not installed (nghttp2-server)";
  const std::uint16_t port = free_port();
  std::vector<std::string> command{"nghttpd", "--address=127.0.0.1", "--htdocs=" + folder_.path(),
                                   "--trailer=x-end: yes"};
  if (!is_tls()) command.push_back("--no-tls");
  command.push_back(fmt::format("{}", port));
  if (is_tls()) {
    command.push_back(folder_.path() + "/serving.key");
    command.push_back(folder_.path() + "/serving.pem");
  }
  ASSERT_NO_FATAL_FAILURE(run_server(command, port));
  check_all();
  EXPECT_EQ(ask({.to = to_port(port), .target = "/small"})->trailers.get("x-end"), "yes");
}

class NginxClient : public PeerClient {};
INSTANTIATE_TEST_SUITE_P(All, NginxClient,
                         ::testing::Values(Way::kH1, Way::kH1Tls, Way::kH2, Way::kH2Tls),
                         [](const auto& way) { return std::string(name_of(way.param)); });

TEST_P(NginxClient, Works) {
  if (!is_installed("nginx")) GTEST_SKIP() << "nginx is not installed (nginx-light)";
  const std::uint16_t port = free_port();
  const std::string& folder = folder_.path();
  write("nginx.conf",
        fmt::format(R"(daemon off; pid {0}/pid; error_log {0}/errors; worker_processes 1;
events {{ worker_connections 256; }}
http {{
  access_log off; default_type text/plain; keepalive_requests 100000;
  client_body_temp_path {0}/a; proxy_temp_path {0}/b; fastcgi_temp_path {0}/c;
  uwsgi_temp_path {0}/d; scgi_temp_path {0}/e;
  server {{
    listen 127.0.0.1:{1}{2}{3}; root {0};
    ssl_certificate {0}/serving.pem; ssl_certificate_key {0}/serving.key;
  }}
}}
)",
                    folder, port, is_tls() ? " ssl" : "", is_h2() ? " http2" : ""));
  // nginx's workers give their rights up, and then could not read a folder of root's.
  ::chmod(folder.c_str(), 0755);
  ASSERT_NO_FATAL_FAILURE(run_server(
      {"nginx", "-e", folder + "/errors", "-p", folder, "-c", folder + "/nginx.conf"}, port));
  check_all();
  // A method that it refuses, with a body.
  const auto log = std::make_shared<StreamLog>();
  ClientRequest post{.to = to_port(port), .method = "POST", .target = "/small"};
  post.stream = std::make_unique<CountedStream>(log, std::string(1000, 'p'), 100);
  const Reply refused = ask(std::move(post));
  ASSERT_TRUE(refused) << refused.error().message;
  EXPECT_EQ(refused->status, 405);
}

}  // namespace
}  // namespace strake::http

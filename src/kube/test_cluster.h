#pragma once
// A cluster for tests: a whole API server in the program, with HTTP in front of it, and a kubelet
// that runs no containers. Requests are counted, and the work of a test can be given up at any of
// them.
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "api/test_server.h"
#include "http/test_server.h"
#include "kube/client.h"

namespace strake::kube::testing {

// What the kubelet of every node does, over SPDY. Commands:
//   cat            what it reads
//   fail CODE      "it failed" on the error stream, and ends with that code
//   size           the size of the terminal, as it is told
//   wait           nothing, until the client leaves
//   anything else  itself
// Every port answers in capitals what it is sent, after its number; port 1 is closed.
class FakeKubelet {
 public:
  FakeKubelet();
  ~FakeKubelet();
  std::uint16_t port() const { return server_->server().port(); }
  // Requests that it had: "POST /exec/default/a/c".
  std::vector<std::string> seen() const;
  // An API server that does the same itself, as old ones that do not speak WebSocket.
  static std::unique_ptr<http::testing::TestServer> old_api_server();

 private:
  boost::asio::awaitable<http::Response> answer(http::Request request);

  mutable std::mutex mu_;
  std::vector<std::string> seen_;  // guarded by mu_
  std::unique_ptr<http::testing::TestServer> server_;
};

// What is answered in place of the server: nothing when the server is to answer.
using Instead = std::function<std::optional<http::Response>(const http::Request& request)>;

class TestCluster {
 public:
  TestCluster();
  ~TestCluster();
  TestCluster(const TestCluster&) = delete;
  TestCluster& operator=(const TestCluster&) = delete;

  api::testing::TestServer& server() { return *server_; }
  FakeKubelet& kubelet() { return kubelet_; }
  Access access() const;
  // The text of a kubeconfig for it.
  Secret kubeconfig() const;
  Client client() const { return Client(access(), {.user_agent = "test/kube"}); }
  // A pod of the node whose kubelet that is.
  void add_pod(std::string_view name);
  std::string url() const;

  // Requests so far, "GET /api/v1/pods"; those that write are not GETs.
  std::vector<std::string> requests() const;
  std::size_t writes() const;
  void forget_requests();
  void answer_instead(Instead instead);
  // At its Nth request from now on it cancels, and never answers. 0: at none.
  void cancel_at(std::size_t request, CancelSource* source);

 private:
  class Front;
  FakeKubelet kubelet_;
  std::unique_ptr<api::testing::TestServer> server_;
  std::unique_ptr<Front> front_;
  std::unique_ptr<http::Server> http_;
};

// Runs it again and again over fresh clusters, cancelled at its first request, its second, and so
// on, until it ends without being cancelled. Each time that it is, it must say so. `set_up` is not
// counted.
void expect_cancelled_at_every_call(
    const std::function<void(TestCluster&)>& set_up,
    const std::function<Result<>(TestCluster&, const Client&)>& work);

}  // namespace strake::kube::testing

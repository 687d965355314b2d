#pragma once
// Requests to one cluster from coroutines: short ones, and answers that go on, such as watches. May
// be used on every loop it was made for.
#include <chrono>
#include <memory>
#include <string>

#include "async/loops.h"
#include "base/cancel.h"
#include "kube/caller.h"
#include "kube/client.h"

namespace strake::kube {

class ClusterClient {
 public:
  struct Options {
    std::string user_agent = "strake";
    std::chrono::milliseconds timeout{10'000};      // of one request
    std::size_t max_bytes = std::size_t{64} << 20;  // of one answer
  };
  // The loops must outlive it. Fails as Caller::make().
  static Result<std::shared_ptr<ClusterClient>> make(const Access& access,
                                                     const async::Loops& loops, Options options);
  ~ClusterClient();

  // The body of an answer of 200 to 299; any other is an error, as Client::send() has them.
  async::Task<std::string> send(Request request, CancelToken cancel = {}) const;
  // The same while it arrives: `request.method` is GET. It ends at the deadline at the latest.
  async::Task<std::unique_ptr<http::BodyReader>> open(Request request, Deadline deadline,
                                                      CancelToken cancel) const;

  const std::string& url() const { return caller_.url; }

 private:
  ClusterClient(Caller caller, const async::Loops& loops, Options options);
  http::ClientRequest made(const Request& request, CancelToken cancel) const;
  async::Task<http::ClientResponse> ask(const Request& request, Deadline deadline,
                                        CancelToken cancel) const;

  const Caller caller_;
  const Options options_;
  std::unique_ptr<http::Client> client_;
};

}  // namespace strake::kube

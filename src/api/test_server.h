#pragma once
// The API in a test's own process: memory store, a user who may do everything, no sockets.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace strake::api {

class TestServer {
 public:
  struct Got {
    int code = 0;
    std::string body;
    std::string content_type;
    std::vector<std::string> warnings;
    std::unique_ptr<http::BodyStream> stream;  // of a watch
  };

  struct Options {
    // Members of system:masters are never dropped for want of room.
    std::vector<std::string> groups = {"system:masters"};
    std::size_t max_reads_in_flight = 400;
  };
  TestServer() : TestServer(Options()) {}
  explicit TestServer(Options options);
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  // `target` may have a query.
  Got call(std::string_view method, std::string_view target, std::string_view body = {},
           std::vector<http::Header> headers = {});
  // The next part of a watch.
  std::string next(http::BodyStream& stream);
  // A stream ends where it runs.
  void end(std::unique_ptr<http::BodyStream> stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::api

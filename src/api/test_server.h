#pragma once
// A whole API server in the test program, over a store in memory: requests are handed to it as the
// HTTP server would. Everyone who asks may do everything.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/server.h"
#include "store/store.h"
#include "value/document.h"

namespace strake::api::testing {

struct Answered {
  int code = 0;
  std::vector<std::string> warnings;
  std::string body;  // of a stream: what it sent until it ended
  // The body parsed; null when it is no JSON.
  const value::Value& json() const;
  // A value inside, by a path with dots and numbers, as JSON; empty when there is none.
  std::string at(std::string_view path) const;

  std::shared_ptr<const value::Document> document;
};

class TestServer {
 public:
  // An answer as it was given, for tests of headers and streams.
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
    StreamBudget::Limits stream_limits = {};
  };
  TestServer() : TestServer(Options()) {}
  explicit TestServer(Options options);
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  // `target` is a path with its query. A body that begins with a bracket is a JSON patch when the
  // method is PATCH, any other a merge patch.
  Answered ask(std::string_view method, std::string_view target, std::string_view body = {},
               std::string_view accept = "application/json");
  Answered get(std::string_view target) { return ask("GET", target); }
  Answered post(std::string_view target, std::string_view body) {
    return ask("POST", target, body);
  }
  // Asks until the answer has this code, for a while at most; the last answer.
  Answered wait_for(int code, std::string_view target);

  // As `ask`, with headers of the caller's and the body as it is.
  Got call(std::string_view method, std::string_view target, std::string_view body = {},
           std::vector<http::Header> headers = {});
  // The next part of a watch.
  std::string next(http::BodyStream& stream);
  // A stream ends where it runs.
  void end(std::unique_ptr<http::BodyStream> stream);

  // As when the time to drain is over: whatever is under way is to end.
  void cancel();

  Core& core();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A CustomResourceDefinition "things" of the group a.example in versions, each given as the name
// and the properties of its spec. The first is the storage version.
struct VersionText {
  std::string_view name;
  std::string_view properties;
};
std::string things(std::vector<VersionText> versions, std::string_view conversion = "None",
                   std::string_view scope = "Namespaced");

}  // namespace strake::api::testing

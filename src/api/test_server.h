#pragma once
// A whole API server in the test program, over a store in memory and a clock that stands still:
// requests are handed to it as the HTTP server would. Everyone who asks may do everything, unless
// the options say otherwise.
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/server.h"
#include "base/time.h"
#include "store/memory_store.h"
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
  // The same of a string, without quotes and escapes.
  std::string text(std::string_view path) const;
  std::string version() const { return text("metadata.resourceVersion"); }
  std::string uid() const { return text("metadata.uid"); }
  // metadata.name of each of the items, or of each row's object, separated by spaces.
  std::string names() const;
  // The first header of that name; empty when there is none.
  std::string header(std::string_view name) const;

  std::vector<http::Header> headers;
  std::shared_ptr<const value::Document> document;
};

// One event of a watch.
struct Event {
  std::string type;  // empty when the watch has ended
  Answered object;   // without a code
  // "ADDED name", to be compared as text.
  std::string summary() const;
};

// Everything about a request that a test may want to say.
struct Asking {
  std::string_view method = "GET";
  std::string_view target;
  std::string_view body = {};
  std::string_view type = {};  // Content-Type
  std::string_view accept = "application/json";
  std::string_view user = {};  // who asks; without one, `tester` of the groups in the options
  std::string_view agent = "test/1";
  std::vector<http::Header> headers = {};
  bool body_too_large = false;
  CancelToken cancel = {};  // cancelled when the client is gone
};

// That an answer is a Status with this code, reason and message.
void expect_status(const Answered& answered, int code, std::string_view reason,
                   std::string_view message);
// That it is a Success, or an object.
void expect_ok(const Answered& answered, int code = 200);

// A part of a server that belongs to a higher module, such as roles: made when the hub is there.
class TestPart {
 public:
  virtual ~TestPart() = default;
  virtual const Authorizer* authorizer() const { return nullptr; }
  // Who knows whose a bearer token is; without one, the options do.
  virtual const Authenticator* authenticator() const { return nullptr; }
  virtual const TokenReviewer* token_reviewer() const { return nullptr; }
  virtual const TokenIssuer* token_issuer() const { return nullptr; }
  virtual std::vector<const Admission*> admission() const { return {}; }
  virtual Auditor* auditor() { return nullptr; }
  virtual const Converter* converter() const { return nullptr; }
  virtual Connections* connections() { return nullptr; }
  virtual RemoteDocuments* remote_documents() { return nullptr; }
  virtual std::vector<Stage*> stages() { return {}; }
  virtual std::vector<Route*> routes() { return {}; }
  virtual void write_metrics(std::string&) const {}
  virtual async::Task<> start(Core&) { co_return Result<>(); }
  virtual async::Task<> stop() { co_return Result<>(); }
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
    std::size_t max_writes_in_flight = 200;
    // Without it there is a plain limit, and no flow objects are made.
    bool fair_use = false;
    StreamBudget::Limits stream_limits = {};
    // Who may do what; without it, everyone may do everything.
    std::function<bool(const User&, const RequestInfo&)> may = {};
    std::map<std::string, std::string> tokens = {};  // bearer token to user
    std::string root_ca_pem = {};
    EnabledControllers controllers = {};
    bool workloads = false;  // pods and the like are served too
    MigrationPace migrations = {};
    const Exposure* exposure = nullptr;
    std::string advertised_address = {};
    // Another store that outlives the server, for tests of a restart.
    store::Store* store = nullptr;
    // They outlive the server.
    std::vector<const Admission*> admission = {};
    const Converter* converter = nullptr;
    const resource::RuleRunner* rules = nullptr;  // in place of an engine
    ServiceProxy::Detour detour = {};             // to endpoints of services
    RemoteDocuments* remote_documents = nullptr;
    // Its authorizer goes before `may`, its admission before the others.
    std::function<std::unique_ptr<TestPart>(Hub&)> part = {};
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
  Answered ask(const Asking& asking);
  Answered get(std::string_view target) { return ask("GET", target); }
  Answered post(std::string_view target, std::string_view body) {
    return ask("POST", target, body);
  }
  Answered put(std::string_view target, std::string_view body) { return ask("PUT", target, body); }
  Answered remove(std::string_view target, std::string_view body = {}) {
    return ask("DELETE", target, body);
  }
  Answered patch(std::string_view target, std::string_view type, std::string_view body) {
    return ask({.method = "PATCH", .target = target, .body = body, .type = type});
  }
  Answered merge(std::string_view target, std::string_view body) {
    return patch(target, "application/merge-patch+json", body);
  }
  // Expects that it is created.
  Answered create(std::string_view target, std::string_view body);
  void create_namespace(std::string_view name);
  // Asks until the answer has this code, for a while at most; the last answer.
  Answered wait_for(int code, std::string_view target);

  // As `ask`, with headers of the caller's and the body as it is.
  Got call(std::string_view method, std::string_view target, std::string_view body = {},
           std::vector<http::Header> headers = {});
  // The next part of a watch.
  std::string next(http::BodyStream& stream);
  // A stream ends where it runs.
  void end(std::unique_ptr<http::BodyStream> stream);

  // A watch whose events are read one by one. Ends with its server at the latest.
  class Watch {
   public:
    Watch(TestServer& server, std::string_view target,
          std::string_view accept = "application/json");
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    // Waits for the next event; one without a type at the end.
    Event next();
    // The summaries of the next ones, separated by commas.
    std::string take(std::size_t count);
    int code() const { return got_.code; }

   private:
    TestServer& server_;
    Got got_;
    std::deque<std::string> lines_;
    std::string rest_;
  };
  // While held, writes wait as for a slow disk. Those that nobody waits for any more end.
  void hold_writes(bool held);
  std::size_t writes_waiting() const;
  // Looks whose time is up, as a timer does: for tests that hold the clock.
  void expire_requests();

  // As when the time to drain is over: whatever is under way is to end.
  void cancel();

  // For a server of HTTP in front.
  http::Handler& handler();

  // Stands at 2024-01-01T00:00:00Z until it is moved.
  FakeClock& clock();
  // Moves the clock, and lets go of what has expired.
  void advance(std::chrono::seconds by);
  // Lets the store forget what stood before this revision.
  void compact(std::string_view revision);

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

// A CustomResourceDefinition "widgets" of the group example.com with all that one version may have:
// status, scale, defaults, rules, columns and a field to select by.
std::string widgets_crd();
std::string widget_json(std::string_view name, std::string_view spec = "{}",
                        std::string_view metadata = "");

// A ConfigMap; `metadata` are further members of its metadata.
std::string config_map_json(std::string_view name, std::string_view data = "{}",
                            std::string_view metadata = "");

}  // namespace strake::api::testing

#include "api/test_server.h"

#include "api/server.h"
#include "async/run.h"
#include "rules/engine.h"
#include "store/memory_store.h"

namespace strake::api {
namespace {

class Known final : public Authenticator {
 public:
  explicit Known(std::vector<std::string> groups)
      : user_(std::make_shared<const User>(
            User{.name = "tester", .uid = {}, .groups = std::move(groups), .extra = {}})) {}
  Result<UserPtr> authenticate(const http::Request&) const override { return user_; }

 private:
  UserPtr user_;
};

class Allowed final : public Authorizer {
 public:
  Decision authorize(const User&, const RequestInfo&) const override { return {.allowed = true}; }
};

}  // namespace

struct TestServer::Impl {
  explicit Impl(Options given) : options(std::move(given)) {}

  Options options;
  store::MemoryStore store;
  async::Loops loops{1};
  async::Workers workers{1};
  Known authenticator{options.groups};
  Allowed authorizer;
  rules::Engine rules;
  Registry registry;
  Hub hub{store, loops};
  ApiServer api{Core{.hub = hub,
                     .registry = registry,
                     .clock = system_clock(),
                     .rules = rules,
                     .workers = workers,
                     .authenticator = authenticator,
                     .authorizer = authorizer},
                ApiOptions{.max_reads_in_flight = options.max_reads_in_flight}};

  async::Task<> begin() {
    STRAKE_CO_CHECK(co_await hub.start());
    co_return co_await api.start();
  }
  async::Task<> end() {
    static_cast<void>(co_await api.stop());
    hub.stop();
    co_return co_await store.close();
  }
  async::Task<http::Response> handle(http::Request request) {
    co_return co_await api.handle(std::move(request));
  }
};

TestServer::TestServer(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {
  async::run_blocking(impl_->loops.at(0), impl_->begin()).value();
}

TestServer::~TestServer() {
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->end()));
  impl_->loops.stop();
}

TestServer::Got TestServer::call(std::string_view method, std::string_view target,
                                 std::string_view body, std::vector<http::Header> headers) {
  http::Request request;
  request.method = method;
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
  request.body = body;
  for (const http::Header& header : headers) request.headers.add(header.name, header.value);
  http::Response response =
      async::run_blocking(impl_->loops.at(0), impl_->handle(std::move(request))).value();
  Got out{.code = response.status,
          .body = {},
          .content_type = std::string(response.headers.get("Content-Type")),
          .warnings = {},
          .stream = std::move(response.stream)};
  for (const http::Piece& piece : response.body) out.body += piece.view();
  for (const std::string_view warning : response.headers.get_all("Warning"))
    out.warnings.emplace_back(warning);
  return out;
}

std::string TestServer::next(http::BodyStream& stream) {
  const std::vector<http::Piece> parts =
      async::run_blocking(impl_->loops.at(0), stream.next()).value();
  std::string out;
  for (const http::Piece& piece : parts) out += piece.view();
  return out;
}

void TestServer::end(std::unique_ptr<http::BodyStream> stream) {
  const auto drop = [](std::unique_ptr<http::BodyStream> one) -> async::Task<> {
    one.reset();
    co_return Result<>();
  };
  async::run_blocking(impl_->loops.at(0), drop(std::move(stream))).value();
}

}  // namespace strake::api

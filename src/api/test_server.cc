#include "api/test_server.h"

#include <fmt/format.h>

#include <charconv>
#include <thread>

#include "async/loops.h"
#include "async/run.h"
#include "async/workers.h"
#include "rules/engine.h"
#include "store/memory_store.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api::testing {
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

class Everything final : public Authorizer {
 public:
  Decision authorize(const User&, const RequestInfo&) const override { return {.allowed = true}; }
};

async::Task<Answered> answer_to(ApiServer& server, http::Request request) {
  http::Response response = co_await server.handle(std::move(request));
  Answered out;
  out.code = response.status;
  for (const std::string_view one : response.headers.get_all("Warning"))
    out.warnings.emplace_back(one);
  for (const http::Piece& piece : response.body) out.body += piece.view();
  while (response.stream) {
    STRAKE_CO_TRY(const std::vector<http::Piece> pieces, co_await response.stream->next());
    if (pieces.empty()) break;
    for (const http::Piece& piece : pieces) out.body += piece.view();
  }
  if (Result<value::Document> read = value::read_json(out.body))
    out.document = std::make_shared<const value::Document>(*std::move(read));
  co_return out;
}

http::Request request_for(std::string_view method, std::string_view target, std::string_view body) {
  http::Request request;
  request.method = method;
  request.path = target.substr(0, target.find('?'));
  if (const std::size_t mark = target.find('?'); mark != std::string_view::npos)
    request.query = target.substr(mark + 1);
  request.body = body;
  return request;
}

}  // namespace

const value::Value& Answered::json() const {
  static const value::Value none;
  return document ? document->root() : none;
}

std::string Answered::at(std::string_view path) const {
  const value::Value* found = &json();
  while (!path.empty() && found != nullptr) {
    const std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), step.size() + 1));
    if (!found->is_array()) {
      found = found->find(step);
      continue;
    }
    std::size_t index = 0;
    std::from_chars(step.data(), step.data() + step.size(), index);
    found = index < found->size() ? &found->items()[index] : nullptr;
  }
  return found != nullptr ? value::to_json(*found) : std::string();
}

struct TestServer::Impl {
  explicit Impl(Options given) : options(std::move(given)) {}

  Options options;
  store::MemoryStore store;
  async::Loops loops{2};
  async::Workers workers{2};
  rules::Engine rules;
  Known known{options.groups};
  Everything everything;
  Registry registry;
  Hub hub{store, loops};
  StreamBudget streams{options.stream_limits};
  CancelSource stopping;
  ApiServer server{Core{.hub = hub,
                        .registry = registry,
                        .clock = system_clock(),
                        .rules = rules,
                        .workers = workers,
                        .authenticator = known,
                        .authorizer = everything,
                        .streams = streams,
                        .stopping = stopping.token()},
                   ApiOptions{.max_reads_in_flight = options.max_reads_in_flight}};

  async::Task<http::Response> handle(http::Request request) {
    co_return co_await server.handle(std::move(request));
  }
};

TestServer::TestServer(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->hub.start()));
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->server.start()));
}

TestServer::~TestServer() {
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->server.stop()));
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->hub.stop()));
  impl_->loops.stop();
}

void TestServer::cancel() { impl_->stopping.cancel(); }

Core& TestServer::core() { return impl_->server.core(); }

Answered TestServer::ask(std::string_view method, std::string_view target, std::string_view body,
                         std::string_view accept) {
  http::Request request = request_for(method, target, body);
  request.headers.add("Accept", accept);
  request.headers.add("User-Agent", "test/1");
  if (method == "PATCH") {
    request.headers.add("Content-Type", body.starts_with('[') ? "application/json-patch+json"
                                        : request.query.contains("fieldManager")
                                            ? "application/apply-patch+yaml"
                                            : "application/merge-patch+json");
  } else if (!body.empty()) {
    request.headers.add("Content-Type", "application/json");
  }
  Result<Answered> out =
      async::run_blocking(impl_->loops.next(), answer_to(impl_->server, std::move(request)));
  if (out) return *std::move(out);
  Answered failed;
  failed.body = out.error().message();
  return failed;
}

TestServer::Got TestServer::call(std::string_view method, std::string_view target,
                                 std::string_view body, std::vector<http::Header> headers) {
  http::Request request = request_for(method, target, body);
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

Answered TestServer::wait_for(int code, std::string_view target) {
  Answered out;
  for (int attempt = 0; attempt < 2'000; ++attempt) {
    out = get(target);
    if (out.code == code) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return out;
}

std::string things(std::vector<VersionText> versions, std::string_view conversion,
                   std::string_view scope) {
  std::string list;
  for (const VersionText& one : versions) {
    list += fmt::format(
        R"({}{{"name":"{}","served":true,"storage":{},"schema":{{"openAPIV3Schema":{{"type":"object","properties":{{)"
        R"("spec":{{"type":"object","properties":{{{}}}}}}}}}}},"selectableFields":[]}})",
        list.empty() ? "" : ",", one.name, list.empty(), one.properties);
  }
  const std::string how =
      conversion == "None"
          ? R"({"strategy":"None"})"
          : R"({"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"url":"https://127.0.0.1:1/"}}})";
  return fmt::format(
      R"({{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{{"name":"things.a.example"}},)"
      R"("spec":{{"group":"a.example","scope":"{}","names":{{"plural":"things","kind":"Thing"}},"conversion":{},"versions":[{}]}}}})",
      scope, how, list);
}

}  // namespace strake::api::testing

#include "api/test_server.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <charconv>
#include <mutex>
#include <thread>

#include "async/cancellable.h"
#include "async/loops.h"
#include "async/run.h"
#include "async/workers.h"
#include "rules/engine.h"
#include "store/memory_store.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::api::testing {
namespace {

constexpr std::string_view kUserHeader = "Test-User";

class Known final : public Authenticator, public TokenReviewer {
 public:
  Known(std::vector<std::string> groups, std::map<std::string, std::string> tokens)
      : user_(std::make_shared<const User>(
            User{.name = "tester", .uid = {}, .groups = std::move(groups), .extra = {}})),
        tokens_(std::move(tokens)) {}
  Result<UserPtr> authenticate(const http::Request& request) const override {
    if (std::string_view token = request.headers.get("Authorization"); !token.empty()) {
      if (others != nullptr) return others->authenticate(request);
      token.remove_prefix(std::min(token.size(), std::string_view("Bearer ").size()));
      const auto found = tokens_.find(std::string(token));
      if (found == tokens_.end()) return fail(Code::kUnauthorized, "no such token");
      return named(found->second);
    }
    const std::string_view name = request.headers.get(kUserHeader);
    return name.empty() ? user_ : named(name);
  }
  boost::asio::awaitable<Review> review(Secret token, std::vector<std::string>,
                                        CancelToken) const override {
    const auto found = tokens_.find(token.reveal());
    if (found == tokens_.end()) co_return Review{.error = "invalid bearer token"};
    co_return Review{.user = named(found->second)};
  }
  std::optional<async::Task<UserPtr>> look_up(const http::Request& request) const override {
    return others != nullptr ? others->look_up(request) : std::nullopt;
  }
  bool still_accepts(const User& user, const http::Request& request) const override {
    return others == nullptr || others->still_accepts(user, request);
  }
  bool allows_anonymous(std::string_view path) const override {
    return others == nullptr || others->allows_anonymous(path);
  }
  const Authenticator* others = nullptr;

 private:
  static UserPtr named(std::string_view name) {
    return std::make_shared<const User>(User{.name = std::string(name),
                                             .uid = fmt::format("uid-of-{}", name),
                                             .groups = {"system:authenticated"},
                                             .extra = {}});
  }
  UserPtr user_;
  std::map<std::string, std::string> tokens_;
};

class Permission final : public Authorizer {
 public:
  explicit Permission(std::function<bool(const User&, const RequestInfo&)> may)
      : may_(std::move(may)) {}
  Decision authorize(const User& user, const RequestInfo& request) const override {
    return {.allowed = !may_ || may_(user, request)};
  }
  Rules rules_of(const User&, std::string_view) const override { return {}; }

 private:
  std::function<bool(const User&, const RequestInfo&)> may_;
};

// A store in memory whose writes can be held up.
class HeldStore final : public store::Store {
 public:
  explicit HeldStore(store::Store& inner) : inner_(inner) {}

  async::Task<store::Page> range(store::Range range) override {
    return inner_.range(std::move(range));
  }
  async::Task<store::Written> write(store::Write write) override {
    if (async::OneShot<> turn; is_held(turn)) {
      const CancelRegistration registration = async::end_wait_when(write.cancel, turn);
      STRAKE_CO_CHECK(co_await turn.wait());
    }
    co_return co_await inner_.write(std::move(write));
  }
  async::Task<std::unique_ptr<store::Subscription>> subscribe(std::string prefix, Revision after,
                                                              store::Observer& observer) override {
    return inner_.subscribe(std::move(prefix), after, observer);
  }
  async::Task<> compact(Revision revision) override { return inner_.compact(revision); }
  Revision revision() const override { return inner_.revision(); }
  Revision compacted_revision() const override { return inner_.compacted_revision(); }
  Result<> health() const override { return inner_.health(); }
  async::Task<> close() override { return inner_.close(); }

  void hold(bool held) {
    std::vector<async::OneShot<>> waiting;
    {
      const std::lock_guard lock(mu_);
      held_ = held;
      if (!held) waiting = std::exchange(waiting_, {});
    }
    for (async::OneShot<>& one : waiting) one.set({});
  }
  std::size_t waiting() const {
    const std::lock_guard lock(mu_);
    return waiting_.size();
  }

 private:
  bool is_held(const async::OneShot<>& turn) {
    const std::lock_guard lock(mu_);
    if (held_) waiting_.push_back(turn);
    return held_;
  }

  store::Store& inner_;
  mutable std::mutex mu_;
  bool held_ = false;                      // guarded by mu_
  std::vector<async::OneShot<>> waiting_;  // guarded by mu_
};

async::Task<Answered> answer_to(ApiServer& server, http::Request request) {
  http::Response response = co_await server.handle(std::move(request));
  Answered out;
  out.code = response.status;
  out.headers = response.headers.all();
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

Answered parsed(std::string text) {
  Answered out;
  out.body = std::move(text);
  if (Result<value::Document> read = value::read_json(out.body))
    out.document = std::make_shared<const value::Document>(*std::move(read));
  return out;
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

std::string Answered::text(std::string_view path) const {
  const std::string json = at(path);
  const Result<value::Document> read = value::read_json(json);
  return read && read->root().is_string() ? std::string(read->root().as_string()) : json;
}

std::string Answered::names() const {
  const value::Value* list = json().find("items");
  const bool table = list == nullptr;
  if (table) list = json().find("rows");
  std::string out;
  if (list == nullptr) return out;
  for (const value::Value& item : list->items()) {
    const value::Value& object = table ? item.get("object") : item;
    out +=
        fmt::format("{}{}", out.empty() ? "" : " ", object.get("metadata").get("name").as_string());
  }
  return out;
}

std::string Answered::header(std::string_view name) const {
  for (const http::Header& one : headers) {
    if (http::equals_ignoring_case(one.name, name)) return one.value;
  }
  return {};
}

std::string Event::summary() const {
  return fmt::format("{} {}", type, object.text("metadata.name"));
}

void expect_status(const Answered& answered, int code, std::string_view reason,
                   std::string_view message) {
  EXPECT_EQ(answered.code, code) << answered.body;
  EXPECT_EQ(answered.text("kind"), "Status") << answered.body;
  EXPECT_EQ(answered.text("status"), "Failure") << answered.body;
  EXPECT_EQ(answered.at("code"), fmt::format("{}", code));
  EXPECT_EQ(answered.text("reason"), reason) << answered.body;
  EXPECT_EQ(answered.text("message"), message);
}

void expect_ok(const Answered& answered, int code) {
  EXPECT_EQ(answered.code, code) << answered.body;
}

struct TestServer::Impl {
  explicit Impl(Options given) : options(std::move(given)) {}

  Options options;
  FakeClock clock;
  store::MemoryStore memory{clock};
  HeldStore store{options.store != nullptr ? *options.store : memory};
  async::Loops loops{2};
  async::Workers workers{2};
  rules::Engine rules;
  Known known{options.groups, options.tokens};
  Permission permission{options.may};
  Registry registry;
  Hub hub{store, loops};
  NamespaceInformer namespaces{hub};
  std::unique_ptr<TestPart> part = options.part ? options.part(hub) : std::make_unique<TestPart>();
  StreamBudget streams{options.stream_limits};
  CancelSource stopping;
  ApiServer server{
      Core{.hub = hub,
           .registry = registry,
           .namespaces = namespaces,
           .clock = clock,
           .rules = options.rules != nullptr ? *options.rules : rules,
           .workers = workers,
           .authenticator = known,
           .authorizer = part->authorizer() != nullptr ? *part->authorizer() : permission,
           .streams = streams,
           .token_reviewer = part->token_reviewer() != nullptr ? part->token_reviewer() : &known,
           .token_issuer = part->token_issuer(),
           .connections = part->connections(),
           .exposure = options.exposure,
           .stopping = stopping.token()},
      ApiOptions{.max_reads_in_flight = options.max_reads_in_flight,
                 .max_writes_in_flight = options.max_writes_in_flight,
                 .fair_use = options.fair_use,
                 .keeps_flow_objects = options.fair_use,
                 .root_ca_pem = options.root_ca_pem,
                 .controllers = options.controllers,
                 .migrations = options.migrations,
                 .advertised_address = options.advertised_address,
                 .admission = admission(),
                 .auditor = part->auditor(),
                 .workloads = options.workloads,
                 .detour = options.detour,
                 .remote_documents = part->remote_documents() != nullptr ? part->remote_documents()
                                                                         : options.remote_documents,
                 .converter = part->converter() != nullptr ? part->converter() : options.converter,
                 .stages = part->stages(),
                 .routes = part->routes(),
                 .metrics = {[this](std::string& out) { part->write_metrics(out); }}}};

  std::vector<const Admission*> admission() const {
    std::vector<const Admission*> out = part->admission();
    out.insert(out.end(), options.admission.begin(), options.admission.end());
    return out;
  }
  async::Task<http::Response> handle(http::Request request) {
    co_return co_await server.handle(std::move(request));
  }
};

TestServer::TestServer(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {
  impl_->known.others = impl_->part->authenticator();
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->hub.start()));
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->server.serve()));
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->server.start()));
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->part->start(core())));
}

TestServer::~TestServer() {
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->part->stop()));
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->server.stop()));
  static_cast<void>(async::run_blocking(impl_->loops.at(0), impl_->hub.stop()));
  impl_->loops.stop();
}

void TestServer::hold_writes(bool held) { impl_->store.hold(held); }

std::size_t TestServer::writes_waiting() const { return impl_->store.waiting(); }

void TestServer::expire_requests() { impl_->server.deadlines().expire(); }

void TestServer::cancel() { impl_->stopping.cancel(); }

http::Handler& TestServer::handler() { return impl_->server; }

Core& TestServer::core() { return impl_->server.core(); }

Answered TestServer::ask(std::string_view method, std::string_view target, std::string_view body,
                         std::string_view accept) {
  Asking asking{.method = method, .target = target, .body = body, .accept = accept};
  if (method == "PATCH") {
    asking.type = body.starts_with('[')              ? "application/json-patch+json"
                  : target.contains("fieldManager=") ? "application/apply-patch+yaml"
                                                     : "application/merge-patch+json";
  } else if (!body.empty()) {
    asking.type = "application/json";
  }
  return ask(asking);
}

Answered TestServer::ask(const Asking& asking) {
  http::Request request = request_for(asking.method, asking.target, asking.body);
  request.body_too_large = asking.body_too_large;
  request.cancel = asking.cancel;
  request.headers.add("Accept", asking.accept);
  if (!asking.agent.empty()) request.headers.add("User-Agent", asking.agent);
  if (!asking.type.empty()) request.headers.add("Content-Type", asking.type);
  if (!asking.user.empty()) request.headers.add(kUserHeader, asking.user);
  for (const http::Header& header : asking.headers) request.headers.add(header.name, header.value);
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

Answered TestServer::create(std::string_view target, std::string_view body) {
  Answered made = post(target, body);
  EXPECT_EQ(made.code, 201) << target << "\n" << made.body;
  return made;
}

void TestServer::create_namespace(std::string_view name) {
  create(
      "/api/v1/namespaces",
      fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}"}}}})", name));
}

TestServer::Watch::Watch(TestServer& server, std::string_view target, std::string_view accept)
    : server_(server), got_(server.call("GET", target, {}, {{"Accept", std::string(accept)}})) {
  EXPECT_NE(got_.stream, nullptr) << target << " is no watch: " << got_.body;
}

TestServer::Watch::~Watch() {
  if (got_.stream) server_.end(std::move(got_.stream));
}

Event TestServer::Watch::next() {
  while (lines_.empty() && got_.stream) {
    const std::string part = server_.next(*got_.stream);
    if (part.empty()) return {};
    rest_ += part;
    for (std::size_t end = 0; (end = rest_.find('\n')) != std::string::npos;) {
      lines_.push_back(rest_.substr(0, end));
      rest_.erase(0, end + 1);
    }
  }
  if (lines_.empty()) return {};
  const Answered line = parsed(std::move(lines_.front()));
  lines_.pop_front();
  return {.type = line.text("type"), .object = parsed(line.at("object"))};
}

std::string TestServer::Watch::take(std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    const Event event = next();
    out += fmt::format("{}{}", out.empty() ? "" : ", ", event.summary());
    if (event.type.empty()) break;
  }
  return out;
}

FakeClock& TestServer::clock() { return impl_->clock; }

void TestServer::advance(std::chrono::seconds by) {
  impl_->clock.advance(by);
  impl_->memory.expire();
}

void TestServer::compact(std::string_view revision) {
  Revision until = 0;
  std::from_chars(revision.data(), revision.data() + revision.size(), until);
  const Result<> compacted = async::run_blocking(impl_->loops.at(0), impl_->store.compact(until));
  EXPECT_TRUE(compacted) << (compacted ? "" : compacted.error().to_string());
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

std::string widgets_crd() {
  return R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
"metadata":{"name":"widgets.example.com"},
"spec":{"group":"example.com","scope":"Namespaced",
  "names":{"plural":"widgets","kind":"Widget","shortNames":["wd"],"categories":["all"]},
  "versions":[{"name":"v1","served":true,"storage":true,
    "subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas",
      "statusReplicasPath":".status.replicas","labelSelectorPath":".status.selector"}},
    "selectableFields":[{"jsonPath":".spec.color"}],
    "additionalPrinterColumns":[
      {"name":"Color","type":"string","jsonPath":".spec.color"},
      {"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}],
    "schema":{"openAPIV3Schema":{"type":"object","properties":{
      "spec":{"type":"object","properties":{
        "color":{"type":"string"},
        "fixed":{"type":"string","x-kubernetes-validations":[
          {"rule":"self == oldSelf","message":"must stay as it is"}]},
        "replicas":{"type":"integer","minimum":0},
        "size":{"type":"integer","minimum":0,"default":1},
        "parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
          "items":{"type":"object","required":["name"],"properties":{
            "name":{"type":"string"},"value":{"type":"string"}}}}}},
      "status":{"type":"object","properties":{
        "phase":{"type":"string"},
        "replicas":{"type":"integer"},
        "selector":{"type":"string"}}}}}}}]}})";
}

std::string widget_json(std::string_view name, std::string_view spec, std::string_view metadata) {
  return fmt::format(
      R"({{"apiVersion":"example.com/v1","kind":"Widget","metadata":{{"name":"{}"{}{}}},"spec":{}}})",
      name, metadata.empty() ? "" : ",", metadata, spec);
}

std::string config_map_json(std::string_view name, std::string_view data,
                            std::string_view metadata) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"{}{}}},"data":{}}})", name,
      metadata.empty() ? "" : ",", metadata, data);
}

}  // namespace strake::api::testing

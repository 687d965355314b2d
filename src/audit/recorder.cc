#include "audit/recorder.h"

#include <fmt/format.h>

#include "api/request/call.h"
#include "audit/event.h"
#include "audit/metrics.h"
#include "kinds/protobuf.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::audit {
namespace {

using api::Call;
using value::Document;
using value::Value;

// Objects that carry bearer tokens are never written, whatever the policy says.
bool carries_tokens(const api::RequestInfo& request) {
  return (request.group == "authentication.k8s.io" && request.resource == "tokenreviews") ||
         (request.group.empty() && request.resource == "serviceaccounts" &&
          request.subresource == "token");
}

// A body as it was sent, read as leniently as the verb reads it; nothing when it cannot be.
std::optional<Document> read_body(const std::string& body, std::string_view type) {
  if (body.empty()) return std::nullopt;
  Result<Document> out = Document();
  if (type.contains("protobuf")) {
    out = kinds::decode_protobuf(body);
  } else if (type.contains("yaml")) {
    out = value::read_yaml(body, value::ReadOptions::as_api_server());
  } else {
    out = value::read_json(body, value::ReadOptions::as_api_server());
  }
  if (!out) return std::nullopt;
  return *std::move(out);
}

void drop_managed_fields(Value& object) {
  if (!object.is_object()) return;
  if (Value* metadata = object.find("metadata"); metadata != nullptr && metadata->is_object())
    metadata->remove("managedFields");
  Value* items = object.find("items");
  if (items == nullptr || !items->is_array()) return;
  for (Value& one : items->mutable_items()) drop_managed_fields(one);
}

std::string as_json(Document document, bool omit_managed_fields) {
  if (omit_managed_fields) drop_managed_fields(document.root());
  return value::to_json(document.root());
}

std::string joined(const std::vector<http::Piece>& pieces) {
  std::string out;
  for (const http::Piece& one : pieces) out += one.view();
  return out;
}

Event event_of(const Call& call) {
  Event out;
  out.id = call.audit_id;
  out.uri = call.request.query.empty()
                ? call.request.path
                : fmt::format("{}?{}", call.request.path, call.request.query);
  out.verb = call.info.verb;
  out.user = call.asking;
  out.source_ips = source_ips(call.request);
  out.user_agent = call.request.headers.get("User-Agent");
  out.request = call.info;
  out.received = call.now;
  return out;
}

// Hands the lines over when somebody waits for it.
api::AuditWait wait_for(std::shared_ptr<const Sinks> sinks, std::vector<std::string> lines) {
  return [sinks = std::move(sinks), lines = std::move(lines)](CancelToken cancel) mutable {
    // The coroutine owns what it needs: this function may be gone before it ends.
    return [](std::shared_ptr<const Sinks> to, std::vector<std::string> all,
              CancelToken until) -> boost::asio::awaitable<bool> {
      co_return co_await to->store(std::move(all), std::move(until));
    }(sinks, std::move(lines), std::move(cancel));
  };
}

class Trail final : public api::AuditTrail {
 public:
  Trail(Event event, Decision decision, std::shared_ptr<const Sinks> sinks, const Clock& clock)
      : event_(std::move(event)), decision_(decision), sinks_(std::move(sinks)), clock_(clock) {
    event_.level = decision.level;
    objects_ = !carries_tokens(event_.request);
  }
  ~Trail() override {
    if (!complete_) emit(Stage::kResponseComplete);
    for (const std::string& line : unstored_) sinks_->write(line);
  }

  void receive(const Call& call) {
    emit(Stage::kRequestReceived);
    note_request(call);
  }

  api::AuditWait unstored() override {
    if (unstored_.empty()) return {};
    return wait_for(sinks_, std::exchange(unstored_, {}));
  }

  void abandon() override { complete_ = true; }

  void refused(const meta::Status& status) override {
    event_.outcome = {.code = status.code, .message = status.message, .reason = status.reason};
  }

  void respond(const Call& call, const http::Response& response) override {
    if (call.user != call.asking) event_.impersonated = call.user;
    for (const auto& [key, text] : call.audit_annotations) event_.annotations.emplace(key, text);
    if (!event_.outcome) event_.outcome = Event::Outcome();
    event_.outcome->code = response.status;
    const bool goes_on = response.stream || response.upgrade;
    if (goes_on && api::is_long_running(event_.request)) {
      emit(Stage::kResponseStarted);
    } else if (decision_.level >= Level::kRequestResponse && objects_ && !goes_on) {
      note_response(response);
    }
    // An answer that waits for its last event is told of before it is sent. Nothing can wait for
    // the end of a stream.
    if (!goes_on && sinks_->is_blocking()) {
      emit(Stage::kResponseComplete);
      complete_ = true;
    }
  }

 private:
  void emit(Stage stage) {
    if (decision_.omits(stage)) return;
    count_event();
    std::string line = write_event(event_, stage, clock_.now());
    if (sinks_->is_blocking()) {
      unstored_.push_back(std::move(line));
    } else {
      sinks_->write(line);
    }
  }

  // The names that the body gives count as the request's own where the path has none.
  void note_request(const Call& call) {
    const bool names_object = event_.request.is_resource && event_.request.subresource.empty() &&
                              (event_.verb == "create" || event_.verb == "update");
    const bool wanted = decision_.level >= Level::kRequest && objects_;
    if (!names_object && !wanted) return;
    std::optional<Document> body =
        read_body(call.request.body, call.request.headers.get("Content-Type"));
    if (!body) return;
    if (names_object) {
      const Value& metadata = body->root().get("metadata");
      api::RequestInfo& about = event_.request;
      if (about.name.empty()) about.name = value::text_of(metadata, "name");
      if (about.namespace_name.empty())
        about.namespace_name = value::text_of(metadata, "namespace");
      event_.object_uid = value::text_of(metadata, "uid");
      event_.object_version = value::text_of(metadata, "resourceVersion");
    }
    if (wanted) event_.request_object = as_json(*std::move(body), decision_.omit_managed_fields);
  }

  void note_response(const http::Response& response) {
    std::optional<Document> body =
        read_body(joined(response.body), response.headers.get("Content-Type"));
    if (body) event_.response_object = as_json(*std::move(body), decision_.omit_managed_fields);
  }

  Event event_;
  Decision decision_;
  std::shared_ptr<const Sinks> sinks_;
  const Clock& clock_;
  bool objects_;
  bool complete_ = false;
  std::vector<std::string> unstored_;  // what the call has to wait for
};

}  // namespace

Recorder::Recorder(Policy policy, Sinks sinks, const Clock& clock)
    : sinks_(std::make_shared<const Sinks>(std::move(sinks))), clock_(clock) {
  set_policy(std::move(policy));
}

std::shared_ptr<const Policy> Recorder::policy() const {
  const std::lock_guard lock(mu_);
  return policy_;
}

void Recorder::set_policy(Policy policy) {
  auto fresh = std::make_shared<const Policy>(std::move(policy));
  const std::lock_guard lock(mu_);
  policy_ = std::move(fresh);
}

std::unique_ptr<api::AuditTrail> Recorder::begin(const Call& call) {
  const Decision decision = policy()->decide(*call.asking, call.info);
  count_decision(to_string(decision.level));
  if (decision.level == Level::kNone) return nullptr;
  auto trail = std::make_unique<Trail>(event_of(call), decision, sinks_, clock_);
  trail->receive(call);
  return trail;
}

api::AuditWait Recorder::refuse(const Call& call, const http::Response& response) {
  // kube-apiserver 1.36 judges it as a request of nobody, and writes one event of it.
  const Decision decision = policy()->decide(api::User(), call.info);
  if (decision.omits(Stage::kResponseStarted)) return {};
  Event event = event_of(call);
  event.level = decision.level;
  event.outcome = {.code = response.status, .message = "Authentication failed", .reason = {}};
  if (const std::string_view header = call.request.headers.get("Authorization"); !header.empty()) {
    event.outcome->message = fmt::format(
        "Authentication failed, attempted: {}",
        http::equals_ignoring_case(header.substr(0, 7), "bearer ") ? "bearer" : "basic");
  } else if (call.request.peer) {
    event.outcome->message = "Authentication failed, attempted: x509";
  }
  std::string line = write_event(event, Stage::kResponseStarted, clock_.now());
  if (sinks_->is_blocking()) return wait_for(sinks_, {std::move(line)});
  sinks_->write(line);
  return {};
}

}  // namespace strake::audit

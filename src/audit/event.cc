#include "audit/event.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include "base/rfc3339.h"
#include "base/trim.h"
#include "value/json_writer.h"

namespace strake::audit {
namespace {

constexpr std::size_t kLongestAgent = 1024;

// Members in the order of Go's struct; those that are empty are left out.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ~ObjectWriter() { out_ += '}'; }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;

  std::string& key(std::string_view name) {
    if (out_.back() != '{') out_ += ',';
    value::write_json_string(name, out_);
    out_ += ':';
    return out_;
  }
  void text(std::string_view name, std::string_view value) {
    if (value.empty()) return;
    value::write_json_string(value, key(name));
  }
  void texts(std::string_view name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    key(name) += '[';
    for (const std::string& one : values) {
      if (out_.back() != '[') out_ += ',';
      value::write_json_string(one, out_);
    }
    out_ += ']';
  }
  void json(std::string_view name, std::string_view text) {
    if (!text.empty()) key(name) += text;
  }

 private:
  std::string& out_;
};

void write_user(const api::User& user, std::string& out) {
  ObjectWriter object(out);
  object.text("username", user.name);
  object.text("uid", user.uid);
  object.texts("groups", user.groups);
  if (user.extra.empty()) return;
  ObjectWriter extra(object.key("extra"));
  for (const auto& [key, values] : user.extra) extra.texts(key, values);
}

void write_reference(const Event& event, std::string& out) {
  const api::RequestInfo& about = event.request;
  ObjectWriter object(out);
  object.text("resource", about.resource);
  object.text("namespace", about.namespace_name);
  object.text("name", about.name);
  object.text("uid", event.object_uid);
  object.text("apiGroup", about.group);
  object.text("apiVersion", about.version);
  object.text("resourceVersion", event.object_version);
  object.text("subresource", about.subresource);
}

void write_outcome(const Event::Outcome& outcome, std::string& out) {
  ObjectWriter object(out);
  object.json("metadata", "{}");
  if (outcome.code >= 400) object.text("status", "Failure");
  object.text("message", outcome.message);
  object.text("reason", outcome.reason);
  if (outcome.code != 0) object.json("code", std::to_string(outcome.code));
}

bool is_address(const std::string& text) {
  unsigned char ignored[sizeof(in6_addr)];
  return ::inet_pton(AF_INET, text.c_str(), ignored) == 1 ||
         ::inet_pton(AF_INET6, text.c_str(), ignored) == 1;
}

}  // namespace

std::string write_event(const Event& event, Stage stage, WallTime at) {
  std::string out;
  out.reserve(1024 + event.request_object.size() + event.response_object.size());
  {
    ObjectWriter object(out);
    object.text("kind", "Event");
    object.text("apiVersion", "audit.k8s.io/v1");
    object.text("level", to_string(event.level));
    object.text("auditID", event.id);
    object.text("stage", to_string(stage));
    object.text("requestURI", event.uri);
    object.text("verb", event.verb);
    write_user(event.user ? *event.user : api::User(), object.key("user"));
    if (event.impersonated) write_user(*event.impersonated, object.key("impersonatedUser"));
    object.texts("sourceIPs", event.source_ips);
    if (event.user_agent.size() > kLongestAgent) {
      object.text("userAgent", event.user_agent.substr(0, kLongestAgent) + "...TRUNCATED");
    } else {
      object.text("userAgent", event.user_agent);
    }
    if (event.request.is_resource) write_reference(event, object.key("objectRef"));
    if (event.outcome) write_outcome(*event.outcome, object.key("responseStatus"));
    object.json("requestObject", event.request_object);
    object.json("responseObject", event.response_object);
    object.text("requestReceivedTimestamp", format_rfc3339_micro(Instant::from(event.received)));
    object.text("stageTimestamp", format_rfc3339_micro(Instant::from(at)));
    if (!event.annotations.empty()) {
      ObjectWriter annotations(object.key("annotations"));
      for (const auto& [key, value] : event.annotations)
        value::write_json_string(value, annotations.key(key));
    }
  }
  out += '\n';
  return out;
}

std::vector<std::string> source_ips(const http::Request& request) {
  std::vector<std::string> out;
  std::string_view forwarded = request.headers.get("X-Forwarded-For");
  while (!forwarded.empty()) {
    const std::size_t comma = std::min(forwarded.find(','), forwarded.size());
    const std::string one(trim(forwarded.substr(0, comma)));
    if (is_address(one)) out.push_back(one);
    forwarded.remove_prefix(std::min(comma + 1, forwarded.size()));
  }
  const std::string real(trim(request.headers.get("X-Real-Ip")));
  if (is_address(real) && (out.empty() || out.back() != real)) out.push_back(real);
  std::string_view connected = request.remote_address;
  connected = connected.substr(0, connected.rfind(':'));
  if (connected.starts_with('[') && connected.ends_with(']'))
    connected = connected.substr(1, connected.size() - 2);
  if (const std::string one(connected); is_address(one) && (out.empty() || out.back() != one))
    out.push_back(one);
  return out;
}

}  // namespace strake::audit

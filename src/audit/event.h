#pragma once
// One line of the audit log: an Event of audit.k8s.io/v1, as kube-apiserver 1.36 writes it.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/request/call.h"
#include "audit/policy.h"
#include "base/time.h"

namespace strake::audit {

struct Event {
  struct Outcome {
    int code = 0;
    // Of a refusal; empty otherwise.
    std::string message = {};
    std::string reason = {};
  };

  Level level = Level::kMetadata;
  std::string id;
  std::string uri;  // path and query as sent
  std::string verb;
  api::UserPtr user;
  api::UserPtr impersonated;  // null when the request acts as its own user
  std::vector<std::string> source_ips;
  std::string user_agent;
  // What the request is about. `uid` and `resource_version` are those that the body names.
  api::RequestInfo request;
  std::string object_uid;
  std::string object_version;
  std::optional<Outcome> outcome;
  std::string request_object;   // JSON on one line; empty when it is not recorded
  std::string response_object;  // the same
  WallTime received;
  std::map<std::string, std::string> annotations;
};

// With the line's end.
std::string write_event(const Event& event, Stage stage, WallTime at);

// The addresses that the request came through, as kube-apiserver 1.36 finds them: those that
// proxies name, then the one that is connected.
std::vector<std::string> source_ips(const http::Request& request);

}  // namespace strake::audit

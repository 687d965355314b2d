#include "api/request/request_info.h"

#include <algorithm>
#include <list>

#include "api/request/request_selectors.h"
#include "meta/names.h"

namespace strake::api {
namespace {

// The segments of a path, decoded one by one: an escaped slash is part of its segment. Nearly every
// path has nothing to decode, and its segments are not copied.
class Segments {
 public:
  static Result<Segments> of(std::string_view path) {
    Segments out;
    out.all_.reserve(8);
    const bool has_escapes = path.contains('%');
    std::size_t at = 0;
    while (at < path.size()) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      const std::string_view segment = path.substr(at, end - at);
      at = end + 1;
      if (segment.empty()) continue;
      if (!has_escapes) {
        out.all_.push_back(segment);
        continue;
      }
      STRAKE_TRY(std::string decoded, http::percent_decode(segment));
      out.all_.push_back(out.decoded_.emplace_back(std::move(decoded)));
    }
    return out;
  }
  const std::vector<std::string_view>& all() const { return all_; }

 private:
  std::vector<std::string_view> all_;
  std::list<std::string> decoded_;  // where those of a path with escapes lie
};

std::string_view verb_of(std::string_view method) {
  if (method == "POST") return "create";
  if (method == "GET" || method == "HEAD") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return {};
}

bool is_true(const http::Query& query, std::string_view name) {
  // As kube-apiserver 1.36 turns a parameter into a bool: anything but these two is true.
  const auto value = query.get(name);
  return value && *value != "0" && meta::to_lower_ascii(*value) != "false";
}

}  // namespace

bool is_long_running(const RequestInfo& info) {
  // The subresources that kube-apiserver 1.36 knows, whoever serves them.
  constexpr std::string_view kEndless[] = {"attach", "exec", "log", "portforward", "proxy"};
  return info.verb == "watch" ||
         (info.is_resource && std::ranges::find(kEndless, info.subresource) != std::end(kEndless));
}

bool is_http_method(std::string_view method) {
  constexpr std::string_view kMethods[] = {"GET",    "HEAD",    "POST",    "PUT",  "PATCH",
                                           "DELETE", "CONNECT", "OPTIONS", "TRACE"};
  return std::ranges::find(kMethods, method) != std::end(kMethods);
}

Result<RequestInfo> read_request_info(std::string_view method, std::string_view path,
                                      const http::Query& query) {
  RequestInfo info;
  STRAKE_TRY(info.path, http::percent_decode(path));
  STRAKE_TRY(const Segments segments, Segments::of(path));
  const std::vector<std::string_view>& parts = segments.all();
  std::size_t at = 0;
  if (parts.size() >= 3 && parts[0] == "api") {
    info.version = parts[1];
    at = 2;
  } else if (parts.size() >= 4 && parts[0] == "apis") {
    info.group = parts[1];
    info.version = parts[2];
    at = 3;
  } else {
    info.verb = meta::to_lower_ascii(method);
    return info;
  }
  bool watch = false;
  // The old form of watching, kept by kube-apiserver 1.36: /apis/g/v/watch/...
  if (parts[at] == "watch" && parts.size() > at + 1) {
    watch = true;
    ++at;
  }
  info.is_resource = true;
  if (parts[at] == "namespaces" && parts.size() > at + 1) {
    info.namespace_name = parts[at + 1];
    // namespaces/<ns> is the object itself, and these two are its subresources.
    const bool own =
        parts.size() > at + 2 && (parts[at + 2] == "status" || parts[at + 2] == "finalize");
    if (parts.size() > at + 2 && !own) at += 2;
  }
  info.resource = parts[at];
  if (parts.size() > at + 1) info.name = parts[at + 1];
  if (parts.size() > at + 2) info.subresource = parts[at + 2];
  for (std::size_t i = at + 3; i < parts.size(); ++i) info.rest.emplace_back(parts[i]);
  // The names of verbs are no methods: what is none of HTTP's has no verb, and nobody serves it.
  info.verb = verb_of(method);
  if (watch) {
    // Nothing but reading is done there.
    info.verb = info.verb == "get" ? "watch" : "";
  } else if (info.name.empty()) {
    if (info.verb == "get") info.verb = is_true(query, "watch") ? "watch" : "list";
    if (info.verb == "delete") info.verb = "deletecollection";
    if (info.verb == "list" || info.verb == "watch" || info.verb == "deletecollection") {
      const auto fields = query.get("fieldSelector");
      const auto labels = query.get("labelSelector");
      if (fields || labels)
        info.selectors = read_selectors(fields.value_or(""), labels.value_or(""));
    }
  }
  return info;
}

}  // namespace strake::api

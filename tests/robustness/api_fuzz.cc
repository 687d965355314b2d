// usage: api_fuzz [SEED [REQUESTS]]
// STRAKE_API_TRACE names a file for all requests that are remembered when a rule is broken.
#include "robustness/api_fuzz.h"

#include <fmt/format.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/log.h"
#include "kinds/protobuf.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::robustness {
namespace {

using api::testing::TestServer;

constexpr std::size_t kTrace = 4'000;  // requests that are remembered
constexpr std::size_t kShown = 25;     // of those that concern the same object
constexpr std::size_t kFull = 5;       // of those whole
constexpr std::size_t kCut = 700;

// The only reasons for which the server may say 5xx; kube-apiserver 1.36 does so too.
constexpr std::string_view kInternal[] = {
    "resourceVersion should not be set on objects to be created",
    "failed to create typed patch object",
    "failed to create typed live object",
    "failed to decode managed fields",
    "Too large resource version",
    "the spec replicas field",
};

std::int64_t number(std::string_view text) {
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// Where a request is about: the path up to the name of the resource.
std::string_view scope_of(std::string_view target) {
  target = target.substr(0, target.find('?'));
  for (const std::string_view plural :
       {"configmaps", "secrets", "leases", "clusterroles", "validatingwebhookconfigurations",
        "widgets", "gadgets", "gizmos"}) {
    if (const std::size_t at = target.find(plural); at != std::string_view::npos)
      return target.substr(at, plural.size());
  }
  return target;
}

// Resource and name at the end of the path in a line of the trace, when it is one of ours.
std::string object_of(std::string_view line) {
  const std::size_t at = line.find("/name-");
  if (at == std::string_view::npos) return "";
  const std::size_t begin = line.rfind('/', at - 1) + 1;
  const std::string_view rest = line.substr(begin);
  return std::string(rest.substr(0, rest.find_first_of(" ?/", at + 1 - begin)));
}

// When nothing happens for a minute, a watch waits for what never comes, or a request hangs.
class Watchdog {
 public:
  explicit Watchdog(const std::atomic<std::size_t>& progress)
      : thread_([this, &progress] {
          std::size_t last = 0;
          for (int idle = 0; !done_; std::this_thread::sleep_for(std::chrono::milliseconds(100))) {
            idle = progress == last ? idle + 1 : 0;
            last = progress;
            if (idle < 600) continue;
            std::fprintf(stderr, "api_fuzz: no answer for a minute after request %zu\n", last);
            std::abort();
          }
        }) {}
  ~Watchdog() {
    done_ = true;
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

std::atomic<std::size_t> progress{0};

}  // namespace

const value::Value& Reply::root() const {
  static const value::Value none;
  return json ? json->root() : none;
}

ApiFuzz::ApiFuzz(std::uint64_t seed, std::size_t requests)
    : seed_(seed), wanted_(requests), dice_(seed) {
  model_.kinds = {
      {.group = "", .plural = "configmaps", .kind = "ConfigMap", .versions = {"v1"}},
      {.group = "", .plural = "secrets", .kind = "Secret", .versions = {"v1"}},
      {.group = "coordination.k8s.io", .plural = "leases", .kind = "Lease", .versions = {"v1"}},
      {.group = "rbac.authorization.k8s.io",
       .plural = "clusterroles",
       .kind = "ClusterRole",
       .namespaced = false,
       .versions = {"v1"}},
      {.group = "admissionregistration.k8s.io",
       .plural = "validatingwebhookconfigurations",
       .kind = "ValidatingWebhookConfiguration",
       .namespaced = false,
       .counts_generation = true,
       .versions = {"v1"}},
      {.group = "fuzz.example",
       .plural = "widgets",
       .kind = "Widget",
       .custom = true,
       .served = false,
       .versions = {"v1"}},
      {.group = "fuzz.example",
       .plural = "gadgets",
       .kind = "Gadget",
       .namespaced = false,
       .custom = true,
       .served = false,
       .versions = {"v1"}},
      {.group = "other.example",
       .plural = "gizmos",
       .kind = "Gizmo",
       .custom = true,
       .served = false,
       .versions = {"v1"}},
  };
}

void ApiFuzz::run() {
  const Watchdog watchdog(progress);
  for (const char* name : {"one", "two"}) {
    const Reply made =
        send("POST", "/api/v1/namespaces", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    require(made.code == 201, "a namespace can be made");
  }
  for (std::size_t kind = 0; kind < model_.kinds.size(); ++kind) {
    if (model_.kinds[kind].custom) {
      change_definition();
    } else {
      refresh(kind);  // what the server made for itself
    }
  }
  while (sent_ < wanted_) step();
  for (std::size_t kind = 0; kind < model_.kinds.size(); ++kind) compare_list(kind, "");
  for (std::size_t i = watches_.size(); i > 0; --i) follow_watch(i - 1);
  for (Watch& one : watches_)
    if (one.stream) server_.end(std::move(one.stream));
}

void ApiFuzz::step() {
  struct Choice {
    std::size_t weight;
    void (ApiFuzz::*step)();
  };
  static constexpr Choice kChoices[] = {
      {18, &ApiFuzz::create},
      {14, &ApiFuzz::update},
      {18, &ApiFuzz::patch},
      {5, &ApiFuzz::status},
      {4, &ApiFuzz::scale},
      {9, &ApiFuzz::remove},
      {2, &ApiFuzz::read},
      {4, &ApiFuzz::list},
      {2, &ApiFuzz::pages},
      {4, &ApiFuzz::documents},
      {8, &ApiFuzz::odd_request},
      {3, &ApiFuzz::begin_watch},
      {1, &ApiFuzz::remove_collection},
      {1, &ApiFuzz::change_definition},
  };
  std::size_t at = dice_.below(96);
  for (const Choice& one : kChoices) {
    if (at < one.weight) return (this->*one.step)();
    at -= one.weight;
  }
  if (dice_.percent(70)) {
    if (!watches_.empty()) follow_watch(dice_.below(watches_.size()));
  } else if (dice_.percent(50)) {
    compare_list(any_kind(), "");
  } else if (dice_.percent(50)) {
    drop_namespace();
  } else {
    drop_definition();
  }
}

Reply ApiFuzz::send(std::string_view method, std::string_view target, std::string_view body,
                    Headers headers) {
  ++sent_;
  progress = sent_;
  if (sent_ % 3 == 0) server_.advance(std::chrono::seconds(1));
  const auto given = [&](std::string_view name) {
    for (const http::Header& header : headers)
      if (header.name == name) return true;
    return false;
  };
  if (!body.empty() && !given("Content-Type"))
    headers.push_back({"Content-Type", "application/json"});
  if (!given("Accept")) headers.push_back({"Accept", "application/json"});
  headers.push_back({"User-Agent", "fuzz/1"});
  std::string line = fmt::format("#{} {} {}", sent_, method, target);
  for (const http::Header& header : headers)
    if (header.name != "User-Agent") line += fmt::format(" [{}: {}]", header.name, header.value);
  line += fmt::format(" {}", body.substr(0, 4'000));
  trace_.push_back(std::move(line));
  if (trace_.size() > kTrace) trace_.pop_front();

  TestServer::Got got = server_.call(method, target, body, std::move(headers));
  Reply reply{.code = got.code, .type = {}, .body = std::move(got.body), .json = nullptr};
  reply.type = got.content_type.substr(0, got.content_type.find(';'));
  while (got.stream && got.stream->is_finite()) {
    const std::string part = server_.next(*got.stream);
    if (part.empty()) break;
    reply.body += part;
  }
  if (got.stream) server_.end(std::move(got.stream));
  if (reply.type == "application/json") {
    value::ReadOptions options;
    options.limits.depth = 20'000;
    if (auto read = value::read_json(reply.body, options))
      reply.json = std::make_shared<const value::Document>(*std::move(read));
  }
  trace_.back() +=
      fmt::format(" -> {} {}", reply.code,
                  reply.body.substr(0, std::min(reply.body.find('\n'), std::size_t{2'000})));
  ++codes_[reply.code];
  check_form(method, target, reply);
  return reply;
}

void ApiFuzz::check_form(std::string_view method, std::string_view target, const Reply& reply) {
  require(reply.code >= 200 && reply.code < 600, "an answer has a code of HTTP");
  const bool is_stream = target.contains("watch=") || target.contains("/watch/");
  if (reply.type == "application/json" && !is_stream)
    require(reply.json != nullptr, "an answer of application/json is JSON");
  if (reply.type == "application/yaml")
    require(value::read_yaml(reply.body).has_value(), "an answer of application/yaml is YAML");
  const bool is_protobuf = reply.type == kinds::kProtobufType;
  if (is_protobuf)
    require(reply.body.starts_with(std::string_view("k8s\0", 4)), "protobuf has its envelope");
  // The envelope says first what it holds.
  if (is_protobuf && reply.code >= 400)
    require(reply.body.substr(4).starts_with("\x0a\x0c\x0a\x02v1\x12\x06Status"),
            "a refusal in protobuf is a Status");
  if (reply.code >= 400 && reply.json) {
    const value::Value& status = reply.root();
    require(status.get("kind").as_string() == "Status" &&
                status.get("apiVersion").as_string() == "v1" &&
                status.get("status").as_string() == "Failure",
            "a refusal is a Status");
    require(status.get("code").as_int() == reply.code, "a Status has the code of its answer");
    require(status.get("message").is_string(), "a Status has a message");
  } else if (reply.code >= 400) {
    require(reply.code == 404 || reply.code == 405 || reply.code == 406 ||
                reply.type == "application/yaml" || is_protobuf || !target.starts_with("/api"),
            "a refusal of the API is a Status");
  }
  if (reply.code < 500) return;
  const std::string_view message = reply.root().get("message").as_string();
  for (const std::string_view reason : kInternal)
    if (message.contains(reason)) return;
  // A strategic merge patch that makes no sense is passed on as it is.
  if (method == "PATCH" && reply.code == 500 && trace_.back().contains("strategic-merge")) return;
  fail("the server has no trouble of its own");
}

void ApiFuzz::require(bool condition, std::string_view what) {
  if (!condition) fail(what);
}

void ApiFuzz::fail(std::string_view what) {
  // What was sent about the same object and about its kind; the answers of what led here in full.
  const std::string& last = trace_.back();
  const std::string scope(scope_of(last.substr(last.find('/'))));
  const std::string object = object_of(last);
  std::vector<std::string> shown;
  for (auto line = trace_.rbegin(); line != trace_.rend() && shown.size() < kShown; ++line) {
    const bool about = line->contains("/" + object + " ") || line->contains("/" + object + "?") ||
                       line->contains("/" + object + "/") || line->contains(scope + ".");
    if (shown.size() < kFull) {
      shown.push_back(*line);
    } else if (!object.empty() ? about : line->contains("/" + scope)) {
      shown.push_back(line->size() > kCut ? line->substr(0, kCut) + "..." : *line);
    }
  }
  std::fprintf(stderr, "what was sent about %s %s, oldest first:\n", scope.c_str(), object.c_str());
  for (auto line = shown.rbegin(); line != shown.rend(); ++line)
    std::fprintf(stderr, "  %s\n", line->c_str());
  std::fprintf(
      stderr, "api_fuzz: the rule is broken that %s, after request %zu; again: api_fuzz %llu %zu\n",
      std::string(what).c_str(), sent_, static_cast<unsigned long long>(seed_), wanted_);
  std::fflush(stderr);
  if (const char* path = std::getenv("STRAKE_API_TRACE")) {
    std::ofstream out(path);
    for (const std::string& line : trace_) out << line << '\n';
  }
  std::_Exit(1);
}

std::string ApiFuzz::summary() const {
  std::string out = fmt::format("api_fuzz: seed {}, {} requests, no rule broken;", seed_, sent_);
  for (const auto& [what, count] : counts_) out += fmt::format(" {} {}", count, what);
  out += "; answers:";
  for (const auto& [code, count] : codes_) out += fmt::format(" {}x{}", count, code);
  return out;
}

// ---- After a write

void ApiFuzz::after_write(const Place& place, std::string_view version, const Reply& reply,
                          bool whole) {
  const Kind& kind = model_.kinds[place.kind];
  const value::Value& meta = reply.root().get("metadata");
  Known* before = model_.find(place);
  if (whole) {
    require(reply.root().get("kind").as_string() == kind.kind &&
                reply.root().get("apiVersion").as_string() == kind.group_version(version),
            "an object has the type that was asked for");
    require(meta.get("name").as_string() == place.name &&
                meta.get("namespace").as_string() == place.namespace_name,
            "an object has the name and the namespace of its path");
  }
  const Reply now = send("GET", path_of(place, version));
  if (now.code == 404) {  // its last finalizer went, or its owner did
    require((before != nullptr && (before->fleeting || before->finalizers)) ||
                meta.find("ownerReferences") != nullptr,
            "an object is there after a write");
    model_.objects.erase(place);
    return;
  }
  require(now.code == 200, "an object that was written can be read");
  const value::Value& read = now.root().get("metadata");
  const bool fleeting = (before != nullptr && before->fleeting) ||
                        read.find("ownerReferences") != nullptr ||
                        read.find("deletionTimestamp") != nullptr;
  if (whole && !fleeting)
    require(now.body == reply.body, "a read after a write is what was written");
  const Reply first =
      version == kind.versions[0] ? now : send("GET", path_of(place, kind.versions[0]));
  require(first.code == 200 || fleeting, "an object can be read in every version");
  if (first.code != 200) {
    model_.objects.erase(place);
    return;
  }
  Known after;
  const value::Value& seen = first.root().get("metadata");
  after.uid = seen.get("uid").as_string();
  after.created = seen.get("creationTimestamp").as_string();
  after.revision = number(seen.get("resourceVersion").as_string());
  after.generation = seen.get("generation").as_int();
  after.body = first.body;
  after.fleeting = fleeting;
  after.finalizers = seen.get("finalizers").size() > 0;
  require(!after.uid.empty() && !after.created.empty() && after.revision > 0,
          "an object has a uid, a time and a resource version");
  require(fleeting || after.uid == read.get("uid").as_string(), "an object is one in all versions");
  if (before == nullptr) {
    require(after.revision > newest_, "a new object has a newer version than all before");
    require(fleeting || after.generation == (kind.counts_generation ? 1 : 0),
            "a new object has generation 1");
  } else if (!fleeting) {
    require(after.uid == before->uid && after.created == before->created,
            "an object keeps its uid and its time of creation");
    if (after.revision == before->revision) {
      require(after.body == before->body, "an object that changed has a new version");
    } else {
      require(after.body != before->body, "a write of what stood there is none");
      require(after.revision > newest_, "a write has a newer version than all before");
    }
    auto old = value::read_json(before->body).value();
    value::Document next = value::read_json(after.body).value();
    for (value::Value* one : {&old.root(), &next.root()}) {
      one->remove("metadata");
      if (kind.status) one->remove("status");
    }
    const bool content_changed = !value::identical(old.root(), next.root());
    require(after.generation ==
                before->generation + (kind.counts_generation && content_changed ? 1 : 0),
            "the generation grows by one with what is wanted, and with nothing else");
    ++counts_["writes compared"];
  }
  newest_ = std::max(newest_, after.revision);
  model_.objects[place] = std::move(after);
}

void ApiFuzz::after_refusal(const Place& place) {
  const Known* before = model_.find(place);
  if (before == nullptr || before->fleeting) {
    look_again(place);
    return;
  }
  const Reply now = send("GET", path_of(place));
  require(now.code == 200 && now.body == before->body, "a write that is refused changes nothing");
}

void ApiFuzz::after_delete(const Place& place, const Reply& reply) {
  Known* before = model_.find(place);
  const Reply now = send("GET", path_of(place));
  if (now.code == 404) {
    model_.objects.erase(place);
    return;
  }
  require(now.code == 200, "a deleted object is gone or can be read");
  const value::Value& meta = now.root().get("metadata");
  require(meta.find("deletionTimestamp") != nullptr || reply.code >= 400 ||
              (before != nullptr && before->uid != meta.get("uid").as_string()),
          "an object that stays after its deletion says that it is being deleted");
  if (before != nullptr) {
    before->fleeting = true;
    before->finalizers = true;
  }
}

void ApiFuzz::look_again(const Place& place) {
  const Reply now = send("GET", path_of(place));
  if (now.code == 404) {
    Known* before = model_.find(place);
    require(before == nullptr || before->fleeting, "an object does not vanish by itself");
    model_.objects.erase(place);
    return;
  }
  require(now.code == 200, "an object can be read");
  const value::Value& meta = now.root().get("metadata");
  Known& known = model_.objects[place];
  const bool same = known.uid == meta.get("uid").as_string();
  known.fleeting = known.fleeting || known.uid.empty() || !same;
  known.uid = meta.get("uid").as_string();
  known.created = meta.get("creationTimestamp").as_string();
  known.revision = number(meta.get("resourceVersion").as_string());
  known.generation = meta.get("generation").as_int();
  known.finalizers = meta.get("finalizers").size() > 0;
  known.body = now.body;
  newest_ = std::max(newest_, known.revision);
}

}  // namespace strake::robustness

int main(int argc, char** argv) {
  using namespace strake;
  log::configure({.level = log::Level::kOff});
  const auto argument = [&](int index, const char* variable, std::size_t otherwise) {
    const char* text = index < argc ? argv[index] : std::getenv(variable);
    return text != nullptr ? static_cast<std::size_t>(std::strtoull(text, nullptr, 10)) : otherwise;
  };
  const std::size_t seed = argument(1, "STRAKE_SEED", 1);
  robustness::ApiFuzz fuzz(seed, argument(2, "STRAKE_API_REQUESTS", 3'000));
  fuzz.run();
  std::printf("%s\n", fuzz.summary().c_str());
  return 0;
}

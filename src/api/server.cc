#include "api/server.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <unordered_set>

#include "api/call.h"
#include "api/crd_hooks.h"
#include "api/impersonation.h"
#include "api/metrics_page.h"
#include "api/request_metrics.h"
#include "api/respond.h"
#include "api/scale.h"
#include "api/verbs.h"
#include "api/write.h"
#include "async/run.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/quote.h"
#include "base/utf8.h"

namespace strake::api {
namespace {

using http::Request;
using http::Response;
using meta::Status;

constexpr std::string_view kCrdGroup = "apiextensions.k8s.io";

Response not_found_page() { return text_response(404, "404 page not found\n"); }

bool is_write(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH" || method == "DELETE";
}

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string refusal_text(const User& user, const RequestInfo& info, std::string_view reason) {
  const std::string who = html_escaped(quote(user.name));
  std::string out;
  if (!info.is_resource) {
    out = fmt::format("User {} cannot {} path {}", who, info.verb, quote(info.path));
  } else {
    const std::string resource = info.subresource.empty()
                                     ? info.resource
                                     : fmt::format("{}/{}", info.resource, info.subresource);
    out = fmt::format("User {} cannot {} resource {} in API group {}", who, info.verb,
                      quote(resource), quote(info.group));
    out += info.namespace_name.empty() || info.resource == "namespaces"
               ? std::string(" at the cluster scope")
               : fmt::format(" in the namespace {}", quote(info.namespace_name));
  }
  if (!reason.empty()) out += fmt::format(": {}", reason);
  return out;
}

// The warnings of an answer, each text once. Once they pass 4096 characters together, each is cut
// to 256, and they end with 4096, as in kube-apiserver 1.36.
std::vector<std::string_view> shown_warnings(const std::vector<std::string>& warnings) {
  constexpr std::size_t kMostTogether = 4096;
  constexpr std::size_t kMostEach = 256;
  std::vector<std::string_view> texts;
  std::unordered_set<std::string_view> seen;
  std::size_t total = 0;
  for (const std::string& warning : warnings) {
    if (total > kMostTogether) break;  // there are more than enough
    if (!seen.insert(warning).second) continue;
    texts.push_back(warning);
    total += utf8::count(warning);
  }
  if (total <= kMostTogether) return texts;
  const auto cut = [](std::string_view text) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < kMostEach && end < text.size(); ++i)
      end += utf8::decode(text.substr(end)).width;
    return text.substr(0, end);
  };
  std::vector<std::string_view> out;
  seen.clear();
  total = 0;
  for (const std::string& warning : warnings) {
    const std::string_view text = cut(warning);
    if (!seen.insert(text).second) continue;
    total += utf8::count(text);
    if (total > kMostTogether) break;
    out.push_back(text);
  }
  return out;
}

// 299 - "text": quotes and backslashes are escaped, line ends become spaces.
void add_warnings(Response& response, const std::vector<std::string>& warnings) {
  for (const std::string_view warning : shown_warnings(warnings)) {
    std::string text = "299 - \"";
    for (const char c : warning) {
      if (c == '"' || c == '\\') text += '\\';
      text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    response.headers.add("Warning", text + "\"");
  }
}

// What a verb is called when the resource does not have it.
bool supports(const Call& call, std::string_view verb) {
  using kinds::Verb;
  if (!call.info.subresource.empty()) {
    const kinds::Subresource* sub = call.version->subresource(call.info.subresource);
    return sub != nullptr && std::any_of(sub->verbs.begin(), sub->verbs.end(),
                                         [&](Verb one) { return kinds::to_string(one) == verb; });
  }
  // A CRD that is being deleted shows fewer verbs, but says in its own words what it refuses.
  if (call.endpoint->hooks() == nullptr) return true;
  return std::any_of(call.resource().verbs.begin(), call.resource().verbs.end(),
                     [&](Verb one) { return kinds::to_string(one) == verb; });
}

struct InFlight {
  explicit InFlight(std::atomic<std::size_t>& counter) : counter_(counter) {
    counter_.fetch_add(1);
  }
  ~InFlight() { counter_.fetch_sub(1); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  std::atomic<std::size_t>& counter_;
};

Response too_many() {
  Response out = text_response(429, "Too many requests, please try again later.\n");
  out.headers.add("Retry-After", "1");
  return out;
}

}  // namespace

Status Call::cancelled() {
  return Status::service_unavailable("the request was cancelled before it was done");
}

bool User::in_group(std::string_view group) const {
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

ApiServer::ApiServer(Core core, ApiOptions options)
    : core_(core),
      options_(std::move(options)),
      documents_(core_.registry),
      request_log_(options_.log_requests) {
  health_.add({"ping", [] { return Result<>(); }});
  health_.add({"log", [] { return Result<>(); }});
  health_.add({"etcd", [this] { return core_.hub.store().health(); }});
  health_.add({"poststarthook/crd-informer-synced", [this]() -> Result<> {
                 if (!crds_ || !crds_->has_begun())
                   return fail(Code::kServiceUnavailable, "not finished");
                 return crds_->health();
               }});
  health_.add({"poststarthook/start-namespace-controller", [this]() -> Result<> {
                 if (!namespaces_) return fail(Code::kServiceUnavailable, "not finished");
                 return namespaces_->health();
               }});
}

ApiServer::~ApiServer() = default;

async::Task<> ApiServer::start() {
  std::vector<EndpointPtr> endpoints;
  for (const kinds::ResourcePtr& resource : kinds::builtin_resources()) {
    const bool is_crd = resource->group == kCrdGroup;
    const kinds::Hooks* hooks = is_crd ? &crd_hooks() : resource->hooks;
    endpoints.push_back(std::make_shared<const Endpoint>(
        resource, hooks, core_.hub.cache(resource->storage_prefix), 0, 0));
  }
  core_.registry.put_all(std::move(endpoints));
  for (const std::string_view name : {"default", "kube-system", "kube-public"}) {
    co_await ensure_object(
        core_, "", "namespaces", "",
        fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}"}}}})",
                    name));
  }
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  crds_ = std::make_unique<CrdController>(core_, executor);
  namespaces_ = std::make_unique<NamespaceController>(core_, options_.root_ca_pem, executor);
  boost::asio::co_spawn(executor, run_controller(*crds_), boost::asio::detached);
  boost::asio::co_spawn(executor, run_controller(*namespaces_), boost::asio::detached);
  // Definitions that were there before are served from the first request on.
  while (!crds_->is_caught_up() && !running_.closed() && !core_.stopping.cancelled()) {
    STRAKE_CO_CHECK(co_await async::sleep_for(std::chrono::microseconds(200)));
  }
  garbage_ = std::make_unique<GarbageCollector>(core_, executor);
  boost::asio::co_spawn(executor, collect_garbage(), boost::asio::detached);
  co_return Result<>();
}

boost::asio::awaitable<void> ApiServer::run_controller(Controller& controller) {
  const async::Gate::Pass pass = running_.enter();
  co_await controller.run();
}

boost::asio::awaitable<void> ApiServer::collect_garbage() {
  const async::Gate::Pass pass = running_.enter();
  static_cast<void>(co_await garbage_->run());
}

async::Task<> ApiServer::stop() {
  if (garbage_) garbage_->stop();
  if (crds_) crds_->stop();
  if (namespaces_) namespaces_->stop();
  co_return co_await running_.close();
}

Answer<UserPtr> ApiServer::identify(const Request& request) const {
  static const UserPtr kNobody = std::make_shared<const User>(User{
      .name = "system:anonymous", .uid = {}, .groups = {"system:unauthenticated"}, .extra = {}});
  const Result<UserPtr> user = core_.authenticator.authenticate(request);
  if (!user) return refuse(Status::unauthorized());
  if (*user) return *user;
  if (!options_.anonymous) return refuse(Status::unauthorized());
  return kNobody;
}

Answer<> ApiServer::permit(const Call& call) const {
  const Authorizer::Decision decision = core_.authorizer.authorize(*call.user, call.info);
  if (decision.allowed) return {};
  const std::string why = refusal_text(*call.user, call.info, decision.reason);
  if (!call.info.is_resource) return refuse(Status::forbidden({}, "", why));
  return refuse(Status::forbidden({call.info.group, call.info.resource}, call.info.name, why));
}

bool ApiServer::is_authenticated(const Request& head) const {
  const Result<UserPtr> user = core_.authenticator.authenticate(head);
  return user && *user != nullptr;
}

boost::asio::awaitable<Response> ApiServer::handle(Request request) {
  const auto begin = std::chrono::steady_clock::now();
  auto call = std::make_shared<Call>();
  call->request = std::move(request);
  call->now = core_.clock.now();
  call->stopping = core_.stopping;
  std::string audit_id(call->request.headers.get("Audit-ID"));
  if (audit_id.empty() || audit_id.size() > 128) audit_id = new_uid();
  Response response;
  Answer<Response> answered =
      refuse(Status::request_too_large("handling it takes more memory than one request may use"));
  try {
    answered = co_await answer_call(call);
  } catch (const ArenaFull&) {
    log::get("api").warn("a request reached its memory limit",
                         {{"method", call->request.method}, {"path", call->request.path}});
  }
  if (answered) {
    response = *std::move(answered);
  } else {
    response = status_response(answered.error(), call->wanted.encoding);
    if (answered.error().code == 403) response.headers.add("X-Content-Type-Options", "nosniff");
  }
  add_warnings(response, call->warnings);
  response.to_authenticated = call->user && call->user->in_group("system:authenticated");
  response.headers.add("Audit-Id", audit_id);
  if (!response.headers.has("Cache-Control"))
    response.headers.add("Cache-Control", "no-cache, private");
  const auto time = std::chrono::steady_clock::now() - begin;
  count_request(*call, response, time);
  request_log_.note(*call, {.status = response.status, .time = time, .audit_id = audit_id},
                    std::chrono::steady_clock::now());
  co_return response;
}

boost::asio::awaitable<Answer<Response>> ApiServer::answer_call(std::shared_ptr<Call> call) {
  const Request& request = call->request;
  STRAKE_CO_TRY(call->query, answer(http::Query::parse(request.query)));
  STRAKE_CO_TRY(call->info, answer(read_request_info(request.method, request.path, call->query)));
  if (!is_http_method(request.method)) co_return refuse(Status::method_not_supported());
  STRAKE_CO_TRY(call->asking, identify(request));
  STRAKE_CO_TRY(call->user, impersonated(request, call->asking, core_.authorizer));
  const bool long_running = call->info.verb == "watch";
  std::atomic<std::size_t>& counter = is_write(request.method) ? writes_ : reads_;
  const std::size_t most =
      is_write(request.method) ? options_.max_writes_in_flight : options_.max_reads_in_flight;
  std::optional<InFlight> in_flight;
  if (!long_running) {
    in_flight.emplace(counter);
    if (counter.load(std::memory_order_relaxed) > most && !call->user->in_group("system:masters")) {
      // Counted with the labels of what was asked for.
      if (call->info.is_resource)
        call->endpoint = core_.registry.find(call->info.group, call->info.resource);
      if (call->endpoint) call->version = call->resource().served_version(call->info.version);
      co_return too_many();
    }
  }
  STRAKE_CO_CHECK(permit(*call));
  if (call->info.is_resource) co_return co_await answer_resource(std::move(call));
  if (auto operators = answer_operator(*call)) co_return *std::move(operators);
  if (request.method != "GET" && request.method != "HEAD") co_return not_found_page();
  if (auto document = documents_.serve(request, call->query, call->info.path))
    co_return *std::move(document);
  co_return not_found_page();
}

AnswerTask<Response> ApiServer::answer_resource(std::shared_ptr<Call> call) {
  const RequestInfo& info = call->info;
  call->endpoint = core_.registry.find(info.group, info.resource);
  if (!call->endpoint) co_return not_found_page();
  const kinds::Resource& resource = call->resource();
  call->version = resource.served_version(info.version);
  const bool collection_of_all = info.namespace_name.empty() && info.name.empty();
  const bool wrong_place =
      resource.namespaced
          ? info.namespace_name.empty() &&
                !(collection_of_all && (info.verb == "list" || info.verb == "watch"))
          : !info.namespace_name.empty() && info.resource != "namespaces";
  if (call->version == nullptr || wrong_place) {
    call->endpoint.reset();
    co_return not_found_page();
  }
  if (!resource.namespaced) call->info.namespace_name.clear();
  if (!call->version->deprecation_warning.empty())
    call->warnings.push_back(call->version->deprecation_warning);
  if (!info.subresource.empty() && call->version->subresource(info.subresource) == nullptr) {
    co_return refuse(Status::not_found(call->group_resource(), info.name));
  }
  // Tokens are issued by who authenticates, which comes later: better refused than made into
  // something else.
  if (info.subresource == "token") {
    co_return refuse(Status::method_not_allowed(call->group_resource(), info.verb));
  }
  if (info.name.empty() && (info.verb == "update" || info.verb == "patch")) {
    co_return refuse(Status::bad_request("name must be provided"));
  }
  if (info.verb.empty() && call->endpoint->hooks() != nullptr)
    co_return refuse(Status::method_not_supported());
  if (!supports(*call, info.verb))
    co_return refuse(Status::method_not_allowed(call->group_resource(), info.verb));
  const auto wanted = negotiate(call->request.headers.get("Accept"), info.verb == "watch");
  if (!wanted)
    co_return refuse(Status::not_acceptable(info.verb == "watch" ? kStreamable : kReadable));
  call->wanted = *wanted;
  co_return co_await run_verb(std::move(call));
}

AnswerTask<Response> ApiServer::run_verb(std::shared_ptr<Call> call) {
  const std::string& verb = call->info.verb;
  if (call->info.subresource == "scale") {
    if (verb == "get") co_return co_await get_scale(core_, *call);
    if (verb == "update") co_return co_await update_scale(core_, *call);
    co_return co_await patch_scale(core_, *call);
  }
  if (verb == "get") co_return co_await get(core_, *call);
  if (verb == "list") co_return co_await list(core_, std::move(call));
  if (verb == "watch") co_return co_await watch(core_, std::move(call));
  std::optional<Answer<Response>> out;
  if (verb == "create") out = co_await create(core_, *call);
  if (verb == "update") out = co_await update(core_, *call);
  if (verb == "patch") out = co_await patch(core_, *call);
  if (verb == "delete") out = co_await remove(core_, *call);
  if (verb == "deletecollection") out = co_await remove_collection(core_, call);
  if (!out) co_return refuse(Status::method_not_allowed(call->group_resource(), verb));
  // Whoever is told of a definition finds it served.
  if (*out && call->resource().group == kCrdGroup) co_await crds_->wait_until_caught_up();
  co_return *std::move(out);
}

std::optional<Response> ApiServer::answer_operator(const Call& call) {
  const std::string& path = call.info.path;
  if (auto health = health_.serve(path, call.query)) return health;
  if (path == "/version" || path == "/version/") {
    return json_response(
        200, fmt::format(
                 "{{\n  \"major\": \"1\",\n  \"minor\": \"36\",\n  \"emulationMajor\": \"1\",\n  "
                 "\"emulationMinor\": \"36\",\n  \"minCompatibilityMajor\": \"1\",\n  "
                 "\"minCompatibilityMinor\": "
                 "\"35\",\n  \"gitVersion\": \"v1.36.4+strake-{}\",\n  \"gitCommit\": \"\",\n  "
                 "\"gitTreeState\": "
                 "\"clean\",\n  \"buildDate\": \"1970-01-01T00:00:00Z\",\n  \"goVersion\": \"\",\n "
                 " \"compiler\": "
                 "\"clang\",\n  \"platform\": \"linux/amd64\"\n}}",
                 options_.version));
  }
  if (path == "/metrics")
    return text_response(200, metrics_text(), "text/plain; version=0.0.4; charset=utf-8");
  if (path == "/") {
    return json_response(
        200,
        "{\n  \"paths\": [\n    \"/api\",\n    \"/apis\",\n    \"/healthz\",\n    \"/livez\",\n    "
        "\"/metrics\",\n    \"/openapi/v2\",\n    \"/openapi/v3\",\n    \"/readyz\",\n    "
        "\"/version\"\n  ]\n}");
  }
  return std::nullopt;
}

std::string ApiServer::metrics_text() {
  return metrics_page(core_, {.reads = reads_.load(), .writes = writes_.load()},
                      fmt::format("v1.36.4+strake-{}", options_.version));
}

}  // namespace strake::api

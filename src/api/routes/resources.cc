#include "api/routes/resources.h"

#include <algorithm>

#include "api/routes/unserved_path.h"
#include "api/verbs/body_kind.h"
#include "api/verbs/pod_binding.h"
#include "api/verbs/pod_eviction.h"
#include "api/verbs/ready.h"
#include "api/verbs/respond.h"
#include "api/verbs/scale.h"
#include "api/verbs/token_request.h"
#include "api/verbs/verbs.h"
#include "kinds/builtins.h"
#include "kinds/pods/pod_bodies.h"

namespace strake::api {
namespace {

using http::Response;
using meta::Status;

// What a verb is called when the resource does not have it.
bool supports(const Call& call, std::string_view verb) {
  using kinds::Verb;
  if (!call.info.subresource.empty()) {
    const kinds::Subresource* sub = call.version->subresource(call.info.subresource);
    return sub != nullptr && std::any_of(sub->verbs.begin(), sub->verbs.end(),
                                         [&](Verb one) { return kinds::to_string(one) == verb; });
  }
  if (call.resource().answers_every_verb) return true;
  return std::any_of(call.resource().verbs.begin(), call.resource().verbs.end(),
                     [&](Verb one) { return kinds::to_string(one) == verb; });
}

// The subresource whose requests go on to somewhere else; null for all others.
const kinds::Subresource* connection_of(const Call& call) {
  if (call.info.subresource.empty()) return nullptr;
  const kinds::Subresource* sub = call.version->subresource(call.info.subresource);
  return sub != nullptr && sub->connects() ? sub : nullptr;
}

bool is_connect_method(std::string_view method) {
  constexpr std::string_view kMethods[] = {"GET",    "POST", "PUT",    "PATCH",
                                           "DELETE", "HEAD", "OPTIONS"};
  return std::ranges::find(kMethods, method) != std::end(kMethods);
}

// Built-in kinds have a route for each method at each path, and kube-apiserver 1.36 says nothing
// more of those that are missing. Custom resources have one handler, which looks at the verb.
bool has_route(const Call& call) {
  const RequestInfo& info = call.info;
  if (const kinds::Subresource* sub = connection_of(call)) {
    using Connection = kinds::Subresource::Connection;
    if (info.verb == "watch") return false;
    if (sub->connection == Connection::kService || sub->connection == Connection::kProxy)
      return is_connect_method(call.request.method);
    return call.request.method != "HEAD" && supports(call, info.verb);
  }
  if (info.verb.empty() || !supports(call, info.verb)) return false;
  if (info.verb == "create") return info.name.empty() || !info.subresource.empty();
  return !info.name.empty() || (info.verb != "update" && info.verb != "patch");
}

// The subresource that the call names, where its objects are of another kind.
bool is_scale(const Call& call) { return call.info.subresource == "scale"; }

bool is_token(const Call& call) { return call.info.subresource == "token"; }

// Of pods, or by itself.
bool is_binding(const Call& call) {
  return call.info.subresource == "binding" || call.resource().review == kinds::Review::kBinding;
}

bool is_eviction(const Call& call) { return call.info.subresource == "eviction"; }

// Whether the verb needs the schemas of versions whatever it meets. Others compile what they need.
bool needs_schema(const Call& call) {
  const std::string& verb = call.info.verb;
  return verb == "create" || verb == "update" || verb == "patch" || is_scale(call);
}

// In the storage version. Deletions mark objects in the version that they are stored in.
bool stores_objects(const Call& call) {
  const std::string& verb = call.info.verb;
  return call.endpoint->resource().definition &&
         (verb == "create" || verb == "update" || verb == "patch");
}

AnswerTask<> compile_schemas(Core& core, const Call& call) {
  if (!is_scale(call)) co_return co_await compile(core, call, *call.version);
  // Who owns the replicas is told by version.
  for (const kinds::ServedVersion& version : call.resource().versions)
    STRAKE_CO_CHECK(co_await compile(core, call, version));
  co_return Answer<>();
}

bool are_compiled(const Call& call) {
  if (!is_scale(call)) return call.version->is_compiled();
  return std::ranges::all_of(call.resource().versions, &kinds::ServedVersion::is_compiled);
}

// What can be told to be wrong before the verb runs.
Answer<> check(const Call& call) {
  const RequestInfo& info = call.info;
  if (!info.subresource.empty()) {
    const kinds::Subresource* sub = call.version->subresource(info.subresource);
    if (sub == nullptr) {
      return refuse(call.resource().answers_every_verb
                        ? Status::not_found(call.group_resource(), info.name)
                        : Status::path_not_found());
    }
  }
  if (!call.resource().answers_every_verb) {
    if (!has_route(call)) return refuse(Status::method_not_supported());
    return {};
  }
  if (info.name.empty() && (info.verb == "update" || info.verb == "patch"))
    return refuse(Status::bad_request("name must be provided"));
  if (!supports(call, info.verb))
    return refuse(Status::method_not_allowed(call.group_resource(), info.verb));
  return {};
}

}  // namespace

ResourcesRoute::ResourcesRoute(Core& core, Controllers& controllers, bool workloads)
    : core_(core),
      controllers_(controllers),
      token_requests_(body_endpoint(core, kinds::token_request_resource())) {
  if (!workloads) return;
  bindings_ = body_endpoint(core, kinds::binding_resource());
  evictions_ = body_endpoint(core, kinds::eviction_resource());
}

bool ResourcesRoute::find_endpoint(Call& call) const {
  const RequestInfo& info = call.info;
  call.endpoint = core_.registry.find(info.group, info.resource, info.version);
  if (!call.endpoint) return false;
  if (stores_objects(call)) {
    call.use = core_.registry.use(std::move(call.endpoint));
    call.endpoint = call.use.endpoint();
  }
  const kinds::Resource& resource = call.resource();
  call.version = resource.served_version(info.version);
  const bool collection_of_all = info.namespace_name.empty() && info.name.empty();
  const bool wrong_place =
      resource.namespaced
          ? info.namespace_name.empty() &&
                !(collection_of_all && (info.verb == "list" || info.verb == "watch"))
          : !info.namespace_name.empty() && !resource.is_namespace;
  if (call.version != nullptr && !wrong_place) return true;
  call.endpoint.reset();
  return false;
}

AnswerTask<Response> ResourcesRoute::answer(std::shared_ptr<Call> call) {
  if (!find_endpoint(*call)) {
    // Its definition may say already that it is established, while it is not served yet.
    if (!controllers_.is_defined(call->info.group, call->info.resource))
      co_return unserved_path(*call, core_.registry);
    co_await controllers_.wait_until_served();
    if (!find_endpoint(*call)) co_return unserved_path(*call, core_.registry);
  }
  if (!call->resource().namespaced) call->info.namespace_name.clear();
  if (!call->version->deprecation_warning.empty())
    call->warnings.push_back(call->version->deprecation_warning);
  STRAKE_CO_CHECK(check(*call));
  if (connection_of(*call) != nullptr) co_return co_await connect(core_, *call);
  const bool watching = call->info.verb == "watch";
  // As in kube-apiserver 1.36, answers to questions have no columns.
  const bool tables =
      call->resource().stored() && !is_token(*call) && !is_binding(*call) && !is_eviction(*call);
  const bool protobuf = call->strategy().wire().protobuf || is_scale(*call);
  const auto wanted = negotiate(call->request.headers.get("Accept"),
                                {.watch = watching, .tables = tables, .protobuf = protobuf});
  if (!wanted) co_return refuse(Status::not_acceptable(watching ? kStreamable : kReadable));
  call->wanted = *wanted;
  if (wanted->encoding == Encoding::kProtobuf && wanted->form == Form::kTable)
    co_return refuse(no_protobuf("v1.Table"));
  if (needs_schema(*call) && !are_compiled(*call))
    STRAKE_CO_CHECK(co_await compile_schemas(core_, *call));
  co_return co_await run_verb(std::move(call));
}

AnswerTask<Response> ResourcesRoute::run_verb(std::shared_ptr<Call> call) {
  const std::string& verb = call->info.verb;
  if (is_scale(*call)) {
    if (verb == "get") co_return co_await get_scale(core_, *call);
    if (verb == "update") co_return co_await update_scale(core_, *call);
    co_return co_await patch_scale(core_, *call);
  }
  if (is_token(*call)) co_return co_await create_token(core_, *call, token_requests_);
  if (is_binding(*call)) co_return co_await bind_pod(core_, *call, bindings_);
  if (is_eviction(*call)) co_return co_await evict_pod(core_, *call, evictions_);
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
  if (*out && call->strategy().decides_what_is_served()) co_await controllers_.wait_until_served();
  co_return *std::move(out);
}

}  // namespace strake::api

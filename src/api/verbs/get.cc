#include "api/verbs/ready.h"
#include "api/verbs/respond.h"
#include "api/verbs/verbs.h"

namespace strake::api {

AnswerTask<http::Response> get(Core& core, Call& call) {
  const std::string_view wanted = call.query.get("resourceVersion").value_or("");
  if (!wanted.empty() && wanted != "0") {
    STRAKE_CO_TRY(const Revision revision, parse_resource_version(wanted));
    if (revision > core.hub.revision())
      STRAKE_CO_CHECK(co_await wait_for_revision(core, call, revision));
  }
  const ObjectPtr object =
      call.endpoint->cache().get(call.endpoint->key(call.info.namespace_name, call.info.name));
  if (!object) co_return refuse(meta::Status::not_found(call.group_resource(), call.info.name));
  STRAKE_CO_TRY(Bytes bytes, call.endpoint->render(*object, *call.version));
  if (!bytes) {
    STRAKE_CO_TRY(bytes, co_await render_later(core, call, object, *call.version));
  }
  co_return object_response(call, 200, std::move(bytes));
}

}  // namespace strake::api

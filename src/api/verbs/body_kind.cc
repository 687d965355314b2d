#include "api/verbs/body_kind.h"

#include "api/verbs/by_worker.h"
#include "api/verbs/decode.h"
#include "api/verbs/judge.h"
#include "api/verbs/respond.h"
#include "api/verbs/settle_meta.h"
#include "kinds/builtin_strategy.h"

namespace strake::api {

EndpointPtr body_endpoint(Core& core, const kinds::ResourcePtr& kind) {
  // The cache is never asked: there are no such objects.
  return std::make_shared<const Endpoint>(kind, *kind->strategy, *core.converter,
                                          core.hub.cache("/registry/serviceaccounts/"), 0, 0);
}

AnswerTask<value::Document> read_body_as(Core& core, Call& call, EndpointPtr kind,
                                         const WriteOptions& options) {
  const AsKind as_kind(call, std::move(kind));
  const auto decode = [&] { return decode_body(call, options.field_validation); };
  STRAKE_CO_TRY(value::Document document, is_large(call, call.request.body.size())
                                              ? co_await by_worker(core, decode)
                                              : decode());
  STRAKE_CO_CHECK(check_namespace(call, document));
  co_return document;
}

http::Response created_response(const Call& call) {
  return status_response(meta::Status::done(), call.wanted.encoding);
}

}  // namespace strake::api

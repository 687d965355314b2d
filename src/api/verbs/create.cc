#include "api/verbs/by_worker.h"
#include "api/verbs/decode.h"
#include "api/verbs/judge.h"
#include "api/verbs/respond.h"
#include "api/verbs/reviews.h"
#include "api/verbs/settle_meta.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"

namespace strake::api {

AnswerTask<http::Response> create(Core& core, Call& call) {
  STRAKE_CO_TRY(WriteOptions options, read_write_options(call.query, "CreateOptions"));
  const auto decode = [&] { return decode_body(call, options.field_validation); };
  STRAKE_CO_TRY(value::Document document, is_large(call, call.request.body.size())
                                              ? co_await by_worker(core, decode)
                                              : decode());
  STRAKE_CO_CHECK(check_namespace(call, document));
  if (!call.resource().stored())
    co_return co_await answer_review(core, call, std::move(document), options);
  STRAKE_CO_TRY(WriteOutcome outcome,
                co_await create_object(core, call, std::move(document), std::move(options)));
  co_return object_response(call, 201, std::move(outcome.bytes));
}

}  // namespace strake::api

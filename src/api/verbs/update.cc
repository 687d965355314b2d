#include "api/verbs/by_worker.h"
#include "api/verbs/decode.h"
#include "api/verbs/judge.h"
#include "api/verbs/respond.h"
#include "api/verbs/settle_meta.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"

namespace strake::api {

AnswerTask<http::Response> update(Core& core, Call& call) {
  STRAKE_CO_TRY(WriteOptions options, read_write_options(call.query, "UpdateOptions"));
  const auto decode = [&call, validation = options.field_validation]() -> Answer<value::Document> {
    STRAKE_TRY(value::Document document, decode_body(call, validation));
    STRAKE_CHECK(check_namespace(call, document));
    STRAKE_CHECK(check_name_on_update(call, document));
    return document;
  };
  // A body that cannot be read is refused before anyone looks whether there is something to update.
  STRAKE_CO_TRY(value::Document first, is_large(call, call.request.body.size())
                                           ? co_await by_worker(core, decode)
                                           : decode());
  const bool unconditional = meta::ObjectMeta::of(first.root()).resource_version().empty();
  auto kept = std::make_shared<std::optional<value::Document>>(std::move(first));
  UpdatePlan plan;
  plan.name = call.info.name;
  plan.subresource = call.info.subresource;
  plan.options = std::move(options);
  plan.retry_conflicts = unconditional && call.resource().unconditional_update;
  plan.make = [decode, kept](const value::Value&) -> Answer<value::Document> {
    if (*kept) {
      value::Document document = *std::move(*kept);
      kept->reset();
      return document;
    }
    return decode();
  };
  if (call.resource().create_on_update && call.info.subresource.empty()) {
    plan.make_new = [kept]() -> Answer<value::Document> { return *std::move(*kept); };
  }
  STRAKE_CO_TRY(WriteOutcome outcome, co_await update_object(core, call, std::move(plan)));
  co_return object_response(call, outcome.created ? 201 : 200, std::move(outcome.bytes));
}

}  // namespace strake::api

#include "api/verbs/pod_eviction.h"

#include <vector>

#include "api/verbs/body_kind.h"
#include "api/verbs/inner_write.h"
#include "api/verbs/verbs.h"
#include "kinds/pods/pod_eviction.h"
#include "meta/object_meta.h"
#include "meta/selectors.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

Answer<> refuse_eviction(const kinds::EvictionAnswer& answer, std::string_view budget) {
  using Code = kinds::EvictionAnswer::Code;
  if (answer.code == Code::kForbidden)
    return refuse(Status::forbidden({"policy", "poddisruptionbudget"}, budget, answer.cause));
  Status out = Status::too_many_requests(std::string(kinds::kEvictionRefused), answer.retry_after);
  out.details.causes.push_back(
      {.reason = "DisruptionBudget", .message = answer.cause, .field = {}});
  return refuse(std::move(out));
}

// The names of the budgets that select the pod.
Answer<std::vector<std::string>> budgets_of(const Endpoint& budgets, const Call& call,
                                            const Object& pod) {
  std::vector<std::string> out;
  for (const ObjectPtr& one :
       budgets.cache().list(budgets.key_prefix(call.info.namespace_name)).objects) {
    STRAKE_TRY(const Document budget, answer(parse_stored(*one->bytes())));
    const Value& selector = budget.root().get("spec").get("selector");
    // One without a selector is about no pods.
    if (!selector.is_object()) continue;
    const auto labels = meta::LabelSelector::from_value(&selector);
    if (labels && pod.matches(*labels)) out.emplace_back(one->name());
  }
  return out;
}

// Takes the eviction off the one budget, unless that refuses.
AnswerTask<> ask_budgets(Core& core, const Call& call, const ObjectPtr& stored, const Document& pod,
                         bool dry_run) {
  const EndpointPtr budgets = core.registry.find("policy", "poddisruptionbudgets");
  if (!budgets) co_return Answer<>();
  STRAKE_CO_TRY(const std::vector<std::string> names, budgets_of(*budgets, call, *stored));
  if (names.empty()) co_return Answer<>();
  if (names.size() > 1) co_return refuse(Status::raw_error(std::string(kinds::kManyBudgets)));
  const std::string now = call.now_text();
  co_return co_await write_within(
      core, call,
      {.endpoint = *budgets,
       .namespace_name = call.info.namespace_name,
       .name = names.front(),
       .change = [&](Document& budget, Revision) -> Answer<> {
         const kinds::EvictionAnswer verdict = kinds::judge_eviction(pod.root(), budget.root());
         if (verdict.code != kinds::EvictionAnswer::Code::kAllowed)
           return refuse_eviction(verdict, names.front());
         if (verdict.counts)
           kinds::count_eviction(budget.root(), stored->name(), now, budget.arena());
         return {};
       },
       .dry_run = dry_run});
}

// What the body says of the deletion, as the body of a DELETE would.
Answer<DeleteOptions> delete_options(const Document& eviction, bool dry_run) {
  const Value& given = eviction.root().get("deleteOptions");
  STRAKE_TRY(
      DeleteOptions out,
      read_delete_options(http::Query(), given.is_object() ? value::to_json(given) : std::string(),
                          "application/json"));
  out.dry_run = out.dry_run || dry_run;
  return out;
}

}  // namespace

AnswerTask<http::Response> evict_pod(Core& core, Call& call, EndpointPtr evictions) {
  STRAKE_CO_TRY(const WriteOptions options, read_write_options(call.query, "CreateOptions"));
  STRAKE_CO_TRY(Document eviction,
                co_await read_body_as(core, call, std::move(evictions), options));
  const std::string_view name = ObjectMeta::of(eviction.root()).name();
  if (name != call.info.name)
    co_return refuse(Status::bad_request("name in URL does not match name in Eviction object"));
  STRAKE_CO_TRY(DeleteOptions deletion, delete_options(eviction, options.dry_run));
  AdmissionRequest asked{.phase = AdmissionRequest::Phase::kMutating,
                         .operation = AdmissionRequest::Operation::kCreate,
                         .name = call.info.name,
                         .subresource = call.info.subresource,
                         .object = &eviction,
                         .dry_run = deletion.dry_run,
                         .write_options = &options};
  for (const auto phase :
       {AdmissionRequest::Phase::kMutating, AdmissionRequest::Phase::kValidating}) {
    asked.phase = phase;
    Eventual<> admitted = core.admission->admit(call, asked);
    STRAKE_CO_CHECK(admitted.must_wait() ? co_await admitted.wait() : admitted.take());
  }
  const std::string key = call.endpoint->key(call.info.namespace_name, call.info.name);
  const ObjectPtr stored = call.endpoint->cache().get(key);
  if (!stored) co_return refuse(Status::not_found(call.group_resource(), call.info.name));
  STRAKE_CO_TRY(const Document pod, answer(parse_stored(*stored->bytes())));
  if (!kinds::may_be_evicted_at_once(pod.root()))
    STRAKE_CO_CHECK(co_await ask_budgets(core, call, stored, pod, deletion.dry_run));
  const std::string now = call.now_text();
  STRAKE_CO_CHECK(co_await write_within(core, call,
                                        {.endpoint = *call.endpoint,
                                         .namespace_name = call.info.namespace_name,
                                         .name = call.info.name,
                                         .change = [&](Document& evicted, Revision) -> Answer<> {
                                           kinds::note_eviction(evicted.root(), now,
                                                                evicted.arena());
                                           return {};
                                         },
                                         .dry_run = deletion.dry_run}));
  STRAKE_CO_TRY([[maybe_unused]] const Removed removed,
                co_await remove_object(core, call, call.info.name, std::move(deletion)));
  co_return created_response(call);
}

}  // namespace strake::api

#include "admission/quota/quota_status.h"

#include <fmt/format.h>

#include "api/controllers/controller.h"
#include "api/verbs/write.h"
#include "meta/object_meta.h"

namespace strake::admission {

using api::Answer;
using meta::Status;
using value::Document;
using value::Value;

api::AnswerTask<> write_status(api::Core& core, const Standing& standing, bool charged) {
  const QuotaFacts& facts = *standing.facts;
  const api::EndpointPtr endpoint = core.registry.find("", "resourcequotas");
  if (!endpoint) co_return api::refuse(Status::internal_error("quotas are not served"));
  api::Call call = api::internal_call(core, endpoint, facts.namespace_name, facts.name);
  api::UpdatePlan plan;
  plan.name = facts.name;
  plan.subresource = "status";
  plan.is_patch = true;
  // Who writes it in Kubernetes 1.36: admission charges, the controller counts.
  plan.manager_override = charged ? "kube-apiserver" : "kube-controller-manager";
  plan.make = [&](const Value& current) -> Answer<Document> {
    // Somebody else has changed it: it is judged anew.
    if (meta::ObjectMeta::of(current).resource_version() != fmt::format("{}", standing.revision))
      return api::refuse(Status::modified(call.group_resource(), facts.name));
    Document document;
    Arena& arena = document.arena();
    document.root() = value::deep_copy(current, arena);
    // What it tells of limits is not admission's to change.
    const Value& hard = document.root().get(standing.kept ? "spec" : "status").get("hard");
    Value status = Value::object({});
    status.set("hard", hard.is_object() ? value::deep_copy(hard, arena) : Value::object({}), arena);
    Value& used = status.set("used", Value::object({}), arena);
    for (const auto& [name, amount] : standing.used)
      used.set(arena.copy(name), Value::string(arena.copy(amount.to_string())), arena);
    document.root().set("status", status, arena);
    return document;
  };
  const auto written = co_await api::update_object(core, call, std::move(plan));
  if (!written) co_return api::refuse(written.error());
  co_return Answer<>();
}

}  // namespace strake::admission

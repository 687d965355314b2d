#include "api/request/admission.h"

namespace strake::api {
namespace {

using value::Value;

void add_dry_run(Value& options, Arena& arena) {
  Value list = Value::array({});
  list.append(Value::string("All"), arena);
  options.set("dryRun", list, arena);
}

void add(Value& options, const WriteOptions& given, Arena& arena) {
  if (!given.field_manager.empty())
    options.set("fieldManager", Value::string(arena.copy(given.field_manager)), arena);
  if (!given.field_validation_given) return;
  const std::string_view validation = given.field_validation == FieldValidation::kIgnore ? "Ignore"
                                      : given.field_validation == FieldValidation::kWarn ? "Warn"
                                                                                         : "Strict";
  options.set("fieldValidation", Value::string(validation), arena);
}

void add(Value& options, const DeleteOptions& given, Arena& arena) {
  if (given.grace_period)
    options.set("gracePeriodSeconds", Value::integer(*given.grace_period), arena);
  if (given.uid || given.resource_version) {
    Value preconditions = Value::object({});
    if (given.uid) preconditions.set("uid", Value::string(arena.copy(*given.uid)), arena);
    if (given.resource_version) {
      preconditions.set("resourceVersion", Value::string(arena.copy(*given.resource_version)),
                        arena);
    }
    options.set("preconditions", preconditions, arena);
  }
  if (given.orphan_dependents) {
    options.set("orphanDependents", Value::boolean(*given.orphan_dependents), arena);
  } else if (given.propagation != DeleteOptions::Propagation::kDefault) {
    using enum DeleteOptions::Propagation;
    const std::string_view policy = given.propagation == kOrphan       ? "Orphan"
                                    : given.propagation == kBackground ? "Background"
                                                                       : "Foreground";
    options.set("propagationPolicy", Value::string(policy), arena);
  }
}

}  // namespace

std::string_view to_string(AdmissionRequest::Operation operation) {
  switch (operation) {
    case AdmissionRequest::Operation::kCreate: return "CREATE";
    case AdmissionRequest::Operation::kUpdate: return "UPDATE";
    case AdmissionRequest::Operation::kConnect: return "CONNECT";
    case AdmissionRequest::Operation::kDelete: break;
  }
  return "DELETE";
}

Value options_of(const AdmissionRequest& request, Arena& arena) {
  if (request.operation == AdmissionRequest::Operation::kConnect) return Value();
  Value out = Value::object({});
  const std::string_view kind =
      request.operation == AdmissionRequest::Operation::kCreate   ? "CreateOptions"
      : request.operation == AdmissionRequest::Operation::kUpdate ? "UpdateOptions"
                                                                  : "DeleteOptions";
  out.set("kind", Value::string(kind), arena);
  out.set("apiVersion", Value::string("meta.k8s.io/v1"), arena);
  if (request.dry_run) add_dry_run(out, arena);
  if (request.write_options != nullptr) add(out, *request.write_options, arena);
  if (request.delete_options != nullptr) add(out, *request.delete_options, arena);
  return out;
}

std::string_view namespace_of(const Call& call, const AdmissionRequest& request) {
  return call.resource().is_namespace ? request.name : call.info.namespace_name;
}

Eventual<> AdmissionChain::admit(Call& call, const AdmissionRequest& request) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Eventual<> one = parts_[i]->admit(call, request);
    if (one.must_wait()) return admit_rest(call, request, std::move(one), i + 1);
    if (Answer<> outcome = one.take(); !outcome) return outcome;
  }
  return Answer<>();
}

AnswerTask<> AdmissionChain::admit_rest(Call& call, AdmissionRequest request, Eventual<> waiting,
                                        std::size_t next) const {
  STRAKE_CO_CHECK(co_await waiting.wait());
  for (; next < parts_.size(); ++next) {
    Eventual<> one = parts_[next]->admit(call, request);
    STRAKE_CO_CHECK(one.must_wait() ? co_await one.wait() : one.take());
  }
  co_return Answer<>();
}

}  // namespace strake::api

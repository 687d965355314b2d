#include "admission/policy/evidence.h"

#include "api/controllers/controller.h"
#include "api/verbs/ready.h"

namespace strake::admission {

using api::Answer;
using api::refuse;
using meta::Status;
using value::Value;

Evidence::Evidence(api::Core& core, const api::Call& call, const api::AdmissionRequest& request,
                   const Namespaces& namespaces, const api::Authorizer& authorizer)
    : core_(core),
      call_(call),
      request_(request),
      namespaces_(namespaces),
      authority_(authorizer, *call.user),
      objects_(core, call, request) {}

bool Evidence::must_wait(const StepHead& step) const {
  if (step.version != nullptr && objects_.must_convert(*step.version)) return true;
  return step.param != nullptr &&
         step.params.endpoint->must_wait(*step.param, *step.params.version);
}

Answer<> Evidence::find_namespace() {
  if (looked_for_namespace_) return {};
  looked_for_namespace_ = true;
  // A Namespace is in none, though its requests carry its name as one.
  const kinds::Resource& resource = call_.resource();
  const std::string_view name = api::namespace_of(call_, request_);
  if (name.empty() || (resource.group.empty() && resource.kind == "Namespace")) return {};
  const api::ObjectPtr found = namespaces_.find(name);
  if (found == nullptr) return refuse(Status::not_found({"", "namespaces"}, name));
  STRAKE_TRY(const value::Document document, api::answer(api::parse_stored(*found->bytes())));
  namespace_ = namespace_variable(document.root(), arena_);
  return {};
}

Answer<> Evidence::add_param(const StepHead& step, api::Bytes text) {
  Param param{.text = std::move(text), .document = {}};
  STRAKE_TRY(param.document, api::answer(api::parse_stored(*param.text)));
  params_.insert_or_assign(step.param.get(), std::move(param));
  return {};
}

Answer<> Evidence::gather_at_once(const StepHead& step) {
  STRAKE_CHECK(find_namespace());
  if (step.param == nullptr || params_.contains(step.param.get())) return {};
  STRAKE_TRY(api::Bytes text, step.params.endpoint->render(*step.param, *step.params.version));
  return add_param(step, std::move(text));
}

api::AnswerTask<> Evidence::gather(const StepHead& step) {
  if (objects_.must_convert(*step.version)) {
    STRAKE_CO_TRY(const VersionedObjects::Seen seen, co_await objects_.in(*step.version));
    seen_[step.version] = seen;
  }
  if (step.param != nullptr && !params_.contains(step.param.get()) &&
      step.params.endpoint->must_wait(*step.param, *step.params.version)) {
    const api::Call asking = api::internal_call(core_, step.params.endpoint,
                                                step.param->namespace_name(), step.param->name());
    STRAKE_CO_TRY(api::Bytes text,
                  co_await api::render_later(core_, asking, step.param, *step.params.version));
    STRAKE_CO_CHECK(add_param(step, std::move(text)));
  }
  co_return gather_at_once(step);
}

policy::Inputs Evidence::inputs(const StepHead& step, std::uint64_t* spent) {
  const auto converted = seen_.find(step.version);
  const VersionedObjects::Seen seen =
      converted != seen_.end() ? converted->second : objects_.as_asked();
  auto told = requests_.find(step.version);
  if (told == requests_.end()) {
    Told made;
    made.request = request_variable(call_, request_, *step.version, *step.version, arena_);
    made.of_conditions =
        step.version == call_.version
            ? made.request
            : request_variable(call_, request_, *step.version, *call_.version, arena_);
    told = requests_.emplace(step.version, made).first;
  }
  const auto param = step.param != nullptr ? params_.find(step.param.get()) : params_.end();
  const kinds::Resource& resource = call_.resource();
  return {.object = seen.object,
          .old_object = seen.old,
          .namespace_object = namespace_ ? &*namespace_ : nullptr,
          .request = &told->second.request,
          .condition_request = &told->second.of_conditions,
          .params = param != params_.end() ? &param->second.document.root() : nullptr,
          .authority = &authority_,
          .request_resource = {.group = resource.group,
                               .resource = resource.plural,
                               .subresource = request_.subresource,
                               .namespace_name = api::namespace_of(call_, request_),
                               .name = request_.name},
          .cost = spent};
}

bool is_done_at_once(const api::Call& call, std::uint64_t cost) {
  return cost <= static_cast<std::uint64_t>(api::kRulesAtOnce) &&
         call.request.body.size() <= api::kDoneAtOnce;
}

}  // namespace strake::admission

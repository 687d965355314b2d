// Updating: the new object is made from the present one, judged against it, and stored if nobody
// else was faster.
#include <fmt/format.h>

#include <algorithm>

#include "api/verbs/by_worker.h"
#include "api/verbs/decode.h"
#include "api/verbs/judge.h"
#include "api/verbs/ready.h"
#include "api/verbs/settle_meta.h"
#include "api/verbs/write.h"
#include "meta/object_meta.h"
#include "patch/managed_fields.h"
#include "resource/prepare.h"
#include "value/json_writer.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

constexpr int kMostRetries = 1'000;  // a deadline ends it before; this is for our own mistakes

// Whether the object that was sent replaces the one that is there.
Answer<> check_version(const Call& call, const UpdatePlan& plan, Document& document,
                       const Object& current) {
  const ObjectMeta metadata = ObjectMeta::of(document.root());
  const std::string_view text = metadata.resource_version();
  Revision sent = 0;
  if (!text.empty()) {
    STRAKE_TRY(sent, parse_resource_version(text));
  }
  if (sent == 0) {
    if (call.resource().unconditional_update) {
      // It goes on as if it had named the version that is there: kinds ask for one when they judge.
      const std::string present = fmt::format("{}", current.revision());
      set_meta(document, "resourceVersion", Value::string(document.arena().copy(present)));
      return {};
    }
    value::FieldErrors errors;
    value::FieldError error =
        value::FieldError::invalid(FieldPath() / "metadata" / "resourceVersion", Value::integer(0),
                                   "must be specified for an update");
    errors.push_back(std::move(error));
    const meta::GroupResource resource = call.group_resource();
    return refuse(Status::invalid({resource.group, resource.resource}, plan.name, errors));
  }
  if (sent != current.revision()) return refuse(Status::modified(call.group_resource(), plan.name));
  return {};
}

Answer<> check_uid(const Call& call, const Document& document, const Value& old,
                   const Object& current) {
  const std::string_view sent = ObjectMeta::of(document.root()).uid();
  const std::string_view stored = ObjectMeta::of(old).uid();
  if (sent.empty() || sent == stored) return {};
  return refuse(
      Status::conflict(call.group_resource(), current.name(),
                       fmt::format("StorageError: invalid object, Code: 4, Key: {}, "
                                   "ResourceVersion: 0, AdditionalErrorMsg: Precondition "
                                   "failed: UID in precondition: {}, UID in object meta: {}",
                                   current.key(), sent, stored)));
}

void prepare(const Call& call, Document& document, const Value& old, std::string_view subresource) {
  const std::string now = call.now_text();
  resource::carry_over(document.root(), old, document.arena());
  kinds::prepare_write(call.strategy(), subresource, document.root(), old, document.arena(),
                       call.write_request(now));
  if (subresource.empty() && call.resource().keeps_generation)
    resource::count_change(document.root(), old, call.version->resets, document.arena());
}

// Whether nothing holds an object that is being deleted any more.
bool is_finished(const Call& call, const Document& document) {
  const ObjectMeta metadata = ObjectMeta::of(document.root());
  return metadata.is_being_deleted() && metadata.finalizers().empty() &&
         metadata.deletion_grace_period_seconds().value_or(0) == 0 &&
         !call.strategy().is_held(document.root());
}

// The new object, made from the present one, with who owns its fields.
Answer<Document> changed(Call& call, const UpdatePlan& plan, const Document& old,
                         const Object& current) {
  STRAKE_TRY(Document document, plan.make(old.root()));
  drop_repeated_owners(call, document, false);
  if (!plan.is_patch) STRAKE_CHECK(check_uid(call, document, old.root(), current));
  if (!plan.options.fields_settled) {
    own_fields(
        call, document, &old.root(), plan.subresource,
        plan.manager_override.empty() ? manager_of(call, plan.options) : plan.manager_override,
        plan.versions.get());
  }
  return document;
}

// The same where it may have to wait for a conversion.
AnswerTask<Document> change(Core& core, Call& call, const UpdatePlan& plan, const Document& old,
                            const Object& current, bool large) {
  const auto change_it = [&] { return changed(call, plan, old, current); };
  if (plan.versions) STRAKE_CO_CHECK(co_await plan.versions->prepare(core, old.root()));
  while (true) {
    const std::size_t warnings = call.warnings.size();
    Answer<Document> document = large ? co_await by_worker(core, change_it) : change_it();
    if (!plan.versions || !plan.versions->has_missing()) co_return document;
    STRAKE_CO_CHECK(co_await plan.versions->fetch());
    call.warnings.resize(warnings);
  }
}

struct Accepted {
  std::string text;       // as it is stored; empty when the object goes
  bool finished = false;  // nothing holds it any more
  bool same = false;      // it is what stands there
};

// Everything that is not the client's is filled in, and the object judged. The text is missing
// where it has to be waited for. As in kube-apiserver 1.36, admission has seen the object before
// anyone asks which version it replaces.
Answer<Accepted> accept(const Core& core, Call& call, const UpdatePlan& plan, Document& document,
                        const Document& old, const Object& current, std::size_t bytes) {
  if (plan.own_kind) {
    STRAKE_TRY(document, plan.own_kind->settle(old.root(), document));
  }
  drop_repeated_owners(call, document, true);
  STRAKE_CHECK(check_namespace(call, document));
  STRAKE_CHECK(check_version(call, plan, document, current));
  if (call.resource().picks_addresses && plan.subresource.empty())
    STRAKE_CHECK(core.services->pick(call, document, &old.root(), plan.options.dry_run));
  prepare(call, document, old.root(), plan.subresource);
  STRAKE_CHECK(judge(call, document, &old.root(), plan.subresource, bytes));
  call.strategy().after_accept(document.root(), document.arena());
  Accepted out{.text = {}, .finished = is_finished(call, document)};
  if (!out.finished) {
    if (must_wait_to_store(call)) return out;
    STRAKE_TRY(out.text, encode_for_store(call, document));
  }
  // Compared as it will be read again, which may be less than what was sent.
  out.same = patch::same_but_for_times(document.root(), old.root());
  return out;
}

// The validating phase for a subresource with a kind of its own.
AnswerTask<> validate_view(Core& core, Call& call, const UpdatePlan& plan, const Document& document,
                           const Document& old, AdmissionRequest request) {
  STRAKE_CO_TRY(Document seen, plan.own_kind->view(document));
  STRAKE_CO_TRY(const Document before, plan.own_kind->view(old));
  request.object = &seen;
  request.old = &before.root();
  Eventual<> validated = core.admission->admit(call, request);
  co_return validated.must_wait() ? co_await validated.wait() : validated.take();
}

}  // namespace

AnswerTask<WriteOutcome> update_object(Core& core, Call& call, UpdatePlan plan) {
  // Controllers come here without a route that has done so.
  if (!call.version->is_compiled()) STRAKE_CO_CHECK(co_await compile(core, call, *call.version));
  if (!plan.versions) plan.versions = FieldVersions::of(core.registry, call);
  const std::string key = call.endpoint->key(call.info.namespace_name, plan.name);
  for (int attempt = 0; attempt < kMostRetries; ++attempt) {
    if (call.is_cancelled()) co_return refuse(Call::cancelled());
    const ObjectPtr current = call.endpoint->cache().get(key);
    if (!current) {
      if (!plan.make_new) co_return refuse(Status::not_found(call.group_resource(), plan.name));
      const auto make_it = [&] { return plan.make_new(); };
      STRAKE_CO_TRY(Document made, is_large(call, call.request.body.size())
                                       ? co_await by_worker(core, make_it)
                                       : make_it());
      plan.options.creates_on_update = true;
      co_return co_await create_object(core, call, std::move(made), plan.options);
    }
    const std::size_t bytes = std::max(call.request.body.size(), current->bytes()->size());
    const bool large = is_large(call, bytes);
    STRAKE_CO_TRY(Bytes current_bytes, call.endpoint->render(*current, *call.version));
    if (!current_bytes) {
      STRAKE_CO_TRY(current_bytes, co_await render_later(core, call, current, *call.version));
    }
    const std::size_t warnings = call.warnings.size();
    const auto parse_it = [&] { return parse_current(*current_bytes); };
    STRAKE_CO_TRY(const Document old, large ? co_await by_worker(core, parse_it) : parse_it());
    STRAKE_CO_TRY(Document document, co_await change(core, call, plan, old, *current, large));
    AdmissionRequest request{
        .phase = AdmissionRequest::Phase::kMutating,
        .operation = AdmissionRequest::Operation::kUpdate,
        .name = plan.name,
        .subresource = plan.own_kind ? plan.own_kind->subresource : plan.subresource,
        .object = &document,
        .old = plan.own_kind ? plan.own_kind->before() : &old.root(),
        .dry_run = plan.options.dry_run,
        .write_options = &plan.options};
    Eventual<> admitted = core.admission->admit(call, request);
    STRAKE_CO_CHECK(admitted.must_wait() ? co_await admitted.wait() : admitted.take());
    const auto accept_it = [&] { return accept(core, call, plan, document, old, *current, bytes); };
    STRAKE_CO_TRY(Accepted accepted, is_slow_to_judge(call, bytes)
                                         ? co_await by_worker(core, accept_it)
                                         : accept_it());
    request.phase = AdmissionRequest::Phase::kValidating;
    if (plan.own_kind) {
      STRAKE_CO_CHECK(co_await validate_view(core, call, plan, document, old, request));
    } else {
      Eventual<> validated = core.admission->admit(call, request);
      STRAKE_CO_CHECK(validated.must_wait() ? co_await validated.wait() : validated.take());
    }
    if (accepted.text.empty() && !accepted.finished) {
      STRAKE_CO_TRY(accepted.text,
                    co_await encode_for_store_later(core, call, document, current.get()));
      accepted.same = patch::same_but_for_times(document.root(), old.root());
    }

    const bool finished = accepted.finished;
    if (accepted.same && !finished && !is_stored_elsewhere(call, *current))
      co_return WriteOutcome{.bytes = current_bytes};
    WriteOutcome outcome{.deleted = finished};
    if (plan.options.dry_run) {
      const auto show_it = [&] {
        return Answer<Bytes>(encode_with_version(document, current->revision()));
      };
      STRAKE_CO_TRY(outcome.bytes, large ? co_await by_worker(core, show_it) : show_it());
      co_return outcome;
    }
    const Bytes stored =
        finished ? nullptr : std::make_shared<const std::string>(std::move(accepted.text));
    const Result<store::Written> written =
        co_await core.hub.store().write({.key = key,
                                         .value = stored,
                                         .expected = current->revision(),
                                         .ttl = call.resource().ttl,
                                         .cancel = call.request.cancel});
    if (!written) co_return refuse(store_failure(written.error(), call.group_resource(), "update"));
    if (written->applied) {
      const auto show_it = [&] {
        return Answer<Bytes>(finished
                                 ? encode_with_version(document, written->revision)
                                 : written_object(call, document, key, stored, written->revision));
      };
      STRAKE_CO_TRY(outcome.bytes, large ? co_await by_worker(core, show_it) : show_it());
      co_return outcome;
    }
    if (!plan.retry_conflicts) co_return refuse(Status::modified(call.group_resource(), plan.name));
    call.warnings.resize(warnings);
  }
  co_return refuse(Status::modified(call.group_resource(), plan.name));
}

AnswerTask<WriteOutcome> edit_object(Core& core, Call& call, Edit edit) {
  UpdatePlan plan;
  plan.name = call.info.name;
  plan.subresource = std::move(edit.subresource);
  plan.retry_conflicts = true;
  plan.is_patch = true;
  plan.manager_override = std::move(edit.manager);
  plan.make = [apply = std::move(edit.apply)](const Value& current) -> Answer<Document> {
    Document document;
    document.root() = value::deep_copy(current, document.arena());
    apply(document);
    return document;
  };
  return update_object(core, call, std::move(plan));
}

}  // namespace strake::api

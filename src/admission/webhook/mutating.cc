#include "admission/webhook/mutating.h"

#include <fmt/format.h>

#include "api/verbs/by_worker.h"
#include "api/verbs/decode.h"
#include "api/verbs/ready.h"
#include "api/verbs/write.h"
#include "base/quote.h"
#include "meta/object_meta.h"
#include "patch/json_patch.h"
#include "resource/prepare.h"
#include "resource/settle.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::admission {
namespace {

using api::Answer;
using api::refuse;
using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

std::string_view go_word(const Value& v) {
  if (v.is_bool()) return "bool";
  if (v.is_number()) return "number";
  return value::to_string(v.type());
}

// The operations of a patch, as the library of kube-apiserver reads them.
std::expected<Document, std::string> read_operations(const std::string& text) {
  const auto unreadable = [](std::string_view why) {
    return std::unexpected(fmt::format("received undecodable patch in webhook response: {}", why));
  };
  Result<Document> read = value::read_json(text, value::ReadOptions::as_api_server());
  if (!read) return unreadable(read.error().message());
  const Value& root = read->root();
  if (root.is_null()) return *std::move(read);
  if (!root.is_array()) {
    return unreadable(fmt::format("json: cannot unmarshal {} into Go value of type jsonpatch.Patch",
                                  go_word(root)));
  }
  for (const Value& one : root.items()) {
    if (one.is_object() || one.is_null()) continue;
    return unreadable(fmt::format(
        "json: cannot unmarshal {} into Go value of type jsonpatch.Operation", go_word(one)));
  }
  return *std::move(read);
}

}  // namespace

Mutation::Mutation(api::Core& core, const Caller& caller, const Namespaces& namespaces,
                   api::Call& call, const api::AdmissionRequest& request, HooksPtr hooks)
    : core_(core),
      caller_(caller),
      namespaces_(namespaces),
      call_(call),
      request_(request),
      hooks_(std::move(hooks)),
      at_(call.version) {}

Attributes Mutation::attributes() {
  Attributes out = Attributes::of(call_, request_);
  if (request_.object != nullptr) out.object = &object()->root();
  return out;
}

api::AnswerTask<> Mutation::run() {
  STRAKE_CO_CHECK(co_await run_round(0));
  if (has_changed_) STRAKE_CO_CHECK(co_await run_round(1));
  finish();
  co_return Answer<>();
}

api::AnswerTask<> Mutation::run_round(int round) {
  if (round > 0 && again_.empty()) co_return Answer<>();
  STRAKE_CO_CHECK(co_await ask_in_order(round));
  co_return co_await take_back();
}

void Mutation::finish() {
  if (managed_before_) check_managed_fields();
}

void Mutation::note_change() {
  again_.merge(invoked_);
  invoked_.clear();
}

api::AnswerTask<> Mutation::ask_in_order(int round) {
  for (std::size_t i = 0; i < hooks_->size(); ++i) {
    const HookPtr& hook = (*hooks_)[i];
    STRAKE_CO_TRY(const kinds::ServedVersion* version, hook->match.find(attributes(), namespaces_));
    if (version == nullptr) continue;
    STRAKE_CO_CHECK(co_await change_version(*version));
    STRAKE_CO_TRY(const VersionedObjects::Seen seen, co_await look(*version));
    if (!hook->conditions.empty()) {
      STRAKE_CO_TRY(const bool hold, co_await hook->conditions.hold(
                                         core_, call_, request_, *version, seen, hook->fails_open));
      if (!hold) continue;
    }
    // Who was not asked in the first round is not asked in the second.
    if (round > 0 && !again_.contains(i)) continue;
    STRAKE_CO_TRY(const Changed changed, co_await invoke(hook, *version, seen));
    const bool did_change = changed && *changed;
    add_audit_annotation(
        call_, fmt::format("mutation.webhook.admission.k8s.io/round_{}_index_{}", round, i),
        fmt::format(R"({{"configuration":"{}","webhook":"{}","mutated":{}}})", hook->configuration,
                    hook->name, did_change));
    if (did_change) {
      has_changed_ = true;
      note_change();
    }
    if (hook->is_reinvoked) invoked_.insert(i);
    if (changed) continue;
    if (hook->fails_open) {
      add_audit_annotation(
          call_,
          fmt::format("failed-open.mutation.webhook.admission.k8s.io/round_{}_index_{}", round, i),
          hook->name);
    }
    STRAKE_CO_CHECK(judge_failure(*hook, changed.error()));
  }
  co_return Answer<>();
}

api::AnswerTask<VersionedObjects::Seen> Mutation::look(const kinds::ServedVersion& version) {
  VersionedObjects::Seen seen{.object = request_.object != nullptr ? &object()->root() : nullptr,
                              .old = request_.old};
  const kinds::ServedVersion& old_version =
      request_.old_version != nullptr ? *request_.old_version : *call_.version;
  const bool own_kind =
      kind_of(call_.resource(), version, request_.subresource).kind != call_.resource().kind;
  if (request_.old == nullptr || own_kind || &old_version == &version) co_return seen;
  versioned_old_ = Document();
  versioned_old_.root() = value::deep_copy(*request_.old, versioned_old_.arena());
  STRAKE_CO_CHECK(
      co_await convert_for_admission(core_, call_, versioned_old_, old_version, version));
  seen.old = &versioned_old_.root();
  co_return seen;
}

api::AnswerTask<Mutation::Changed> Mutation::invoke(const HookPtr& hook,
                                                    const kinds::ServedVersion& version,
                                                    VersionedObjects::Seen seen) {
  STRAKE_CO_TRY(const Said said, co_await ask(core_, caller_, call_, request_,
                                              {.hook = hook, .version = version, .objects = seen}));
  if (!said) co_return Changed(std::unexpected(said.error()));
  note_answer(call_, *hook, *said);
  if (!said->allowed) co_return refuse(denial(hook->name, said->status));
  if (said->patch.empty()) co_return Changed(false);
  co_return co_await apply(*hook, *said);
}

api::AnswerTask<Mutation::Changed> Mutation::apply(const Hook& hook, const ReviewAnswer& answer) {
  auto operations = read_operations(answer.patch);
  if (!operations) co_return Changed(std::unexpected(std::move(operations).error()));
  if (operations->root().is_null() || operations->root().size() == 0) co_return Changed(false);
  if (request_.object == nullptr) {
    co_return refuse(Status::internal_error(
        fmt::format("admission webhook {} attempted to modify the object, which is not supported "
                    "for this operation",
                    quote(hook.name))));
  }
  if (answer.patch_type != "JSONPatch") {
    co_return Changed(
        std::unexpected(fmt::format("unsupported patch type {}", quote(answer.patch_type))));
  }
  if (!at_->is_compiled()) STRAKE_CO_CHECK(co_await api::compile(core_, call_, *at_));
  const auto patch_it = [&] { return patch_object(operations->root()); };
  const bool large = call_.request.body.size() + answer.patch.size() > api::kDoneAtOnce;
  STRAKE_CO_TRY(const bool changed, large ? co_await api::by_worker(core_, patch_it) : patch_it());
  co_return Changed(changed);
}

Answer<bool> Mutation::patch_object(const Value& operations) {
  Document& document = *object();
  if (!managed_before_) {
    managed_before_.emplace();
    const Value* before = ObjectMeta::of(document.root()).managed_fields();
    if (before != nullptr)
      managed_before_->root() = value::deep_copy(*before, managed_before_->arena());
  }
  const Result<Value> patched =
      patch::apply_json_patch(document.root(), operations, document.arena());
  if (!patched) return refuse(Status::internal_error(patched.error().message()));
  // Objects that were looked at share nothing with the new one: what follows edits in place.
  Document fresh;
  fresh.root() = value::deep_copy(*patched, fresh.arena());
  const bool changed = !value::equal(fresh.root(), document.root());
  STRAKE_CHECK(settle(fresh));
  document.root() = value::deep_copy(fresh.root(), document.arena());
  dirty_ = true;
  return changed;
}

Answer<> Mutation::settle(Document& document) const {
  Value& root = document.root();
  if (!root.is_object()) {
    return refuse(Status::internal_error(fmt::format(
        "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go value of "
        "type struct {{ APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
        "\"json:\\\"kind,omitempty\\\"\" }}",
        go_word(root))));
  }
  if (value::text_of(root, "kind").empty()) {
    return refuse(Status::internal_error(
        fmt::format("Object 'Kind' is missing in '{}'", value::to_json(root))));
  }
  const kinds::Resource& served = call_.resource();
  if (kind_of(served, *at_, request_.subresource).kind != served.kind) return {};
  if (at_ != call_.version && served.definition != nullptr) {
    // Fields that only the version of the call has must find their way back: nothing is dropped.
    STRAKE_TRY(const resource::Kind* kind, api::answer(at_->kind()));
    const Result<> read =
        resource::settle(root, *kind, document.arena(), nullptr, {.keep_unknown = true});
    if (!read) return refuse(Status::internal_error(read.error().message()));
    return {};
  }
  return read_again(document, *at_);
}

Answer<> Mutation::read_again(Document& document, const kinds::ServedVersion& version) const {
  const Result<> read =
      call_.strategy().decode(document.root(), document.arena(), version, {.from_text = false});
  if (!read) return refuse(Status::internal_error(read.error().message()));
  if (&version == call_.version) api::restore_type(call_, document);
  return {};
}

api::AnswerTask<> Mutation::change_version(const kinds::ServedVersion& version) {
  if (&version == at_ || request_.object == nullptr) co_return Answer<>();
  if (kind_of(call_.resource(), version, request_.subresource).kind != call_.resource().kind)
    co_return Answer<>();
  STRAKE_CO_CHECK(co_await take_back());
  if (&version == call_.version) co_return Answer<>();
  versioned_ = Document();
  versioned_.root() = value::deep_copy(request_.object->root(), versioned_.arena());
  STRAKE_CO_CHECK(
      co_await convert_for_admission(core_, call_, versioned_, *call_.version, version));
  at_ = &version;
  dirty_ = false;
  co_return Answer<>();
}

api::AnswerTask<> Mutation::take_back() {
  const kinds::ServedVersion* from = std::exchange(at_, call_.version);
  if (from == call_.version || !std::exchange(dirty_, false)) co_return Answer<>();
  STRAKE_CO_CHECK(co_await convert_for_admission(core_, call_, versioned_, *from, *call_.version));
  const auto read_it = [&] { return read_again(versioned_, *call_.version); };
  const bool large = call_.request.body.size() > api::kDoneAtOnce;
  STRAKE_CO_CHECK(large ? co_await api::by_worker(core_, read_it) : read_it());
  request_.object->root() = value::deep_copy(versioned_.root(), request_.object->arena());
  co_return Answer<>();
}

// As in kube-apiserver 1.36: owners that admission broke are those from before, with a warning.
void Mutation::check_managed_fields() {
  Document& document = *request_.object;
  const ObjectMeta metadata = ObjectMeta::of(document.root());
  if (metadata.managed_fields() == nullptr) return;
  const FieldPath at = FieldPath() / "metadata";
  const auto name_check = [](std::string_view, bool) { return std::vector<std::string>(); };
  std::vector<std::string> texts;
  for (const value::FieldError& one :
       meta::validate_object_meta(metadata, call_.resource().namespaced, name_check, at)) {
    if (one.field().starts_with("metadata.managedFields")) texts.push_back(one.to_string());
  }
  if (texts.empty()) return;
  if (managed_before_->root().is_array()) {
    resource::set_meta(document.root(), "managedFields",
                       value::deep_copy(managed_before_->root(), document.arena()),
                       document.arena());
  } else {
    resource::remove_meta(document.root(), "managedFields");
  }
  std::string all = texts.front();
  if (texts.size() > 1) {
    all = "[";
    for (const std::string& one : texts) all += (all.size() > 1 ? ", " : "") + one;
    all += "]";
  }
  call_.warnings.push_back(
      fmt::format(".metadata.managedFields was in an invalid state after admission; this could be "
                  "caused by an outdated mutating admission controller; please fix your requests: "
                  "{}",
                  all));
}

}  // namespace strake::admission

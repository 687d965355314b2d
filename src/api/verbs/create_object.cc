// Creating: names are settled, metadata filled, fields owned, the object judged and stored.
#include <fmt/format.h>

#include "api/request/forbidden.h"
#include "api/request/pending_questions.h"
#include "api/verbs/by_worker.h"
#include "api/verbs/judge.h"
#include "api/verbs/settle_meta.h"
#include "api/verbs/write.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;

constexpr int kNameAttempts = 8;

void generate_name(Document& document) {
  const std::string name =
      resource::generated_name(ObjectMeta::of(document.root()).generate_name(), name_suffix());
  set_meta(document, "name", Value::string(document.arena().copy(name)));
}

// Everything about a new object but its name and what is decided elsewhere.
void prepare(Call& call, Document& document, const WriteOptions& options) {
  drop_repeated_owners(call, document, false);
  if (!options.fields_settled) own_fields(call, document, nullptr, "", manager_of(call, options));
}

// Who may update is not yet one who may create.
Eventual<> check_may_create(const Core& core, const Call& call, std::string_view name) {
  RequestInfo asked = call.info;
  asked.verb = "create";
  asked.name = name;
  asked.selectors = nullptr;
  return check_rights(core.authorizer, call,
                      [&call, asked = std::move(asked)](const Authorizer& authorizer) -> Answer<> {
                        const Authorizer::Decision decision =
                            authorizer.authorize(*call.user, asked);
                        if (decision.allowed) return {};
                        if (!decision.error.empty())
                          return refuse(Status::internal_error(decision.error));
                        return refuse(forbidden(*call.user, asked, decision.reason));
                      });
}

Answer<> accept(Call& call, Document& document, std::size_t bytes) {
  STRAKE_CHECK(judge(call, document, nullptr, "", bytes));
  call.strategy().after_accept(document.root(), document.arena());
  return {};
}

}  // namespace

AnswerTask<WriteOutcome> create_object(Core& core, Call& call, Document document,
                                       WriteOptions options) {
  Value& root = document.root();
  const std::size_t bytes = call.request.body.size();
  const bool large = is_large(call, bytes);
  const auto prepare_it = [&] { return prepare(call, document, options), Answer<>(); };
  STRAKE_CO_CHECK(large ? co_await by_worker(core, prepare_it) : prepare_it());
  STRAKE_CO_CHECK(check_definition(call, ObjectMeta::of(root).name()));
  AdmissionRequest request{.phase = AdmissionRequest::Phase::kMutating,
                           .operation = AdmissionRequest::Operation::kCreate,
                           .name = ObjectMeta::of(root).name(),
                           .object = &document,
                           .dry_run = options.dry_run,
                           .write_options = &options};
  Eventual<> admitted = core.admission->admit(call, request);
  STRAKE_CO_CHECK(admitted.must_wait() ? co_await admitted.wait() : admitted.take());
  request.phase = AdmissionRequest::Phase::kValidating;
  drop_repeated_owners(call, document, true);
  // What admission made of it is checked as what the client sent was.
  STRAKE_CO_CHECK(check_namespace(call, document));

  const bool generated = resource::needs_generated_name(root);
  if (generated) generate_name(document);
  const bool names_version = resource::names_resource_version(root);
  fill_new(call, document);
  if (call.resource().picks_addresses)
    STRAKE_CO_CHECK(core.services->pick(call, document, nullptr, options.dry_run));
  const std::string now = call.now_text();
  kinds::WriteRequest told = call.write_request(now);
  told.warnings = &call.warnings;
  call.strategy().prepare_create(root, document.arena(), told);

  for (int attempt = 1;; ++attempt) {
    const auto accept_it = [&] { return accept(call, document, bytes); };
    STRAKE_CO_CHECK(is_slow_to_judge(call, bytes) ? co_await by_worker(core, accept_it)
                                                  : accept_it());
    const std::string name(ObjectMeta::of(root).name());
    request.name = name;
    if (options.creates_on_update) {
      Eventual<> may = check_may_create(core, call, name);
      STRAKE_CO_CHECK(may.must_wait() ? co_await may.wait() : may.take());
    }
    Eventual<> validated = core.admission->admit(call, request);
    STRAKE_CO_CHECK(validated.must_wait() ? co_await validated.wait() : validated.take());
    if (names_version && !options.dry_run) {
      co_return refuse(
          Status::raw_error("resourceVersion should not be set on objects to be created"));
    }
    const std::string key = call.endpoint->key(call.info.namespace_name, name);
    ObjectPtr existing = call.endpoint->cache().get(key);
    if (!existing) {
      const auto encode_it = [&] { return encode_for_store(call, document); };
      STRAKE_CO_TRY(std::string text, must_wait_to_store(call) ? co_await encode_for_store_later(
                                                                     core, call, document, nullptr)
                                      : large ? co_await by_worker(core, encode_it)
                                              : encode_it());
      WriteOutcome outcome{.created = true};
      if (options.dry_run) {
        const auto show_it = [&] { return Answer<Bytes>(encode_with_version(document, 0)); };
        STRAKE_CO_TRY(outcome.bytes, large ? co_await by_worker(core, show_it) : show_it());
        co_return outcome;
      }
      const Bytes stored = std::make_shared<const std::string>(std::move(text));
      const Result<store::Written> written =
          co_await core.hub.store().write({.key = key,
                                           .value = stored,
                                           .expected = 0,
                                           .ttl = call.resource().ttl,
                                           .cancel = call.request.cancel});
      if (!written)
        co_return refuse(store_failure(written.error(), call.group_resource(), "create"));
      if (written->applied) {
        const auto show_it = [&] {
          return Answer<Bytes>(written_object(call, document, key, stored, written->revision));
        };
        STRAKE_CO_TRY(outcome.bytes, large ? co_await by_worker(core, show_it) : show_it());
        co_return outcome;
      }
      existing = call.endpoint->cache().get(key);
    }
    if (generated && attempt < kNameAttempts) {
      generate_name(document);
      continue;
    }
    if (generated) co_return refuse(Status::generate_name_conflict(call.group_resource(), name));
    bool deleting = false;
    if (existing) {
      // Cheap enough on a path that fails anyway.
      deleting = existing->bytes()->contains("\"deletionTimestamp\":\"");
    }
    co_return refuse(Status::already_exists(call.group_resource(), name, deleting));
  }
}

}  // namespace strake::api

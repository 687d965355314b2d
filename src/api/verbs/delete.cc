// Deleting: at once, or marked until the finalizers are done.
#include <fmt/format.h>

#include <algorithm>

#include "api/verbs/by_worker.h"
#include "api/verbs/decode.h"
#include "api/verbs/dependents_finalizers.h"
#include "api/verbs/list_stream.h"
#include "api/verbs/ready.h"
#include "api/verbs/respond.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "async/concurrently.h"
#include "meta/object_meta.h"

namespace strake::api {
namespace {

using meta::ObjectMeta;
using meta::Status;
using value::Document;
using value::Value;
using Propagation = DeleteOptions::Propagation;

Answer<> check_preconditions(const Call& call, const DeleteOptions& options, const Value& object,
                             const Object& current) {
  const meta::GroupResource named{call.resource().group, call.resource().kind};
  if (options.uid && *options.uid != ObjectMeta::of(object).uid()) {
    return refuse(Status::conflict(named, current.name(),
                                   fmt::format("the UID in the precondition ({}) does not match "
                                               "the UID in record ({}). The object might have been "
                                               "deleted and then recreated",
                                               *options.uid, ObjectMeta::of(object).uid())));
  }
  if (options.resource_version &&
      *options.resource_version != fmt::format("{}", current.revision())) {
    return refuse(Status::conflict(named, current.name(),
                                   fmt::format("the ResourceVersion in the precondition ({}) does "
                                               "not match the ResourceVersion in record ({}). The "
                                               "object might have been modified",
                                               *options.resource_version, current.revision())));
  }
  return {};
}

// The finalizers that stay, with those that the way of deleting asks for. True when they changed.
bool settle_finalizers(Document& document, Propagation propagation, bool orphans_by_default) {
  const std::vector<std::string_view> before = ObjectMeta::of(document.root()).finalizers();
  std::vector<std::string_view> after;
  bool orphan = false;
  bool foreground = false;
  if (propagation == Propagation::kDefault) {
    // Whoever set one of them before has decided.
    orphan = std::find(before.begin(), before.end(), kOrphanFinalizer) != before.end();
    foreground =
        !orphan && std::find(before.begin(), before.end(), kForegroundFinalizer) != before.end();
    orphan = orphan || (orphans_by_default && !foreground);
  } else {
    orphan = propagation == Propagation::kOrphan;
    foreground = propagation == Propagation::kForeground;
  }
  for (const std::string_view one : before) {
    if (one != kOrphanFinalizer && one != kForegroundFinalizer) after.push_back(one);
  }
  if (orphan) after.push_back(kOrphanFinalizer);
  if (foreground) after.push_back(kForegroundFinalizer);
  if (after == before) return false;
  if (after.empty()) {
    remove_meta(document, "finalizers");
    return true;
  }
  Value list = Value::array({});
  for (const std::string_view one : after)
    list.append(Value::string(document.arena().copy(one)), document.arena());
  set_meta(document, "finalizers", list);
  return true;
}

void mark_deleted(const Call& call, Document& document) {
  set_meta(document, "deletionTimestamp", Value::string(document.arena().copy(call.now_text())));
  set_meta(document, "deletionGracePeriodSeconds", Value::integer(0));
  const std::int64_t generation = ObjectMeta::of(document.root()).generation();
  if (generation > 0) set_meta(document, "generation", Value::integer(generation + 1));
}

// What becomes of an object that is deleted.
struct Marked {
  Document old;
  Document document;  // as it is afterwards
  bool stays = false;
  bool changed = false;
  // It goes, but is seen as marked first: a kind with a grace period, whose objects end in two
  // steps even where the period is none.
  bool seen_marked = false;
  Bytes next;  // what is stored when it stays, or is seen as marked
};

// Marking an object changes its metadata alone, so it is done in the version that the object is
// stored in: no field is lost, and no conversion is needed but for the answer. `bytes` are its text
// there.
Answer<Marked> mark(const Call& call, const DeleteOptions& options, const Object& current,
                    const Bytes& bytes) {
  Marked out;
  STRAKE_TRY(out.old, parse_current(*bytes));
  const Value& old = out.old.root();
  STRAKE_CHECK(check_preconditions(call, options, old, current));
  Document& document = out.document;
  document.root() = value::deep_copy(old, document.arena());
  const bool deleting = ObjectMeta::of(old).is_being_deleted();
  const std::optional<kinds::GracefulDeletion> grace = call.strategy().begin_graceful_deletion(
      document.root(), options.grace_period, Instant::from(call.now), document.arena());
  if (grace == kinds::GracefulDeletion::kPending) {
    out.stays = true;
    return out;
  }
  out.changed = settle_finalizers(document, options.propagation,
                                  call.strategy().orphans_by_default().has_value());
  out.changed = out.changed || (grace && grace != kinds::GracefulDeletion::kOver);
  const std::string now = call.now_text();
  const kinds::Deletion deletion = call.strategy().prepare_delete(
      document.root(), deleting, document.arena(), call.write_request(now));
  if (!deletion.refused.empty())
    return refuse(Status::forbidden(call.group_resource(), current.name(), deletion.refused));
  out.stays = deletion.held || grace == kinds::GracefulDeletion::kMarked ||
              !ObjectMeta::of(document.root()).finalizers().empty();
  out.seen_marked = !out.stays && grace == kinds::GracefulDeletion::kAtOnce;
  if (!out.stays && !out.seen_marked) return out;
  if (!deleting) {
    if (!ObjectMeta::of(document.root()).is_being_deleted()) mark_deleted(call, document);
    out.changed = true;
  }
  if (call.strategy().wire().many_versions) {
    out.next = std::make_shared<const std::string>(encode_as_it_is(document));
  } else {
    STRAKE_TRY(std::string text, encode_for_store(call, document));
    out.next = std::make_shared<const std::string>(std::move(text));
  }
  return out;
}

void warn_of_orphans(Call& call, const DeleteOptions& options) {
  const auto orphans = call.strategy().orphans_by_default();
  if (!orphans || orphans->warning.empty() || options.propagation != Propagation::kDefault) return;
  call.warnings.emplace_back(orphans->warning);
}

// As in kube-apiserver 1.36, both phases of admission come when the object has been found, for each
// object of a collection too: these are not named.
AnswerTask<Removed> remove_object(Core& core, Call& call, std::string name, DeleteOptions options,
                                  bool of_collection) {
  AdmissionRequest request{.phase = AdmissionRequest::Phase::kMutating,
                           .operation = AdmissionRequest::Operation::kDelete,
                           .name = of_collection ? std::string_view() : name,
                           .dry_run = options.dry_run,
                           .delete_options = &options};
  const std::string key = call.endpoint->key(call.info.namespace_name, name);
  while (true) {
    if (call.is_cancelled()) co_return refuse(Call::cancelled());
    const ObjectPtr current = call.endpoint->cache().get(key);
    if (!current) co_return refuse(Status::not_found(call.group_resource(), name));
    const kinds::ServedVersion& stored = call.endpoint->stored_version(*current, *call.version);
    STRAKE_CO_TRY(Bytes bytes, call.endpoint->render(*current, stored));
    if (!bytes) {
      STRAKE_CO_TRY(bytes, co_await render_later(core, call, current, stored));
    }
    const bool large = bytes->size() > kDoneAtOnce;
    const auto mark_it = [&] { return mark(call, options, *current, bytes); };
    STRAKE_CO_TRY(Marked marked, large ? co_await by_worker(core, mark_it) : mark_it());
    Document& document = marked.document;
    // What cannot be shown is not marked either. What goes is not shown, but for its name.
    if (marked.stays) {
      STRAKE_CO_CHECK(must_wait_to_convert(call, stored, *call.version)
                          ? co_await convert(core, call, document, stored, *call.version, false)
                          : call.endpoint->convert_at_once(document, stored, *call.version, false));
    }
    request.old = &marked.old.root();
    request.old_version = &stored;
    for (const auto phase :
         {AdmissionRequest::Phase::kMutating, AdmissionRequest::Phase::kValidating}) {
      request.phase = phase;
      Eventual<> admitted = core.admission->admit(call, request);
      STRAKE_CO_CHECK(admitted.must_wait() ? co_await admitted.wait() : admitted.take());
    }
    Revision revision = current->revision();
    const bool writes = !options.dry_run && (!marked.stays || marked.changed);
    // As it is marked, or gone; for one that is seen as marked both, one after the other.
    bool applied = true;
    for (int step = writes ? 0 : 2; applied && step < (marked.seen_marked ? 2 : 1); ++step) {
      const Result<store::Written> written =
          co_await core.hub.store().write({.key = key,
                                           .value = step == 0 ? std::move(marked.next) : Bytes(),
                                           .expected = revision,
                                           .cancel = call.request.cancel});
      if (!written)
        co_return refuse(store_failure(written.error(), call.group_resource(), "delete"));
      applied = written->applied;
      revision = written->revision;
    }
    if (!applied) continue;
    const auto encode_it = [&] { return Answer<Bytes>(encode_with_version(document, revision)); };
    Removed removed{.gone = !marked.stays,
                    .uid = std::string(ObjectMeta::of(marked.old.root()).uid())};
    STRAKE_CO_TRY(removed.bytes, large ? co_await by_worker(core, encode_it) : encode_it());
    co_return removed;
  }
}

}  // namespace

AnswerTask<Removed> remove_object(Core& core, Call& call, std::string name, DeleteOptions options) {
  return remove_object(core, call, std::move(name), std::move(options), false);
}

AnswerTask<http::Response> remove(Core& core, Call& call) {
  if (call.request.body_too_large) co_return refuse(Status::request_too_large("limit is 3145728"));
  STRAKE_CO_TRY(
      DeleteOptions options,
      read_delete_options(call.query, call.request.body, call.request.headers.get("Content-Type")));
  const bool accepted_only = options.orphan_dependents && !*options.orphan_dependents;
  warn_of_orphans(call, options);
  STRAKE_CO_TRY(Removed removed,
                co_await remove_object(core, call, call.info.name, std::move(options)));
  if (!removed.gone || call.resource().returns_deleted)
    co_return object_response(call, !removed.gone && accepted_only ? 202 : 200,
                              std::move(removed.bytes));
  co_return status_response(Status::deleted(call.group_resource(), call.info.name, removed.uid),
                            call.wanted.encoding);
}

namespace {

// One of a collection. Somebody else may have removed it meanwhile.
boost::asio::awaitable<void> remove_one(Core& core, Call& call, std::string name,
                                        DeleteOptions options, std::optional<Status>& failure) {
  if (!failure && call.is_cancelled()) failure = Call::cancelled();
  if (failure) co_return;
  auto removed = co_await remove_object(core, call, std::move(name), std::move(options), true);
  if (!removed && removed.error().reason != "NotFound" && !failure)
    failure = std::move(removed).error();
}

}  // namespace

AnswerTask<http::Response> remove_collection(Core& core, std::shared_ptr<Call> asked) {
  Call& call = *asked;
  if (call.request.body_too_large) co_return refuse(Status::request_too_large("limit is 3145728"));
  STRAKE_CO_TRY(const ListOptions list_options, read_list_options(call.query, false));
  STRAKE_CO_TRY(
      const DeleteOptions options,
      read_delete_options(call.query, call.request.body, call.request.headers.get("Content-Type")));
  warn_of_orphans(call, options);
  STRAKE_CO_TRY(Selection selection, Selection::of(call, list_options));
  // The answer shows them: what cannot be shown is not deleted.
  STRAKE_CO_TRY(Chosen chosen,
                co_await choose_listed(core, asked, list_options, std::move(selection)));
  // Many at a time, so that they share commits; the first failure lets no more begin.
  std::optional<Status> failure;
  co_await async::for_each_concurrently(chosen.objects.size(), kMostRemovals, [&](std::size_t i) {
    return remove_one(core, call, std::string(chosen.objects[i]->name()), options, failure);
  });
  if (failure) co_return refuse(*std::move(failure));
  co_return co_await send_list(core, std::move(asked), std::move(chosen.objects),
                               std::move(chosen.meta));
}

}  // namespace strake::api

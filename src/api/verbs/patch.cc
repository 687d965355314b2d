// Patching: the present object, changed by the patch, goes the way of an update.
#include <fmt/format.h>

#include <algorithm>

#include "api/verbs/decode.h"
#include "api/verbs/judge.h"
#include "api/verbs/patched_text.h"
#include "api/verbs/patches.h"
#include "api/verbs/respond.h"
#include "api/verbs/settle_meta.h"
#include "api/verbs/verbs.h"
#include "api/verbs/write.h"
#include "patch/apply.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Document;
using value::Value;

// The object that applying makes, and the document that holds it. `live` is null when there is
// none.
Answer<Document> applied(Call& call, const Value* live, const WriteOptions& options,
                         const FieldVersions* versions) {
  value::ReadOptions read_options = value::ReadOptions::as_api_server();
  Result<Document> config = value::read_yaml(call.request.body, read_options);
  if (!config) {
    return refuse(
        Status::bad_request(fmt::format("error decoding YAML: {}", config.error().message())));
  }
  const auto kind = call.version->kind();
  const schema::Node* schema = kind ? (*kind)->schema.get() : nullptr;
  const std::string api_version = call.api_version();
  const std::string now = call.now_text();
  if (live == nullptr) {
    const std::string_view uid = meta::ObjectMeta::of(config->root()).uid();
    if (!uid.empty()) {
      return refuse(Status::conflict(call.group_resource(), call.info.name,
                                     fmt::format("uid mismatch: the provided object specified uid "
                                                 "{}, and no existing object was found",
                                                 uid)));
    }
  }
  Document document;
  patch::ApplyContext context;
  context.write = {.manager = options.field_manager,
                   .api_version = api_version,
                   .subresource = call.info.subresource,
                   .time = now,
                   .reset = resets_of(call, call.info.subresource),
                   .others = versions};
  context.kind = call.resource().kind;
  context.force = options.force.value_or(false);
  STRAKE_TRY(patch::Applied made,
             patch::apply(live, config->root(), schema, context, document.arena()));
  document.root() = value::deep_copy(made.object, document.arena());
  const PatchedObject patched{.quote = [&made] { return value::to_json(made.object); }};
  STRAKE_CHECK(settle_patched(call, document, FieldValidation::kIgnore, patched));
  return document;
}

AnswerTask<http::Response> apply_configuration(Core& core, Call& call, WriteOptions options) {
  options.fields_settled = true;
  UpdatePlan plan;
  plan.name = call.info.name;
  plan.subresource = call.info.subresource;
  plan.retry_conflicts = true;
  plan.is_patch = true;
  plan.versions = FieldVersions::of(core.registry, call);
  plan.make = [&call, options, versions = plan.versions](const Value& current) -> Answer<Document> {
    STRAKE_TRY(Document document, applied(call, &current, options, versions.get()));
    STRAKE_CHECK(check_name_on_update(call, document));
    STRAKE_CHECK(check_namespace(call, document));
    return document;
  };
  if (call.info.subresource.empty()) {
    plan.make_new = [&call, options]() -> Answer<Document> {
      STRAKE_TRY(Document document, applied(call, nullptr, options, nullptr));
      STRAKE_CHECK(check_name_on_update(call, document));
      STRAKE_CHECK(check_namespace(call, document));
      // A configuration may name the version it was made from; for a new object there is none.
      remove_meta(document, "resourceVersion");
      return document;
    };
  }
  plan.options = std::move(options);
  STRAKE_CO_TRY(WriteOutcome outcome, co_await update_object(core, call, std::move(plan)));
  co_return object_response(call, outcome.created ? 201 : 200, std::move(outcome.bytes));
}

}  // namespace

AnswerTask<http::Response> patch(Core& core, Call& call) {
  const auto type = patch_type_of(call);
  const bool strategic = call.strategy().strategic_merge() != nullptr;
  if (!type) {
    co_return refuse(
        Status::unsupported_media_type(strategic ? kPatchesOfBuiltin : kPatchesOfCustom));
  }
  STRAKE_CO_TRY(WriteOptions options,
                read_write_options(call.query, "PatchOptions", *type == PatchType::kApply));
  if (call.request.body_too_large) co_return refuse(Status::request_too_large("limit is 3145728"));
  if (*type == PatchType::kApply)
    co_return co_await apply_configuration(core, call, std::move(options));

  UpdatePlan plan;
  plan.name = call.info.name;
  plan.subresource = call.info.subresource;
  plan.retry_conflicts = true;
  plan.is_patch = true;
  plan.make = [&call, type = *type,
               validation = options.field_validation](const Value& current) -> Answer<Document> {
    STRAKE_TRY(const Document patch, read_patch(call, type));
    Document document;
    STRAKE_TRY(const Value patched,
               apply_patch(call, type, current, patch.root(), document.arena()));
    // A copy of its own: what follows edits in place, and the present object must stay as it is.
    document.root() = value::deep_copy(patched, document.arena());
    if (!document.root().is_object()) return refuse(patch_rejected());
    const PatchedObject object{.quote =
                                   [&] {
                                     return quote_patched(type, call.resource().openapi_name,
                                                          patch.root(), patched);
                                   },
                               .strict_errors = strict_errors_of_patch(type, patch),
                               .converted = type == PatchType::kStrategic};
    if (type != PatchType::kStrategic) STRAKE_CHECK(check_patched_type(call, document, object));
    STRAKE_CHECK(settle_patched(call, document, validation, object));
    restore_type(call, document);
    STRAKE_CHECK(check_name_on_update(call, document));
    STRAKE_CHECK(check_namespace(call, document));
    return document;
  };
  plan.options = std::move(options);
  STRAKE_CO_TRY(WriteOutcome outcome, co_await update_object(core, call, std::move(plan)));
  co_return object_response(call, outcome.created ? 201 : 200, std::move(outcome.bytes));
}

}  // namespace strake::api

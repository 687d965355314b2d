// Patching: the present object, changed by the patch, goes the way of an update.
#include <fmt/format.h>

#include <algorithm>

#include "api/decode.h"
#include "api/respond.h"
#include "api/settle_meta.h"
#include "api/verbs.h"
#include "api/write.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "value/json_reader.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Document;
using value::Value;

enum class PatchType : std::uint8_t { kJson, kMerge, kStrategic, kApply };

std::optional<PatchType> type_of(const Call& call) {
  const std::string type = media_type(call.request.headers.get("Content-Type"));
  if (type == "application/json-patch+json") return PatchType::kJson;
  if (type == "application/merge-patch+json") return PatchType::kMerge;
  if (type == "application/strategic-merge-patch+json" && call.endpoint->hooks() != nullptr &&
      !call.resource().crd && call.resource().plural != "customresourcedefinitions") {
    return PatchType::kStrategic;
  }
  if (type == "application/apply-patch+yaml") return PatchType::kApply;
  return std::nullopt;
}

std::unexpected<Status> undecodable(std::string_view why) {
  return refuse(Status::bad_request(fmt::format("error decoding patch: {}", why)));
}

Answer<Document> read_patch(const Call& call, PatchType type) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  Result<Document> document = value::read_json(call.request.body, options);
  if (!document) return undecodable(document.error().message());
  if (type != PatchType::kJson && !document->root().is_object()) {
    const std::string_view name = document->root().is_array()    ? "array"
                                  : document->root().is_string() ? "string"
                                  : document->root().is_bool()   ? "bool"
                                                                 : "number";
    if (!document->root().is_null()) {
      return undecodable(fmt::format(
          "json: cannot unmarshal {} into Go value of type map[string]interface {{}}", name));
    }
  }
  return *std::move(document);
}

// The reference says no more than this when an operation cannot be done.
Status rejected() {
  Status status;
  status.code = 422;
  status.reason = "Invalid";
  status.message = "the server rejected our request due to an error in our request";
  return status;
}

Answer<Value> apply(const Call& call, PatchType type, const Value& current, const Value& patch,
                    Arena& arena) {
  switch (type) {
    case PatchType::kJson: {
      Result<Value> out = patch::apply_json_patch(current, patch, arena);
      if (out) return *out;
      if (out.error().code() == Code::kBadRequest) return undecodable(out.error().message());
      if (out.error().code() == Code::kRequestTooLarge) {
        return refuse(Status::request_too_large(out.error().message()));
      }
      return refuse(rejected());
    }
    case PatchType::kMerge: return patch::apply_merge_patch(current, patch, arena);
    case PatchType::kStrategic:
      return answer(patch::apply_strategic_merge(current, patch,
                                                 call.endpoint->hooks()->merge_fields(), arena));
    case PatchType::kApply: break;
  }
  return refuse(rejected());
}

}  // namespace

AnswerTask<http::Response> patch(Core& core, Call& call) {
  const auto type = type_of(call);
  const bool builtin =
      call.endpoint->hooks() != nullptr && call.resource().plural != "customresourcedefinitions";
  if (!type || *type == PatchType::kApply) {
    co_return refuse(
        Status::unsupported_media_type(builtin ? kPatchesOfBuiltin : kPatchesOfCustom));
  }
  STRAKE_CO_TRY(WriteOptions options,
                read_write_options(call.query, "PatchOptions", *type == PatchType::kApply));
  if (call.request.body_too_large) co_return refuse(Status::request_too_large("limit is 3145728"));

  UpdatePlan plan;
  plan.name = call.info.name;
  plan.subresource = call.info.subresource;
  plan.retry_conflicts = true;
  plan.is_patch = true;
  plan.make = [&call, type = *type,
               validation = options.field_validation](const Value& current) -> Answer<Document> {
    STRAKE_TRY(const Document patch, read_patch(call, type));
    Document document;
    // A copy of its own: what follows edits in place, and the present object must stay as it is.
    const Value base = value::deep_copy(current, document.arena());
    STRAKE_TRY(const Value patched, apply(call, type, base, patch.root(), document.arena()));
    document.root() = value::deep_copy(patched, document.arena());
    if (!document.root().is_object()) return refuse(rejected());
    STRAKE_CHECK(settle_patched(call, document, validation));
    STRAKE_CHECK(check_name_on_update(call, document));
    return document;
  };
  plan.options = std::move(options);
  STRAKE_CO_TRY(WriteOutcome outcome, co_await update_object(core, call, std::move(plan)));
  co_return object_response(call, outcome.created ? 201 : 200, std::move(outcome.bytes));
}

}  // namespace strake::api

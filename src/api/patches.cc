#include "api/patches.h"

#include <fmt/format.h>

#include "api/media.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "value/json_reader.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Document;
using value::Value;

std::unexpected<Status> undecodable(std::string_view why) {
  return refuse(Status::bad_request(fmt::format("error decoding patch: {}", why)));
}

}  // namespace

std::optional<PatchType> patch_type_of(const Call& call) {
  const std::string type = media_type(call.request.headers.get("Content-Type"));
  if (type == "application/json-patch+json") return PatchType::kJson;
  if (type == "application/merge-patch+json") return PatchType::kMerge;
  if (type == "application/strategic-merge-patch+json" && call.endpoint->hooks() != nullptr &&
      !call.resource().definition && call.resource().plural != "customresourcedefinitions") {
    return PatchType::kStrategic;
  }
  if (type == "application/apply-patch+yaml") return PatchType::kApply;
  return std::nullopt;
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
Status patch_rejected() {
  Status status;
  status.code = 422;
  status.reason = "Invalid";
  status.message = "the server rejected our request due to an error in our request";
  status.empty_details = true;
  return status;
}

Answer<Value> apply_patch(const Call& call, PatchType type, const Value& current,
                          const Value& patch, Arena& arena) {
  switch (type) {
    case PatchType::kJson: {
      Result<Value> out = patch::apply_json_patch(current, patch, arena);
      if (out) return *out;
      if (out.error().code() == Code::kBadRequest) return undecodable(out.error().message());
      if (out.error().code() == Code::kRequestTooLarge) {
        return refuse(Status::request_too_large(out.error().message()));
      }
      return refuse(patch_rejected());
    }
    case PatchType::kMerge: return patch::apply_merge_patch(current, patch, arena);
    case PatchType::kStrategic:
      return answer(patch::apply_strategic_merge(current, patch,
                                                 call.endpoint->hooks()->merge_fields(), arena));
    case PatchType::kApply: break;
  }
  return refuse(patch_rejected());
}

}  // namespace strake::api

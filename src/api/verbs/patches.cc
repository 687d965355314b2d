#include "api/verbs/patches.h"

#include <fmt/format.h>

#include "api/request/media.h"
#include "patch/json_patch.h"
#include "patch/merge_patch.h"
#include "patch/strategic_merge.h"
#include "value/json_reader.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Document;
using value::Value;

std::unexpected<Status> undecodable(std::string_view why, PatchType type = PatchType::kJson) {
  // kube-apiserver 1.36 passes on what its decoder says of a strategic merge patch.
  const std::string_view prefix =
      type == PatchType::kStrategic ? std::string_view() : "error decoding patch: ";
  return refuse(Status::bad_request(fmt::format("{}{}", prefix, why)));
}

Status strategic_failure(const Error& error) {
  if (error.code() == Code::kBadRequest) return Status::bad_request(error.message());
  if (error.code() == Code::kInvalid) return patch_rejected();
  return Status::raw_error(error.message());
}

}  // namespace

std::optional<PatchType> patch_type_of(const Call& call) {
  const std::string type = media_type(call.request.headers.get("Content-Type"));
  if (type == "application/json-patch+json") return PatchType::kJson;
  if (type == "application/merge-patch+json") return PatchType::kMerge;
  if (type == "application/strategic-merge-patch+json" &&
      call.strategy().strategic_merge() != nullptr)
    return PatchType::kStrategic;
  if (type == "application/apply-patch+yaml") return PatchType::kApply;
  return std::nullopt;
}

Answer<Document> read_patch(const Call& call, PatchType type) {
  value::ReadOptions options = value::ReadOptions::as_api_server();
  Result<Document> document = value::read_json(call.request.body, options);
  if (!document) return undecodable(document.error().message(), type);
  if (type != PatchType::kJson && !document->root().is_object()) {
    const std::string_view name = document->root().is_array()    ? "array"
                                  : document->root().is_string() ? "string"
                                  : document->root().is_bool()   ? "bool"
                                                                 : "number";
    if (!document->root().is_null()) {
      return undecodable(
          fmt::format("json: cannot unmarshal {} into Go value of type map[string]interface {{}}",
                      name),
          type);
    }
  }
  return *std::move(document);
}

// kube-apiserver 1.36 says no more than this when an operation cannot be done.
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
    case PatchType::kStrategic: {
      Result<Value> out = patch::apply_strategic_merge(
          current, patch, call.strategy().strategic_merge()->fields, arena);
      if (!out) return refuse(strategic_failure(out.error()));
      return *out;
    }
    case PatchType::kApply: break;
  }
  return refuse(patch_rejected());
}

}  // namespace strake::api

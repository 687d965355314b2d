#include "admission/webhook/review.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/quote.h"
#include "kinds/fields.h"
#include "kube/review_answer.h"
#include "meta/shape.h"
#include "value/json_writer.h"

namespace strake::admission {
namespace {

using meta::Shape;
using meta::ShapeField;
using value::Value;
using Keep = ShapeField::Keep;

constexpr std::string_view kReviewGroup = "admission.k8s.io";
constexpr std::string_view kReviewKind = "AdmissionReview";
// More than any patch of an object that could be stored.
constexpr std::size_t kMostNodes = 1'000'000;

// metav1.Status, and the answer of a webhook.
constexpr ShapeField kCauseFields[] = {
    {"field", &meta::kStringShape},
    {"message", &meta::kStringShape},
    {"reason", &meta::kStringShape},
};
constexpr Shape kCause{Shape::Kind::kStruct, "v1.StatusCause", kCauseFields};
constexpr Shape kCauses{Shape::Kind::kList, "[]v1.StatusCause", {}, &kCause};
constexpr ShapeField kDetailsFields[] = {
    {"causes", &kCauses},
    {"group", &meta::kStringShape},
    {"kind", &meta::kStringShape},
    {"name", &meta::kStringShape},
    {"retryAfterSeconds", &meta::kInt32Shape},
    {"uid", &meta::kUidShape},
};
constexpr Shape kDetails{Shape::Kind::kStruct, "v1.StatusDetails", kDetailsFields};
constexpr ShapeField kStatusFields[] = {
    {"apiVersion", &meta::kStringShape},    {"code", &meta::kInt32Shape},
    {"details", &kDetails, Keep::kPointer}, {"kind", &meta::kStringShape},
    {"message", &meta::kStringShape},       {"metadata", &meta::kAnyShape},
    {"reason", &meta::kStringShape},        {"status", &meta::kStringShape},
};
constexpr Shape kStatus{Shape::Kind::kStruct, "v1.Status", kStatusFields};
constexpr ShapeField kResponseFields[] = {
    {"allowed", &meta::kBoolShape},        {"auditAnnotations", &meta::kStringMapShape},
    {"patch", &meta::kBytesShape},         {"patchType", &meta::kStringShape, Keep::kPointer},
    {"status", &kStatus, Keep::kPointer},  {"uid", &meta::kUidShape},
    {"warnings", &meta::kStringListShape},
};
constexpr Shape kResponse{Shape::Kind::kStruct, "v1.AdmissionResponse", kResponseFields};
constexpr ShapeField kReviewFields[] = {
    {"apiVersion", &meta::kStringShape},
    {"kind", &meta::kStringShape},
    {"request", &meta::kAnyShape},
    {"response", &kResponse, Keep::kPointer},
};
constexpr Shape kReview{Shape::Kind::kStruct, "v1.AdmissionReview", kReviewFields};

class Writer {
 public:
  explicit Writer(Arena& arena) : arena_(arena) {}

  Value text(std::string_view text) { return Value::string(arena_.copy(text)); }
  void put(Value& to, std::string_view key, std::string_view given) {
    if (!given.empty()) to.set(key, text(given), arena_);
  }
  // With its group even when that is empty.
  Value named(std::string_view group, std::string_view version, std::string_view key,
              std::string_view name) {
    Value out = Value::object({});
    out.set("group", text(group), arena_);
    out.set("version", text(version), arena_);
    out.set(key, text(name), arena_);
    return out;
  }
  Value list(const std::vector<std::string>& texts) {
    Value out = Value::array({});
    for (const std::string& one : texts) out.append(text(one), arena_);
    return out;
  }
  Value user(const api::User& user) {
    Value out = Value::object({});
    put(out, "username", user.name);
    put(out, "uid", user.uid);
    if (!user.groups.empty()) out.set("groups", list(user.groups), arena_);
    if (user.extra.empty()) return out;
    Value extra = Value::object({});
    for (const auto& [key, values] : user.extra) extra.set(arena_.copy(key), list(values), arena_);
    out.set("extra", extra, arena_);
    return out;
  }

 private:
  Arena& arena_;
};

meta::Status status_of(const Value& given) {
  meta::Status out;
  out.code = static_cast<int>(kinds::integer(given, "code"));
  out.reason = value::text_of(given, "reason");
  out.message = value::text_of(given, "message");
  out.success = value::text_of(given, "status") == "Success";
  const Value* details = kinds::member(given, "details");
  if (details == nullptr) return out;
  out.details.name = value::text_of(*details, "name");
  out.details.group = value::text_of(*details, "group");
  out.details.kind = value::text_of(*details, "kind");
  out.details.uid = value::text_of(*details, "uid");
  out.details.retry_after_seconds =
      static_cast<std::int32_t>(kinds::integer(*details, "retryAfterSeconds"));
  for (const Value& cause : kinds::items(*details, "causes")) {
    out.details.causes.push_back({.reason = std::string(value::text_of(cause, "reason")),
                                  .message = std::string(value::text_of(cause, "message")),
                                  .field = std::string(value::text_of(cause, "field"))});
  }
  out.empty_details = out.details.empty();
  return out;
}

std::unexpected<std::string> unreadable(std::string_view why) {
  return std::unexpected(fmt::format("failed to call webhook: {}", why));
}

std::unexpected<std::string> senseless(std::string_view why) {
  return std::unexpected(fmt::format("received invalid webhook response: {}", why));
}

std::string_view name_of(ReviewVersion version) {
  return version == ReviewVersion::kV1 ? "v1" : "v1beta1";
}

// In v1beta1 only the presence of an answer was ever asked for.
std::expected<void, std::string> check_response(const Value& response, std::string_view uid,
                                                bool mutating, ReviewAnswer& out) {
  const std::string_view given = value::text_of(response, "uid");
  if (given != uid)
    return senseless(fmt::format("expected response.uid={}, got {}", quote(uid), quote(given)));
  const Value* type = kinds::member(response, "patchType");
  if (!mutating) {
    if (!out.patch.empty()) return senseless("validating webhook may not return response.patch");
    if (type != nullptr) return senseless("validating webhook may not return response.patchType");
    return {};
  }
  if (!out.patch.empty() && type == nullptr)
    return senseless("webhook returned response.patch but not response.patchType");
  if (out.patch.empty() && type != nullptr)
    return senseless("webhook returned response.patchType but not response.patch");
  if (type == nullptr) return {};
  out.patch_type = type->as_string();
  if (out.patch_type.empty())
    return senseless("webhook returned invalid response.patchType of \"\"");
  return {};
}

}  // namespace

Value describe_request(const api::Call& call, const api::AdmissionRequest& request,
                       const kinds::ServedVersion& version, Arena& arena) {
  Writer write(arena);
  const kinds::Resource& resource = call.resource();
  const auto kind_in = [&](const kinds::ServedVersion& one) {
    const meta::GroupVersionKind kind = kind_of(resource, one, request.subresource);
    return write.named(kind.group, kind.version, "kind", kind.kind);
  };
  const auto resource_in = [&](const kinds::ServedVersion& one) {
    return write.named(resource.group, one.name, "resource", resource.plural);
  };
  Value out = Value::object({});
  out.set("kind", kind_in(version), arena);
  out.set("resource", resource_in(version), arena);
  write.put(out, "subResource", request.subresource);
  out.set("requestKind", kind_in(*call.version), arena);
  out.set("requestResource", resource_in(*call.version), arena);
  write.put(out, "requestSubResource", request.subresource);
  write.put(out, "name", request.name);
  write.put(out, "namespace", api::namespace_of(call, request));
  out.set("operation", Value::string(api::to_string(request.operation)), arena);
  out.set("userInfo", write.user(*call.user), arena);
  out.set("dryRun", Value::boolean(request.dry_run), arena);
  out.set("options", api::options_of(request, arena), arena);
  return out;
}

std::string write_review(ReviewQuestion question, Arena& arena) {
  Value& request = question.request;
  const auto object = [](const Value* one) { return one != nullptr ? *one : Value(); };
  request.set("uid", Value::string(question.uid), arena);
  request.set("object", object(question.objects.object), arena);
  request.set("oldObject", object(question.objects.old), arena);
  std::string out = fmt::format(R"({{"kind":"{}","apiVersion":"{}/{}","request":)", kReviewKind,
                                kReviewGroup, name_of(question.version));
  value::write_json(request, out);
  out += "}\n";
  return out;
}

std::expected<ReviewAnswer, std::string> read_review(std::string_view text, std::string_view uid,
                                                     ReviewVersion version, bool mutating) {
  const auto read = kube::read_review_answer(text, {.group = kReviewGroup,
                                                    .kind = kReviewKind,
                                                    .version = name_of(version),
                                                    .scheme = kWebhookScheme,
                                                    .shape = kReview,
                                                    .most_nodes = kMostNodes});
  if (!read) return unreadable(read.error());
  const Value& root = read->root();
  if (value::text_of(root, "kind") == "Status") return senseless("webhook response was absent");
  const Value* response = kinds::member(root, "response");
  if (response == nullptr) return senseless("webhook response was absent");
  ReviewAnswer out;
  if (const Value* allowed = kinds::member(*response, "allowed")) out.allowed = allowed->as_bool();
  if (const std::string_view patch = value::text_of(*response, "patch"); !patch.empty()) {
    Result<std::string> decoded = base64_decode(patch);
    if (!decoded) return unreadable(decoded.error().message());
    out.patch = *std::move(decoded);
  }
  if (version == ReviewVersion::kV1) {
    if (auto checked = check_response(*response, uid, mutating, out); !checked)
      return std::unexpected(std::move(checked).error());
  } else {
    out.patch_type = out.patch.empty() ? "" : "JSONPatch";
    if (!mutating) out.patch.clear();
  }
  if (const Value* status = kinds::member(*response, "status")) out.status = status_of(*status);
  for (const Value& one : kinds::items(*response, "warnings"))
    out.warnings.emplace_back(one.as_string());
  for (const value::Member& one : kinds::members(*response, "auditAnnotations"))
    out.audit_annotations.emplace_back(one.key, one.value.as_string());
  return out;
}

meta::Status denial(std::string_view webhook, const std::optional<meta::Status>& given) {
  meta::Status out = given.value_or(meta::Status{.code = 0});
  if (out.code < 400) out.code = 400;
  if (out.code > 999) out.code = 500;  // no code of HTTP at all
  out.success = false;
  const std::string denied = fmt::format("admission webhook {} denied the request", quote(webhook));
  out.message = !out.message.empty()  ? fmt::format("{}: {}", denied, out.message)
                : !out.reason.empty() ? fmt::format("{}: {}", denied, out.reason)
                                      : denied + " without explanation";
  return out;
}

}  // namespace strake::admission

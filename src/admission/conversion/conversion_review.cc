#include "admission/conversion/conversion_review.h"

#include <fmt/format.h>

#include "admission/webhook/review.h"
#include "base/quote.h"
#include "kinds/fields.h"
#include "kube/review_answer.h"
#include "meta/label_checks.h"
#include "meta/shape.h"
#include "value/fields.h"
#include "value/go_type.h"
#include "value/json_writer.h"

namespace strake::admission {
namespace {

using meta::Shape;
using meta::ShapeField;
using value::Document;
using value::Value;

constexpr std::string_view kGroup = "apiextensions.k8s.io";
constexpr std::string_view kKind = "ConversionReview";
// More than any batch of objects that is sent.
constexpr std::size_t kMostNodes = 4'000'000;

constexpr Shape kObjects{Shape::Kind::kList, "[]runtime.RawExtension", {}, &meta::kAnyShape};
constexpr ShapeField kResultFields[] = {
    {"message", &meta::kStringShape},
    {"reason", &meta::kStringShape},
    {"status", &meta::kStringShape},
};
constexpr Shape kResult{Shape::Kind::kStruct, "v1.Status", kResultFields};
constexpr ShapeField kResponseFields[] = {
    {"convertedObjects", &kObjects},
    {"result", &kResult},
    {"uid", &meta::kUidShape},
};
constexpr Shape kResponse{Shape::Kind::kStruct, "v1.ConversionResponse", kResponseFields};
constexpr ShapeField kReviewFields[] = {
    {"apiVersion", &meta::kStringShape},
    {"kind", &meta::kStringShape},
    {"request", &meta::kAnyShape},
    {"response", &kResponse, ShapeField::Keep::kPointer},
};
constexpr Shape kReview{Shape::Kind::kStruct, "v1.ConversionReview", kReviewFields};

std::string_view name_of(ReviewVersion version) {
  return version == ReviewVersion::kV1 ? "v1" : "v1beta1";
}

// As Go prints a GroupVersionKind.
std::string printed(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  const bool grouped = slash != std::string_view::npos;
  return fmt::format("{}/{}, Kind={}", grouped ? api_version.substr(0, slash) : "",
                     grouped ? api_version.substr(slash + 1) : api_version, kind);
}

std::optional<std::string> differs(std::string_view what, std::string_view was,
                                   std::string_view is) {
  if (was == is) return std::nullopt;
  return fmt::format("invalid object: must have the same {}: {} != {}", what, was, is);
}

bool same_map(const Value& a, const Value& b) {
  if (a.size() != b.size()) return false;
  for (const value::Member& one : b.members()) {
    const Value* other = a.find(one.key);
    if (other == nullptr || value::text_of(*other) != value::text_of(one.value)) return false;
  }
  return true;
}

// What the webhook made of labels or annotations. `metadata` is the original's, and gets it.
std::optional<std::string> take_map(std::string_view field, const Value& given, Value& metadata,
                                    Arena& arena) {
  const Value* made = given.find(field);
  if (made == nullptr || made->is_null()) {
    metadata.remove(field);
    return std::nullopt;
  }
  if (!made->is_object())
    return fmt::format("invalid metadata.{} of type {} in converted object", field,
                       value::go_type(*made));
  for (const value::Member& one : made->members()) {
    if (!one.value.is_string())
      return fmt::format("metadata.{}[{}] must be a string, but is {} in converted object", field,
                         one.key, value::go_type(one.value));
  }
  if (!same_map(metadata.get(field), *made)) {
    // The path of annotations is kube-apiserver's own.
    const value::FieldErrors errors =
        field == "labels"
            ? meta::validate_labels(*made, FieldPath() / "metadata", field)
            : meta::validate_annotations(*made, FieldPath() / "metadata", "annotation");
    if (!errors.empty()) return value::aggregate(errors);
  }
  metadata.set(field, *made, arena);
  return std::nullopt;
}

std::optional<std::string> restore_metadata(const Value& original, Document& converted) {
  const Value* given = converted.root().find("metadata");
  if (given == nullptr) return "missing metadata in converted object";
  if (!given->is_object())
    return fmt::format("invalid metadata of type {} in converted object", value::go_type(*given));
  Arena& arena = converted.arena();
  const Value* had = original.find("metadata");
  Value metadata =
      had != nullptr && had->is_object() ? value::deep_copy(*had, arena) : Value::object({});
  for (const std::string_view field : {"labels", "annotations"}) {
    if (auto fault = take_map(field, *given, metadata, arena)) return fault;
  }
  converted.root().set("metadata", metadata, arena);
  return std::nullopt;
}

}  // namespace

std::string write_conversion_review(const ConversionQuestion& question) {
  std::string out = fmt::format(R"({{"kind":"{}","apiVersion":"{}/{}","request":{{"uid":)", kKind,
                                kGroup, name_of(question.version));
  value::write_json_string(question.uid, out);
  out += R"(,"desiredAPIVersion":)";
  value::write_json_string(question.to, out);
  out += R"(,"objects":[)";
  for (std::size_t i = 0; i < question.objects.size(); ++i) {
    if (i > 0) out += ',';
    value::write_json(question.objects[i].root(), out);
  }
  out += "]}}\n";
  return out;
}

std::expected<Document, std::string> read_conversion_review(std::string_view text,
                                                            std::string_view uid,
                                                            ReviewVersion version) {
  auto read = kube::read_review_answer(text, {.group = kGroup,
                                              .kind = kKind,
                                              .version = name_of(version),
                                              .scheme = kWebhookScheme,
                                              .shape = kReview,
                                              .most_nodes = kMostNodes});
  if (!read) return read;
  Value& root = read->root();
  const Value* response = kinds::member(root, "response");
  if (version == ReviewVersion::kV1) {
    const std::string_view given_kind = value::text_of(root, "kind");
    const std::string_view given_version = value::text_of(root, "apiVersion");
    if (given_kind != kKind || given_version != fmt::format("{}/v1", kGroup))
      return std::unexpected(fmt::format("expected webhook response of {}/v1, Kind={}, got {}",
                                         kGroup, kKind, printed(given_version, given_kind)));
  }
  if (response == nullptr) return std::unexpected(std::string("no response provided"));
  const std::string_view given_uid = value::text_of(*response, "uid");
  if (version == ReviewVersion::kV1 && given_uid != uid)
    return std::unexpected(
        fmt::format("expected response.uid={}, got {}", quote(uid), quote(given_uid)));
  const Value& result = response->get("result");
  const std::string_view status = value::text_of(result, "status");
  if (status != "Success") {
    const std::string_view message = value::text_of(result, "message");
    return std::unexpected(
        !message.empty() ? std::string(message)
                         : fmt::format("response.result.status was '{}', not 'Success'", status));
  }
  const Value* objects = response->find("convertedObjects");
  root = objects != nullptr && objects->is_array() ? Value(*objects) : Value::array({});
  return *std::move(read);
}

std::optional<std::string> take_over(const Value& original, const meta::GroupVersion& to,
                                     Document& converted) {
  const Value& root = converted.root();
  const std::string wanted = to.to_string();
  const std::string_view version = value::text_of(root, "apiVersion");
  if (version != wanted)
    return fmt::format("invalid object at index 0: invalid groupVersion (expected {}, received {})",
                       wanted, version);
  const std::string_view kind = value::text_of(original, "kind");
  if (value::text_of(root, "kind") != kind)
    return fmt::format("invalid object at index 0: invalid kind (expected {}, received {})", kind,
                       value::text_of(root, "kind"));
  const Value& was = original.get("metadata");
  const Value& is = root.get("metadata");
  for (const auto& [what, key] :
       {std::pair{"name", "name"}, {"namespace", "namespace"}, {"UID", "uid"}}) {
    if (auto fault = differs(what, value::text_of(was, key), value::text_of(is, key))) return fault;
  }
  if (auto fault = restore_metadata(original, converted))
    return fmt::format("invalid metadata: {}", *fault);
  return std::nullopt;
}

}  // namespace strake::admission

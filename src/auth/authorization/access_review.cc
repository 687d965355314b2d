#include "auth/authorization/access_review.h"

#include <fmt/format.h>

#include "api/request/request_selectors.h"
#include "kube/review_answer.h"
#include "meta/shape.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::auth {
namespace {

using meta::Shape;
using meta::ShapeField;
using value::Value;

constexpr std::string_view kReviewGroup = "authorization.k8s.io";
constexpr std::string_view kReviewKind = "SubjectAccessReview";
constexpr std::string_view kScheme = "k8s.io/client-go/kubernetes/scheme/register.go:82";
constexpr std::size_t kMostNodes = 100'000;

constexpr ShapeField kStatusFields[] = {
    {"allowed", &meta::kBoolShape},
    {"denied", &meta::kBoolShape},
    {"evaluationError", &meta::kStringShape},
    {"reason", &meta::kStringShape},
};
constexpr Shape kStatus{Shape::Kind::kStruct, "v1.SubjectAccessReviewStatus", kStatusFields};
constexpr ShapeField kReviewFields[] = {
    {"apiVersion", &meta::kStringShape},
    {"kind", &meta::kStringShape},
    {"metadata", &meta::kAnyShape},
    {"spec", &meta::kAnyShape},
    {"status", &kStatus},
};
constexpr Shape kReview{Shape::Kind::kStruct, "v1.SubjectAccessReview", kReviewFields};

std::string_view name_of(AccessReviewVersion version) {
  return version == AccessReviewVersion::kV1 ? "v1" : "v1beta1";
}

// Writes texts and lists, and either leaves out what is empty or not.
class SpecWriter {
 public:
  SpecWriter(Arena& arena, bool with_empty) : arena_(arena), with_empty_(with_empty) {}

  void put(Value& to, std::string_view key, std::string_view text) {
    if (with_empty_ || !text.empty()) to.set(key, Value::string(arena_.copy(text)), arena_);
  }
  void put(Value& to, std::string_view key, const std::vector<std::string>& texts) {
    if (!with_empty_ && texts.empty()) return;
    Value list = Value::array({});
    for (const std::string& one : texts) list.append(Value::string(arena_.copy(one)), arena_);
    to.set(key, list, arena_);
  }
  void put_extra(Value& to, const api::User& user) {
    if (!with_empty_ && user.extra.empty()) return;
    Value extra = Value::object({});
    for (const auto& [key, values] : user.extra) put(extra, arena_.copy(key), values);
    to.set("extra", extra, arena_);
  }
  void put_requirements(Value& to, std::string_view key, const Value& requirements) {
    if (requirements.items().empty()) return;
    Value selector = Value::object({});
    selector.set("requirements", requirements, arena_);
    to.set(key, selector, arena_);
  }
  void add_requirement(Value& to, std::string_view key, std::string_view op,
                       const std::vector<std::string>& values) {
    Value one = Value::object({});
    one.set("key", Value::string(arena_.copy(key)), arena_);
    one.set("operator", Value::string(op), arena_);
    put(one, "values", values);
    to.append(one, arena_);
  }

 private:
  Arena& arena_;
  bool with_empty_;
};

// Operators that access reviews do not have are left out: selectors only ever narrow.
std::string_view operator_name(meta::LabelSelector::Operator op) {
  using Operator = meta::LabelSelector::Operator;
  switch (op) {
    case Operator::kEquals:
    case Operator::kDoubleEquals:
    case Operator::kIn: return "In";
    case Operator::kNotEquals:
    case Operator::kNotIn: return "NotIn";
    case Operator::kExists: return "Exists";
    case Operator::kDoesNotExist: return "DoesNotExist";
    default: return {};
  }
}

void put_selectors(Value& to, const api::RequestSelectors& selectors, SpecWriter& write) {
  Value fields = Value::array({});
  for (const auto& one : selectors.fields)
    write.add_requirement(fields, one.field, one.equal ? "In" : "NotIn", {one.value});
  write.put_requirements(to, "fieldSelector", fields);
  Value labels = Value::array({});
  for (const auto& one : selectors.labels) {
    if (const std::string_view op = operator_name(one.op); !op.empty())
      write.add_requirement(labels, one.key, op, one.values);
  }
  write.put_requirements(to, "labelSelector", labels);
}

Value spec_of(const api::User& user, const api::RequestInfo& request, std::string_view groups,
              SpecWriter& write, Arena& arena) {
  Value out = Value::object({});
  write.put(out, "user", user.name);
  write.put(out, groups, user.groups);
  write.put_extra(out, user);
  write.put(out, "uid", user.uid);
  Value attributes = Value::object({});
  write.put(attributes, "verb", request.verb);
  if (!request.is_resource) {
    write.put(attributes, "path", request.path);
    out.set("nonResourceAttributes", attributes, arena);
    return out;
  }
  write.put(attributes, "namespace", request.namespace_name);
  write.put(attributes, "group", request.group);
  write.put(attributes, "version", request.version);
  write.put(attributes, "resource", request.resource);
  write.put(attributes, "subresource", request.subresource);
  write.put(attributes, "name", request.name);
  if (request.selectors != nullptr) put_selectors(attributes, *request.selectors, write);
  out.set("resourceAttributes", attributes, arena);
  return out;
}

}  // namespace

std::string write_access_spec(const api::User& user, const api::RequestInfo& request,
                              AccessReviewVersion version) {
  Arena arena;
  SpecWriter write(arena, false);
  const Value spec = spec_of(
      user, request, version == AccessReviewVersion::kV1 ? "groups" : "group", write, arena);
  return value::to_json(spec);
}

std::string write_access_review(std::string_view spec, AccessReviewVersion version) {
  return fmt::format(R"({{"kind":"{}","apiVersion":"{}/{}","metadata":{{}},"spec":{},)"
                     R"("status":{{"allowed":false}}}})"
                     "\n",
                     kReviewKind, kReviewGroup, name_of(version), spec);
}

Value access_variable(const api::User& user, const api::RequestInfo& request, Arena& arena) {
  SpecWriter write(arena, true);
  return spec_of(user, request, "groups", write, arena);
}

std::expected<AccessReviewStatus, std::string> read_access_review(std::string_view text,
                                                                  AccessReviewVersion version) {
  if (text.empty())
    return std::unexpected(
        std::string("0-length response with status code: 200 and content type: application/json"));
  const auto read = kube::read_review_answer(text, {.group = kReviewGroup,
                                                    .kind = kReviewKind,
                                                    .version = name_of(version),
                                                    .scheme = kScheme,
                                                    .shape = kReview,
                                                    .most_nodes = kMostNodes});
  if (!read) return std::unexpected(read.error());
  const Value& status = read->root().get("status");
  return AccessReviewStatus{.allowed = value::flag_of(status, "allowed"),
                            .denied = value::flag_of(status, "denied"),
                            .reason = std::string(value::text_of(status, "reason"))};
}

}  // namespace strake::auth

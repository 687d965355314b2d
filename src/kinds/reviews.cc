// Kinds that are asked and answered, and never stored.
#include <fmt/format.h>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/resource.h"
#include "meta/object_meta.h"
#include "value/json_writer.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr GoField kPathFields[] = {{"path", "Path"}, {"verb", "Verb"}};
constexpr std::int64_t kTokenDefaultSeconds = 3600;
constexpr std::int64_t kTokenMinSeconds = 600;
constexpr std::int64_t kTokenMaxSeconds = std::int64_t{1} << 32;

// Metadata as Go writes it: in the order of its declaration.
std::string show_metadata(const Value& metadata) {
  std::string out = "{";
  for (const std::string_view key :
       {"name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation",
        "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "labels",
        "annotations", "ownerReferences", "finalizers", "managedFields"}) {
    const Value* found = member(metadata, key);
    if (found == nullptr) continue;
    if (out.size() > 1) out += ',';
    out += fmt::format("\"{}\":{}", key, value::to_json(*found));
  }
  return out + "}";
}

FieldError invalid_shown(FieldPath at, std::string shown, std::string detail) {
  return {.type = FieldError::Type::kInvalid,
          .path = std::move(at),
          .shown = std::move(shown),
          .detail = std::move(detail)};
}

void check_field_requirement(const Value& requirement, const FieldPath& at, FieldErrors& errors) {
  if (text_of(requirement, "key").empty())
    errors.push_back(FieldError::required(at / "key", "must be specified"));
  const std::string_view op = text_of(requirement, "operator");
  const bool has_values = !items(requirement, "values").empty();
  if ((op == "In" || op == "NotIn") && !has_values) {
    errors.push_back(FieldError::required(at / "values",
                                          "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if ((op == "Exists" || op == "DoesNotExist") && has_values) {
    errors.push_back(FieldError::forbidden(
        at / "values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
}

void check_selector(const Value& attributes, std::string_view key, FieldErrors& errors) {
  const Value* selector = member(attributes, key);
  if (selector == nullptr) return;
  const FieldPath at = FieldPath() / "spec" / "resourceAttributes" / key;
  const std::string_view raw = text_of(*selector, "rawSelector");
  const auto requirements = items(*selector, "requirements");
  if (!raw.empty() && !requirements.empty()) {
    errors.push_back(FieldError::invalid(at / "rawSelector", Value::string(raw),
                                         "may not specified at the same time as requirements"));
  }
  if (raw.empty() && requirements.empty()) {
    errors.push_back(FieldError::required(
        at / "requirements",
        fmt::format("when {} is specified, requirements or rawSelector is required", at.to_k8s())));
  }
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    const FieldPath here = at / "requirements" / i;
    if (key == "fieldSelector") {
      check_field_requirement(requirements[i], here, errors);
    } else {
      check_label_requirement(requirements[i], {.allow_unknown_operators = true}, here, errors);
    }
  }
}

enum class ReviewScope : std::uint8_t { kSubject, kSelf, kLocal };

class AccessReviewStrategy final : public ReviewStrategy {
 public:
  AccessReviewStrategy(std::string_view type, ReviewScope review)
      : ReviewStrategy(type), review_(review) {}

  // kube-apiserver 1.36 names no kind.
  meta::GroupKind refused_as(const Value&, const WriteRequest& request) const override {
    return {request.resource.group, ""};
  }
  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const Value* found = member(object, "spec");
    const Value none = Value::object({});
    const Value& spec = found != nullptr ? *found : none;
    const FieldPath at = FieldPath() / "spec";
    const Value* resource = member(spec, "resourceAttributes");
    const Value* path = member(spec, "nonResourceAttributes");
    if (resource != nullptr && path != nullptr) {
      errors.push_back(invalid_shown(at / "nonResourceAttributes",
                                     show_go_struct(path, kPathFields),
                                     "cannot be specified in combination with "
                                     "resourceAttributes"));
    }
    if (resource == nullptr && path == nullptr) {
      errors.push_back(FieldError::invalid(at / "resourceAttributes", Value(),
                                           "exactly one of nonResourceAttributes or "
                                           "resourceAttributes must be specified"));
    }
    if (review_ != ReviewScope::kSelf && text_of(spec, "user").empty() &&
        items(spec, "groups").empty()) {
      errors.push_back(FieldError::invalid(at / "user", Value::string(""),
                                           "at least one of user or group must be specified"));
    }
    if (resource != nullptr) {
      check_selector(*resource, "fieldSelector", errors);
      check_selector(*resource, "labelSelector", errors);
    }
    check_metadata(object, errors);
    if (review_ == ReviewScope::kLocal) check_local(object, resource, path, errors);
    return errors;
  }

 private:
  void check_metadata(const Value& object, FieldErrors& errors) const {
    const Value* metadata = member(object, "metadata");
    if (metadata == nullptr) return;
    for (const value::Member& one : metadata->members()) {
      if (one.key == "managedFields" || (one.key == "namespace" && review_ == ReviewScope::kLocal))
        continue;
      errors.push_back(invalid_shown(
          FieldPath() / "metadata", show_metadata(*metadata),
          review_ == ReviewScope::kLocal ? "must be empty except for namespace" : "must be empty"));
      return;
    }
  }

  static void check_local(const Value& object, const Value* resource, const Value* path,
                          FieldErrors& errors) {
    const FieldPath at = FieldPath() / "spec";
    if (resource != nullptr) {
      const std::string_view namespace_name = text_of(*resource, "namespace");
      if (namespace_name != meta::ObjectMeta::of(object).namespace_name()) {
        errors.push_back(FieldError::invalid(at / "resourceAttributes" / "namespace",
                                             Value::string(namespace_name),
                                             "must match metadata.namespace"));
      }
    }
    if (path != nullptr) {
      errors.push_back(invalid_shown(at / "nonResourceAttributes",
                                     show_go_struct(path, kPathFields),
                                     "disallowed on this kind of request"));
    }
  }

  ReviewScope review_;
};

// Those that have nothing to be judged beyond their shape.
class PlainReviewStrategy final : public ReviewStrategy {
 public:
  using ReviewStrategy::ReviewStrategy;
};

class TokenRequestStrategy final : public ReviewStrategy {
 public:
  TokenRequestStrategy() : ReviewStrategy("io.k8s.api.authentication.v1.TokenRequest") {}

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* spec = object.find("spec");
    if (spec != nullptr && spec->is_object() && member(*spec, "expirationSeconds") == nullptr)
      spec->set("expirationSeconds", Value::integer(kTokenDefaultSeconds), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const Value* seconds = member(object, {"spec", "expirationSeconds"});
    if (seconds == nullptr) return errors;
    const FieldPath at = FieldPath() / "spec" / "expirationSeconds";
    if (seconds->as_int() < kTokenMinSeconds) {
      errors.push_back(
          FieldError::invalid(at, *seconds, "may not specify a duration less than 10 minutes"));
    }
    if (seconds->as_int() > kTokenMaxSeconds) {
      errors.push_back(
          FieldError::invalid(at, *seconds, "may not specify a duration larger than 2^32 seconds"));
    }
    return errors;
  }
};

}  // namespace

const BuiltinStrategy& subject_access_review_strategy() {
  static const AccessReviewStrategy& strategy = *new AccessReviewStrategy(
      "io.k8s.api.authorization.v1.SubjectAccessReview", ReviewScope::kSubject);
  return strategy;
}

const BuiltinStrategy& self_subject_access_review_strategy() {
  static const AccessReviewStrategy& strategy = *new AccessReviewStrategy(
      "io.k8s.api.authorization.v1.SelfSubjectAccessReview", ReviewScope::kSelf);
  return strategy;
}

const BuiltinStrategy& local_subject_access_review_strategy() {
  static const AccessReviewStrategy& strategy = *new AccessReviewStrategy(
      "io.k8s.api.authorization.v1.LocalSubjectAccessReview", ReviewScope::kLocal);
  return strategy;
}

const BuiltinStrategy& self_subject_rules_review_strategy() {
  static const PlainReviewStrategy& strategy =
      *new PlainReviewStrategy("io.k8s.api.authorization.v1.SelfSubjectRulesReview");
  return strategy;
}

const BuiltinStrategy& token_review_strategy() {
  static const PlainReviewStrategy& strategy =
      *new PlainReviewStrategy("io.k8s.api.authentication.v1.TokenReview");
  return strategy;
}

const BuiltinStrategy& self_subject_review_strategy() {
  static const PlainReviewStrategy& strategy =
      *new PlainReviewStrategy("io.k8s.api.authentication.v1.SelfSubjectReview");
  return strategy;
}

const BuiltinStrategy& token_request_strategy() {
  static const TokenRequestStrategy& strategy = *new TokenRequestStrategy();
  return strategy;
}

}  // namespace strake::kinds

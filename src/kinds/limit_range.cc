#include <fmt/format.h>

#include <set>

#include "kinds/builtin_strategy.h"
#include "kinds/builtins.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/resource_names.h"
#include "meta/names.h"
#include "meta/object_meta.h"
#include "resource/prepare.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::string_view kLists[] = {"max", "min", "default", "defaultRequest",
                                       "maxLimitRequestRatio"};

// Fills a list of amounts with those of another that it lacks.
void fill_amounts(Value& item, std::string_view key, std::string_view from, Arena& arena) {
  for (const Member& one : members(item, from)) {
    if (member(item, {key, one.key}) != nullptr) continue;
    item.object_at(key, arena).set(one.key, one.value, arena);
  }
}

void fill_container_defaults(Value& item, Arena& arena) {
  fill_amounts(item, "default", "max", arena);
  fill_amounts(item, "defaultRequest", "default", arena);
  fill_amounts(item, "defaultRequest", "min", arena);
}

void check_limit_type(std::string_view type, const FieldPath& at, FieldErrors& errors) {
  const meta::Messages wrong = meta::check_qualified_name(type);
  add_messages(wrong, type, at, errors);
  if (wrong.empty() && !type.contains('/') && type != "Pod" && type != "Container" &&
      type != "PersistentVolumeClaim") {
    errors.push_back(FieldError::invalid(at, Value::string(type),
                                         "must be a standard limit type or fully qualified"));
  }
}

// What one item says about one resource.
class Amounts {
 public:
  Amounts(const Value& item, std::string_view name, bool has_defaults)
      : min_(member(item, {"min", name})),
        max_(member(item, {"max", name})),
        limit_(has_defaults ? member(item, {"default", name}) : nullptr),
        request_(has_defaults ? member(item, {"defaultRequest", name}) : nullptr),
        ratio_(member(item, {"maxLimitRequestRatio", name})),
        name_(name) {}

  // Which value a message shows beside the field is as in kube-apiserver 1.36.
  void check(const FieldPath& at, FieldErrors& errors) const {
    const auto refuse = [&](std::string_view key, const Value& shown, std::string detail) {
      errors.push_back(FieldError::invalid((at / key).key(name_), shown, std::move(detail)));
    };
    if (is_less(max_, min_)) {
      refuse("min", *min_,
             fmt::format("min value {} is greater than max value {}", text(min_), text(max_)));
    }
    if (is_less(request_, min_)) {
      refuse("defaultRequest", *request_,
             fmt::format("min value {} is greater than default request value {}", text(min_),
                         text(request_)));
    }
    if (is_less(max_, request_)) {
      refuse("defaultRequest", *request_,
             fmt::format("default request value {} is greater than max value {}", text(request_),
                         text(max_)));
    }
    if (is_less(limit_, request_)) {
      refuse("defaultRequest", *request_,
             fmt::format("default request value {} is greater than default limit value {}",
                         text(request_), text(limit_)));
    }
    if (is_less(limit_, min_)) {
      refuse(
          "default", *min_,
          fmt::format("min value {} is greater than default value {}", text(min_), text(limit_)));
    }
    if (is_less(max_, limit_)) {
      refuse(
          "default", *max_,
          fmt::format("default value {} is greater than max value {}", text(limit_), text(max_)));
    }
    if (ratio_ != nullptr && amount_of(*ratio_) < Quantity(1)) {
      refuse("maxLimitRequestRatio", *ratio_, fmt::format("ratio {} is less than 1", text(ratio_)));
    }
    if (ratio_ != nullptr && min_ != nullptr && max_ != nullptr) {
      const double most = max_by_min();
      if (ratio() > most) {
        refuse("maxLimitRequestRatio", *ratio_,
               fmt::format("ratio {} is greater than max/min = {:f}", text(ratio_), most));
      }
    }
    if (!may_be_overcommitted(name_) && limit_ != nullptr && request_ != nullptr &&
        amount_of(*limit_) != amount_of(*request_)) {
      refuse("defaultRequest", *request_,
             fmt::format("default value {} must equal to defaultRequest value {} in {}",
                         text(limit_), text(request_), name_));
    }
  }

 private:
  // In thousandths unless that would overflow.
  static constexpr std::int64_t kMostWhole = INT64_MAX / 1000;

  static std::string_view text(const Value* amount) { return value::text_of(*amount); }
  static bool is_less(const Value* a, const Value* b) {
    return a != nullptr && b != nullptr && amount_of(*a) < amount_of(*b);
  }
  bool in_thousandths() const {
    return amount_of(*ratio_).value() < kMostWhole && amount_of(*min_).value() < kMostWhole &&
           amount_of(*max_).value() < kMostWhole;
  }
  double ratio() const {
    const Quantity amount = amount_of(*ratio_);
    return in_thousandths() ? static_cast<double>(amount.milli_value()) / 1000
                            : static_cast<double>(amount.value());
  }
  double max_by_min() const {
    const auto scaled = [&](const Value* amount) {
      const Quantity read = amount_of(*amount);
      return static_cast<double>(in_thousandths() ? read.milli_value() : read.value());
    };
    return scaled(max_) / scaled(min_);
  }

  const Value* min_;
  const Value* max_;
  const Value* limit_;
  const Value* request_;
  const Value* ratio_;
  std::string_view name_;
};

void check_limits(const Value& item, const FieldPath& at, FieldErrors& errors) {
  const std::string_view type = text_of(item, "type");
  const bool of_pod = type == "Pod";
  std::set<std::string_view> names;
  for (const std::string_view key : kLists) {
    const bool is_default = key == "default" || key == "defaultRequest";
    if (of_pod && is_default) {
      if (!members(item, key).empty()) {
        errors.push_back(
            FieldError::forbidden(at / key, "may not be specified when `type` is 'Pod'"));
      }
      continue;
    }
    for (const Member& one : members(item, key)) {
      const FieldPath here = (at / key).key(one.key);
      if (of_pod || type == "Container") {
        check_container_resource_name(one.key, here, errors);
      } else {
        check_resource_name(one.key, here, errors);
      }
      names.insert(one.key);
    }
  }
  if (type == "PersistentVolumeClaim" && member(item, {"min", "storage"}) == nullptr &&
      member(item, {"max", "storage"}) == nullptr) {
    errors.push_back(FieldError::required(
        at / "limits",
        "either minimum or maximum storage value is required, but neither was provided"));
  }
  for (const std::string_view name : names) Amounts(item, name, !of_pod).check(at, errors);
}

class LimitRangeStrategy final : public BuiltinStrategy {
 public:
  LimitRangeStrategy() : BuiltinStrategy("io.k8s.api.core.v1.LimitRange") {}

  void apply_defaults(Value& object, Arena& arena) const override {
    Value* spec = object.find("spec");
    Value* limits = spec != nullptr && spec->is_object() ? spec->find("limits") : nullptr;
    if (limits == nullptr || !limits->is_array()) return;
    for (Value& item : limits->mutable_items()) {
      if (!item.is_object()) continue;
      for (const std::string_view key : kLists) round_amounts(item, key, arena);
      if (text_of(item, "type") == "Container") fill_container_defaults(item, arena);
    }
  }

  // One without a name gets one that nobody else has.
  void prepare_create(Value& object, Arena& arena, const WriteRequest&) const override {
    const meta::ObjectMeta metadata = meta::ObjectMeta::of(object);
    if (metadata.name().empty() && !metadata.uid().empty())
      resource::set_meta(object, "name", Value::string(arena.copy(metadata.uid())), arena);
  }

  FieldErrors validate_create(const Value& object, const WriteRequest&) const override {
    FieldErrors errors;
    const Value* spec = member(object, "spec");
    if (spec == nullptr) return errors;
    std::set<std::string_view> types;
    const auto limits = items(*spec, "limits");
    for (std::size_t i = 0; i < limits.size(); ++i) {
      const FieldPath at = FieldPath() / "spec" / "limits" / i;
      const std::string_view type = text_of(limits[i], "type");
      check_limit_type(type, at / "type", errors);
      if (!types.insert(type).second)
        errors.push_back(FieldError::duplicate(at / "type", Value::string(type)));
      check_limits(limits[i], at, errors);
    }
    return errors;
  }
};

}  // namespace

const BuiltinStrategy& limit_range_strategy() {
  static const LimitRangeStrategy& strategy = *new LimitRangeStrategy();
  return strategy;
}

}  // namespace strake::kinds

#include "kinds/resource_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kContainerNames[] = {"cpu", "memory", "ephemeral-storage"};
// Counted in whole numbers.
constexpr std::string_view kObjectNames[] = {"pods",
                                             "resourcequotas",
                                             "services",
                                             "secrets",
                                             "configmaps",
                                             "replicationcontrollers",
                                             "persistentvolumeclaims",
                                             "services.nodeports",
                                             "services.loadbalancers"};
constexpr std::string_view kComputeNames[] = {"requests.cpu",
                                              "requests.memory",
                                              "requests.storage",
                                              "limits.cpu",
                                              "limits.memory",
                                              "requests.ephemeral-storage",
                                              "limits.ephemeral-storage"};

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool is_whole_number(std::string_view name) {
  return is_one_of(name, kObjectNames) || is_extended_resource(name);
}

void refuse_name(std::string_view name, const FieldPath& at, std::string detail,
                 FieldErrors& errors) {
  errors.push_back(FieldError::invalid(at, Value::string(name), std::move(detail)));
}

}  // namespace

bool is_huge_page(std::string_view name) { return name.starts_with("hugepages-"); }

bool is_native_resource(std::string_view name) {
  return !name.contains('/') || name.contains("kubernetes.io/");
}

bool is_extended_resource(std::string_view name) {
  return !is_native_resource(name) && !name.starts_with("requests.") &&
         meta::check_qualified_name(fmt::format("requests.{}", name)).empty();
}

bool is_quota_resource(std::string_view name) {
  return is_one_of(name, kContainerNames) || is_one_of(name, kObjectNames) ||
         is_one_of(name, kComputeNames) || is_huge_page(name) ||
         name.starts_with("requests.hugepages-");
}

bool may_be_overcommitted(std::string_view name) {
  return is_native_resource(name) && !is_huge_page(name);
}

void check_resource_name(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  const meta::Messages wrong = meta::check_qualified_name(name);
  add_messages(wrong, name, at, errors);
  if (wrong.empty() && !name.contains('/') && name != "storage" && !is_quota_resource(name))
    refuse_name(name, at, "must be a standard resource type or fully qualified", errors);
}

void check_container_resource_name(std::string_view name, const FieldPath& at,
                                   FieldErrors& errors) {
  check_resource_name(name, at, errors);
  if (!name.contains('/')) {
    if (!is_one_of(name, kContainerNames) && !is_huge_page(name))
      refuse_name(name, at, "must be a standard resource for containers", errors);
  } else if (!is_native_resource(name) && !is_extended_resource(name)) {
    refuse_name(name, at, "doesn't follow extended resource name standard", errors);
  }
}

void check_resource_amount(std::string_view name, const Value& given, const FieldPath& at,
                           FieldErrors& errors) {
  const Quantity amount = amount_of(given);
  if (amount.sign() < 0)
    errors.push_back(FieldError::invalid(at, given, "must be greater than or equal to 0"));
  if (is_whole_number(name) && amount.milli_value() % 1000 != 0)
    errors.push_back(FieldError::invalid(at, given, "must be an integer"));
}

void check_quota_amounts(const Value& holder, std::string_view key, const FieldPath& at,
                         FieldErrors& errors) {
  for (const value::Member& one : members(holder, key)) {
    const FieldPath here = (at / key).key(one.key);
    check_resource_name(one.key, here, errors);
    if (!one.key.contains('/') && !is_quota_resource(one.key))
      refuse_name(one.key, here, "must be a standard resource for quota", errors);
    check_resource_amount(one.key, one.value, here, errors);
  }
}

Quantity amount_of(const Value& amount) {
  const Result<Quantity> read = Quantity::parse(value::text_of(amount));
  return read ? *read : Quantity();
}

void round_amounts(Value& holder, std::string_view key, Arena& arena) {
  Value* list = holder.find(key);
  if (list == nullptr || !list->is_object()) return;
  for (value::Member& one : list->mutable_members()) {
    const Quantity amount = amount_of(one.value);
    const auto small = amount.small();
    if (!small || small->scale >= -3) continue;
    const Quantity rounded = Quantity::milli(amount.milli_value(), amount.format());
    one.value = Value::string(arena.copy(rounded.to_string()));
  }
}

}  // namespace strake::kinds

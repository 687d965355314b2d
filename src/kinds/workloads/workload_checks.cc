#include "kinds/workloads/workload_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/workloads/integers.h"
#include "kinds/workloads/selectors.h"
#include "value/json_writer.h"

namespace strake::kinds {

using value::FieldError;
using value::FieldErrors;
using value::Value;

namespace {

constexpr std::string_view kImmutable = "field is immutable";

// "25" of "25%"; nothing when it is no percentage.
std::optional<std::string_view> percent_digits(const Value& amount) {
  std::string_view text = value::text_of(amount);
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  const bool digits =
      !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? std::optional(text) : std::nullopt;
}

FieldError invalid_amount(const FieldPath& at, const Value& amount, std::string detail) {
  return invalid_shown(at, value::to_json(amount), std::move(detail));
}

}  // namespace

FieldError invalid_shown(FieldPath at, std::string shown, std::string detail) {
  return {.type = FieldError::Type::kInvalid,
          .path = std::move(at),
          .shown = std::move(shown),
          .detail = std::move(detail),
          .first = std::nullopt};
}

FieldError not_supported_shown(FieldPath at, std::string shown,
                               std::initializer_list<std::string_view> supported) {
  FieldError out = not_supported(std::move(at), "", supported);
  out.shown = std::move(shown);
  return out;
}

FieldError invalid_unshown(FieldPath at, std::string detail) {
  return {.type = FieldError::Type::kInvalid,
          .path = std::move(at),
          .shown = std::nullopt,
          .detail = std::move(detail),
          .first = std::nullopt};
}

void check_not_negative(const Value& holder, std::initializer_list<std::string_view> keys,
                        const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view key : keys) {
    const std::int64_t number = integer(holder, key);
    if (number >= 0) continue;
    errors.push_back(FieldError::invalid(at / key, Value::integer(number),
                                         "must be greater than or equal to 0"));
  }
}

void check_int_or_percent(const Value* amount, const FieldPath& at, FieldErrors& errors) {
  if (amount == nullptr) return;
  if (!amount->is_string()) {
    if (amount->as_int() < 0)
      errors.push_back(FieldError::invalid(at, *amount, "must be greater than or equal to 0"));
    return;
  }
  if (percent_digits(*amount)) return;
  errors.push_back(invalid_amount(
      at, *amount,
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or "
      "'93%', regex used for validation is '[0-9]+%')"));
}

void check_at_most_100_percent(const Value* amount, const FieldPath& at, FieldErrors& errors) {
  if (amount == nullptr) return;
  const auto digits = percent_digits(*amount);
  if (digits && read_number(*digits).value > 100)
    errors.push_back(invalid_amount(at, *amount, "must not be greater than 100%"));
}

std::int64_t number_of(const Value* amount) {
  if (amount == nullptr) return 0;
  if (!amount->is_string()) return amount->as_int();
  return read_number(percent_digits(*amount).value_or(amount->as_string())).value;
}

void check_unchanged(const Value& now, const Value& old, std::string_view key, const FieldPath& at,
                     FieldErrors& errors) {
  if (same_member(now, old, key)) return;
  errors.push_back(FieldError::invalid(at / key, now.get(key), std::string(kImmutable)));
}

void check_selector_unchanged(const Value& now, const Value& old, const FieldPath& at,
                              FieldErrors& errors) {
  if (same_member(now, old, "selector")) return;
  errors.push_back(invalid_shown(at / "selector", show_label_selector(member(now, "selector")),
                                 std::string(kImmutable)));
}

void check_replica_counts(const Value& status, const ReplicaCounts& counts, const FieldPath& at,
                          FieldErrors& errors) {
  const auto check = [&](std::string_view key, std::string_view most, std::string_view named) {
    const std::int64_t count = integer(status, key);
    if (count <= integer(status, most)) return;
    errors.push_back(FieldError::invalid(at / key, Value::integer(count),
                                         fmt::format("cannot be greater than {}", named)));
  };
  for (const std::string_view key : counts.at_most_replicas)
    check(key, "replicas", "status.replicas");
  check("availableReplicas", "readyReplicas", counts.ready);
}

void check_collision_count(const Value& status, const Value& old, const FieldPath& at,
                           FieldErrors& errors) {
  check_not_negative(status, {"collisionCount"}, at, errors);
  const Value* before = member(old, "collisionCount");
  if (before == nullptr) return;
  const Value* now = member(status, "collisionCount");
  if (now != nullptr && now->as_int() >= before->as_int()) return;
  errors.push_back(FieldError::invalid(at / "collisionCount",
                                       Value::integer(integer(status, "collisionCount")),
                                       "cannot be decremented"));
}

}  // namespace strake::kinds

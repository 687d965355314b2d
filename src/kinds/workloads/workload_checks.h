#pragma once
// Checks that the kinds of this folder share: counts, amounts that are a number or a percentage,
// what may not change.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/field_path.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// About a value that is shown otherwise than it is written.
value::FieldError invalid_shown(FieldPath at, std::string shown, std::string detail);
value::FieldError not_supported_shown(FieldPath at, std::string shown,
                                      std::initializer_list<std::string_view> supported);
// About an object as a whole, of which nothing is shown.
value::FieldError invalid_unshown(FieldPath at, std::string detail);

// Those of the members that are given.
void check_not_negative(const value::Value& holder, std::initializer_list<std::string_view> keys,
                        const FieldPath& at, value::FieldErrors& errors);

// "25%" or 3. Null counts as 0.
void check_int_or_percent(const value::Value* amount, const FieldPath& at,
                          value::FieldErrors& errors);
void check_at_most_100_percent(const value::Value* amount, const FieldPath& at,
                               value::FieldErrors& errors);
// The number in it, whatever it counts.
std::int64_t number_of(const value::Value* amount);

// The member is what it was.
void check_unchanged(const value::Value& now, const value::Value& old, std::string_view key,
                     const FieldPath& at, value::FieldErrors& errors);
// The same for a label selector.
void check_selector_unchanged(const value::Value& now, const value::Value& old, const FieldPath& at,
                              value::FieldErrors& errors);

// Counts of pods in a status: these must not be larger than `replicas`, and no more pods can be
// available than are ready.
struct ReplicaCounts {
  std::initializer_list<std::string_view> at_most_replicas;
  std::string_view ready = "readyReplicas";  // as messages name it
};
void check_replica_counts(const value::Value& status, const ReplicaCounts& counts,
                          const FieldPath& at, value::FieldErrors& errors);
// status.collisionCount only grows.
void check_collision_count(const value::Value& status, const value::Value& old, const FieldPath& at,
                           value::FieldErrors& errors);

}  // namespace strake::kinds

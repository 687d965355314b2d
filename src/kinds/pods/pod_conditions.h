#pragma once
// status.conditions of pods.
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// The first of the type, or null.
const value::Value* find_pod_condition(const value::Value& pod, std::string_view type);
// Its status is "True".
bool has_true_condition(const value::Value& pod, std::string_view type);

struct PodCondition {
  std::string_view type;
  std::string_view status;
  std::string_view reason = {};
  std::string_view message = {};
};
// In place of the one of that type, or as the last. `now` is when its status changed, if it did.
void set_pod_condition(value::Value& pod, const PodCondition& condition, std::string_view now,
                       Arena& arena);

}  // namespace strake::kinds

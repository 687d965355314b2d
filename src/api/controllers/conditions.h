#pragma once
// status.conditions of an object: a list with one entry a type.
#include <cstdint>
#include <string>
#include <string_view>

#include "value/document.h"

namespace strake::api {

struct Condition {
  std::string_view type;
  std::string_view status;
  std::string_view reason;
  std::string_view message;
  std::int64_t observed_generation = 0;  // not written when it is 0
};

// Sets or replaces the condition of that type. Its time changes only when its status does. True
// when anything changed.
bool set_condition(value::Value& object, Arena& arena, const Condition& condition,
                   std::string_view now);
inline bool set_condition(value::Document& document, const Condition& condition,
                          std::string_view now) {
  return set_condition(document.root(), document.arena(), condition, now);
}
// "True", "False", "Unknown", or empty when there is no such condition.
std::string_view condition_status(const value::Value& object, std::string_view type);
// The whole condition; null when there is none.
const value::Value* find_condition(const value::Value& object, std::string_view type);
// Zero when it has none.
std::int64_t observed_generation(const value::Value& condition);

}  // namespace strake::api

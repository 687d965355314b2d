#pragma once
// What controllers say of an object, as a list with one entry a type.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "value/value.h"

namespace strake::ops {

struct StatusCondition {
  std::string type;
  std::string status;  // "True", "False", "Unknown"
  std::string reason;
  std::string message;
  std::int64_t observed_generation = 0;
  std::string last_transition_time;  // RFC 3339
  friend bool operator==(const StatusCondition&, const StatusCondition&) = default;
};

// status.conditions; entries that have no type are left out.
std::vector<StatusCondition> read_conditions(const value::Value& conditions);
// Sets or replaces that of its type, and keeps the time unless the status differs. A long message
// is cut.
void set_condition(std::vector<StatusCondition>& conditions, StatusCondition one, WallTime now);
// Null when there is none of that type.
const StatusCondition* find_condition(const std::vector<StatusCondition>& conditions,
                                      std::string_view type);

inline constexpr std::size_t kMostConditionBytes = 4096;  // of a message
// At most so many bytes, and no half character.
void cut_text(std::string& text, std::size_t most);

}  // namespace strake::ops

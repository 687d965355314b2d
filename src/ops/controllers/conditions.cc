#include "ops/controllers/conditions.h"

#include <algorithm>
#include <utility>

#include "base/rfc3339.h"
#include "value/fields.h"

namespace strake::ops {

void cut_text(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
}

std::vector<StatusCondition> read_conditions(const value::Value& conditions) {
  std::vector<StatusCondition> out;
  for (const value::Value& one : conditions.items()) {
    const value::Value& generation = one.get("observedGeneration");
    StatusCondition condition{
        .type = std::string(value::text_of(one, "type")),
        .status = std::string(value::text_of(one, "status")),
        .reason = std::string(value::text_of(one, "reason")),
        .message = std::string(value::text_of(one, "message")),
        .observed_generation =
            generation.type() == value::Type::kInt ? generation.as_int() : std::int64_t{0},
        .last_transition_time = std::string(value::text_of(one, "lastTransitionTime"))};
    if (!condition.type.empty()) out.push_back(std::move(condition));
  }
  return out;
}

void set_condition(std::vector<StatusCondition>& conditions, StatusCondition one, WallTime now) {
  cut_text(one.message, kMostConditionBytes);
  const auto there = std::ranges::find(conditions, one.type, &StatusCondition::type);
  if (there != conditions.end() && there->status == one.status) {
    one.last_transition_time = there->last_transition_time;
  } else {
    one.last_transition_time = format_rfc3339(Instant::from(now));
  }
  if (there != conditions.end()) {
    *there = std::move(one);
  } else {
    conditions.push_back(std::move(one));
  }
}

const StatusCondition* find_condition(const std::vector<StatusCondition>& conditions,
                                      std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &StatusCondition::type);
  return found == conditions.end() ? nullptr : &*found;
}

}  // namespace strake::ops

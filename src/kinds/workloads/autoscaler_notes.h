#pragma once
// What autoscaling/v1 writes into annotations, as JSON text in the order of its Go structs, and
// what is read from them.
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

enum class MetricPart { kSpec, kStatus };

// Metrics of v2, as v1 has them: "[...]".
std::string metrics_note(std::span<const value::Value> metrics, MetricPart part);
// Back, as a list of v2. Nothing when the text is none of a list of such metrics; then it counts as
// not being there.
std::optional<value::Value> read_metrics_note(std::string_view text, MetricPart part, Arena& arena);

// status.conditions of v2.
std::string conditions_note(std::span<const value::Value> conditions);
std::optional<value::Value> read_conditions_note(std::string_view text, Arena& arena);

// spec.behavior of v2. Nothing is read from an empty one.
std::string behavior_note(const value::Value& behavior);
std::optional<value::Value> read_behavior_note(std::string_view text, Arena& arena);

}  // namespace strake::kinds

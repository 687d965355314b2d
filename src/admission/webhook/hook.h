#pragma once
// One webhook of a configuration, read once for each change of that.
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "admission/match/match.h"
#include "admission/webhook/conditions.h"
#include "admission/webhook/target.h"

namespace strake::admission {

enum class ReviewVersion : std::uint8_t { kNone, kV1, kV1beta1 };

struct Hook {
  std::string configuration;
  std::string name;
  Match match;
  Target target;
  std::chrono::seconds timeout{10};
  ReviewVersion version = ReviewVersion::kNone;  // the first that it takes and we know
  bool fails_open = false;                       // failurePolicy Ignore
  bool may_dry_run = false;
  bool is_reinvoked = false;  // reinvocationPolicy IfNeeded
  Conditions conditions;

  Hook(std::string_view configuration_name, const value::Value& webhook);
};
using HookPtr = std::shared_ptr<const Hook>;

// The webhooks of a configuration, in their order.
std::vector<HookPtr> read_hooks(const value::Value& configuration);

}  // namespace strake::admission

#pragma once
// Pod security policies: how strict a namespace is with pods, as its labels say.
#include <cstdint>
#include <optional>
#include <string>

#include "value/field_error.h"
#include "value/value.h"

namespace strake::kinds {

// Each takes less than the one before.
enum class SecurityLevel : std::uint8_t { kPrivileged, kBaseline, kRestricted };

// A level as a version of Kubernetes had it.
struct LevelVersion {
  SecurityLevel level = SecurityLevel::kPrivileged;
  std::optional<std::int64_t> minor{};  // of 1.minor; none for the latest

  std::string to_string() const;  // "baseline:v1.36", "restricted:latest"
  friend bool operator==(const LevelVersion&, const LevelVersion&) = default;
};

struct SecurityPolicy {
  LevelVersion enforce;
  LevelVersion audit;
  LevelVersion warn;
};

// What the labels of a namespace say, and what is wrong with them. Of a wrong label the strictest
// is enforced, and nothing is warned of or audited.
SecurityPolicy security_policy_of(const value::Value& name_space, value::FieldErrors& errors);

}  // namespace strake::kinds

#include "kinds/pods/pod_security_policy.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "meta/object_meta.h"
#include "value/fields.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

std::string_view level_name(SecurityLevel level) {
  switch (level) {
    case SecurityLevel::kPrivileged: return "privileged";
    case SecurityLevel::kBaseline: return "baseline";
    case SecurityLevel::kRestricted: return "restricted";
  }
  return "";
}

std::optional<SecurityLevel> parse_level(std::string_view text) {
  for (const auto level :
       {SecurityLevel::kPrivileged, SecurityLevel::kBaseline, SecurityLevel::kRestricted}) {
    if (level_name(level) == text) return level;
  }
  return std::nullopt;
}

// The minor of "v1.x" without leading zeros.
std::optional<std::int64_t> parse_minor(std::string_view text) {
  constexpr std::string_view kMajor = "v1.";
  if (!text.starts_with(kMajor)) return std::nullopt;
  text.remove_prefix(kMajor.size());
  if (text.empty() || text.front() == '-' || (text.size() > 1 && text.front() == '0'))
    return std::nullopt;
  std::int64_t minor = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), minor);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return minor;
}

class Labels {
 public:
  Labels(const Value& name_space, FieldErrors& errors)
      : labels_(meta::ObjectMeta::of(name_space).labels()), errors_(errors) {}

  // Null when there is none.
  const Value* find(const std::string& name) const {
    return labels_ != nullptr ? labels_->find("pod-security.kubernetes.io/" + name) : nullptr;
  }

  // False when there is no such label, or a wrong one, for which the level is `fallback`.
  bool read_level(const std::string& mode, SecurityLevel fallback, LevelVersion& out) {
    const Value* given = find(mode);
    if (given == nullptr) return false;
    const auto level = parse_level(value::text_of(*given));
    out.level = level.value_or(fallback);
    if (!level) refuse(mode, *given, "must be one of privileged, baseline, restricted");
    return level.has_value();
  }

  void read_version(const std::string& mode, LevelVersion& out) {
    const std::string name = mode + "-version";
    const Value* given = find(name);
    if (given == nullptr) return;
    out.minor = parse_minor(value::text_of(*given));
    if (!out.minor && value::text_of(*given) != "latest")
      refuse(name, *given, R"(must be "latest" or "v1.x")");
  }

 private:
  void refuse(const std::string& name, const Value& given, std::string detail) {
    errors_.push_back(FieldError::invalid(
        (FieldPath() / "metadata" / "labels").key("pod-security.kubernetes.io/" + name), given,
        std::move(detail)));
  }

  const Value* labels_;
  FieldErrors& errors_;
};

}  // namespace

std::string LevelVersion::to_string() const {
  return minor ? fmt::format("{}:v1.{}", level_name(level), *minor)
               : fmt::format("{}:latest", level_name(level));
}

SecurityPolicy security_policy_of(const Value& name_space, FieldErrors& errors) {
  SecurityPolicy out;
  Labels labels(name_space, errors);
  const bool enforces = labels.read_level("enforce", SecurityLevel::kRestricted, out.enforce);
  labels.read_version("enforce", out.enforce);
  labels.read_level("audit", SecurityLevel::kPrivileged, out.audit);
  labels.read_version("audit", out.audit);
  labels.read_level("warn", SecurityLevel::kPrivileged, out.warn);
  labels.read_version("warn", out.warn);
  // Who makes what makes pods is warned of what will be enforced.
  if (labels.find("warn") == nullptr && enforces && out.enforce.level > out.warn.level) {
    out.warn.level = out.enforce.level;
    if (labels.find("warn-version") == nullptr) out.warn.minor = out.enforce.minor;
  }
  return out;
}

}  // namespace strake::kinds

#include "validate/stream_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "meta/object_meta.h"
#include "resource/embedded.h"
#include "validate/hints.h"
#include "validate/locate.h"
#include "validate/phrases.h"
#include "validate/schema_path.h"
#include "value/fields.h"

namespace strake::validate {

using value::FieldError;
using value::FieldErrors;
using value::Value;

namespace {

// As a server has it by the time it validates. What is wrong with it is said elsewhere.
void complete_metadata(Value& object, Arena& arena) {
  if (!object.is_object()) return;
  Value* metadata = object.find("metadata");
  if (metadata == nullptr || metadata->is_null())
    metadata = &object.set("metadata", Value::object({}), arena);
  static_cast<void>(meta::coerce_object_meta(*metadata, arena));
  const std::string_view base = text_of(metadata, "generateName");
  if (!base.empty() && text_of(metadata, "name").empty())
    metadata->set("name", Value::string(arena.copy(std::string(base) + "xxxxx")), arena);
}

}  // namespace

Fault not_judged_fault(std::string message, const StreamLimits& limits) {
  const bool stops = limits.strategy == schema::StreamOptions::Strategy::kFailFast;
  Fault fault{.issue = stops ? Issue::kTruncated : Issue::kBufferExceeded,
              .severity = Severity::kWarning,
              .message = std::move(message)};
  fault.params.push_back({"limit", fmt::format("{}", limits.max_buffer)});
  return fault;
}

PartsJudge::PartsJudge(schema::NodePtr schema, const JudgeOptions& options,
                       const StreamLimits& limits, bool resource)
    : schema_(std::move(schema)), options_(options), limits_(limits), resource_(resource) {}

PartsJudge::Need PartsJudge::need(const schema::Node& schema) const {
  if (options_.rules != nullptr && !schema.rules.empty()) return Need::kWhole;
  return resource_ && schema.embedded_resource ? Need::kMeta : Need::kNothing;
}

void PartsJudge::decode(Value& v, const Part& part, Arena& arena) {
  if (!resource_) return;
  // What is wrong with the object's own metadata is said elsewhere.
  if (part.at.empty()) complete_metadata(v, arena);
  if (!part.schema.has_embedded_below) return;
  Value decoded = value::deep_copy(v, arena);
  std::vector<std::string> unknown;
  auto fault =
      resource::coerce_embedded(decoded, part.schema, arena, part.at, {.unknown = &unknown});
  // In memory the first one ends the reading.
  if (fault && (!unreadable_ || compare_paths(fault->path, unreadable_->path) < 0))
    unreadable_ = std::move(fault);
  add_unknown(unknown, v, part);
  v = decoded;
}

void PartsJudge::add_unknown(const std::vector<std::string>& unknown, const Value& as_sent,
                             const Part& part) {
  if (options_.unknown != UnknownFields::kWarn && options_.unknown != UnknownFields::kStrict)
    return;
  const Severity severity =
      options_.unknown == UnknownFields::kStrict ? Severity::kError : Severity::kWarning;
  const std::string front = part.at.to_k8s();
  for (const std::string& text : unknown) {
    if (unknown_.contains(text)) continue;
    if (unknown_.size() >= limits_.max_issues) {
      ++not_kept_;
      continue;
    }
    std::string_view inside = std::string_view(text).substr(front.size());
    if (!front.empty() && inside.starts_with('.')) inside.remove_prefix(1);
    Fault fault = unknown_field(inside, as_sent, &part.schema, severity);
    fault.message = say(Phrase::kUnknownField, text);
    fault.path = join(part.at, fault.path);
    fault.schema_path.clear();
    add_schema_path(fault, *schema_);
    unknown_.emplace(text, std::move(fault));
  }
}

bool PartsJudge::judge(const Value& v, const Part& part) {
  const bool whole = judge_embedded(v, part);
  return run_rules(v, part) && whole;
}

bool PartsJudge::judge_embedded(const Value& v, const Part& part) {
  if (!resource_) return true;
  FieldErrors errors;
  if (part.below) {
    errors = resource::validate_embedded(v, part.schema, false, part.at);
  } else if (part.schema.embedded_resource) {
    errors = resource::validate_embedded_alone(v, part.at);
  }
  found(errors);
  const bool whole = errors.empty();
  for (FieldError& error : errors) {
    if (embedded_.size() < limits_.max_issues) {
      embedded_.push_back(std::move(error));
    } else {
      ++not_kept_;
    }
  }
  return whole;
}

bool PartsJudge::run_rules(const Value& v, const Part& part) {
  // Values that are not what the schema says are nothing for rules to look at.
  if (options_.rules == nullptr || blocked_) return true;
  FieldErrors errors =
      options_.rules
          ->run_part({.schema = schema_, .at = part.at, .part = v, .below = part.below}, budget_)
          .errors;
  if (errors.empty()) return true;
  if (rule_error_count_ >= limits_.max_issues) return not_kept_ += errors.size(), false;
  rule_error_count_ += errors.size();
  rule_errors_.push_back({part.at, std::move(errors)});
  return false;
}

void PartsJudge::found(const FieldErrors& errors) {
  if (blocked_) return;
  blocked_ = resource_ ? std::ranges::any_of(errors, resource::blocks_rules, &FieldError::reason)
                       : !errors.empty();
}

void PartsJudge::left_out(const Part& part) {
  if (options_.rules != nullptr && !part.schema.rules.empty() &&
      options_.rules->has_rules(schema_, part.at)) {
    leave_out(say(Phrase::kRulesNeedWhole), "/x-kubernetes-validations", part.at, rules_left_out_);
  }
  if (resource_ && part.schema.embedded_resource) {
    leave_out(say(Phrase::kEmbeddedNeedWhole), "/x-kubernetes-embedded-resource", part.at,
              embedded_left_out_);
  }
}

void PartsJudge::leave_out(std::string message, std::string_view keyword, const FieldPath& at,
                           std::map<std::string, Fault>& faults) const {
  std::string place = schema_place(*schema_, at);
  if (faults.contains(place)) return;
  Fault fault = not_judged_fault(std::move(message), limits_);
  fault.path = at;
  fault.field = at.to_k8s();
  fault.schema_path = fmt::format("{}{}", place, keyword);
  faults.emplace(std::move(place), std::move(fault));
}

std::vector<Fault> PartsJudge::take_unknown() {
  std::vector<Fault> out;
  for (auto& [text, fault] : unknown_) out.push_back(std::move(fault));
  return out;
}

FieldErrors PartsJudge::take_rule_errors() {
  // A value ends after what is in it, and members come as they were written.
  std::vector<std::size_t> order(rule_errors_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const auto compared = compare_paths(rule_errors_[a].at, rule_errors_[b].at);
    return compared != 0 ? compared < 0 : a < b;
  });
  FieldErrors out;
  for (const std::size_t i : order) out.append(std::move(rule_errors_[i].errors));
  return out;
}

std::vector<Fault> PartsJudge::take_left_out(bool with_rules) {
  std::vector<Fault> out;
  for (auto& [place, fault] : rules_left_out_) {
    if (with_rules) out.push_back(std::move(fault));
  }
  for (auto& [place, fault] : embedded_left_out_) out.push_back(std::move(fault));
  return out;
}

}  // namespace strake::validate

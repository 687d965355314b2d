#include "policy/validating_policy.h"

#include <fmt/format.h>

#include "base/trim.h"
#include "policy/spec.h"

namespace strake::policy {
namespace {

using value::Value;

constexpr std::size_t kMaxMessageBytes = 5 * 1024;
constexpr std::size_t kMaxAnnotationBytes = 10 * 1024;

}  // namespace

ValidatingPolicy::ValidatingPolicy(const Value& policy) {
  const Value& spec = policy.get("spec");
  const Offered offered{.params = has(spec, "paramKind")};
  const Offered for_messages{.params = offered.params, .authorizer = false};
  fails_closed_ = text_at(spec, "failurePolicy") != "Ignore";
  variables_ = compile_variables(spec, offered, compiler_);
  conditions_ = compile_conditions(spec, offered, compiler_);
  for (const Value& one : spec.get("validations").items()) {
    Validation& validation = validations_.emplace_back();
    validation.expression =
        compiler_.compile(text_at(one, "expression"), Gives::kBool, offered, true);
    if (const std::string_view text = text_at(one, "messageExpression"); !text.empty()) {
      validation.message_expression = compiler_.compile(text, Gives::kString, for_messages, true);
      has_messages_ = true;
    }
    validation.message = text_at(one, "message");
    validation.reason = text_at(one, "reason");
  }
  for (const Value& one : spec.get("auditAnnotations").items()) {
    annotations_.push_back({.key = std::string(text_at(one, "key")),
                            .value = compiler_.compile(text_at(one, "valueExpression"),
                                                       Gives::kStringOrNull, offered, true)});
  }
}

Judgement ValidatingPolicy::failed(std::string message) const {
  Judgement out;
  out.decisions.push_back({.denied = fails_closed_, .message = std::move(message)});
  return out;
}

Decision ValidatingPolicy::decide(const Validation& validation, const Evaluation::Outcome& outcome,
                                  const Evaluation::Outcome* message) const {
  if (!outcome.error.empty()) return {.denied = fails_closed_, .message = outcome.error};
  if (outcome.value.is_true()) return {};
  Decision out{.denied = true, .reason = validation.reason};
  if (out.reason.empty()) out.reason = "Invalid";
  if (message != nullptr && message->error.empty() && message->value.is(cel::Kind::kString)) {
    const std::string_view text = trim_unicode(message->value.as_text());
    if (text.size() <= kMaxMessageBytes && text.find('\n') == std::string_view::npos)
      out.message = text;
  }
  if (out.message.empty()) out.message = trim_unicode(validation.message);
  if (out.message.empty())
    out.message = fmt::format("failed expression: {}", trim_unicode(validation.expression.text));
  return out;
}

Judgement ValidatingPolicy::judge(const Inputs& inputs, Arena& arena) const {
  const MatchOutcome matched =
      match_conditions(conditions_, variables_, inputs, fails_closed_, arena);
  if (!matched.error.empty()) return failed(matched.error);
  if (!matched.matches) return {};

  std::int64_t budget = kCostBudget;
  std::vector<Evaluation::Outcome> outcomes;
  Evaluation evaluation(inputs, variables_, arena);
  for (const Validation& one : validations_) {
    auto outcome = evaluation.run(one.expression, budget);
    if (!outcome) return failed(std::move(outcome.error()));
    outcomes.push_back(*std::move(outcome));
  }
  // Messages are made of what the validations left of the budget, whether they are needed or not.
  Inputs without_authority = inputs;
  without_authority.authority = nullptr;
  std::vector<Evaluation::Outcome> messages(validations_.size());
  std::string messages_failed;
  if (has_messages_) {
    Evaluation making(without_authority, variables_, arena);
    for (std::size_t i = 0; i < validations_.size() && messages_failed.empty(); ++i) {
      if (validations_[i].message_expression.empty()) continue;
      auto outcome = making.run(validations_[i].message_expression, budget);
      if (outcome)
        messages[i] = *std::move(outcome);
      else
        messages_failed = "failed messageExpression: " + outcome.error();
    }
  }
  Judgement out;
  for (std::size_t i = 0; i < validations_.size(); ++i) {
    if (outcomes[i].error.empty() && !messages_failed.empty()) {
      out.decisions.push_back({.denied = fails_closed_, .message = messages_failed});
    } else {
      out.decisions.push_back(decide(validations_[i], outcomes[i], &messages[i]));
    }
  }

  if (annotations_.empty()) return out;
  // Like kube-apiserver 1.36, which declares an authorizer here and offers none.
  budget = kCostBudget;
  Evaluation annotation_evaluation(without_authority, variables_, arena);
  for (const AuditAnnotation& one : annotations_) {
    auto outcome = annotation_evaluation.run(one.value, budget);
    if (!outcome) return failed(std::move(outcome.error()));
    if (!outcome->error.empty()) {
      if (fails_closed_) out.failed_annotations.push_back(std::move(outcome->error));
      continue;
    }
    if (!outcome->value.is(cel::Kind::kString)) continue;
    const std::string_view text = trim_unicode(outcome->value.as_text());
    if (!text.empty())
      out.annotations.push_back(
          {.key = one.key, .value = std::string(text.substr(0, kMaxAnnotationBytes))});
  }
  return out;
}

}  // namespace strake::policy

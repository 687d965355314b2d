#pragma once
// What is judged of a passing document besides its schema: validation rules, and the metadata of
// embedded resources. Parts that are small enough are seen whole; of the others it is known that
// they were left out.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schema/stream/stream.h"
#include "validate/judge.h"
#include "validate/judges.h"

namespace strake::validate {

class PartsJudge final : public schema::StreamParts {
 public:
  // The documents are resources, or of any shape: then embedded resources are not looked at, and
  // every fault keeps the rules from being run.
  PartsJudge(schema::NodePtr schema, const JudgeOptions& options, const StreamLimits& limits,
             bool resource);

  Need need(const schema::Node& schema) const override;
  void decode(value::Value& v, const Part& part, Arena& arena) override;
  bool judge(const value::Value& v, const Part& part) override;
  void left_out(const Part& part) override;
  void found(const value::FieldErrors& errors) override;

  // An embedded resource that cannot be read: nothing else is said of the document then.
  const std::optional<value::FieldError>& unreadable() const { return unreadable_; }
  // Unknown fields in the metadata of embedded resources.
  std::vector<Fault> take_unknown();
  // Faults of embedded resources.
  value::FieldErrors take_embedded() { return std::move(embedded_); }
  // What the rules found, in the order in which they are run over a whole object.
  value::FieldErrors take_rule_errors();
  // A warning for each schema whose values were left out. Those about rules are idle when a fault
  // keeps the rules from being run anyway.
  std::vector<Fault> take_left_out(bool with_rules);
  bool blocks_rules() const { return blocked_; }
  bool found_faults() const { return !rule_errors_.empty() || !embedded_.empty(); }
  std::uint64_t not_kept() const { return not_kept_; }

 private:
  bool judge_embedded(const value::Value& v, const Part& part);
  bool run_rules(const value::Value& v, const Part& part);
  void add_unknown(const std::vector<std::string>& unknown, const value::Value& as_sent,
                   const Part& part);
  void leave_out(std::string message, std::string_view keyword, const FieldPath& at,
                 std::map<std::string, Fault>& faults) const;

  schema::NodePtr schema_;
  JudgeOptions options_;
  StreamLimits limits_;
  bool resource_;

  std::optional<value::FieldError> unreadable_;
  std::map<std::string, Fault> unknown_;  // by their text
  value::FieldErrors embedded_;
  struct RuleErrors {
    FieldPath at;
    value::FieldErrors errors;
  };
  std::vector<RuleErrors> rule_errors_;
  std::size_t rule_error_count_ = 0;
  std::optional<std::int64_t> budget_;
  bool blocked_ = false;
  std::map<std::string, Fault> rules_left_out_;  // by their schema's place
  std::map<std::string, Fault> embedded_left_out_;
  std::uint64_t not_kept_ = 0;
};

// A warning that a part was too large to be looked at.
Fault not_judged_fault(std::string message, const StreamLimits& limits);

}  // namespace strake::validate

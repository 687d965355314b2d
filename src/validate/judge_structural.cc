#include "schema/defaults.h"
#include "schema/drop_nulls.h"
#include "schema/prune.h"
#include "schema/validate.h"
#include "validate/classify.h"
#include "validate/hints.h"
#include "validate/judges.h"
#include "validate/locate.h"

namespace strake::validate {
namespace {

using value::FieldError;
using value::Value;

class StructuralJudge final : public Judge {
 public:
  StructuralJudge(schema::NodePtr schema, const JudgeOptions& options)
      : schema_(std::move(schema)), options_(options) {}

  std::vector<Fault> judge(const Subject& subject) const override {
    std::vector<Fault> faults;
    settle(subject, faults);
    value::FieldErrors errors = schema::validate(subject.object, *schema_);
    errors.append(schema::validate_list_types(subject.object, *schema_));
    for (const FieldError& error : errors) add(fault_from(error), error, faults);
    add_omitted(errors, faults);
    if (options_.rules == nullptr || !schema_->has_rules_below || !errors.empty()) return faults;
    const value::FieldErrors broken =
        options_.rules->run(subject.object, schema_, subject.old).errors;
    for (const FieldError& error : broken) add(rule_fault_from(error), error, faults);
    add_omitted(broken, faults);
    return faults;
  }

  void fill_defaults(Value& object, Arena& arena) const override {
    schema::apply_defaults(object, *schema_, arena);
  }
  bool knows(const FieldPath& path) const override { return schema_at(*schema_, path) != nullptr; }
  const schema::Node* schema() const override { return schema_.get(); }
  std::unique_ptr<StreamJudge> stream(const StreamLimits& limits) const override {
    return stream_structurally(schema_, options_, limits);
  }

 private:
  void settle(const Subject& subject, std::vector<Fault>& faults) const {
    Value& object = subject.object;
    if (options_.unknown != UnknownFields::kPreserve) {
      std::vector<std::string> unknown;
      schema::prune(object, *schema_, {.resource_root = false}, &unknown);
      if (options_.unknown != UnknownFields::kPrune) add_unknown(unknown, subject, faults);
    }
    if (options_.defaults == DefaultMode::kApply) {
      schema::prune_nulls(object, *schema_);
      schema::apply_defaults(object, *schema_, subject.arena);
    } else {
      schema::drop_nulls(object, *schema_);
    }
  }

  void add_unknown(const std::vector<std::string>& unknown, const Subject& subject,
                   std::vector<Fault>& faults) const {
    const Severity severity =
        options_.unknown == UnknownFields::kStrict ? Severity::kError : Severity::kWarning;
    for (const std::string& path : unknown)
      faults.push_back(unknown_field(path, subject.as_sent, schema_.get(), severity));
  }

  void add(Fault fault, const FieldError& error, std::vector<Fault>& faults) const {
    add_hint(fault, error, *schema_);
    faults.push_back(std::move(fault));
  }

  schema::NodePtr schema_;
  JudgeOptions options_;
};

}  // namespace

std::unique_ptr<const Judge> judge_structurally(schema::NodePtr schema,
                                                const JudgeOptions& options) {
  return std::make_unique<StructuralJudge>(std::move(schema), options);
}

}  // namespace strake::validate

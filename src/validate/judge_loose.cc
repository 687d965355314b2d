#include <algorithm>
#include <optional>

#include "schema/loose/defaults.h"
#include "schema/loose/evaluate.h"
#include "schema/loose/stream_defaults.h"
#include "validate/classify.h"
#include "validate/judges.h"

namespace strake::validate {
namespace {

namespace loose = schema::loose;
using value::Value;

// Issues that a document may have before the rest is only counted: pruning needs the place of every
// unknown field.
constexpr std::size_t kMostIssues = 100'000;

Fault fault_of(const loose::Issue& issue, UnknownFields unknown) {
  Fault fault{.issue = issue.code,
              .severity = issue.severity,
              .path = issue.path,
              .field = issue.path.to_k8s(),
              .message = issue.message,
              .hint = issue.hint,
              .schema_path = issue.schema_path};
  for (const auto& [name, json] : issue.params) fault.params.push_back({name, json});
  if (!issue.branch.empty()) {
    std::string branch;
    for (const loose::Issue& nested : issue.branch) {
      branch += branch.empty() ? "[" : ",";
      branch += nested.to_json();
    }
    fault.params.push_back({"branch", branch + "]"});
  }
  if (fault.issue == Issue::kUnknownKey) {
    fault.at_key = true;
    fault.message = "unknown field \"" + fault.field + "\"";
    fault.field.clear();
    if (unknown != UnknownFields::kStrict) fault.severity = Severity::kWarning;
  }
  return fault;
}

loose::Options engine_options(const JudgeOptions& options) {
  loose::Options out = options.loose;
  out.unknown = options.unknown == UnknownFields::kPreserve ? loose::UnknownMode::kPreserve
                                                            : loose::UnknownMode::kStrict;
  out.max_issues = kMostIssues;
  return out;
}

// Which of the issues are told: apiVersion, kind and metadata are never unknown at the root, and
// fields may be dropped in silence.
bool is_told(const loose::Issue& issue, bool resource, UnknownFields unknown) {
  if (issue.code != Issue::kUnknownKey) return true;
  if (unknown == UnknownFields::kPrune) return false;
  const auto& steps = issue.path.steps();
  return !(resource && steps.size() == 1 && schema::is_type_meta(steps[0].name));
}

void remove_at(Value& root, const FieldPath& path) {
  Value* here = &root;
  for (std::size_t i = 0; i + 1 < path.steps().size(); ++i) {
    const FieldPath::Step& step = path.steps()[i];
    if (step.kind != FieldPath::Kind::kIndex) {
      here = here->find(step.name);
    } else if (here->is_array() && step.index < here->size()) {
      here = &here->mutable_items()[step.index];
    }
    if (here == nullptr) return;
  }
  if (!path.empty()) here->remove(path.steps().back().name);
}

// The defaults in a server's own description of built-in kinds are what its language has for
// nothing: the server does not fill them in.
bool applies_defaults(const JudgeOptions& options) { return options.profile == Profile::kLoose; }

bool fills_defaults(const JudgeOptions& options) {
  return options.defaults == DefaultMode::kApply && applies_defaults(options);
}

Fault bad_default(const Error& error) {
  Fault fault{.issue = Issue::kSchemaInvalid, .message = error.message()};
  fault.params.push_back({"keyword", json_text("default")});
  return fault;
}

class LooseStream final : public StreamJudge {
 public:
  LooseStream(const LooseSchema& schema, const JudgeOptions& judge, const StreamLimits& limits)
      : schema_(schema),
        unknown_(judge.unknown),
        evaluator_(*schema.schema, *schema.root, options_for(judge, limits),
                   fills_defaults(judge)) {}

  bool begin_object(const Position& at) override { return evaluator_.begin_object(at); }
  bool key(std::string_view name, const Position& at) override { return evaluator_.key(name, at); }
  bool end_object(const Position& at) override { return evaluator_.end_object(at); }
  bool begin_array(const Position& at) override { return evaluator_.begin_array(at); }
  bool end_array(const Position& at) override { return evaluator_.end_array(at); }
  bool scalar(const Value& v, const Position& at) override { return evaluator_.scalar(v, at); }
  bool end_document(const Position& at) override { return evaluator_.end_document(at); }

  StreamFindings take() override {
    const auto taken = evaluator_.take();
    if (!taken) return {.faults = {bad_default(taken.error())}, .total = 1};
    const loose::Report& report = *taken;
    StreamFindings out{.total = report.total,
                       .certain = report.verdict != loose::Verdict::kUnknown};
    for (const loose::Issue& issue : report.issues) {
      if (is_told(issue, schema_.resource, unknown_))
        out.faults.push_back(fault_of(issue, unknown_));
    }
    return out;
  }

 private:
  static loose::Options options_for(const JudgeOptions& judge, const StreamLimits& limits) {
    loose::Options out = judge.loose;
    const bool told =
        judge.unknown == UnknownFields::kWarn || judge.unknown == UnknownFields::kStrict;
    out.unknown = told ? loose::UnknownMode::kStrict : loose::UnknownMode::kPrune;
    using Strategy = schema::StreamOptions::Strategy;
    out.strategy = limits.strategy == Strategy::kFailFast     ? loose::Strategy::kFailFast
                   : limits.strategy == Strategy::kFullBuffer ? loose::Strategy::kFullBuffer
                                                              : loose::Strategy::kBestEffort;
    out.max_buffer = limits.max_buffer;
    out.max_buffer_total = limits.max_total_buffer;
    out.max_issues = limits.max_issues;
    out.max_depth = limits.max_depth;
    return out;
  }

  LooseSchema schema_;
  UnknownFields unknown_;
  loose::DefaultingEvaluator evaluator_;
};

class LooseJudge final : public Judge {
 public:
  LooseJudge(LooseSchema schema, const JudgeOptions& options)
      : schema_(std::move(schema)), options_(options), engine_(engine_options(options)) {}

  std::vector<Fault> judge(const Subject& subject) const override {
    std::vector<Fault> faults;
    Value& object = subject.object;
    if (fills_defaults(options_)) {
      if (auto filled = default_into(object, subject.arena); !filled)
        return {bad_default(filled.error())};
    }
    const loose::Report report = loose::evaluate(object, *schema_.schema, *schema_.root, engine_);
    const bool prunes =
        options_.unknown == UnknownFields::kPrune || options_.unknown == UnknownFields::kWarn;
    for (const loose::Issue& issue : report.issues) {
      const bool meta = schema_.resource && issue.path.steps().size() == 1 &&
                        schema::is_type_meta(issue.path.steps()[0].name);
      if (issue.code == Issue::kUnknownKey && prunes && !meta) remove_at(object, issue.path);
      if (is_told(issue, schema_.resource, options_.unknown))
        faults.push_back(fault_of(issue, options_.unknown));
    }
    return faults;
  }

  void fill_defaults(Value& object, Arena& arena) const override {
    // What cannot be filled in has been told by judge().
    if (applies_defaults(options_)) static_cast<void>(default_into(object, arena));
  }

  bool takes_literals() const override { return true; }
  std::unique_ptr<StreamJudge> stream(const StreamLimits& limits) const override {
    return std::make_unique<LooseStream>(schema_, options_, limits);
  }

 private:
  Result<> default_into(Value& object, Arena& arena) const {
    return loose::apply_defaults(object, *schema_.schema, *schema_.root, options_.loose, arena);
  }

  LooseSchema schema_;
  JudgeOptions options_;
  loose::Options engine_;
};

}  // namespace

std::unique_ptr<const Judge> judge_loosely(LooseSchema schema, const JudgeOptions& options) {
  return std::make_unique<LooseJudge>(std::move(schema), options);
}

}  // namespace strake::validate

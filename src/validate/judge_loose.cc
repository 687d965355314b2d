#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "schema/loose/decimal.h"
#include "schema/loose/defaults.h"
#include "schema/loose/evaluate.h"
#include "schema/loose/stream_defaults.h"
#include "validate/classify.h"
#include "validate/hints.h"
#include "validate/judges.h"
#include "validate/phrases.h"
#include "validate/stream_projector.h"

// Documents against any JSON Schema or OpenAPI schema. Whole documents and passing ones give the
// same findings: LooseJudge settles a tree (defaults, rounding, pruning), LooseStream writes the
// settled form while it judges. A stream knows which members are unknown only at the end. When one
// would have to go, the output is not used (projected is false) and the caller falls back to the
// tree.

namespace strake::validate {
namespace {

namespace loose = schema::loose;
using value::Value;

// Issues that a document may have before the rest is only counted: pruning needs the place of every
// unknown field.
constexpr std::size_t kMostIssues = 100'000;

// Decoders do not tell fields from the keys of maps.
std::string decoded_path(const FieldPath& path) {
  FieldPath out;
  for (const FieldPath::Step& step : path.steps()) {
    if (step.kind == FieldPath::Kind::kIndex) {
      out.push_index(step.index);
    } else {
      out.push_field(step.name);
    }
  }
  return out.to_k8s();
}

// Why the branch that came nearest does not match, for people, who do not see params.
std::string branch_hint(const loose::Issue& issue) {
  constexpr std::size_t kMostTold = 3;
  std::string out;
  for (std::size_t i = 0; i < issue.branch.size() && i < kMostTold; ++i) {
    const loose::Issue& nested = issue.branch[i];
    out += out.empty() ? "the nearest branch: " : "; ";
    if (nested.path != issue.path) out += nested.path.to_k8s() + ": ";
    out += nested.message;
  }
  if (issue.branch.size() > kMostTold)
    out += fmt::format("; and {} more", issue.branch.size() - kMostTold);
  return out;
}

// A server's description of its own kinds: people know the server's words.
Fault in_words_of_server(Fault fault) {
  if (fault.issue != Issue::kRequired) return fault;
  fault.message = "Required value";
  fault.reason = "FieldValueRequired";
  return fault;
}

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
    if (fault.hint.empty()) fault.hint = branch_hint(issue);
  }
  if (fault.issue == Issue::kUnknownKey) {
    fault.at_key = true;
    fault.message = say(Phrase::kUnknownField, decoded_path(fault.path));
    fault.field.clear();
    if (unknown != UnknownFields::kStrict && !issue.forbidden) fault.severity = Severity::kWarning;
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

// apiVersion, kind and metadata are never unknown at the root of a resource.
bool is_known_anyway(const loose::Issue& issue, bool resource) {
  const auto& steps = issue.path.steps();
  return resource && steps.size() == 1 && schema::is_type_meta(steps[0].name);
}

// Which of the issues are told: fields may be dropped, or kept, in silence, but not where the
// schema forbids them.
bool is_told(const loose::Issue& issue, bool resource, UnknownFields unknown) {
  if (issue.code != Issue::kUnknownKey) return true;
  if (is_known_anyway(issue, resource)) return false;
  return issue.forbidden || unknown == UnknownFields::kWarn || unknown == UnknownFields::kStrict;
}

Value* holder_of(Value& root, const FieldPath& path) {
  Value* here = &root;
  for (std::size_t i = 0; i + 1 < path.steps().size() && here != nullptr; ++i) {
    const FieldPath::Step& step = path.steps()[i];
    if (step.kind != FieldPath::Kind::kIndex) {
      here = here->find(step.name);
    } else if (here->is_array() && step.index < here->size()) {
      here = &here->mutable_items()[step.index];
    }
  }
  return here;
}

bool have_one_holder(const FieldPath& a, const FieldPath& b) {
  const auto& left = a.steps();
  const auto& right = b.steps();
  if (left.size() != right.size()) return false;
  // Paths that follow each other differ near their end.
  for (std::size_t i = left.size() - 1; i-- > 0;) {
    const bool same = left[i].kind == FieldPath::Kind::kIndex
                          ? left[i].kind == right[i].kind && left[i].index == right[i].index
                          : left[i].name == right[i].name;
    if (!same) return false;
  }
  return true;
}

// Takes away the members at the paths, which are those of a report: sorted. The members of an
// object are gone through once, however many of them go.
void remove_members(Value& root, const std::vector<const FieldPath*>& paths) {
  for (std::size_t from = 0, to = 0; from < paths.size(); from = to) {
    std::unordered_set<std::string_view> names;
    for (to = from; to < paths.size() && have_one_holder(*paths[from], *paths[to]); ++to)
      names.insert(paths[to]->steps().back().name);
    Value* holder = holder_of(root, *paths[from]);
    if (holder == nullptr || !holder->is_object()) continue;
    const auto members = holder->mutable_members();
    std::size_t kept = 0;
    for (const value::Member& member : members) {
      if (!names.contains(member.key)) members[kept++] = member;
    }
    holder->truncate(kept);
  }
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

// An object that passes, as JSON. Which fields are unknown is known only at the end, so all are
// written.
class LooseOutput {
 public:
  LooseOutput(const Projection& how, bool rounds)
      : out_(how.write), writer_(out_), rounded_(writer_, rounds && !how.preserving) {}
  value::EventSink& sink() { return rounded_; }
  void flush() { out_.flush(); }

 private:
  // What is handed out is what was judged.
  class Rounded final : public value::EventSink {
   public:
    Rounded(value::EventSink& sink, bool rounds) : sink_(sink), rounds_(rounds) {}
    bool begin_object(const Position& at) override { return sink_.begin_object(at); }
    bool key(std::string_view name, const Position& at) override { return sink_.key(name, at); }
    bool end_object(const Position& at) override { return sink_.end_object(at); }
    bool begin_array(const Position& at) override { return sink_.begin_array(at); }
    bool end_array(const Position& at) override { return sink_.end_array(at); }
    bool scalar(const Value& v, const Position& at) override {
      if (!rounds_ || !v.is_number()) return sink_.scalar(v, at);
      Value rounded = v;
      loose::round_to_float64(rounded);
      return sink_.scalar(rounded, at);
    }
    bool end_document(const Position&) override { return true; }

   private:
    value::EventSink& sink_;
    bool rounds_;
  };

  PieceWriter out_;
  EventWriter writer_;
  Rounded rounded_;
};

class LooseStream final : public StreamJudge {
 public:
  LooseStream(const LooseSchema& schema, const JudgeOptions& judge, const StreamLimits& limits)
      : schema_(schema),
        unknown_(judge.unknown),
        output_(make_output(judge, limits)),
        sent_(output_ && limits.projection->preserving ? &output_->sink() : nullptr),
        evaluator_(*schema.schema, *schema.root, options_for(judge, limits), fills_defaults(judge),
                   output_ && sent_ == nullptr ? &output_->sink() : nullptr) {}

  bool begin_object(const Position& at) override {
    if (sent_ != nullptr) sent_->begin_object(at);
    return evaluator_.begin_object(at);
  }
  bool key(std::string_view name, const Position& at) override {
    if (sent_ != nullptr) sent_->key(name, at);
    return evaluator_.key(name, at);
  }
  bool end_object(const Position& at) override {
    if (sent_ != nullptr) sent_->end_object(at);
    return evaluator_.end_object(at);
  }
  bool begin_array(const Position& at) override {
    if (sent_ != nullptr) sent_->begin_array(at);
    return evaluator_.begin_array(at);
  }
  bool end_array(const Position& at) override {
    if (sent_ != nullptr) sent_->end_array(at);
    return evaluator_.end_array(at);
  }
  bool scalar(const Value& v, const Position& at) override {
    if (sent_ != nullptr) sent_->scalar(v, at);
    return evaluator_.scalar(v, at);
  }
  bool end_document(const Position& at) override { return evaluator_.end_document(at); }

  StreamFindings take() override {
    const auto taken = evaluator_.take();
    if (!taken) return {.faults = {bad_default(taken.error())}, .total = 1};
    const loose::Report& report = *taken;
    StreamFindings out{.total = report.total,
                       .certain = report.verdict != loose::Verdict::kUnknown};
    // A field that settling would take away has been written.
    bool pruned = report.total > report.issues.size();
    for (const loose::Issue& issue : report.issues) {
      pruned =
          pruned || (issue.code == Issue::kUnknownKey && unknown_ != UnknownFields::kPreserve &&
                     !is_known_anyway(issue, schema_.resource));
      if (is_told(issue, schema_.resource, unknown_)) {
        out.faults.push_back(fault_of(issue, unknown_));
      } else if (output_) {
        --out.total;
      }
    }
    if (output_) output_->flush();
    out.projected = output_ != nullptr && !pruned;
    if (schema_.of_server) {
      for (Fault& fault : out.faults) fault = in_words_of_server(std::move(fault));
    }
    return out;
  }

 private:
  static std::unique_ptr<LooseOutput> make_output(const JudgeOptions& judge,
                                                  const StreamLimits& limits) {
    if (limits.projection == nullptr) return nullptr;
    const bool rounds = judge.loose.numbers == loose::NumberMode::kFloat64;
    return std::make_unique<LooseOutput>(*limits.projection, rounds);
  }
  static loose::Options options_for(const JudgeOptions& judge, const StreamLimits& limits) {
    loose::Options out = judge.loose;
    const bool told = judge.unknown == UnknownFields::kWarn ||
                      judge.unknown == UnknownFields::kStrict ||
                      (judge.unknown == UnknownFields::kPrune && limits.projection != nullptr);
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
  std::unique_ptr<LooseOutput> output_;
  value::EventSink* sent_;  // gets the document as it was sent; else the output has its defaults
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
    // What is handed out is what was judged.
    if (options_.loose.numbers == loose::NumberMode::kFloat64) loose::round_to_float64(object);
    const loose::Report report = loose::evaluate(object, *schema_.schema, *schema_.root, engine_);
    const bool prunes =
        options_.unknown == UnknownFields::kPrune || options_.unknown == UnknownFields::kWarn;
    std::vector<const FieldPath*> pruned;
    for (const loose::Issue& issue : report.issues) {
      if (issue.code == Issue::kUnknownKey && prunes && !issue.forbidden && !issue.path.empty() &&
          !is_known_anyway(issue, schema_.resource))
        pruned.push_back(&issue.path);
      if (is_told(issue, schema_.resource, options_.unknown))
        faults.push_back(fault_of(issue, options_.unknown));
    }
    remove_members(object, pruned);
    if (schema_.of_server) {
      for (Fault& fault : faults) fault = in_words_of_server(std::move(fault));
    }
    if (schema_.rules != nullptr && options_.rules != nullptr) run_rules(subject, faults);
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
  // Rules see only objects whose shape they can rely on.
  void run_rules(const Subject& subject, std::vector<Fault>& faults) const {
    const bool broken = std::ranges::any_of(
        faults, [](const Fault& fault) { return fault.severity == Severity::kError; });
    if (broken) return;
    const resource::RuleOutcome outcome =
        options_.rules->run(subject.object, schema_.rules, subject.old);
    for (const value::FieldError& error : outcome.errors) {
      Fault fault = rule_fault_from(error);
      add_hint(fault, error, *schema_.rules);
      faults.push_back(std::move(fault));
    }
    add_omitted(outcome.errors, faults);
  }

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
